package unfold

import (
	"bytes"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"podium/pnml"
)

func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// BenchmarkUnfold reports millions of arcs per CPU second, the share of what the
// bare inner loop reaches at the same time, and the memory of a process that
// does nothing else, per arc and beyond what it has after reading the net.
func BenchmarkUnfold(b *testing.B) {
	realModels(b, "bench", func(name string, s *pnml.Symmetric) {
		b.Run(name, func(b *testing.B) {
			arcs, spent, bare := 0, 0.0, 0.0
			for b.Loop() {
				start := cpu()
				u, err := Unfold(s, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				spent += cpu() - start
				arcs = u.Net.Pre.Len() + u.Net.Post.Len()
				bare += innerLoop(arcs)
			}
			b.ReportMetric(float64(b.N)*float64(arcs)/spent/1e6, "Marcs/cpu-s")
			b.ReportMetric(bare/spent, "of-inner-loop")
			b.ReportMetric(peak(b, name)/float64(arcs), "peak-B/arc")
			b.ReportMetric(0, "ns/op")
		})
	})
}

// innerLoop gives the CPU seconds that the least of the work takes: to bind two
// variables, test a guard, compute four patterns and write rows.
func innerLoop(arcs int) float64 {
	start := cpu()
	n := uint32(1)
	for int(4*n*(n-1)) < arcs {
		n++
	}
	starts, places := make([]uint32, 0, n*n), make([]uint32, 0, 4*n*n)
	for x := range n {
		for y := range n {
			if x == y {
				continue
			}
			places = append(places, x, n+y, 2*n+x*n+y, 2*n+n*n+y*n+x)
			starts = append(starts, uint32(len(places)))
		}
	}
	sink = len(starts) + len(places)
	return cpu() - start
}

var sink int

// peak runs this program again to unfold one net and gives the bytes that this
// took.
func peak(b *testing.B, name string) float64 {
	cmd := exec.Command(os.Args[0], "-test.run", "^TestPeak$", "-test.v")
	cmd.Env = append(os.Environ(), "UNFOLD_PEAK="+name)
	out, err := cmd.CombinedOutput()
	_, rest, found := strings.Cut(string(out), "peak ")
	kB, _, _ := strings.Cut(rest, " kB")
	n, errN := strconv.Atoi(kB)
	if err != nil || !found || errN != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return float64(n) * 1024
}

// TestPeak is the other side of peak.
func TestPeak(t *testing.T) {
	name := os.Getenv("UNFOLD_PEAK")
	if name == "" {
		t.Skip("only for the benchmark")
	}
	s := model(t, realData("bench", name+".tgz"), name).Symmetric
	resident := func(key string) int {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := bytes.Cut(status, []byte(key))
		n, _ := strconv.Atoi(strings.Fields(string(rest))[0])
		return n
	}
	// Neither the code of an unfolding is part of what it takes, nor what reading
	// has left.
	pair := op("tuple", x, y)
	warm := symmetric(t, abc, place("p", "LL", op("tuple", all, a))+transition("t", op("inequality", x, y))+arc("p", "t", pair)+arc("t", "p", pair))
	if _, err := Unfold(warm, Limits{}); err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
		t.Skip(err)
	}
	before := resident("VmRSS:")
	u, err := Unfold(s, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak %d kB for %d arcs", resident("VmHWM:")-before, u.Net.Pre.Len()+u.Net.Post.Len())
}

// BenchmarkWrite writes an unfolded net, whose ids are made while it is written.
func BenchmarkWrite(b *testing.B) {
	realModels(b, "bench", func(name string, s *pnml.Symmetric) {
		if name != "SharedMemory-COL-001000" && name != "SafeBus-COL-80" {
			return
		}
		u, err := Unfold(s, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			var size counter
			start := cpu()
			for b.Loop() {
				size = 0
				if err := u.Net.Write(&size); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(size)/1e6/(cpu()-start), "MB/cpu-s")
		})
	})
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
