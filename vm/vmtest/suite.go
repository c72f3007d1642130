//go:build linux

package vmtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"podium/vm"
)

// Need is an ability that a case needs and that not every driver has.
type Need string

// The needs.
const (
	ExactCPU       Need = "CPU time of all descendants is measured exactly"
	ExactMemory    Need = "the peak of memory of all processes is measured exactly"
	LimitMemory    Need = "memory of all processes is limited"
	LimitProcesses Need = "the number of processes is limited"
	LimitDisk      Need = "disk space is limited"
	Pinning        Need = "machines can be pinned to cores"
	OwnDevices     Need = "device files are the machine's own"
	OwnUser        Need = "the user of a tool is the machine's own"
	SharedKernel   Need = "machines run under the kernel of the host, with its clock and its cores"
)

// Options adapt the suite to a driver.
type Options struct {
	// Lacks are the needs that the driver does not meet; their cases are
	// skipped.
	Lacks []Need
	// SameGuest says that the suite has tried another driver with the same guest:
	// what happens inside of a machine, where its agent keeps to limits, is left out; what
	// the host does is not.
	SameGuest bool
	// Impostor makes an image of a tool that brings a kernel and an agent of its own, which
	// reports figures that are too good; nil where machines boot no kernel.
	Impostor func(t testing.TB, tool string) (image string)
	// Leftovers tells what machines left on the host: control groups, domains,
	// files, mounts, processes. It is compared before and after; nil for none.
	Leftovers func() []string
	// Grace is how late a limit may be noticed and a tool be dead, on a host that
	// may be busy; 0 is 30 s.
	Grace time.Duration
	// Pace is by how much jobs are slower than on this host, as where the
	// processor is emulated: limits of time are as much longer; 0 is 1.
	Pace int
}

// testCase is one promise of package vm.
type testCase struct {
	name  string
	needs []Need
	run   func(b *bench)
}

// bench is where a case is tried.
type bench struct {
	testing.TB
	driver  vm.Driver
	options Options
	tool    string // BenchKit_head.sh evaluates its argument as a shell script; bin/actor
	input   string // model.pnml, readonly, sub/deep
	answers *answers
}

// head is the tool of the suite.
const head = "#!/bin/sh\nACTOR=\"${BK_BIN_PATH}actor " + actorWord + "\"\neval \"$1\"\n"

// TestDriver runs the conformance suite. The function open gives a driver that
// the suite closes.
func TestDriver(t *testing.T, open func(t *testing.T) vm.Driver, o Options) {
	where := newBench(t, open(t), o)
	// Not t.Setenv, which would keep the cases from running together.
	if err := os.Setenv("PODIUM_SECRET", "of the engine"); err != nil {
		t.Fatal(err)
	}
	// The cases of the first group mostly wait, or measure memory; those of the second
	// would disturb each other.
	together, alone := slices.Concat(lifeCases, outputCases), tidyCases
	if !o.SameGuest {
		together, alone = slices.Concat(together, limitCases, worldCases, hostileCases, attackCases(), measureCases(ExactMemory)), slices.Concat(measureCases(ExactCPU), tidyCases)
	}
	t.Run("together", func(t *testing.T) { runCases(t, together, true, where) })
	t.Run("alone", func(t *testing.T) { runCases(t, alone, false, where) })
	if err := where.driver.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// newBench makes what the cases use.
func newBench(t testing.TB, driver vm.Driver, o Options) *bench {
	if o.Grace == 0 {
		o.Grace = 30 * time.Second
	}
	o.Pace = max(o.Pace, 1)
	return &bench{TB: t, driver: driver, options: o, tool: makeTool(t, BuildActor(t)), input: makeInput(t), answers: &answers{}}
}

func runCases(t *testing.T, cases []testCase, parallel bool, where *bench) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range c.needs {
				if slices.Contains(where.options.Lacks, n) {
					t.Skipf("not here: %s", n)
				}
			}
			if parallel {
				t.Parallel()
			}
			b := *where
			b.TB = t
			c.run(&b)
		})
	}
}

// ActorVariable is the variable of the environment that names a file made by
// BuildActor, for tests that cannot build one.
const ActorVariable = "VMTEST_ACTOR"

// BuildActor returns the file of an actor, linked so that it runs in any guest.
// It is not the test binary, because the race detector would only slow it down.
func BuildActor(t testing.TB) string {
	t.Helper()
	if file := os.Getenv(ActorVariable); file != "" {
		return file
	}
	file := filepath.Join(t.TempDir(), "actor")
	cmd := exec.Command("go", "build", "-trimpath", "-o", file, "podium/vm/vmtest/actor")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// makeTool makes the tool directory. Its owner alone can enter it, as is often
// the case with directories that people unpack.
func makeTool(t testing.TB, actor string) string {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "BenchKit_head.sh"), head, 0o755)
	write(t, filepath.Join(dir, "plain.txt"), "no program\n", 0o644)
	write(t, filepath.Join(dir, "noshebang"), "[ \"$1\" == \"it is\" ] && echo by the shell $1\n", 0o755)
	for _, d := range []string{"bin", "bin/cache", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "tmp", ".keep"), "", 0o644)
	from, err := os.Open(actor)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "bin", "actor"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func makeInput(t testing.TB) string {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "model.pnml"), "<pnml/>\n", 0o644)
	write(t, filepath.Join(dir, "private"), "for the owner\n", 0o600)
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "sub", "deep"), "deep\n", 0o644)
	return dir
}

