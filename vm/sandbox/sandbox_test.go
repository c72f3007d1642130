//go:build linux

package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/sandbox"
	"podium/vm/vmtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) != "" {
		victim()
	}
	// The cases that run together mostly wait.
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func open(t *testing.T) vm.Driver {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConformance(t *testing.T) {
	d := open(t)
	c, err := d.Probe(t.Context())
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	t.Log("measured by " + c.Measured)
	o := vmtest.Options{Leftovers: func() []string { return leftovers(t) }}
	if c.Measured == vm.ByRlimit {
		o.Lacks = []vmtest.Need{vmtest.ExactMemory}
	}
	if os.Geteuid() != 0 {
		o.Lacks = append(o.Lacks, vmtest.OwnDevices, vmtest.OwnUser)
	}
	vmtest.TestDriver(t, open, o)
}

// TestConformanceOrdinaryUser runs the suite as a user who has nothing but user
// namespaces.
func TestConformanceOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the suite runs as an ordinary user anyway")
	}
	if testing.Short() {
		t.Skip("the race detector has seen the same goroutines in TestConformance")
	}
	dir, program := copyForUser(t)
	cmd := exec.Command(program, "-test.run=^TestConformance$")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryID, Gid: ordinaryID}}
	if out, err := runForUser(cmd, dir); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// ordinaryID is an ordinary user, nobody, and its group.
const ordinaryID = 65534

// copyForUser puts the test program and an actor into a directory of the ordinary
// user.
func copyForUser(t *testing.T) (dir, program string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-user-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "sandbox.test")
	for from, to := range map[string]string{self: program, vmtest.BuildActor(t): actorFor(dir)} {
		binary, err := os.ReadFile(from)
		if err := errors.Join(err, os.WriteFile(to, binary, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(dir, ordinaryID, ordinaryID); err != nil {
		t.Fatal(err)
	}
	return dir, program
}

// actorFor is the actor in the directory of the ordinary user.
func actorFor(dir string) string { return filepath.Join(dir, "actor") }

// runForUser runs a command with the environment of somebody who has only this
// directory, and returns what it printed.
func runForUser(cmd *exec.Cmd, dir string) (string, error) {
	cmd.Dir = dir
	cmd.Env = []string{"TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "HOME=" + dir, vmtest.ActorVariable + "=" + actorFor(dir)}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// leftovers lists what machines may leave on the host: control groups, mounts
// and processes.
func leftovers(t *testing.T) []string {
	left := groupsOf(os.Getpid())
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, "/home/mcc") || strings.Contains(line, ".machine") {
			left = append(left, line)
		}
	}
	for _, pid := range machinesOf(t, os.Getpid()) {
		left = append(left, fmt.Sprint("process ", pid))
	}
	return left
}

// groupsOf lists the control groups that an engine made.
func groupsOf(pid int) []string {
	var groups []string
	filepath.WalkDir("/sys/fs/cgroup", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), "podium-") && strings.Contains(e.Name(), fmt.Sprintf("-%d-", pid)) {
			groups = append(groups, path)
		}
		return nil
	})
	return groups
}

// victimVariable makes the test binary an engine that waits to be killed.
const victimVariable = "SANDBOX_TEST_VICTIM"

// victim runs machines with daemons for ever.
func victim() {
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	d, err := sandbox.Open(sandbox.Options{})
	fail(err)
	dir := os.Getenv(victimVariable)
	for i := 0; ; i++ {
		idle, err := d.Boot(context.Background(), vm.Spec{Name: fmt.Sprint("idle-", i), Cores: 1, Tool: dir, Input: dir})
		fail(err)
		m, err := d.Boot(context.Background(), vm.Spec{Name: fmt.Sprint("victim-", i), Cores: 1, Tool: dir, Input: dir})
		fail(err)
		job := vm.Job{Command: []string{"/bin/sh", "-c", "trap '' TERM HUP; sleep 271828 & setsid sleep 271828 & echo started; sleep 0.02"}, Stdout: os.Stdout}
		_, err = m.Exec(context.Background(), job)
		fail(errors.Join(err, m.Close(), idle.Close()))
	}
}

