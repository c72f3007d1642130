//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/proc"
)

// A machine of a contest and the input of the goal that is set for it.
const (
	benchMemory = 16 << 30
	benchInput  = 60 << 20
)

// openBench opens a driver; a benchmark is skipped where there is none.
func openBench(tb testing.TB, o Options) *Driver {
	tb.Helper()
	dir, err := os.MkdirTemp("", "pd") // paths of sockets are short
	if err != nil {
		tb.Fatal(err)
	}
	o.Dir = dir
	d, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := errors.Join(d.Close(), os.RemoveAll(dir)); err != nil {
			tb.Error(err)
		}
	})
	if _, err := d.Probe(tb.Context()); err != nil {
		tb.Skip(err)
	}
	return d
}

// BenchmarkRun is a whole run in a machine of 16 GB with an input of 60 MB: how
// long after the request the tool starts, how long after its end all is gone,
// and the CPU time of podium and the machine up to the start, which does not
// depend on what else the host does.
func BenchmarkRun(b *testing.B) {
	tool, input := b.TempDir(), b.TempDir()
	model := make([]byte, benchInput)
	rand.Read(model)
	if err := os.WriteFile(filepath.Join(input, "model.pnml"), model, 0o644); err != nil {
		b.Fatal(err)
	}
	for _, start := range []string{StartCold, StartTemplate} {
		b.Run(start, func(b *testing.B) {
			d := openBench(b, Options{Start: start})
			spec := vm.Spec{Name: "bench", Cores: 1, Memory: benchMemory, Tool: tool, Input: input}
			if m, err := d.Boot(b.Context(), spec); err != nil { // makes disks and the template
				b.Fatal(err)
			} else if err := m.Close(); err != nil {
				b.Fatal(err)
			}
			var started, gone, cpu []time.Duration
			for b.Loop() {
				s, g, c := benchRun(b, d, spec)
				started, gone, cpu = append(started, s), append(gone, g), append(cpu, c)
			}
			report(b, started, "s/tool-started")
			report(b, gone, "s/gone-after-end")
			report(b, cpu, "cpu-s/start")
		})
	}
}

func report(b *testing.B, times []time.Duration, unit string) {
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds(), unit)
}

func benchRun(b *testing.B, d *Driver, spec vm.Spec) (started, gone, cpu time.Duration) {
	began, own := time.Now(), ownTime(b)
	m, err := d.start(b.Context(), spec, d.accelerator())
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	guest, err := cpuTime(m.pid)
	if err != nil {
		b.Fatal(err)
	}
	cpu = guest + ownTime(b) - own
	out, err := m.Exec(context.Background(), vm.Job{Command: []string{"/bin/true"}, Limits: vm.Limits{WallTime: time.Minute}})
	if err != nil {
		b.Fatal(err)
	}
	ended := out.EndedAt()
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Started.Sub(began), time.Since(ended), cpu
}

// ownTime is the CPU time of this process.
func ownTime(tb testing.TB) time.Duration {
	tb.Helper()
	t, err := cpuTime(os.Getpid())
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// compete keeps threads busy on a core of the host.
func compete(tb testing.TB, threads, core int) (stop func()) {
	tb.Helper()
	var over atomic.Bool
	var all sync.WaitGroup
	for range threads {
		all.Go(func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with this
			var set unix.CPUSet
			set.Set(core)
			if err := unix.SchedSetaffinity(0, &set); err != nil {
				tb.Error(err)
			}
			for !over.Load() {
			}
		})
	}
	return func() {
		over.Store(true)
		all.Wait()
	}
}

// fixedWork is a job that does the same work each time.
func fixedWork(tb testing.TB, d *Driver, core int) vm.Outcome {
	tb.Helper()
	m, err := d.Boot(tb.Context(), vm.Spec{Name: "work", Cores: 1, CPUs: []int{core}, Memory: 256 << 20, Tool: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	defer m.Close()
	job := vm.Job{Command: []string{"/bin/sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"}, Limits: vm.Limits{WallTime: 5 * time.Minute}}
	out, err := m.Exec(tb.Context(), job)
	if err != nil || out.Termination != vm.Exited || out.ExitCode != 0 {
		tb.Fatalf("%+v, %v", out, err)
	}
	return out
}

// TestContentionIsFlagged lets others compete for the core of a machine. The
// guest takes their time for its own; the host knows better, and says so.
func TestContentionIsFlagged(t *testing.T) {
	d := openBench(t, Options{})
	core := slices.Max(proc.Cores())
	alone := fixedWork(t, d, core)
	stop := compete(t, 3, core)
	contended := fixedWork(t, d, core)
	stop()
	t.Logf("alone: guest %v, host %v; among three competitors: guest %v, host %v", alone.CPUTime, alone.HostCPUTime, contended.CPUTime, contended.HostCPUTime)
	if contended.Measures(vm.Times) {
		t.Errorf("the guest's %v against the host's %v are not flagged: %q", contended.CPUTime, contended.HostCPUTime, contended.Warnings)
	}
	// The same work costs the host about the same, not four times as much as it seems
	// to the guest. Caches and cores that others use, too, make the difference.
	if c, a := contended.HostCPUTime.Duration().Seconds(), alone.HostCPUTime.Duration().Seconds(); c > 3*a || a > 3*c {
		t.Errorf("the host's control figure depends on the competitors: %.3f s and %.3f s", a, c)
	}
}

// TestHostDecidesLimit lets others compete for the core of a machine whose job
// never ends. The guest believes early that the limit of CPU time is reached; the
// job has all of it by the host's clock.
func TestHostDecidesLimit(t *testing.T) {
	d := openBench(t, Options{})
	core := slices.Max(proc.Cores())
	m, err := d.Boot(t.Context(), vm.Spec{Name: "limit", Cores: 1, CPUs: []int{core}, Memory: 256 << 20, Tool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	defer compete(t, 3, core)()
	limit := 3 * time.Second
	job := vm.Job{Command: []string{"/bin/sh", "-c", "while :; do :; done"}, Limits: vm.Limits{CPUTime: limit, WallTime: 10 * time.Minute}}
	out, err := m.Exec(t.Context(), job)
	if err != nil || out.Termination != vm.OutOfCPU {
		t.Fatalf("%+v, %v", out, err)
	}
	t.Logf("guest %v, host %v, wall %v", out.CPUTime, out.HostCPUTime, out.WallTime)
	if out.HostCPUTime.Duration() < limit-tolerance(limit) {
		t.Errorf("the job was ended after %v by the host's clock, the limit is %v", out.HostCPUTime, limit)
	}
	if out.Measures(vm.Times) {
		t.Errorf("the guest's %v are not flagged: %q", out.CPUTime, out.Warnings)
	}
}

// BenchmarkContention prints how figures of the guest and of the host change
// with the number of competitors for its core.
func BenchmarkContention(b *testing.B) {
	d := openBench(b, Options{})
	core := slices.Max(proc.Cores())
	for hogs := range 4 {
		b.Run(fmt.Sprintf("competitors=%d", hogs), func(b *testing.B) {
			defer compete(b, hogs, core)()
			var guest, host, wall []time.Duration
			for b.Loop() {
				out := fixedWork(b, d, core)
				guest, host, wall = append(guest, out.CPUTime.Duration()), append(host, out.HostCPUTime.Duration()), append(wall, out.WallTime.Duration())
			}
			report(b, guest, "guest-cpu-s")
			report(b, host, "host-cpu-s")
			report(b, wall, "guest-wall-s")
		})
	}
}
