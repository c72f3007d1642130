//go:build linux

package sandbox

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
)

func TestSwapped(t *testing.T) {
	for _, owner := range []uint32{0, 1, 1000, firstToolID - 1, firstToolID, firstToolID + 1, 1<<32 - 2} {
		inside := map[int]bool{}
		total := 0
		for _, m := range swapped(owner, firstToolID) {
			if inside[m.ContainerID] || m.Size <= 0 {
				t.Errorf("owner %d: %+v", owner, m)
			}
			inside[m.ContainerID] = true
			total += m.Size
		}
		if total != 1<<32-1 {
			t.Errorf("owner %d: %d numbers are mapped", owner, total)
		}
	}
}

// TestHostOutOfMemory has a group above that is too small for the job's limit.
func TestHostOutOfMemory(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if !d.controllers.memory.known() || d.controllers.memory.v2 {
		t.Skip("memory has no control groups of version 1 here")
	}
	above := controlDir(d.controllers.memory.parent.file(groupName(d.identity, "above")))
	if err := os.Mkdir(string(above), 0o755); err != nil {
		t.Fatal(err)
	}
	defer above.remove()
	if err := above.write("memory.limit_in_bytes", "50000000"); err != nil {
		t.Fatal(err)
	}
	d.controllers.memory.parent = above
	m, err := d.Boot(t.Context(), vm.Spec{Name: "small", Cores: 1, Tool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	job := vm.Job{Command: []string{"/bin/sh", "-c", "head -c 200000000 /dev/zero > /tmp/f; sleep 60"}, Limits: vm.Limits{Memory: 1 << 30, WallTime: 30e9}}
	if out, err := m.Exec(t.Context(), job); err == nil {
		t.Errorf("the host's fault is the tool's: %+v", out)
	}
}

// bootFor boots a machine for a test.
func bootFor(t *testing.T, o Options, spec vm.Spec) *machine {
	t.Helper()
	d, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	spec.Name, spec.Cores, spec.Tool = cmp.Or(spec.Name, "test"), max(len(spec.CPUs), 1), t.TempDir()
	m, err := d.Boot(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m.(*machine)
}

// TestNumbersOfProcesses: nothing of ours takes numbers of processes in a machine but the
// first process, so that a tool sees the same numbers in each run.
func TestNumbersOfProcesses(t *testing.T) {
	var out bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", "echo $$ $PPID; sh -c 'echo $$ $PPID; :'; sh -c 'echo $$; :'; cd /proc; echo [0-9]*"}, Stdout: &out}
	if _, err := bootFor(t, Options{}, vm.Spec{}).Exec(t.Context(), job); err != nil || out.String() != "2 1\n3 2\n4\n1 2\n" {
		t.Errorf("%q, %v", &out, err)
	}
}

// TestTooLong: a command that is too long for a machine is an error, and one that is too
// long for the kernel is the tool's.
func TestTooLong(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	out, err := bootFor(t, Options{}, vm.Spec{}).Exec(t.Context(), vm.Job{Command: []string{"/bin/true", long}})
	if err != nil || out.Termination != vm.Exited || out.ExitCode != 126 || len(out.Warnings) == 0 || !strings.Contains(out.Warnings[0], "argument list too long") {
		t.Errorf("%+v, %v", out, err)
	}
	_, err = bootFor(t, Options{}, vm.Spec{Name: "longer"}).Exec(t.Context(), vm.Job{Command: []string{"/bin/true"}, Env: slices.Repeat([]string{"A=" + long}, 6)})
	if !errors.Is(err, unix.E2BIG) {
		t.Errorf("err = %v", err)
	}
}

// TestFailedSteps: an error says which step failed and why.
func TestFailedSteps(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.view.shown = append(slices.Clip(d.view.shown), shown{Place: maker.Place{Path: "usr/missing", Kind: maker.File, Top: "usr/missing"}})
	_, err = d.Boot(t.Context(), vm.Spec{Name: "missing", Cores: 1, Tool: t.TempDir()})
	if want := "open /usr/missing: no such file or directory"; err == nil || !strings.HasSuffix(err.Error(), want) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v, not %s", err, want)
	}
	// The last core that there can be is none of this host.
	_, err = bootFor(t, Options{NoControlGroups: true}, vm.Spec{CPUs: []int{maker.MaxCPU - 1}}).Exec(t.Context(), vm.Job{Command: []string{"/bin/true"}})
	if want := "bind to cores: invalid argument"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("err = %v, not %s", err, want)
	}
}

// TestOnlyTheCommandIsMeasured: neither maker nor first process is in the control group.
func TestOnlyTheCommandIsMeasured(t *testing.T) {
	m := bootFor(t, Options{}, vm.Spec{})
	if len(m.group.dirs) == 0 {
		t.Skip("not here: control groups")
	}
	var seen [][]int
	job := vm.Job{Command: []string{"/bin/sh", "-c", "echo on; exec sleep 0.5"}, Stdout: writerFunc(func() {
		for _, dir := range m.group.dirs {
			pids, err := dir.processes()
			if err != nil {
				t.Error(err)
			}
			seen = append(seen, pids)
		}
	})}
	if _, err := m.Exec(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	for _, pids := range seen {
		if len(pids) != 1 || pids[0] == m.pid {
			t.Errorf("the groups hold %v, the maker is %d", seen, m.pid)
		}
	}
}

type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}

// TestDeadFirstProcess: when the host kills a first process, the run is void at once.
func TestDeadFirstProcess(t *testing.T) {
	m := bootFor(t, Options{}, vm.Spec{})
	job := vm.Job{Command: []string{"/bin/sh", "-c", "echo on; sleep 600"}, Stdout: writerFunc(func() {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", m.pid, m.pid))
		pid, err2 := strconv.Atoi(strings.TrimSpace(string(children)))
		if err := errors.Join(err, err2); err != nil {
			t.Error(err)
			m.kill()
			return
		}
		unix.Kill(pid, unix.SIGKILL)
	})}
	if _, err := m.Exec(t.Context(), job); err == nil || !strings.Contains(err.Error(), "hear of the first process") {
		t.Errorf("err = %v", err)
	}
}

// TestInitialRoot covers the root as in a guest that has only the initial one.
func TestInitialRoot(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.initialRoot = true
	secret := t.TempDir()
	m, err := d.Boot(t.Context(), vm.Spec{Name: "initial", Cores: 1, Tool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", "pwd; ls -d / /../.. " + secret + "; cat /proc/self/mounts | grep -c ' / '"}, Stdout: &out}
	if _, err := m.Exec(t.Context(), job); err != nil || out.String() != "/home/mcc/execution\n/\n/../..\n1\n" {
		t.Errorf("%q, %v", &out, err)
	}
}

// TestUnifiedHierarchy runs a job whose group is one of version 2, where that
// is mounted, even without controllers: it has CPU time, and is entered by
// being cloned into.
func TestUnifiedHierarchy(t *testing.T) {
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	membership, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	unified, _, err := findUnified(hierarchies(string(mountinfo)), string(membership), os.Getpid())
	if err != nil {
		t.Skipf("no control groups of version 2 can be made: %v", err)
	}
	d, err := Open(Options{NoControlGroups: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.controllers.cpu = controller{parent: unified, v2: true}
	m, err := d.Boot(t.Context(), vm.Spec{Name: "unified", Cores: 1, Tool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", "cat /proc/self/cgroup; while :; do :; done"}, Stdout: &out,
		Limits: vm.Limits{CPUTime: 200e6}}
	got, err := m.Exec(t.Context(), job)
	if err != nil || got.Termination != vm.OutOfCPU || got.CPUTime < 200e3 || got.CPUTime > 1000e3 {
		t.Errorf("%+v, %v", got, err)
	}
	// Only what entered the group has CPU time there; to the tool it is the root.
	if text := out.String(); !strings.HasSuffix(text, "0::/\n") || strings.Contains(text, "unified-") {
		t.Errorf("the tool's groups are %q", text)
	}
}
