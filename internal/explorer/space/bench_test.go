//go:build unix

package space

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/internal/realdata"
	"podium/internal/yardstick"
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

// benchModel opens the model of an instance, or skips.
func benchModel(tb testing.TB, instance string) io.Reader {
	tb.Helper()
	f, err := os.Open(filepath.Join(realdata.Contest(tb), "bench", instance+".tgz"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			tb.Fatal(err)
		}
		if filepath.Base(h.Name) == "model.pnml" {
			return r
		}
	}
}

func benchNet(tb testing.TB, instance string) *pnml.Net {
	tb.Helper()
	doc, findings := pnml.Read(benchModel(tb, instance), instance)
	if err := findings.Err(); err != nil {
		tb.Fatal(err)
	}
	return doc.Net
}

// BenchmarkExplore enumerates ten nets of the contest, by turns on one core and
// on two, and measures the machine between. It reports, for one core, states and
// edges per second of processor time, bytes per state (of all tables, at their
// largest), and the ratio of the speed to that of verifypn, as measured and
// scaled to the machine of verifypn; for two cores, their processor time and the
// speed by the clock, as ratios to those of one core, the latter also for the
// rounds in which the two cores were near each other alone; the speed-up of two
// searches on one core each, which share nothing, from one after the other to
// both at one time; and the time in which the cores hand a line of memory over.
func BenchmarkExplore(b *testing.B) {
	text, err := io.ReadAll(io.LimitReader(benchModel(b, "ErlangenMainframeV0-PT-1202"), 4<<20))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range peers {
		b.Run(c.instance, func(b *testing.B) {
			net := benchNet(b, c.instance)
			var states, edges uint64
			var peak int64
			var cost, near [3]yardstick.Cost // by cores
			var apart yardstick.Pair
			var line time.Duration
			search := func(cores int) *Space {
				return Explore(b.Context(), net, Options{Memory: 4 << 30, Cores: cores})
			}
			explore := func(cores int) (took yardstick.Cost) {
				var s *Space
				took.Measure(func() { s = search(cores) })
				cost[cores].Add(took)
				if !s.Complete() || s.States() != c.states {
					b.Fatalf("%v, %d states, want %d", s.Stop(), s.States(), c.states)
				}
				states, edges, peak = s.States(), s.Edges(), s.Budget().Peak()
				s.Close()
				return took
			}
			ruler := yardstick.NewRuler(text)
			for b.Loop() {
				ruler.Use(cost[1].CPU)
				before, one, two, after := yardstick.Handover(), explore(1), explore(2), yardstick.Handover()
				if line += after; max(before, after) <= yardstick.Near {
					near[1].Add(one)
					near[2].Add(two)
				}
				apart.Measure(func() { search(1).Close() })
			}
			perSecond := float64(b.N) / cost[1].CPU.Seconds() / 1e6
			mega := float64(states) * perSecond
			b.ReportMetric(mega, "Mstates/s")
			b.ReportMetric(float64(edges)*perSecond, "Medges/s")
			b.ReportMetric(float64(peak)/float64(states), "B/state")
			b.ReportMetric(mega/c.mega, "x-verifypn")
			b.ReportMetric(ruler.Scaled(mega/c.mega), "x-verifypn-scaled")
			b.ReportMetric(ruler.Scaled(mega), "Mstates/s-scaled")
			b.ReportMetric(ruler.Megabytes(), "xml-MB/s")
			b.ReportMetric(cost[2].CPU.Seconds()/cost[1].CPU.Seconds(), "processor-2/1")
			b.ReportMetric(cost[1].Clock.Seconds()/cost[2].Clock.Seconds(), "speedup-2")
			if near[2].Clock > 0 {
				b.ReportMetric(near[1].Clock.Seconds()/near[2].Clock.Seconds(), "near-speedup-2")
			}
			b.ReportMetric(apart.Speedup(), "apart-2")
			b.ReportMetric(float64(line)/float64(b.N), "handover-ns")
		})
	}
}
