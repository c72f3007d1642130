//go:build linux

package vmtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// measureAttacks hide what they use.
var measureAttacks = []attack{
	{"memory shared by mmap", everyDriver, []Need{LimitMemory}, func() error {
		return hold(func() (int, error) {
			m, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_SHARED)
			return fillPages(m), err
		})
	}, stopped{}},
	{"memory shared by shmget", everyDriver, []Need{LimitMemory}, func() error {
		return hold(func() (int, error) {
			id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 1<<20, 0o600|unix.IPC_CREAT)
			if err != nil {
				return 0, err
			}
			m, err := unix.SysvShmAttach(id, 0, 0)
			return fillPages(m), err
		})
	}, stopped{}},
	{"CPU time of children while SIGCHLD is ignored", everyDriver, nil, func() error {
		signal.Ignore(syscall.SIGCHLD)
		return burnElsewhere(3, func(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() })
	}, counted{}},
	{"CPU time of orphans", everyDriver, nil, func() error {
		return burnElsewhere(1, func(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() }, "burn-orphan")
	}, counted{}},
	{"CPU time of children in sessions of their own", everyDriver, nil, func() error {
		return burnElsewhere(2, func(cmd *exec.Cmd) { _ = cmd.Wait() })
	}, counted{}},
	{"CPU time of children that nobody waits for", everyDriver, nil, func() error {
		return burnElsewhere(2, func(*exec.Cmd) { time.Sleep(50 * time.Millisecond) })
	}, counted{}},
}

// fillPages writes to memory and returns its size.
func fillPages(m []byte) int {
	for i := 0; i < len(m); i += os.Getpagesize() {
		m[i] = 1
	}
	return len(m)
}

// stopped is the ending of an attack that holds memory beyond the limit for as long
// as it may: it is ended.
type stopped struct{}

func (stopped) String() string { return "ended at the limit of memory" }

func (stopped) check(b *bench, a attack) {
	job := limited(actor("attack", a.name), vm.Limits{Memory: spoilLimit, WallTime: time.Minute})
	b.want(b.do(job), vm.OutOfMem)
}

// burnt is what each child of an attack burns.
const burnt = 200 * time.Millisecond

// burnElsewhere has children burn CPU time and says how much that was together. Each
// says when it has burnt its part, and end is called for it then.
func burnElsewhere(children int, end func(*exec.Cmd), role ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if role == nil {
		role = []string{"burn-word"}
	}
	for range children {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		cmd := exec.Command(self, append([]string{actorWord}, role...)...)
		cmd.Stdout, cmd.SysProcAttr = w, &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		w.Close()
		if _, err := r.Read(make([]byte, 1)); err != nil {
			return err
		}
		end(cmd)
		r.Close()
	}
	fmt.Println("burnt", time.Duration(children)*burnt)
	return nil
}

// burnOrphan leaves a child that burns, and ends.
func burnOrphan() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, actorWord, "burn-word")
	cmd.Stdout = os.Stdout
	return cmd.Start()
}

// burnWord burns CPU time and says so.
func burnWord() error {
	if err := burn(1, burnt); err != nil {
		return err
	}
	_, err := fmt.Println("burnt")
	return err
}

// counted is the ending of an attack that burns CPU time where nobody looks: it is
// recorded, or said to be not measured.
type counted struct{}

func (counted) String() string { return "recorded as CPU time, or said to be not measured" }

func (counted) check(b *bench, a attack) {
	r := b.do(limited(actor("attack", a.name), vm.Limits{WallTime: time.Minute}))
	b.wantExit(r, 0)
	word, _, _ := strings.Cut(strings.TrimPrefix(r.stdout, "burnt "), "\n")
	truth, err := time.ParseDuration(word)
	if err != nil {
		b.Fatalf("printed %q, stderr %q", r.stdout, r.stderr)
	}
	if r.Measures(vm.Times) && r.CPUTime < vm.Took(truth-truth/50) {
		b.Errorf("%v were burnt and %v recorded: %+v", truth, r.CPUTime, r.Outcome)
	}
}
