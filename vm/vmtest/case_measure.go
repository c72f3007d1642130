//go:build linux

package vmtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/vm"
)

// workload is a role of the actor whose CPU time or memory is known.
type workload struct {
	name   string
	role   []string
	memory int64    // bytes that it touches, 0 where it burns CPU time
	base   []string // role that is the same but for the memory
	first  bool     // of those that are alike
}

// workloads: the truth of CPU time is what the actor's kernel told the actor at
// its end; that of memory is the difference to an actor that touches nothing.
var workloads = []workload{
	{name: "one thread", role: []string{"burn", "1", "400"}, first: true},
	{name: "two threads", role: []string{"burn", "2", "250"}},
	{name: "four threads", role: []string{"burn", "4", "120"}},
	{name: "forked children", role: []string{"fork", "4", "100"}},
	{name: "short-lived children", role: []string{"short", "30", "4"}},
	{name: "one process", role: []string{"touch", "96"}, memory: 96 << 20, base: []string{"touch", "0"}, first: true},
	{name: "two processes", role: []string{"touchfork", "2", "48"}, memory: 96 << 20, base: []string{"touchfork", "2", "0"}},
}

// competitors is how many others want the same core in cases of contention.
const competitors = 3

// measureCases: what is measured is true, either ExactCPU or ExactMemory.
func measureCases(figure Need) []testCase {
	cases := slices.Clone(otherMeasureCases)
	for _, w := range workloads {
		what, need := "CPU time of ", ExactCPU
		if w.memory > 0 {
			what, need = "memory of ", ExactMemory
		}
		cases = append(cases, testCase{what + w.name, []Need{need}, func(b *bench) { b.check(w, nil) }},
			testCase{what + w.name + " among competitors", []Need{need, Pinning}, func(b *bench) {
				count := competitors
				if slices.Contains(b.options.Lacks, SharedKernel) {
					if !w.first {
						b.Skip("competitors of a machine are the same to all that runs in it")
					}
					count = 1 // a core that boots four emulated machines takes half a minute
				}
				cpu := b.lastCore()
				defer b.compete(count, cpu)()
				b.check(w, []int{cpu})
			}})
	}
	return slices.DeleteFunc(cases, func(c testCase) bool { return c.needs[0] != figure })
}

var otherMeasureCases = []testCase{
	{"sleep costs no CPU time", []Need{ExactCPU}, func(b *bench) {
		r := b.sh("sleep 0.5")
		b.wantExit(r, 0)
		if r.CPUTime > vm.Took(100*time.Millisecond*time.Duration(b.options.Pace)) && !r.flagged() || r.WallTime < vm.Took(500*time.Millisecond) || r.WallTime > vm.Took(500*time.Millisecond+b.options.Grace) {
			b.Errorf("%v of CPU time in %v", r.CPUTime, r.WallTime)
		}
	}},
	{"user and system time", []Need{ExactCPU}, func(b *bench) {
		r := b.do(actor("burn", "1", "200"))
		if r.UserTime+r.SystemTime != r.CPUTime || r.UserTime < 0 || r.SystemTime < 0 {
			b.Errorf("%v + %v is not %v", r.UserTime, r.SystemTime, r.CPUTime)
		}
	}},
	{"memory in files", []Need{ExactMemory}, func(b *bench) {
		base := b.sh("head -c 0 /dev/zero > /tmp/f").MemoryPeak
		b.checkMemory(b.sh("head -c 50000000 /dev/zero > /tmp/f").MemoryPeak-base, 50_000_000)
	}},
	{"an early peak is kept", []Need{ExactMemory}, func(b *bench) {
		r := b.sh("$ACTOR touch 64; sleep 0.1")
		if r.MemoryPeak < 64<<20 || r.MemoryPeak > 96<<20 {
			b.Errorf("peak of %d bytes", r.MemoryPeak)
		}
	}},
	{"a run over time", []Need{ExactMemory, ExactCPU}, func(b *bench) {
		r := b.sh("sleep 0.5; $ACTOR touch 64; $ACTOR burn 1 200; sleep 1")
		b.wantExit(r, 0)
		b.checkCurve(r)
	}},
}

// checkCurve compares the curve of a run, which holds much memory in the middle only, with its
// figures.
func (b *bench) checkCurve(r result) {
	b.Helper()
	if len(r.Curve) < 4 || len(r.Curve) > vm.MaxSamples {
		b.Fatalf("%d samples of %v", len(r.Curve), r.WallTime)
	}
	most, low, at := int64(0), int64(1)<<62, 0
	for i, s := range r.Curve {
		if i > 0 && (s.At < r.Curve[i-1].At || s.CPU < r.Curve[i-1].CPU) {
			b.Errorf("sample %d lies before the one before it: %+v", i, r.Curve)
		}
		if s.Memory > most {
			most, low, at = s.Memory, s.Memory, i
		}
		low = min(low, s.Memory)
	}
	near := func(got, want int64) bool { return got >= want-want/50-2000 && got <= want+want/50+2000 }
	last := r.Curve[len(r.Curve)-1]
	if !near(last.CPU.Microseconds(), r.CPUTime.Microseconds()) || !near(most, r.MemoryPeak) || !r.flagged() && !near(last.At.Microseconds(), r.WallTime.Microseconds()) {
		b.Errorf("the curve ends at %+v and holds at most %d bytes, the run at %v after %v of CPU time, and %d bytes", last, most, r.WallTime, r.CPUTime, r.MemoryPeak)
	}
	if before := r.Curve[at-1]; before.CPU >= last.CPU || low > most/2 {
		b.Errorf("the peak is sample %d, before the work is done, and memory falls behind it: %+v", at, r.Curve)
	}
}

