//go:build unix

package explorer

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"podium/pnml"
)

// peers gives the figures of verifypn 4.4.2 on the nets of the benchmark:
// explicit breadth-first search, one core, another machine.
var peers = []struct {
	instance      string
	states        uint64
	mega          float64 // states per second, in millions
	bytesPerState float64
}{
	{"Railroad-PT-010", 2_038_166, 0.20, 25},
	{"AirplaneLD-PT-0020", 308_303, 0.31, 21},
	{"ShieldRVs-PT-003A", 1_530_495, 0.45, 21},
	{"RwMutex-PT-r0020w0010", 1_048_586, 0.10, 29},
	{"Anderson-PT-05", 689_901, 0.52, 18},
	{"TriangularGrid-PT-1500", 705_712, 0.82, 24},
	{"HouseConstruction-PT-00005", 1_187_984, 0.52, 23},
	{"CircadianClock-PT-000010", 644_204, 0.37, 22},
	{"ResAllocation-PT-R003C010", 823_552, 0.37, 20},
	{"SmallOperatingSystem-PT-MT0032DC0016", 354_501, 0.83, 13},
}

// benchNet reads one of the nets, or skips.
func benchNet(tb testing.TB, instance string) *pnml.Net {
	tb.Helper()
	dir := os.Getenv("PODIUM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "bench", instance+".tgz"))
	if err != nil {
		tb.Skip("the real data is absent: set PODIUM_DATA")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			tb.Fatal(err)
		}
		if filepath.Base(h.Name) != "model.pnml" {
			continue
		}
		doc, findings := pnml.Read(r, instance)
		if err := findings.Err(); err != nil {
			tb.Fatal(err)
		}
		return doc.Net
	}
}

// processTime is the processor time that the process has spent: on a machine
// with other work it says more than the clock.
func processTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkExplore enumerates ten nets of the contest on one core. It reports
// states and edges per second of processor time, bytes per state (of all tables, at their
// largest), and the ratio of the speed to that of verifypn.
func BenchmarkExplore(b *testing.B) {
	for _, c := range peers {
		b.Run(c.instance, func(b *testing.B) {
			net := benchNet(b, c.instance)
			var states, edges uint64
			var peak int64
			begin := processTime(b)
			for b.Loop() {
				s := Explore(b.Context(), net, Options{Memory: 4 << 30})
				if !s.Complete() || s.States() != c.states {
					b.Fatalf("%v, %d states, want %d", s.Stop(), s.States(), c.states)
				}
				states, edges, peak = s.States(), s.Edges(), s.budget.peak
				s.Close()
			}
			seconds := (processTime(b) - begin).Seconds()
			mega := float64(states) * float64(b.N) / seconds / 1e6
			b.ReportMetric(mega, "Mstates/s")
			b.ReportMetric(float64(edges)*float64(b.N)/seconds/1e6, "Medges/s")
			b.ReportMetric(float64(peak)/float64(states), "B/state")
			b.ReportMetric(mega/c.mega, "x-verifypn")
		})
	}
}
