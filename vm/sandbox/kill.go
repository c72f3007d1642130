//go:build linux && amd64

package sandbox

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// waitProgram is the first process from the start of the command to its own exit: it
// waits for the command, and then kills and reaps all that the command has left
// running, daemons included, before anything is reported.
func waitProgram(p *program) {
	const any, nohang = ^uint64(0), 1
	status := uint64(dataAddress + blockStatus)

	reap := p.here()
	child := len(p.ops)
	p.call("reap", unix.SYS_WAIT4, any, status, nohang, 0)
	p.jump(reap) // it was an orphan
	sleep := len(p.ops)
	p.call("wait for a signal", unix.SYS_RT_SIGTIMEDWAIT, p.words(initSignals), 0, 0, 8).tolerate = negative(unix.EINTR)
	p.jump(reap)

	stop := p.here()
	p.call("kill all", unix.SYS_KILL, any, uint64(unix.SIGKILL)).tolerate = negative(unix.ESRCH)
	p.call("reap the command", unix.SYS_WAIT4, commandPID, status, 0, 0)
	ended := p.here()
	p.call("read the clock", unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, dataAddress+blockEnded)
	left := p.here()
	dead := len(p.ops)
	p.call("reap what is dead", unix.SYS_WAIT4, any, 0, nohang, 0)
	p.jump(left)
	alive := p.here()
	p.call("note that something is alive", unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, dataAddress+blockLeft)
	p.call("kill all that is left", unix.SYS_KILL, any, uint64(unix.SIGKILL)).tolerate = negative(unix.ESRCH)
	rest := p.here()
	last := len(p.ops)
	p.call("reap the rest", unix.SYS_WAIT4, any, 0, 0, 0)
	p.jump(rest)
	report := p.here()
	p.call("read the use of resources", unix.SYS_GETRUSAGE, uint64(math.MaxUint64), dataAddress+blockUsage)
	p.call("read the use of the private file system", unix.SYS_STATFS, p.str("/"), dataAddress+blockFileSystem)
	p.call("report", unix.SYS_WRITE, fdStatus, dataAddress, blockSize)
	p.call("wait for the end", unix.SYS_READ, fdGo, scratchAddress+8, 1)
	p.call("exit", unix.SYS_EXIT_GROUP, 0)

	p.ops[child].equal, p.ops[child].then = commandPID, ended
	p.ops[child].equal2, p.ops[child].then2 = 0, opWord(sleep, 0)
	p.ops[dead].equal, p.ops[dead].then = negative(unix.ECHILD), report
	p.ops[dead].equal2, p.ops[dead].then2 = 0, alive
	p.ops[sleep].equal, p.ops[sleep].then = uint64(unix.SIGTERM), stop
	p.ops[last].equal, p.ops[last].then = negative(unix.ECHILD), report
}

// kill ends the machine at once: with the first process the kernel kills all
// others of the pid namespace.
func (m *machine) kill() { m.signal(unix.SIGKILL) }

func (m *machine) signal(sig syscall.Signal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// An error means that the process is gone, which is what we want.
	_ = unix.PidfdSendSignal(m.pidfd, sig, nil, 0)
}
