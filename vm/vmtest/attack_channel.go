//go:build linux

package vmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// channelAttacks tell another run something while both of them run.
var channelAttacks = []attack{
	{"lock of a program of the host", everyDriver, nil, flock("/bin/sh"), unheard{flock("/bin/sh")}},
	{"lock of a file of the tool", everyDriver, nil, flock("/home/mcc/BenchKit/plain.txt"), unheard{flock("/home/mcc/BenchKit/plain.txt")}},
	{"lock of a file of the instance", everyDriver, nil, flock("/home/mcc/execution/model.pnml"), unheard{flock("/home/mcc/execution/model.pnml")}},
	{"lock of a part of a program of the host", everyDriver, nil, lockPart("/bin/sh"), unheard{askPart("/bin/sh")}},
	{"lock of a part of a file of the tool", everyDriver, nil, lockPart("/home/mcc/BenchKit/plain.txt"), unheard{askPart("/home/mcc/BenchKit/plain.txt")}},
	{"lock of a device", everyDriver, []Need{OwnDevices}, flock("/dev/null"), unheard{flock("/dev/null")}},
	{"all timers of the user", everyDriver, []Need{OwnUser}, allTimers, unheard{newTimer}},
	{"segment of shared memory", everyDriver, nil, segment(unix.IPC_CREAT | unix.IPC_EXCL), unheard{silence(segment(0))}},
	{"socket without a file", everyDriver, nil, func() error { return second(net.Listen("unix", "@vmtest-channel")) },
		unheard{silence(func() error { return second(net.Dial("unix", "@vmtest-channel")) })}},
}

// allTimers makes timers until the user may have no more: the kernel counts them with
// the signals that wait.
func allTimers() error {
	for range 1 << 20 {
		if err := newTimer(); err != nil {
			if err != unix.EAGAIN {
				return err
			}
			return nil
		}
	}
	return errors.New("there is no end of timers")
}

func newTimer() error {
	var id int32
	return call(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&id)))
}

// flock takes a lock that only one can have.
func flock(path string) func() error {
	return func() error {
		fd, err := unix.Open(path, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	}
}

// lockPart takes a lock of the other kind, on a byte.
func lockPart(path string) func() error {
	return func() error {
		fd, err := unix.Open(path, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		return unix.FcntlFlock(uintptr(fd), unix.F_SETLK, &unix.Flock_t{Type: unix.F_RDLCK, Start: 4711, Len: 1})
	}
}

// askPart asks whether somebody has that byte.
func askPart(path string) func() error {
	return func() error {
		fd, err := unix.Open(path, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		who := unix.Flock_t{Type: unix.F_WRLCK, Start: 4711, Len: 1}
		if err := unix.FcntlFlock(uintptr(fd), unix.F_GETLK, &who); err != nil {
			return err
		}
		if who.Type != unix.F_UNLCK {
			return unix.EAGAIN
		}
		return nil
	}
}

func segment(flags int) func() error {
	return func() error { return second(unix.SysvShmGet(4711, 4096, flags|0o666)) }
}

// silence turns an error into none, and none into one.
func silence(find func() error) func() error {
	return func() error {
		if find() != nil {
			return nil
		}
		return errors.New("found")
	}
}

// unheard is the ending of an attack that does something for another run to notice:
// that one, which looks at the same time, finds what it would find without.
type unheard struct{ look func() error }

func (unheard) String() string { return "not noticed by another run" }

func (unheard) check(b *bench, a attack) {
	held, found := b.hearing()
	if held[a.name] != "done" {
		b.Errorf("what was to be noticed met %q", held[a.name])
	}
	if found[a.name] != "done" {
		b.Errorf("the other run met %q", found[a.name])
	}
}

// hearing has one run do all that is not to be noticed, and another one look for it
// at the same time.
func (b *bench) hearing() (held, found map[string]string) {
	b.answers.hearing.Do(func() {
		ctx, stop := context.WithCancel(b.Context())
		defer stop()
		began := &waiter{word: []byte("\n" + allHeld), seen: make(chan struct{})}
		holder := b.boot(b.spec())
		var holding sync.WaitGroup
		holding.Go(func() {
			job := limited(actor("hold-attacks"), vm.Limits{WallTime: 5 * time.Minute})
			job.Stdout = began
			if r, err := b.try(ctx, holder, job); !errors.Is(err, context.Canceled) {
				b.Errorf("what was to be noticed ended: %v, %q, stderr %q", err, began.text, r.stderr)
				began.once.Do(func() { close(began.seen) })
			}
		})
		<-began.seen
		r := b.do(limited(actor("look"), vm.Limits{WallTime: 5 * time.Minute}))
		stop()
		holding.Wait()
		b.wantExit(r, 0)
		b.answers.held, b.answers.found = answersIn(string(began.text)), answersIn(r.stdout)
	})
	return b.answers.held, b.answers.found
}

// waiter waits for a word of what is written to it.
type waiter struct {
	word, text []byte
	seen       chan struct{}
	once       sync.Once
}

func (w *waiter) Write(p []byte) (int, error) {
	if w.text = append(w.text, p...); bytes.Contains(w.text, w.word) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(p), nil
}

// allHeld is the last word of the run that does what is not to be noticed.
const allHeld = "all is held\n"

// playHold does all that is not to be noticed, and stays.
func playHold() error {
	debug.SetGCPercent(-1) // what is collected is closed
	for _, a := range attacks() {
		if _, ok := a.ends.(unheard); ok {
			fmt.Printf("%s: %s\n", a.name, nameOf(a.try()))
		}
	}
	fmt.Print(allHeld)
	time.Sleep(time.Hour)
	return nil
}

// playLook is what the other run does.
func playLook() error {
	for _, a := range attacks() {
		if ending, ok := a.ends.(unheard); ok {
			fmt.Printf("%s: %s\n", a.name, nameOf(ending.look()))
		}
	}
	return nil
}
