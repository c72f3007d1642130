//go:build linux

package vmtest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"podium/vm"
)

// lifeCases boot and close machines, and start and end jobs.
var lifeCases = []testCase{
	{"exit code 0", nil, func(b *bench) {
		r := b.sh("echo hello")
		b.wantExit(r, 0)
		b.wantOut(r, "hello\n")
		if r.OutputBytes != 6 || r.Measured == "" || r.Started.IsZero() || r.WallTime <= 0 {
			b.Errorf("%+v", r.Outcome)
		}
	}},
	{"exit code 7", nil, func(b *bench) { b.wantExit(b.sh("exit 7"), 7) }},
	{"own signal", nil, func(b *bench) {
		r := b.sh("echo before; kill -SEGV $$")
		b.want(r, vm.Signalled)
		b.wantOut(r, "before\n")
		if r.Signal != int(syscall.SIGSEGV) {
			b.Errorf("signal %d", r.Signal)
		}
	}},
	{"own kill", nil, func(b *bench) {
		r := b.sh("echo before; kill -KILL $$")
		b.want(r, vm.Signalled)
		b.wantOut(r, "before\n")
		if r.Signal != int(syscall.SIGKILL) {
			b.Errorf("signal %d", r.Signal)
		}
	}},
	{"missing command", nil, func(b *bench) {
		r := b.do(vm.Job{Command: []string{"bin/missing"}})
		b.wantExit(r, 127)
		if len(r.Warnings) == 0 {
			b.Error("no warning says why")
		}
	}},
	{"command that is no program", nil, func(b *bench) {
		r := b.do(vm.Job{Command: []string{"plain.txt"}})
		b.wantExit(r, 126)
	}},
	{"script without interpreter", nil, func(b *bench) {
		r := b.do(vm.Job{Command: []string{"noshebang", "it is"}})
		b.wantExit(r, 0)
		b.wantOut(r, "by the shell it is\n")
	}},
	{"empty command is refused", nil, func(b *bench) {
		if _, err := b.try(b.Context(), b.boot(b.spec()), vm.Job{}); err == nil {
			b.Error("no error")
		}
	}},
	{"missing tool directory", nil, func(b *bench) {
		spec := b.spec()
		spec.Tool = filepath.Join(b.TempDir(), "missing")
		b.wantBootError(spec)
	}},
	{"missing instance directory", nil, func(b *bench) {
		spec := b.spec()
		spec.Input = filepath.Join(b.TempDir(), "missing")
		b.wantBootError(spec)
	}},
	{"wrong name", nil, func(b *bench) {
		spec := b.spec()
		spec.Name = "../escape"
		b.wantBootError(spec)
	}},
	{"wrong number of cores", nil, func(b *bench) {
		spec := b.spec()
		spec.Cores, spec.CPUs = 2, []int{0}
		b.wantBootError(spec)
	}},
	{"close twice", nil, func(b *bench) {
		m := b.boot(b.spec())
		if _, err := b.try(b.Context(), m, script("exit 0")); err != nil {
			b.Error(err)
		}
		if err := errors.Join(m.Close(), m.Close()); err != nil {
			b.Error(err)
		}
	}},
	{"close without a job", nil, func(b *bench) {
		m := b.boot(b.spec())
		if err := errors.Join(m.Close(), m.Close()); err != nil {
			b.Error(err)
		}
	}},
	{"one job per machine", nil, func(b *bench) {
		m := b.boot(b.spec())
		if _, err := b.try(b.Context(), m, script("exit 0")); err != nil {
			b.Error(err)
		}
		if _, err := b.try(b.Context(), m, script("exit 0")); err == nil {
			b.Error("a used machine ran another job")
		}
	}},
	{"cancelled before boot", nil, func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		cancel()
		m, err := b.driver.Boot(ctx, b.spec())
		if err == nil {
			m.Close()
			b.Fatal("no error")
		}
		if !errors.Is(err, context.Canceled) {
			b.Errorf("err = %v", err)
		}
	}},
	{"cancelled job", nil, func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		m := b.boot(b.spec())
		started := time.Now()
		job := script("trap '' TERM; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo answer; while :; do :; done")
		job.Stdout = writerFunc(func(p []byte) (int, error) {
			time.AfterFunc(100*time.Millisecond, cancel)
			return len(p), nil
		})
		r, err := b.try(ctx, m, job)
		if !errors.Is(err, context.Canceled) {
			b.Errorf("err = %v", err)
		}
		if r.CPUTime <= 0 || r.WallTime <= 0 || r.OutputBytes != 7 {
			b.Errorf("nothing was measured: %+v", r.Outcome)
		}
		if d := time.Since(started); d > b.options.Grace+10*time.Second {
			b.Errorf("it took %v", d)
		}
	}},
	{"deadline of the context", nil, func(b *bench) {
		m := b.boot(b.spec())
		ctx, cancel := context.WithTimeout(b.Context(), 200*time.Millisecond)
		defer cancel()
		if _, err := b.try(ctx, m, script("sleep 60")); !errors.Is(err, context.DeadlineExceeded) {
			b.Errorf("err = %v", err)
		}
	}},
	{"four machines at a time", nil, func(b *bench) {
		var all sync.WaitGroup
		for i := range 4 {
			m := b.boot(b.spec())
			all.Go(func() {
				code := string(rune('0' + i))
				r, err := b.try(b.Context(), m, script("echo "+code+"; sleep 0.2; exit "+code))
				if err != nil || r.ExitCode != i || r.stdout != code+"\n" {
					b.Errorf("machine %d: %+v %v", i, r, err)
				}
			})
		}
		all.Wait()
	}},
}

// tidyCases: nothing is left on the host.
var tidyCases = []testCase{
	{"many runs leave nothing", nil, func(b *bench) {
		before, runs := "", 20
		if slices.Contains(b.options.Lacks, SharedKernel) {
			runs = 6 // each of which starts a machine
		}
		for i := range runs {
			m, err := b.driver.Boot(b.Context(), b.spec())
			if err != nil {
				b.Fatal(err)
			}
			s := "(setsid sleep 300 &); echo x > /tmp/left; echo x > left"
			if i%2 == 0 {
				s += "; kill -KILL $$"
			}
			_, err = b.try(b.Context(), m, script(s))
			if err := errors.Join(err, m.Close()); err != nil {
				b.Fatal(err)
			}
			if i == 0 { // it makes what is kept between runs
				before = b.leftovers()
			}
		}
		if after := b.leftovers(); after != before {
			b.Errorf("left behind:\n%s\nbefore:\n%s", after, before)
		}
	}},
}

func (b *bench) leftovers() string {
	if b.options.Leftovers == nil {
		return ""
	}
	return strings.Join(b.options.Leftovers(), "\n")
}

func (b *bench) wantBootError(spec vm.Spec) {
	b.Helper()
	m, err := b.driver.Boot(b.Context(), spec)
	if err == nil {
		m.Close()
		b.Fatal("a machine was booted")
	}
	var be *vm.BootError
	if !errors.As(err, &be) {
		b.Errorf("%v is no boot error", err)
	}
}

// writerFunc is a function as a writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
