package sandbox

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// TestInitExecutable reads the executable with a reader of ELF files.
func TestInitExecutable(t *testing.T) {
	image, err := initExecutable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine != elf.EM_X86_64 || f.Type != elf.ET_EXEC || f.Entry != textAddress+elfHeaderSize || len(f.Progs) != 3 {
		t.Errorf("%+v", f.FileHeader)
	}
	for _, p := range f.Progs {
		if p.Flags&elf.PF_W != 0 && p.Flags&elf.PF_X != 0 {
			t.Errorf("segment %+v can be written and executed", p.ProgHeader)
		}
	}
	if n := len(interpreterText()); n < 50 || n > 300 {
		t.Errorf("%d bytes of text", n)
	}
	if bootAddress%0x1000 != 0 || opSize != binary.Size(new(op).wordsOf()) {
		t.Error("the layout does not fit the interpreter")
	}
}

// execute runs a program in a plain child of this process and returns what it
// wrote to its report, and its exit code.
func execute(t *testing.T, p *program) ([]byte, int) {
	t.Helper()
	file, err := newInitFile()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	programs, err := memoryFile("programs", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	image, err := p.link(bootAddress, bootLimit)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := programs.Write(image); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	pid, err := syscall.ForkExec("/proc/self/fd/"+strconv.Itoa(int(file.Fd())), []string{"init"},
		&syscall.ProcAttr{Files: []uintptr{0, 1, 2, w.Fd(), null.Fd(), programs.Fd()}})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	var report bytes.Buffer
	if _, err := report.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	r.Close()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	return report.Bytes(), status.ExitStatus()
}

func TestInterpreter(t *testing.T) {
	p := &program{}
	text := p.str("the data")
	p.call("tolerated", unix.SYS_CLOSE, 999).tolerate = negative(unix.EBADF)
	p.call("tolerated whatever it is", unix.SYS_CLOSE, 999).tolerate = tolerateAll
	p.open("open", 50, unix.SYS_OPEN, p.str("/dev/null"), unix.O_RDONLY)
	p.call("the descriptor was moved", unix.SYS_FCNTL, 50, unix.F_GETFD)
	over := p.call("equal to the second word", unix.SYS_CLOSE, 999)
	over.equal2, over.then2 = negative(unix.EBADF), opWord(len(p.ops)+1, 0)
	p.call("jumped over", unix.SYS_EXIT_GROUP, 1)
	p.call("write", unix.SYS_WRITE, fdStatus, text, 8)
	end := len(p.ops)
	p.jump(0)
	p.call("jumped over", unix.SYS_EXIT_GROUP, 2)
	p.ops[end].then = p.here()
	p.call("exit", unix.SYS_EXIT_GROUP, 42)
	if report, code := execute(t, p); string(report) != "the data" || code != 42 {
		t.Errorf("%q, %d", report, code)
	}
}

func TestInterpreterFailure(t *testing.T) {
	p := &program{}
	p.call("first", unix.SYS_UMASK, 0)
	p.call("second", unix.SYS_CHDIR, p.str("/does/not/exist")).tolerate = negative(unix.EACCES)
	p.call("third", unix.SYS_EXIT_GROUP, 0)
	report, code := execute(t, p)
	if len(report) != blockSize || code != 127 {
		t.Fatalf("%d bytes, exit code %d", len(report), code)
	}
	err := p.failure(bootAddress, (*reportBlock)(report))
	var e *opError
	if !errors.As(err, &e) || e.label != "second" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestLinkRefusesTooMuch(t *testing.T) {
	p := jobProgram(vm.Job{Command: []string{"x"}, Env: []string{"A=" + string(make([]byte, jobLimit))}}, confinement{})
	if _, err := p.link(jobAddress, jobLimit); !errors.Is(err, unix.E2BIG) {
		t.Errorf("err = %v", err)
	}
}

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
