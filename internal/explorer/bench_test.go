//go:build unix

package explorer

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
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

// benchModel opens the model of an instance, or skips.
func benchModel(tb testing.TB, instance string) io.Reader {
	tb.Helper()
	dir := os.Getenv("PODIUM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "bench", instance+".tgz"))
	if err != nil {
		tb.Skip("the real data is absent: set PODIUM_DATA")
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

// yardstick is a piece of work that tells how fast the machine is at the moment:
// encoding/xml over four megabytes of a model. The machine on which the figures
// of verifypn were taken does 52 megabytes per second.
type yardstick struct {
	text    []byte
	bytes   int
	seconds float64
}

const referenceMB = 52

func newYardstick(tb testing.TB) *yardstick {
	tb.Helper()
	text, err := io.ReadAll(io.LimitReader(benchModel(tb, "ErlangenMainframeV0-PT-1202"), 4<<20))
	if err != nil {
		tb.Fatal(err)
	}
	return &yardstick{text: text}
}

func (y *yardstick) use(tb testing.TB) {
	tb.Helper()
	begin := processTime(tb)
	for d := xml.NewDecoder(bytes.NewReader(y.text)); ; {
		if _, err := d.RawToken(); err != nil {
			break // the text is cut off
		}
	}
	y.seconds += (processTime(tb) - begin).Seconds()
	y.bytes += len(y.text)
}

// megabytes gives how many are read per second.
func (y *yardstick) megabytes() float64 { return float64(y.bytes) / y.seconds / 1e6 }

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

// plainLoops tells what a second core is worth at the moment: it gives the clock
// time for two pieces of work without any memory, one after the other and at one
// time.
func plainLoops() (inTurn, together time.Duration) {
	piece := func(sum chan<- uint64) {
		x := uint64(1)
		for range 20_000_000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		sum <- x
	}
	sums := make(chan uint64, 4)
	start := time.Now()
	piece(sums)
	piece(sums)
	middle := time.Now()
	go piece(sums)
	piece(sums)
	for range cap(sums) {
		<-sums
	}
	return middle.Sub(start), time.Since(middle)
}

// BenchmarkExplore enumerates ten nets of the contest, by turns on one core and
// on two, and measures the machine between. It reports, for one core, states and
// edges per second of processor time, bytes per state (of all tables, at their
// largest), and the ratio of the speed to that of verifypn, as measured and
// scaled to the machine of verifypn by the yardstick; for two cores, their
// processor time and the speed by the clock, as ratios to those of one core, and
// the same ratio of speeds for plain loops, which no search can exceed.
func BenchmarkExplore(b *testing.B) {
	y := newYardstick(b)
	for _, c := range peers {
		b.Run(c.instance, func(b *testing.B) {
			net := benchNet(b, c.instance)
			var states, edges uint64
			var peak int64
			var one, two, clockOne, clockTwo, inTurn, together time.Duration
			explore := func(cores int) (processor, clock time.Duration) {
				begin, start := processTime(b), time.Now()
				s := Explore(b.Context(), net, Options{Memory: 4 << 30, Cores: cores})
				processor, clock = processTime(b)-begin, time.Since(start)
				if !s.Complete() || s.States() != c.states {
					b.Fatalf("%v, %d states, want %d", s.Stop(), s.States(), c.states)
				}
				states, edges, peak = s.States(), s.Edges(), s.budget.peak
				s.Close()
				return processor, clock
			}
			*y = yardstick{text: y.text}
			for b.Loop() {
				y.use(b)
				p, t := explore(1)
				one, clockOne = one+p, clockOne+t
				p, t = explore(2)
				two, clockTwo = two+p, clockTwo+t
				p, t = plainLoops()
				inTurn, together = inTurn+p, together+t
			}
			perSecond := float64(b.N) / one.Seconds() / 1e6
			mega := float64(states) * perSecond
			b.ReportMetric(mega, "Mstates/s")
			b.ReportMetric(float64(edges)*perSecond, "Medges/s")
			b.ReportMetric(float64(peak)/float64(states), "B/state")
			b.ReportMetric(mega/c.mega, "x-verifypn")
			b.ReportMetric(mega/c.mega*referenceMB/y.megabytes(), "x-verifypn-scaled")
			b.ReportMetric(mega*referenceMB/y.megabytes(), "Mstates/s-scaled")
			b.ReportMetric(y.megabytes(), "xml-MB/s")
			b.ReportMetric(two.Seconds()/one.Seconds(), "processor-2/1")
			b.ReportMetric(clockOne.Seconds()/clockTwo.Seconds(), "speedup-2")
			b.ReportMetric(inTurn.Seconds()/together.Seconds(), "loop-2")
		})
	}
}