// measured plays a workload and returns what the driver says of it, in
// nanoseconds or bytes, and the truth; and whether the driver itself says that
// the CPU time is too high.
func (b *bench) measured(w workload, cpus []int) (got, truth int64, flagged bool) {
	b.Helper()
	play := func(role []string) result {
		spec := b.spec()
		spec.CPUs = cpus
		r := b.doIn(spec, actor(role...))
		b.wantExit(r, 0)
		return r
	}
	if w.memory > 0 {
		return play(w.role).MemoryPeak - play(w.base).MemoryPeak, w.memory, false
	}
	r := play(w.role)
	if _, err := fmt.Sscanf(r.stdout, "cpu %d\n", &truth); err != nil {
		b.Fatalf("the actor printed %q, stderr %q: %v", r.stdout, r.stderr, err)
	}
	return r.CPUTime.Duration().Nanoseconds(), truth, r.flagged()
}

// flagged reports whether the outcome says that its times are not to be trusted, as
// those of a guest whose core others used: no exact figure is promised then.
func (r result) flagged() bool { return !r.Measures(vm.Times) }

// tries is how often a workload is played whose figure is too high. What the actor does
// after it has read the truth, its last words and its end, counts too: a busy computer
// takes longer for it, now and then. A driver that adds time adds it each time; one that
// loses time is wrong at once.
const tries = 3

// check plays a workload and compares.
func (b *bench) check(w workload, cpus []int) {
	b.Helper()
	if w.memory > 0 {
		got, truth, _ := b.measured(w, cpus)
		b.checkMemory(got, truth)
		return
	}
	least := 10 * time.Millisecond * time.Duration(b.options.Pace)
	var wrong []string
	for range tries {
		got, truth, flagged := b.measured(w, cpus)
		allowed := max(time.Duration(truth)/100, least)
		above := time.Duration(got - truth)
		text := fmt.Sprintf("measured %v, the truth is %v", time.Duration(got), time.Duration(truth))
		switch {
		case above.Abs() <= allowed:
			return
		case flagged:
			b.Logf("%s, and the outcome says that others used the core", text)
			return
		}
		if wrong = append(wrong, text); above < 0 {
			break
		}
	}
	b.Errorf("not within 1 %% or %v: %s", least, strings.Join(wrong, "; "))
}

// checkMemory allows 2 % or 2 MB.
func (b *bench) checkMemory(measured, truth int64) {
	b.Helper()
	d := measured - truth
	if max(d, -d) > max(truth/50, 2_000_000) {
		b.Errorf("measured %d bytes, the truth is %d: not within 2 %% or 2 MB", measured, truth)
	}
}

// lastCore is the core that machines of contention share.
func (b *bench) lastCore() int {
	b.Helper()
	c, err := b.driver.Probe(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return slices.Max(c.Cores)
}

// compete starts machines that are busy on a core, and returns what ends them.
func (b *bench) compete(count, cpu int) (stop func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	for range count {
		spec := b.spec()
		spec.CPUs = []int{cpu}
		m := b.boot(spec)
		all.Go(func() {
			if _, err := b.try(ctx, m, actor("burn", "1", "600000")); !errors.Is(err, context.Canceled) {
				b.Errorf("the competitor ended by itself: %v", err)
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// BenchmarkMeasuring reports the error of a driver's figures, and beside it
// that of one-second sampling in the same machine, as BenchKit does it; with
// and without competitors where machines share a kernel. Errors are in percent,
// with their sign.
func BenchmarkMeasuring(b *testing.B, driver vm.Driver, o Options) {
	where := newBench(b, driver, o)
	for _, w := range workloads {
		for _, hogs := range []int{0, competitors} {
			if hogs > 0 && (slices.Contains(o.Lacks, SharedKernel) || slices.Contains(o.Lacks, Pinning)) {
				continue
			}
			if w.memory > 0 && slices.Contains(o.Lacks, ExactMemory) {
				continue
			}
			b.Run(fmt.Sprintf("%s/competitors=%d", w.name, hogs), func(b *testing.B) {
				at := *where
				at.TB = b
				at.errors(b, w, hogs)
			})
		}
	}
}

// errors reports the mean errors of a workload that lasts several seconds, which
// is kind to sampling.
func (b *bench) errors(report *testing.B, w workload, hogs int) {
	var cpus []int
	if hogs > 0 {
		cpu := b.lastCore()
		defer b.compete(hogs, cpu)()
		cpus = []int{cpu}
	}
	long := w
	if w.memory == 0 {
		long.role = slices.Clone(w.role)
		long.role[len(long.role)-1] += "0"
	}
	var exact, sampled float64
	for report.Loop() {
		got, truth, _ := b.measured(long, cpus)
		exact += float64(got-truth) / float64(truth)
		got, truth = b.sampled(long, cpus)
		sampled += float64(got-truth) / float64(truth)
	}
	report.ReportMetric(100*exact/float64(report.N), "%error")
	report.ReportMetric(100*sampled/float64(report.N), "%error-sampled")
}
