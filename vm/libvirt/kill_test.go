//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/libvirt"
)

// victimVariable makes the test binary a worker that waits to be killed; it
// holds the directory of its machines.
const victimVariable = "LIBVIRT_TEST_VICTIM"

const restless = "#!/bin/sh\ntrap '' TERM HUP\n(setsid sleep 1000 &)\necho x > left\necho started\nsleep 0.3\n"

// victim runs machines for ever, and says when each is asked for and when it runs.
func victim(dir string) error {
	d, err := libvirt.Open(libvirt.Options{Dir: dir})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		fmt.Println("run", i)
		if err := run(context.Background(), d, filepath.Join(dir, "tool"), fmt.Sprint("victim-", i), func() { fmt.Println("booted", i) }); err != nil {
			return err
		}
	}
}

// run is one run of the restless tool in a machine of its own; booted is called when
// the machine runs.
func run(ctx context.Context, d vm.Driver, tool, name string, booted func()) error {
	m, err := d.Boot(ctx, vm.Spec{Name: name, Cores: 1, Memory: 256 << 20, Tool: tool, Input: tool})
	if err != nil {
		return err
	}
	booted()
	var out bytes.Buffer
	o, err := m.Exec(ctx, vm.Job{Command: []string{"BenchKit_head.sh"}, Stdout: &out})
	if err == nil && (o.Termination != vm.Exited || out.String() != "started\n") {
		err = fmt.Errorf("%+v, %q", o, &out)
	}
	return errors.Join(err, m.Close())
}

// count reads how often a long test is repeated.
func count(t *testing.T, variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func restlessTool(t *testing.T, dir string) string {
	tool := filepath.Join(dir, "tool")
	if err := errors.Join(os.Mkdir(tool, 0o755), os.WriteFile(filepath.Join(tool, "BenchKit_head.sh"), []byte(restless), 0o755)); err != nil {
		t.Fatal(err)
	}
	return tool
}

// awaitLine reads what a worker says until it says the line.
func awaitLine(t *testing.T, out io.Reader, line string) {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == line {
			return
		}
	}
	t.Fatalf("the worker gave up before it said %q", line)
}

// TestKilledWorker kills workers at random moments of the lives of their
// machines (PODIUM_KILLS of them). The next driver finds and removes what they
// left.
func TestKilledWorker(t *testing.T) {
	needMachines(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := stateDir(t)
	restlessTool(t, dir)
	for i := range count(t, "PODIUM_KILLS", 4) {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), victimVariable+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitLine(t, out, fmt.Sprint("run ", i%2))
		time.Sleep(rand.N(3 * time.Second))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		killed := time.Now()
		if err := open(t, libvirt.Options{Dir: dir}).Close(); err != nil {
			t.Fatal(err)
		}
		if left := remains(t, dir, cmd.Process.Pid); len(left) > 0 {
			t.Fatalf("after kill %d there is still %q", i, left)
		}
		t.Logf("kill %d: all gone %v later", i, time.Since(killed).Round(time.Millisecond))
	}
}

// TestOrphansSwitchOff kills a worker whose machine runs, and opens no driver
// after it: the agent notices.
func TestOrphansSwitchOff(t *testing.T) {
	needMachines(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := stateDir(t)
	restlessTool(t, dir)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), victimVariable+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A machine that does not run yet has no agent to notice; the next driver ends it.
	awaitLine(t, out, "booted 1")
	time.Sleep(rand.N(250 * time.Millisecond)) // before the tool, which sleeps longer, has ended
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for killed := time.Now(); len(processes(t, cmd.Process.Pid)) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Since(killed) > 2*time.Minute {
			t.Fatal("the machine runs on without its worker")
		}
	}
	if err := open(t, libvirt.Options{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
}

// processes lists the machines of a worker.
func processes(t *testing.T, pid int) []string {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(b), fmt.Sprintf("guest=podium-%d-", pid)) {
			list = append(list, file)
		}
	}
	return list
}

// remains lists what a worker left: processes, files, mounts, control groups.
func remains(t *testing.T, dir string, pid int) []string {
	left := processes(t, pid)
	mark := fmt.Sprintf("%d-", pid)
	for _, pattern := range []string{filepath.Join(dir, mark+"*"), "/sys/fs/cgroup/*/*podium-" + mark + "*", "/sys/fs/cgroup/*/machine*/*podium-" + mark + "*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, found...)
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mounts), "podium-"+mark) {
		left = append(left, "a mount")
	}
	return left
}

// TestManyRuns runs PODIUM_RUNS machines in a row.
func TestManyRuns(t *testing.T) {
	needMachines(t)
	dir := stateDir(t)
	tool := restlessTool(t, dir)
	d := open(t, libvirt.Options{Dir: dir})
	// The first run makes what is kept between runs.
	if err := run(t.Context(), d, tool, "first", func() {}); err != nil {
		t.Fatal(err)
	}
	before := strings.Join(leftovers(t, dir), "\n")
	began := time.Now()
	n := count(t, "PODIUM_RUNS", 5)
	for i := range n {
		if err := run(t.Context(), d, tool, fmt.Sprint("run-", i), func() {}); err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	t.Logf("%d runs, %v each", n, (time.Since(began) / time.Duration(max(n, 1))).Round(time.Millisecond))
	if after := strings.Join(leftovers(t, dir), "\n"); after != before {
		t.Errorf("left behind:\n%s\nbefore:\n%s", after, before)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if left := remains(t, dir, os.Getpid()); len(left) > 0 {
		t.Errorf("after the driver there is still %q", left)
	}
}
