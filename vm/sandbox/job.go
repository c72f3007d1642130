//go:build linux && amd64

package sandbox

import (
	"math"
	"path"
	"strconv"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// The command is the second process of its pid namespace, always.
const commandPID = 2

// initSignals are the signals that the first process waits for: the death of a
// child, and the engine's order to end the job.
const initSignals = 1<<(unix.SIGCHLD-1) | 1<<(unix.SIGTERM-1)

// confinement is what the job program needs to know beside the job.
type confinement struct {
	entrances     []uint64 // descriptors to write "0" to
	cgroup        uint64   // descriptor of the directory to be cloned into, if cloneInto
	cloneInto     bool
	userNamespace bool
	user          int  // who the tool is, outside of such a namespace
	filter        bool // refuse the system calls of refusals
	cpus          []int
	rlimits       vm.Limits // those for which the kernel's limits per process must do
	diskBytes     int64
}

// jobProgram starts the command as a child, waits until it ends or until the
// engine says so, kills and reaps everything, and reports.
func jobProgram(job vm.Job, c confinement) *program {
	p := &program{}
	if c.diskBytes > 0 {
		none := p.str("none")
		p.call("limit the private file system", unix.SYS_MOUNT, none, p.str("/"), 0,
			unix.MS_REMOUNT|unix.MS_NOSUID, p.str("size="+strconv.FormatInt(c.diskBytes, 10)))
	}
	p.call("read the clock", unix.SYS_CLOCK_GETTIME, unix.CLOCK_MONOTONIC, dataAddress+blockStarted)
	p.call("say that the job starts", unix.SYS_WRITE, fdStatus, p.words(startMark), 8)
	flags, into := uint64(unix.CLONE_CLEAR_SIGHAND), uint64(0)
	if c.cloneInto {
		flags, into = flags|unix.CLONE_INTO_CGROUP, c.cgroup
	}
	// struct clone_args; the exit signal is the fifth word, the group the last.
	args := p.words(flags, 0, 0, 0, uint64(unix.SIGCHLD), 0, 0, 0, 0, 0, into)
	clone := len(p.ops)
	p.call("start a process", unix.SYS_CLONE3, args, 11*8)
	p.call("close standard output", unix.SYS_CLOSE, 1)
	p.call("close standard error", unix.SYS_CLOSE, 2)
	waitProgram(p)
	p.ops[clone].equal, p.ops[clone].then = 0, p.here()
	commandProgram(p, job, c)
	return p
}

// The labels of the operations whose failure is the tool's.
const (
	labelExec  = "execute the command"
	labelShell = "execute the command by the shell"
)

// commandProgram turns the child into the command.
func commandProgram(p *program, job vm.Job, c confinement) {
	for _, fd := range c.entrances {
		p.call("enter a control group", unix.SYS_WRITE, fd, p.str("0"), 1)
	}
	p.call("see no other group", unix.SYS_UNSHARE, unix.CLONE_NEWCGROUP)
	p.call("start a session", unix.SYS_SETSID)
	if len(c.cpus) > 0 {
		p.call("bind to cores", unix.SYS_SCHED_SETAFFINITY, 0, cpuWords*8, p.words(cpuMask(c.cpus)...))
	}
	setProcessLimits(p)
	setRlimits(p, c.rlimits)
	dropPrivileges(p, c)
	p.call("unblock signals", unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, p.words(0), 0, 8)
	p.call("enter the instance directory", unix.SYS_CHDIR, p.str(vm.InstanceDir))
	p.call("umask", unix.SYS_UMASK, 0o22)
	p.call("hide descriptors", unix.SYS_CLOSE_RANGE, 3, uint64(math.MaxUint32), unix.CLOSE_RANGE_CLOEXEC)

	file := job.Command[0]
	if !path.IsAbs(file) {
		file = path.Join(vm.ToolDir, file)
	}
	env := p.strs(vm.Environment(job.Env))
	// A script without #! is given to bash, as on BenchKit's machines, or else to the shell.
	p.call(labelExec, unix.SYS_EXECVE, p.str(file), p.strs(append([]string{file}, job.Command[1:]...)), env).
		tolerate = negative(unix.ENOEXEC)
	script := append([]string{"/bin/bash", file}, job.Command[1:]...)
	p.call(labelShell, unix.SYS_EXECVE, p.str(script[0]), p.strs(script), env).tolerate = negative(unix.ENOENT)
	script[0] = "/bin/sh"
	p.call(labelShell, unix.SYS_EXECVE, p.str(script[0]), p.strs(script), env)
}

// dropPrivileges leaves no capability, and no way to get one.
func dropPrivileges(p *program, c confinement) {
	for one := range uint64(unix.CAP_LAST_CAP + 1) {
		p.call("drop a capability", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, one).tolerate = negative(unix.EINVAL)
	}
	if user := uint64(c.user); !c.userNamespace {
		p.call("drop groups", unix.SYS_SETGROUPS, 0, 0)
		p.call("change the group", unix.SYS_SETRESGID, user, user, user)
		p.call("change the user", unix.SYS_SETRESUID, user, user, user)
	}
	p.call("drop ambient capabilities", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL)
	// Version 3 of the call, this thread; six words of 32 bits.
	p.call("drop all capabilities", unix.SYS_CAPSET, p.words(unix.LINUX_CAPABILITY_VERSION_3), p.words(0, 0, 0))
	p.call("forbid new privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
	if c.filter {
		filter := refusalFilter()
		p.call("refuse system calls", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			p.linked(uint64(len(filter)), p.words(filter...)))
	}
}

// setRlimits sets what the kernel can limit for each process alone.
func setRlimits(p *program, l vm.Limits) {
	if l.CPUTime > 0 {
		seconds := uint64(l.CPUTime.Seconds()) + 1
		setLimit(p, "limit CPU time", unix.RLIMIT_CPU, seconds, seconds+1)
	}
	if l.Memory > 0 {
		// Runtimes ask for more than they use; this only stops what grows
		// faster than the engine looks.
		backstop := 2*uint64(l.Memory) + 1<<30
		setLimit(p, "limit memory", unix.RLIMIT_DATA, backstop, backstop)
	}
	if l.Processes > 0 {
		setLimit(p, "limit processes", unix.RLIMIT_NPROC, uint64(l.Processes), uint64(l.Processes))
	}
}

func setLimit(p *program, label string, resource, soft, hard uint64) {
	p.call(label, unix.SYS_PRLIMIT64, 0, resource, p.words(soft, hard), 0)
}

// cpuWords is the size of an affinity mask: 1024 cores.
const cpuWords = 16

func cpuMask(cpus []int) []uint64 {
	mask := make([]uint64, cpuWords)
	for _, c := range cpus {
		mask[c/64] |= 1 << (c % 64)
	}
	return mask
}
