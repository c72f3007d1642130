package unfold

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/internal/yardstick"
	"podium/pnml"
)

func cpu() float64 { return yardstick.CPUTime().Seconds() }

// BenchmarkUnfold reports millions of arcs per CPU second, as measured and scaled
// to the machine of the published figures, the share of what the bare inner loop
// reaches at the same time, and the memory of a process that does nothing else,
// per arc and beyond what it has after reading the net.
func BenchmarkUnfold(b *testing.B) {
	var text []byte
	realModels(b, "bench", func(name string, s *pnml.Symmetric) {
		if text == nil {
			text = archived(b, filepath.Join(realdata.Contest(b), "bench", "ErlangenMainframeV0-PT-1202.tgz"), "model.pnml")[:4<<20]
		}
		b.Run(name, func(b *testing.B) {
			arcs, bare := 0, 0.0
			var spent yardstick.Cost
			ruler := yardstick.NewRuler(text)
			for b.Loop() {
				ruler.Use(spent.CPU)
				spent.Measure(func() {
					u, err := Unfold(b.Context(), s, Limits{})
					if err != nil {
						b.Fatal(err)
					}
					arcs = u.Net.Pre.Len() + u.Net.Post.Len()
				})
				bare += innerLoop(arcs)
			}
			speed := float64(b.N) * float64(arcs) / spent.CPU.Seconds() / 1e6
			b.ReportMetric(speed, "Marcs/cpu-s")
			b.ReportMetric(ruler.Scaled(speed), "Marcs/cpu-s-scaled")
			b.ReportMetric(bare/spent.CPU.Seconds(), "of-inner-loop")
			bytes, _ := peak(b, name)
			b.ReportMetric(bytes/float64(arcs), "peak-B/arc")
			b.ReportMetric(0, "ns/op")
		})
	})
}

// innerLoop returns the CPU seconds that the least of the work takes: to bind two
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

// peak runs this program again to unfold one net and returns the bytes that this
// took, and the arcs.
func peak(tb testing.TB, name string) (bytes, arcs float64) {
	tb.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestPeak$", "-test.v")
	cmd.Env = append(os.Environ(), "UNFOLD_PEAK="+name)
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "--- SKIP") {
		tb.Skipf("%s", out)
	}
	_, rest, _ := strings.Cut(string(out), "peak ")
	if _, bad := fmt.Sscanf(rest, "%g kB for %g arcs", &bytes, &arcs); err != nil || bad != nil {
		tb.Fatalf("%v, %v: %s", err, bad, out)
	}
	return 1024 * bytes, arcs
}

// TestPeak unfolds nets in processes of their own: at most 16 bytes for every arc
// and a constant.
func TestPeak(t *testing.T) {
	if name := os.Getenv("UNFOLD_PEAK"); name != "" {
		unfoldAlone(t, name)
		return
	}
	if testing.Short() {
		t.Skip("the nets are large, and the race detector needs memory of its own")
	}
	const constant = 256 << 10
	realModels(t, "bench", func(name string, _ *pnml.Symmetric) {
		if bytes, arcs := peak(t, name); bytes > 16*arcs+constant {
			t.Errorf("%s: %.0f bytes for %.0f arcs", name, bytes, arcs)
		}
	})
}

// unfoldAlone is the other side of peak.
func unfoldAlone(t *testing.T, name string) {
	s := model(t, filepath.Join(realdata.Contest(t), "bench", name+".tgz"), name).Symmetric
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
	if _, err := Unfold(t.Context(), warm, Limits{}); err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins again
		t.Skip(err)
	}
	before := resident("VmRSS:")
	u, err := Unfold(t.Context(), s, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak %d kB for %d arcs", resident("VmHWM:")-before, u.Net.Pre.Len()+u.Net.Post.Len())
}

// BenchmarkWrite writes an unfolded net, whose ids are made while it is written; the
// second figure has the time of the unfolding in it, too, as of podium model unfold.
func BenchmarkWrite(b *testing.B) {
	realModels(b, "bench", func(name string, s *pnml.Symmetric) {
		if name != "SharedMemory-COL-001000" && name != "SafeBus-COL-80" {
			return
		}
		begun := cpu()
		u, err := Unfold(b.Context(), s, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		unfolding := cpu() - begun
		b.Run(name, func(b *testing.B) {
			var size counter
			start := cpu()
			for b.Loop() {
				size = 0
				if err := u.Net.Write(&size); err != nil {
					b.Fatal(err)
				}
			}
			writing := (cpu() - start) / float64(b.N)
			b.ReportMetric(float64(size)/1e6/writing, "MB/cpu-s")
			b.ReportMetric(float64(size)/1e6/(unfolding+writing), "whole-MB/cpu-s")
		})
	})
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