// TestKilledEngine kills engines at random moments. Their processes die with
// them, and the next engine removes their control groups.
func TestKilledEngine(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tool := t.TempDir()
	for i := range 10 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), victimVariable+"="+tool)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "started\n" {
			t.Fatalf("the engine says %q, %v", line, err)
		}
		time.Sleep(time.Duration(i) * 5 * time.Millisecond)
		pid := cmd.Process.Pid
		before := machinesOf(t, pid)
		if err := errors.Join(cmd.Process.Kill(), ignoreExit(cmd.Wait())); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
			alive := 0
			for _, p := range before {
				// The host's first process may be slow to reap what is dead.
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
				if err == nil && !strings.Contains(string(stat), ") Z ") {
					alive++
				}
			}
			if alive == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d processes of %v outlive their engine", alive, before)
			}
		}
		if err := open(t).Close(); err != nil {
			t.Fatal(err)
		}
		if left := groupsOf(pid); len(left) > 0 {
			t.Errorf("control groups are left: %q", left)
		}
	}
}

func ignoreExit(err error) error {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return nil
	}
	return err
}

// machinesOf lists the descendants of an engine.
func machinesOf(t *testing.T, pid int) []int {
	var all []int
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range threads {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, f := range strings.Fields(string(b)) {
			child, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(append(all, child), machinesOf(t, child)...)
		}
	}
	return all
}

// TestCopyInput runs in a copy of the instance, where files of some size can be
// replaced, but not used as memory that nobody counts.
func TestCopyInput(t *testing.T) {
	d, err := sandbox.Open(sandbox.Options{NoControlGroups: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	input := t.TempDir()
	model := filepath.Join(input, "model.pnml")
	if err := errors.Join(os.WriteFile(model, []byte("<pnml/>\n"), 0o600), os.Mkdir(filepath.Join(input, "sub"), 0o700),
		os.WriteFile(filepath.Join(input, "large"), make([]byte, 2<<20), 0o600)); err != nil {
		t.Fatal(err)
	}
	m, err := d.Boot(t.Context(), vm.Spec{Name: "copy", Cores: 1, Tool: t.TempDir(), Input: input})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out bytes.Buffer
	script, want := "echo more >> model.pnml; echo x > sub/x; rm sub/x; cat model.pnml", "<pnml/>\nmore\n"
	if os.Geteuid() == 0 {
		script += "; { echo > large; } 2> /dev/null && echo written; rm -f large; echo new > large; cat large"
		want += "new\n"
	}
	job := vm.Job{Command: []string{"/bin/sh", "-c", script}, Stdout: &out}
	got, err := m.Exec(t.Context(), job)
	if err != nil || got.ExitCode != 0 || got.Measured != "rlimit" || out.String() != want {
		t.Errorf("%q, %+v, %v", &out, got, err)
	}
	if b, err := os.ReadFile(model); err != nil || string(b) != "<pnml/>\n" {
		t.Errorf("the original is %q, %v", b, err)
	}
}

// TestLeftRunning: a command that leaves something running is warned of, and one whose
// children are dead, waited for or not, is not.
func TestLeftRunning(t *testing.T) {
	d := open(t)
	defer d.Close()
	for script, want := range map[string]bool{
		"true": false, "sleep 100 &": true, "(sleep 100 &)": true, "setsid sleep 100 & exit 3": true,
		"(true & echo $! >pid); while kill -0 $(cat pid) 2>/dev/null; do :; done":                      false,
		"sh -c 'true & echo $! >pid; exec sleep 0' ; while kill -0 $(cat pid) 2>/dev/null; do :; done": false,
		"kill -SEGV $$": false,
	} {
		m, err := d.Boot(t.Context(), vm.Spec{Name: "left", Cores: 1, Tool: t.TempDir(), Input: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Exec(t.Context(), vm.Job{Command: []string{"/bin/sh", "-c", script}})
		if err != nil || slices.Contains(got.Warnings, vm.LeftRunning) != want {
			t.Errorf("%s: %+v, %v", script, got, err)
		}
		m.Close()
	}
}

// TestProbe wants full sentences.
func TestProbe(t *testing.T) {
	d := open(t)
	defer d.Close()
	c, err := d.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Driver != "sandbox" || len(c.Cores) == 0 || c.Memory <= 0 || len(c.Enforced) == 0 {
		t.Errorf("%+v", c)
	}
	for _, s := range append(c.Enforced, c.Unenforced...) {
		if !strings.HasSuffix(s, ".") || strings.Contains(s, "<nil>") {
			t.Errorf("%q is no sentence", s)
		}
	}
}
