package unfold

import (
	"runtime"
	"syscall"
	"testing"

	"podium/pnml"
)

func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// BenchmarkUnfold reports millions of arcs per CPU second, and bytes allocated
// per arc, which bounds the memory needed.
func BenchmarkUnfold(b *testing.B) {
	realModels(b, "bench", func(name string, s *pnml.Symmetric) {
		b.Run(name, func(b *testing.B) {
			arcs := 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpu()
			for b.Loop() {
				u, err := Unfold(s, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				arcs = u.Net.Pre.Len() + u.Net.Post.Len()
			}
			spent := cpu() - start
			runtime.ReadMemStats(&after)
			all := float64(b.N) * float64(arcs)
			b.ReportMetric(all/spent/1e6, "Marcs/cpu-s")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/all, "B/arc")
			b.ReportMetric(0, "ns/op")
		})
	})
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