func write(t testing.TB, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// tree returns the paths, modes and contents below a directory.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode())
		if info.Mode().IsRegular() && info.Size() < 1<<16 {
			content, err := os.ReadFile(path)
			b.Write(content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var machineCount atomic.Int64

// spec asks for a machine with one core.
func (b *bench) spec() vm.Spec {
	return vm.Spec{Name: fmt.Sprintf("vmtest-%d-%d", os.Getpid(), machineCount.Add(1)), Cores: 1, Memory: 1 << 30, Tool: b.tool, Input: b.input}
}

// boot returns a machine, closed at the end of the case.
func (b *bench) boot(spec vm.Spec) vm.Machine {
	b.Helper()
	m, err := b.driver.Boot(b.Context(), spec)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := m.Close(); err != nil {
			b.Errorf("Close: %v", err)
		}
	})
	return m
}

// result is what a job gave.
type result struct {
	vm.Outcome
	stdout, stderr string
}

// script is a job that evaluates a shell script.
func script(s string) vm.Job { return vm.Job{Command: []string{"BenchKit_head.sh", s}} }

// actor is a job that plays a role.
func actor(role ...string) vm.Job {
	return vm.Job{Command: append([]string{"bin/actor", actorWord}, role...)}
}

// limited sets limits of a job.
func limited(job vm.Job, l vm.Limits) vm.Job {
	job.Limits = l
	return job
}

// sh runs a script in a machine of its own, with a limit of wall time in case
// it hangs.
func (b *bench) sh(s string) result {
	b.Helper()
	return b.do(limited(script(s), vm.Limits{WallTime: time.Minute}))
}

// do runs a job in a machine of its own.
func (b *bench) do(job vm.Job) result {
	b.Helper()
	return b.doIn(b.spec(), job)
}

func (b *bench) doIn(spec vm.Spec, job vm.Job) result {
	b.Helper()
	r, err := b.try(b.Context(), b.boot(spec), job)
	if err != nil {
		b.Fatalf("Exec: %v", err)
	}
	return r
}

// try runs a job and keeps what it prints.
func (b *bench) try(ctx context.Context, m vm.Machine, job vm.Job) (result, error) {
	var stdout, stderr bytes.Buffer
	if job.Stdout == nil {
		job.Stdout = &stdout
	}
	if job.Stderr == nil {
		job.Stderr = &stderr
	}
	job.Limits.CPUTime *= time.Duration(b.options.Pace)
	job.Limits.WallTime *= time.Duration(b.options.Pace)
	out, err := m.Exec(ctx, job)
	return result{Outcome: out, stdout: stdout.String(), stderr: stderr.String()}, err
}

// want checks why a job ended.
func (b *bench) want(r result, t vm.Termination) {
	b.Helper()
	if r.Termination != t {
		b.Errorf("the job ended by %s (exit code %d, signal %d), not by %s; stderr: %q, %+v",
			r.Termination, r.ExitCode, r.Signal, t, r.stderr, r.Outcome)
	}
}

// wantExit checks the exit code.
func (b *bench) wantExit(r result, code int) {
	b.Helper()
	b.want(r, vm.Exited)
	if r.ExitCode != code {
		b.Errorf("exit code %d, not %d; stderr: %q, warnings: %q", r.ExitCode, code, r.stderr, r.Warnings)
	}
}

// wantOut checks what was printed.
func (b *bench) wantOut(r result, stdout string) {
	b.Helper()
	if r.stdout != stdout {
		b.Errorf("printed %q, not %q; stderr: %q", r.stdout, stdout, r.stderr)
	}
}

// wantWithin checks that a limited job ended at the limit, or soon after.
func (b *bench) wantWithin(what string, got, limit time.Duration) {
	b.Helper()
	limit *= time.Duration(b.options.Pace)
	if got < limit || got > limit+b.options.Grace {
		b.Errorf("%s %v at the end, the limit was %v", what, got, limit)
	}
}

// wantCPU checks that a job ended at its limit of CPU time: by the host's clock,
// which decides, where that of a guest is not to be trusted.
func (b *bench) wantCPU(r result, limit time.Duration) {
	b.Helper()
	if r.HostCPUTime == 0 || !r.flagged() {
		b.wantWithin("CPU time", r.CPUTime.Duration(), limit)
		return
	}
	limit *= time.Duration(b.options.Pace)
	if r.HostCPUTime < vm.Took(limit-max(limit/100, 10*time.Millisecond)) || r.HostCPUTime > vm.Took(limit+b.options.Grace) {
		b.Errorf("CPU time %v at the end by the host's clock, the limit was %v", r.HostCPUTime, limit)
	}
}
