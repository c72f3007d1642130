//go:build linux

package vmtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"podium/vm"
)

// bomb starts processes without end. The shell ends where it cannot fork, so
// what follows must not.
const bomb = "f() { f & f & f; }; (f &) 2> /dev/null; "

// hostileCases: tools that will not end, and answers that they printed before.
var hostileCases = []testCase{
	{"brings an agent that lies", nil, func(b *bench) {
		if b.options.Impostor == nil {
			b.Skip("machines boot no kernel here")
		}
		spec := b.spec()
		spec.Image, spec.Tool = b.options.Impostor(b, b.tool), ""
		r := b.doIn(spec, limited(script("$ACTOR touch 64 && $ACTOR burn 1 300 && sleep 0.5"), vm.Limits{WallTime: time.Minute}))
		b.wantExit(r, 0)
		if r.MemoryPeak < 64<<20 || r.CPUTime < vm.Took(300*time.Millisecond) || r.WallTime < vm.Took(800*time.Millisecond) {
			b.Errorf("it says of itself: %d bytes, %v of CPU time, %v of wall time", r.MemoryPeak, r.CPUTime, r.WallTime)
		}
	}},
	{"sleeps for ever", nil, func(b *bench) { b.wantTimeout("echo answer; sleep 600") }},
	{"ignores signals", nil, func(b *bench) {
		b.wantTimeout("trap '' HUP INT QUIT TERM XCPU; echo answer; while :; do sleep 1; done")
	}},
	{"closes its output and sleeps", nil, func(b *bench) { b.wantTimeout("echo answer; exec >&- 2>&-; sleep 600") }},
	{"stops itself", nil, func(b *bench) { b.wantTimeout("echo answer; kill -STOP $$") }},
	{"forks for ever", []Need{LimitProcesses}, func(b *bench) {
		job := script("echo answer; " + bomb + "exec sleep 600")
		b.wantTimeoutOf(limited(job, vm.Limits{WallTime: time.Second, Processes: 60}))
	}},
	{"forks for ever and leaves", []Need{LimitProcesses}, func(b *bench) {
		job := script(bomb + "echo answer; exec sleep 0.5")
		r := b.do(limited(job, vm.Limits{WallTime: 5 * time.Minute, Processes: 60}))
		b.wantExit(r, 0)
		b.wantOut(r, "answer\n")
	}},
	{"daemon keeps the output open", nil, func(b *bench) {
		m := b.boot(b.spec())
		started := time.Now()
		r, err := b.try(b.Context(), m, script("(setsid sh -c 'trap \"\" HUP TERM; sleep 600' &); echo answer"))
		if err != nil {
			b.Fatal(err)
		}
		b.wantExit(r, 0)
		b.wantOut(r, "answer\n")
		if d := time.Since(started); d > b.options.Grace+30*time.Second {
			b.Errorf("the run took %v", d)
		}
	}},
	{"daemon goes on printing", nil, func(b *bench) {
		r := b.sh("(setsid sh -c 'while :; do echo more; done' &); sleep 0.2; exit 4")
		b.wantExit(r, 4)
		if strings.Trim(strings.ReplaceAll(r.stdout, "more\n", ""), "more") != "" || int64(len(r.stdout)) != r.OutputBytes {
			b.Errorf("%d bytes came, %d are reported", len(r.stdout), r.OutputBytes)
		}
	}},
	{"daemon burns CPU time", nil, func(b *bench) {
		job := script("echo answer; (setsid sh -c 'while :; do :; done' &); sleep 600")
		r := b.do(limited(job, vm.Limits{CPUTime: 500 * time.Millisecond, WallTime: time.Minute}))
		b.want(r, vm.OutOfCPU)
		b.wantOut(r, "answer\n")
	}},
	{"three hundred orphans", []Need{LimitProcesses}, func(b *bench) {
		// They must be reaped, or the limit of processes would be reached.
		job := script("i=0; while [ $i -lt 300 ]; do (: &); i=$((i+1)); done; echo answer")
		r := b.do(limited(job, vm.Limits{WallTime: time.Minute, Processes: 100}))
		b.wantExit(r, 0)
		b.wantOut(r, "answer\n")
	}},
	{"next run is unaffected", nil, func(b *bench) {
		r := b.sh("echo fine")
		b.wantExit(r, 0)
		b.wantOut(r, "fine\n")
	}},
}

