//go:build linux

package maker

import (
	"syscall"
	"unsafe"
)

// The first process and the command are forks of the maker, the command until it
// executes its program. A fork has one of the threads of a program, and Go's runtime
// does not know: who allocates, grows the stack or waits for a lock there waits for
// ever. So what runs in a fork makes raw system calls, writes no pointers, and is
// marked nosplit; package syscall starts programs in the same way. All that it needs
// has been made by the maker, in ordinary Go.

// fork starts the first process, in which it does not return.
//
//go:noinline
//go:norace
func (f *first) fork() (pid int, e syscall.Errno) {
	r, _, e := syscall.RawSyscall(sysClone3, uintptr(unsafe.Pointer(&f.clone)), unsafe.Sizeof(f.clone), 0)
	if r == 0 && e == 0 {
		f.live()
	}
	return int(r), e
}

// live is the life of the first process.
//
//go:nosplit
//go:norace
func (f *first) live() {
	f.must(blockSignals, call(syscall.SYS_RT_SIGPROCMASK, sigSetMask, uintptr(unsafe.Pointer(&f.signals)), 0, 8))
	if f.mountsProc {
		_, _, e := syscall.RawSyscall6(syscall.SYS_MOUNT, f.proc, f.proc, f.proc, syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, 0, 0)
		f.must(mountProc, e)
	}
	f.tell(ready, 0)
	if n, _, _ := syscall.RawSyscall(syscall.SYS_READ, uintptr(f.orders), uintptr(unsafe.Pointer(&f.order)), 1); n != 1 {
		exit(0)
	}
	f.must(readClock, call(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&f.began)), 0, 0))
	f.tell(started, 0)
	r, _, e := syscall.RawSyscall(sysClone3, uintptr(unsafe.Pointer(&f.job.clone)), unsafe.Sizeof(f.job.clone), 0)
	f.must(startProcess, e)
	if r == 0 {
		f.become()
	}
	// What the tool reads and prints is its own.
	for fd := range uintptr(3) {
		call(syscall.SYS_CLOSE, fd, 0, 0, 0)
	}
	f.awaitCommand()
	f.must(readClock, call(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&f.ended)), 0, 0))
	f.event.wall = (f.ended.seconds-f.began.seconds)*1_000_000_000 + f.ended.nanoseconds - f.began.nanoseconds
	// Everything is dead, daemons included, before the end is told.
	pid := 1
	for pid > 0 {
		pid = reap(everyone, 0, syscall.WNOHANG)
	}
	if f.event.left = pid == 0; f.event.left {
		killAll()
		for reap(everyone, 0, 0) > 0 {
		}
	}
	f.must(readUsage, call(syscall.SYS_GETRUSAGE, ofChildren, uintptr(unsafe.Pointer(&f.event.usage)), 0, 0))
	f.tell(ended, 0)
	exit(0)
}

// awaitCommand reaps until the command has ended, by itself or because the maker says so.
//
//go:nosplit
//go:norace
func (f *first) awaitCommand() {
	status := uintptr(unsafe.Pointer(&f.event.status))
	for {
		pid := reap(everyone, status, syscall.WNOHANG)
		if pid == commandPID {
			return
		}
		if pid > 0 {
			continue // it was an orphan
		}
		signal, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&f.signals)), 0, 0, 8, 0, 0)
		if e == 0 && signal == uintptr(syscall.SIGTERM) {
			killAll()
			reap(commandPID, status, 0)
			return
		}
	}
}

// become turns the child of the first process into the command.
//
//go:nosplit
//go:norace
func (f *first) become() {
	j := f.job
	for i := 0; i < j.entranceCount; i++ {
		f.must(enterGroup, call(syscall.SYS_WRITE, uintptr(j.entrances[i]), f.zero, 1, 0))
	}
	f.must(seeOwnGroup, call(syscall.SYS_UNSHARE, syscall.CLONE_NEWCGROUP, 0, 0, 0))
	f.must(startSession, call(syscall.SYS_SETSID, 0, 0, 0, 0))
	if j.pinned {
		f.must(bindToCores, call(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(j.cpus), uintptr(unsafe.Pointer(&j.cpus)), 0))
	}
	for i := 0; i < j.limitCount; i++ {
		l := &j.limits[i]
		f.must(setLimit+step(i), call(syscall.SYS_PRLIMIT64, 0, uintptr(l.resource), uintptr(unsafe.Pointer(&l.soft)), 0))
	}
	if user := uintptr(j.user); j.changesUser {
		f.must(dropGroups, call(syscall.SYS_SETGROUPS, 0, 0, 0, 0))
		f.must(changeGroup, call(syscall.SYS_SETRESGID, user, user, user, 0))
		f.must(changeUser, call(syscall.SYS_SETRESUID, user, user, user, 0))
	}
	f.must(dropCapabilities, call(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&f.capabilityHeader)), uintptr(unsafe.Pointer(&f.noCapabilities)), 0, 0))
	if j.filter.size > 0 {
		f.must(refuseCalls, call(sysSeccomp, seccompSetFilter, seccompSpecAllow, uintptr(unsafe.Pointer(&j.filter)), 0))
	}
	f.must(unblockSignals, call(syscall.SYS_RT_SIGPROCMASK, sigSetMask, uintptr(unsafe.Pointer(&f.noSignals)), 0, 8))
	f.must(enterInstance, call(syscall.SYS_CHDIR, f.inInstance, 0, 0, 0))
	f.must(hideDescriptors, call(sysCloseRange, 3, maxDescriptor, closeRangeCloexec, 0))
	e := call(syscall.SYS_EXECVE, j.file, j.args, j.env, 0)
	if e != syscall.ENOEXEC {
		f.must(execute, e)
	}
	// A script without #! is given to bash, as on BenchKit's machines, or else to the shell.
	e = call(syscall.SYS_EXECVE, j.bash, j.bashArgs, j.env, 0)
	if e == syscall.ENOENT {
		e = call(syscall.SYS_EXECVE, j.shell, j.shellArgs, j.env, 0)
	}
	f.must(executeByShell, e)
}

// must tells of a step that failed, and ends the process then.
//
//go:nosplit
//go:norace
func (f *first) must(s step, e syscall.Errno) {
	if e != 0 {
		f.tell(s, e)
		exit(1)
	}
}

// tell tells the maker.
//
//go:nosplit
//go:norace
func (f *first) tell(s step, e syscall.Errno) {
	f.event.step, f.event.errno = s, e
	call(syscall.SYS_WRITE, uintptr(f.news), uintptr(unsafe.Pointer(&f.event)), unsafe.Sizeof(f.event), 0)
}

// -1 as an argument has several meanings.
const everyone, ofChildren, maxDescriptor = ^uintptr(0), ^uintptr(0), ^uintptr(0)

// reap waits for a child and puts its status there. It returns its number, and -1 where
// there is none.
//
//go:nosplit
//go:norace
func reap(pid, status, options uintptr) int {
	r, _, _ := syscall.RawSyscall6(syscall.SYS_WAIT4, pid, status, options, 0, 0, 0)
	return int(r)
}

//go:nosplit
//go:norace
func killAll() { call(syscall.SYS_KILL, everyone, uintptr(syscall.SIGKILL), 0, 0) }

//go:nosplit
//go:norace
func exit(code uintptr) { call(syscall.SYS_EXIT_GROUP, code, 0, 0, 0) }

// call makes a system call whose result is of no interest.
//
//go:nosplit
//go:norace
func call(nr, a, b, c, d uintptr) syscall.Errno {
	_, _, e := syscall.RawSyscall6(nr, a, b, c, d, 0, 0)
	return e
}
