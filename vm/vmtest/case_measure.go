//go:build linux

package vmtest

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// measureCases: what is measured is true. The truth of CPU time is what the
// actor's kernel told the actor at its end; that of memory is the difference to
// an actor that touches nothing.
var measureCases = []testCase{
	{"CPU time of one thread", []Need{ExactCPU}, func(b *bench) { b.wantCPU("burn", "1", "400") }},
	{"CPU time of two threads is exact", []Need{ExactCPU}, func(b *bench) { b.wantCPU("burn", "2", "250") }},
	{"CPU time of forked children", []Need{ExactCPU}, func(b *bench) { b.wantCPU("fork", "4", "100") }},
	{"CPU time of short-lived children is exact", []Need{ExactCPU}, func(b *bench) { b.wantCPU("short", "30", "4") }},
	{"CPU time under contention", []Need{ExactCPU, Pinning, SharedKernel}, func(b *bench) {
		c, err := b.driver.Probe(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		var all sync.WaitGroup
		for range 4 {
			spec := b.spec()
			spec.CPUs = []int{slices.Max(c.Cores)}
			m := b.boot(spec)
			all.Go(func() {
				r, err := b.try(b.Context(), m, actor("burn", "1", "300"))
				if err != nil {
					b.Error(err)
					return
				}
				b.checkCPU(r)
			})
		}
		all.Wait()
	}},
	{"sleep costs no CPU time", []Need{ExactCPU}, func(b *bench) {
		r := b.sh("sleep 0.5")
		b.wantExit(r, 0)
		if r.CPUTime > 100*time.Millisecond || r.WallTime < 500*time.Millisecond || r.WallTime > 500*time.Millisecond+b.options.Grace {
			b.Errorf("%v of CPU time in %v", r.CPUTime, r.WallTime)
		}
	}},
	{"user and system time", []Need{ExactCPU}, func(b *bench) {
		r := b.do(actor("burn", "1", "200"))
		if r.UserTime+r.SystemTime != r.CPUTime || r.UserTime < 0 || r.SystemTime < 0 {
			b.Errorf("%v + %v is not %v", r.UserTime, r.SystemTime, r.CPUTime)
		}
	}},
	{"memory of one process", []Need{ExactMemory}, func(b *bench) { b.wantMemory(96<<20, "touch", "96") }},
	{"memory of two processes", []Need{ExactMemory}, func(b *bench) {
		base := b.do(actor("touchfork", "2", "0")).MemoryPeak
		b.checkMemory(b.do(actor("touchfork", "2", "48")).MemoryPeak-base, 96<<20)
	}},
	{"memory in files", []Need{ExactMemory, SharedKernel}, func(b *bench) {
		base := b.sh("head -c 0 /dev/zero > /tmp/f").MemoryPeak
		b.checkMemory(b.sh("head -c 50000000 /dev/zero > /tmp/f").MemoryPeak-base, 50_000_000)
	}},
	{"an early peak is kept", []Need{ExactMemory}, func(b *bench) {
		r := b.sh("$ACTOR touch 64; sleep 0.1")
		if r.MemoryPeak < 64<<20 || r.MemoryPeak > 96<<20 {
			b.Errorf("peak of %d bytes", r.MemoryPeak)
		}
	}},
}

// wantCPU lets an actor use CPU time and compares.
func (b *bench) wantCPU(role ...string) {
	b.Helper()
	b.checkCPU(b.do(actor(role...)))
}

// checkCPU allows 1 % or 10 ms.
func (b *bench) checkCPU(r result) {
	b.Helper()
	var n int64
	if _, err := fmt.Sscanf(r.stdout, "cpu %d\n", &n); err != nil {
		b.Errorf("the actor printed %q, stderr %q: %v", r.stdout, r.stderr, err)
		return
	}
	truth := time.Duration(n)
	if d := (r.CPUTime - truth).Abs(); d > max(truth/100, 10*time.Millisecond) {
		b.Errorf("measured %v, the truth is %v", r.CPUTime, truth)
	}
}

// wantMemory lets an actor have memory and compares.
func (b *bench) wantMemory(bytes int64, role ...string) {
	b.Helper()
	base := b.do(actor("touch", "0")).MemoryPeak
	b.checkMemory(b.do(actor(role...)).MemoryPeak-base, bytes)
}

// checkMemory allows 2 % or 2 MB.
func (b *bench) checkMemory(measured, truth int64) {
	b.Helper()
	d := measured - truth
	if max(d, -d) > max(truth/50, 2_000_000) {
		b.Errorf("measured %d bytes, the truth is %d", measured, truth)
	}
}
