//go:build linux

package maker

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

func init() {
	if len(os.Args) == 1 && os.Args[0] == Name {
		os.Exit(live())
	}
}

// live is the life of a maker. It ends, and the machine with it, where there are no more
// orders.
func live() int {
	const orders, status = descriptor(FdOrders), descriptor(FdStatus)
	tell := func(r *Report) bool { return Send(status, r) == nil }
	// It is of the thread that it was set for, which an execution may have changed.
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	var w World
	if Receive(orders, &w) != nil {
		return 0
	}
	first, err := w.build()
	if err != nil {
		tell(newReport(err))
		return 1
	}
	var j Job
	if !tell(&Report{Event: Ready}) || Receive(orders, &j) != nil {
		return 0
	}
	if err := first.begin(&j); err != nil {
		tell(newReport(err))
		return 1
	}
	// Note: not two goroutines, of which one would wait until the runtime notices that the
	// other one sleeps in the kernel.
	waits := [...]pollDescriptor{{fd: FdOrders, events: pollIn}, {fd: int32(first.events), events: pollIn}}
	ordered, happened := &waits[0], &waits[1]
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&waits)), uintptr(len(waits)), 0, 0, 0, 0)
		if e != 0 {
			continue // by a signal
		}
		if happened.found != 0 {
			r, err := first.next(j.Limits)
			if err != nil {
				tell(newReport(err))
				return 1
			}
			if tell(r); r.Event == Ended {
				happened.fd = -1
			}
		}
		if ordered.found != 0 {
			if Receive(orders, &Stop{}) != nil {
				return 0
			}
			syscall.Kill(first.pid, syscall.SIGTERM)
		}
	}
}

// pollDescriptor is struct pollfd.
type pollDescriptor struct {
	fd            int32
	events, found int16
}

// newReport reports a failure.
func newReport(err error) *Report {
	f := err.(*Failure)
	return &Report{Event: Failed, Step: f.Step, Errno: int(f.Errno)}
}

// descriptor is a file that is read and written without what package os keeps of it.
type descriptor int

func (d descriptor) Read(b []byte) (n int, err error) {
	for err = syscall.EINTR; err == syscall.EINTR; {
		n, err = syscall.Read(int(d), b)
	}
	if n == 0 && err == nil {
		err = io.EOF
	}
	return max(n, 0), err
}

func (d descriptor) Write(b []byte) (n int, err error) {
	for err = syscall.EINTR; err == syscall.EINTR; {
		n, err = syscall.Write(int(d), b)
	}
	return max(n, 0), err
}