// limitCases: each limit ends the job, and what was printed counts.
var limitCases = []testCase{
	{"CPU time", nil, func(b *bench) {
		r := b.do(limited(script("echo answer; while :; do :; done"), vm.Limits{CPUTime: 700 * time.Millisecond, WallTime: time.Minute}))
		b.want(r, vm.OutOfCPU)
		b.wantOut(r, "answer\n")
		b.wantCPU(r, 700*time.Millisecond)
	}},
	{"CPU time of two threads", nil, func(b *bench) {
		r := b.do(limited(actor("burn", "2", "60000"), vm.Limits{CPUTime: 600 * time.Millisecond, WallTime: time.Minute}))
		b.want(r, vm.OutOfCPU)
		b.wantCPU(r, 600*time.Millisecond)
	}},
	{"CPU time of short-lived children", []Need{ExactCPU}, func(b *bench) {
		job := script("echo answer; while :; do $ACTOR burn 1 20 > /dev/null; done")
		r := b.do(limited(job, vm.Limits{CPUTime: 600 * time.Millisecond, WallTime: time.Minute}))
		b.want(r, vm.OutOfCPU)
		b.wantOut(r, "answer\n")
		b.wantCPU(r, 600*time.Millisecond)
	}},
	{"CPU time that suffices", nil, func(b *bench) {
		r := b.do(limited(actor("burn", "1", "300"), vm.Limits{CPUTime: 20 * time.Second, WallTime: time.Minute}))
		b.wantExit(r, 0)
	}},
	{"wall time", nil, func(b *bench) {
		r := b.do(limited(script("echo answer; sleep 600"), vm.Limits{WallTime: 800 * time.Millisecond}))
		b.want(r, vm.OutOfTime)
		b.wantOut(r, "answer\n")
		b.wantWithin("wall time", r.WallTime.Duration(), 800*time.Millisecond)
	}},
	{"memory", []Need{LimitMemory}, func(b *bench) {
		r := b.do(limited(script("echo answer; $ACTOR hog"), vm.Limits{Memory: 96 << 20, WallTime: time.Minute}))
		b.want(r, vm.OutOfMem)
		b.wantOut(r, "answer\n")
		if r.MemoryPeak > 104<<20 && !slices.Contains(b.options.Lacks, ExactMemory) {
			b.Errorf("peak of %d bytes", r.MemoryPeak)
		}
	}},
	{"memory of a child", []Need{LimitMemory}, func(b *bench) {
		job := script("echo answer; $ACTOR hog; sleep 600; echo survived")
		r := b.do(limited(job, vm.Limits{Memory: 96 << 20, WallTime: time.Minute}))
		b.want(r, vm.OutOfMem)
		b.wantOut(r, "answer\n")
	}},
	{"memory of many children", []Need{LimitMemory, ExactMemory}, func(b *bench) {
		r := b.do(limited(actor("touchfork", "6", "40"), vm.Limits{Memory: 128 << 20, WallTime: time.Minute}))
		b.want(r, vm.OutOfMem)
	}},
	{"memory of the machine", []Need{LimitMemory}, func(b *bench) {
		spec := b.spec()
		spec.Memory = 256 << 20 // of which a kernel of its own takes a part
		b.want(b.doIn(spec, limited(actor("hog"), vm.Limits{WallTime: time.Minute})), vm.OutOfMem)
	}},
	{"memory that suffices", nil, func(b *bench) {
		r := b.do(limited(actor("touch", "64"), vm.Limits{Memory: 256 << 20, WallTime: time.Minute}))
		b.wantExit(r, 0)
	}},
	{"processes", []Need{LimitProcesses}, func(b *bench) {
		r := b.do(limited(script("$ACTOR spawn 100"), vm.Limits{Processes: 40, WallTime: time.Minute}))
		b.wantExit(r, 0)
		var n int
		if _, err := fmt.Sscanf(r.stdout, "started %d\n", &n); err != nil || n < 5 || n > 40 {
			b.Errorf("printed %q, %v", r.stdout, err)
		}
	}},
	{"output", nil, func(b *bench) {
		r := b.do(limited(script("yes answer"), vm.Limits{Output: 700_001, WallTime: time.Minute}))
		b.want(r, vm.TooMuchOut)
		if len(r.stdout) != 700_001 || r.OutputBytes != 700_001 || strings.Trim(r.stdout, "answer\n") != "" {
			b.Errorf("%d bytes came, %d are reported", len(r.stdout), r.OutputBytes)
		}
	}},
	{"standard error is output", nil, func(b *bench) {
		r := b.do(limited(script("echo answer; yes >&2"), vm.Limits{Output: 100_000, WallTime: time.Minute}))
		b.want(r, vm.TooMuchOut)
		if len(r.stdout)+len(r.stderr) != 100_000 {
			b.Errorf("%d and %d bytes came", len(r.stdout), len(r.stderr))
		}
	}},
	{"output that just fits", nil, func(b *bench) {
		r := b.do(limited(script("head -c 100000 /dev/zero"), vm.Limits{Output: 100_000, WallTime: time.Minute}))
		b.wantExit(r, 0)
		if len(r.stdout) != 100_000 {
			b.Errorf("%d bytes came", len(r.stdout))
		}
	}},
	{"a gigabyte", nil, func(b *bench) {
		r := b.do(limited(script("head -c 1073741824 /dev/zero"), vm.Limits{Output: 1 << 20, WallTime: time.Minute}))
		b.want(r, vm.TooMuchOut)
	}},
	{"disk", []Need{LimitDisk}, func(b *bench) {
		job := script("echo answer; for d in /tmp . /dev/shm $HOME; do head -c 9000000 /dev/zero > $d/big || exit 3; done")
		r := b.do(limited(job, vm.Limits{Disk: 4 << 20, WallTime: time.Minute}))
		b.want(r, vm.DiskFull)
		b.wantOut(r, "answer\n")
	}},
	{"disk that suffices", []Need{LimitDisk}, func(b *bench) {
		job := script("head -c 3000000 /dev/zero > /tmp/big && echo written")
		r := b.do(limited(job, vm.Limits{Disk: 8 << 20, WallTime: time.Minute}))
		b.wantExit(r, 0)
		b.wantOut(r, "written\n")
	}},
}

func (b *bench) wantTimeout(s string) {
	b.Helper()
	b.wantTimeoutOf(limited(script(s), vm.Limits{WallTime: time.Second}))
}

// wantTimeoutOf runs a job that prints an answer and never ends.
func (b *bench) wantTimeoutOf(job vm.Job) {
	b.Helper()
	r := b.do(job)
	b.want(r, vm.OutOfTime)
	b.wantOut(r, "answer\n")
	b.wantWithin("wall time", r.WallTime.Duration(), job.Limits.WallTime)
}
