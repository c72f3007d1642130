//go:build linux

package maker

import (
	"io"
	"strconv"
	"syscall"
	"unsafe"
)

// first is the first process as the maker has it, and, in the fork, its own copy.
type first struct {
	pid    int // in the maker's namespace
	goOn   int // the maker writes a byte here to start the job
	events int // and reads here what happens
	memory []byte
	used   int  // bytes of memory
	job    *job // in memory, which maker and first process share

	// Of the first process.
	clone                  cloneArgs
	orders, news           int // other ends of goOn and events
	mountsProc             bool
	signals, noSignals     uint64 // those that it waits for, none
	order                  [1]byte
	began, ended           timespec
	event                  event
	capabilityHeader       [2]uint32 // struct cap_user_header, and no capabilities
	noCapabilities         [6]uint32
	proc, zero, inInstance uintptr // addresses of "proc", "0" and the instance directory
}

// job is what the first process has to know of a job. Addresses are of strings, and of
// vectors of strings, in the same memory.
type job struct {
	clone         cloneArgs // of the command
	entrances     [8]int
	entranceCount int
	pinned        bool
	cpus          [MaxCPU / 64]uint64
	limits        [16]limit
	limitCount    int
	changesUser   bool
	user          int
	filter        struct { // struct sock_fprog
		size uint16
		at   uintptr
	}
	env              uintptr
	file, args       uintptr
	bash, bashArgs   uintptr // for a script without #!
	shell, shellArgs uintptr
}

// limit is a limit of one resource, the numbers being struct rlimit64.
type limit struct {
	resource   int
	soft, hard uint64
}

// cloneArgs is struct clone_args.
type cloneArgs struct{ flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls, setTID, setTIDSize, group uint64 }

type timespec struct{ seconds, nanoseconds int64 }

// event is what the forks tell the maker, in one write.
type event struct {
	step   step
	errno  syscall.Errno
	status int32
	left   bool
	wall   int64
	usage  usage
}

// usage is struct rusage.
type usage struct {
	userSeconds, userMicros, systemSeconds, systemMicros int64
	maxRSS                                               int64 // in kB
	others                                               [13]int64
}

const (
	// MaxCPU bounds the numbers of cores.
	MaxCPU = 1024
	// MaxWords bounds the bytes of a command and its environment, with PerWord for each
	// string beside its own.
	MaxWords = 1 << 20
	PerWord  = 9

	jobMemory  = 3 << 20 // bytes; there are three vectors of arguments
	commandPID = 2       // the command is the second process of its pid namespace, always
)

// step is a step of the forks: news, or one that failed.
type step int

const (
	ready step = iota
	started
	ended
	blockSignals
	mountProc
	startProcess
	readClock
	readUsage
	enterGroup
	seeOwnGroup
	startSession
	bindToCores
	dropGroups
	changeGroup
	changeUser
	dropCapabilities
	refuseCalls
	unblockSignals
	enterInstance
	hideDescriptors
	execute
	executeByShell
	setLimit // and the next numbers are of further limits
)

// failures are what steps are called that failed.
var failures = [setLimit]string{
	blockSignals:     "block signals",
	mountProc:        "mount /proc",
	startProcess:     "start a process",
	readClock:        "read the clock",
	readUsage:        "read the use of resources",
	enterGroup:       "enter a control group",
	seeOwnGroup:      "see no other group",
	startSession:     "start a session",
	bindToCores:      "bind to cores",
	dropGroups:       "drop groups",
	changeGroup:      "change the group",
	changeUser:       "change the user",
	dropCapabilities: "drop all capabilities",
	refuseCalls:      "refuse system calls",
	unblockSignals:   "unblock signals",
	enterInstance:    "enter the instance directory",
	hideDescriptors:  "hide descriptors",
	execute:          StepExecute,
	executeByShell:   StepShell,
}

// The steps whose failure is the tool's.
const (
	StepExecute = "execute the command"
	StepShell   = "execute the command by the shell"
)

// newFirst prepares the first process of a machine.
func newFirst(w *World) (*first, error) {
	f := &first{
		clone:            cloneArgs{flags: syscall.CLONE_NEWPID | cloneClearHandlers, exitSignal: uint64(syscall.SIGCHLD)},
		mountsProc:       w.FreshProc,
		signals:          1<<(syscall.SIGCHLD-1) | 1<<(syscall.SIGTERM-1),
		capabilityHeader: [2]uint32{capabilityVersion3},
	}
	var err error
	if f.memory, err = syscall.Mmap(-1, 0, jobMemory, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON); err != nil {
		return nil, failed("share memory", err)
	}
	f.used = int(unsafe.Sizeof(job{}))
	f.job = (*job)(unsafe.Pointer(&f.memory[0]))
	f.job.changesUser, f.job.user = !w.UserNamespace, w.User
	f.proc, f.zero, f.inInstance = f.text("proc"), f.text("0"), f.text("/"+w.InstanceDir)
	var down, up [2]int
	for _, pipe := range [][]int{down[:], up[:]} {
		if err := syscall.Pipe2(pipe, syscall.O_CLOEXEC); err != nil {
			return nil, failed("make a pipe", err)
		}
	}
	f.orders, f.goOn, f.events, f.news = down[0], down[1], up[0], up[1]
	return f, nil
}

// put places words and bytes in the shared memory and returns their address.
func (f *first) put(words []uintptr, bytes string) uintptr {
	if len(words) > 0 {
		f.used = (f.used + 7) &^ 7
	}
	at := unsafe.Pointer(&f.memory[f.used])
	copy(unsafe.Slice((*uintptr)(at), len(words)), words)
	f.used += 8*len(words) + copy(f.memory[f.used:], bytes)
	return uintptr(at)
}

func (f *first) text(s string) uintptr { return f.put(nil, s+"\x00") }

func (f *first) texts(list []string) []uintptr {
	all := make([]uintptr, 0, len(list)+1)
	for _, s := range list {
		all = append(all, f.text(s))
	}
	return append(all, 0)
}

// begin puts a job where the first process finds it, and tells that. The engine has seen
// that there is room for it.
func (f *first) begin(j *Job) error {
	if j.Disk > 0 {
		if err := syscall.Mount("none", "/", "", syscall.MS_REMOUNT|syscall.MS_NOSUID, "size="+strconv.Itoa(j.Disk)); err != nil {
			return failed("limit the private file system", err)
		}
	}
	to := f.job
	to.clone = cloneArgs{flags: cloneClearHandlers, exitSignal: uint64(syscall.SIGCHLD)}
	if j.Group != 0 {
		to.clone.flags |= cloneIntoGroup
		to.clone.group = uint64(j.Group)
	}
	to.entranceCount = copy(to.entrances[:], j.Entrances)
	to.pinned = len(j.CPUs) > 0
	for _, c := range j.CPUs {
		to.cpus[c/64] |= 1 << (c % 64)
	}
	for i, l := range j.Limits {
		to.limits[i], to.limitCount = limit{l.Resource, uint64(l.Soft), uint64(l.Hard)}, i+1
	}
	const instruction = 8
	to.filter.size, to.filter.at = uint16(len(j.Filter)/instruction), f.put(nil, j.Filter)
	to.env = f.put(f.texts(j.Env), "")
	args := f.texts(j.Command)
	to.file, to.bash, to.shell = args[0], f.text("/bin/bash"), f.text("/bin/sh")
	to.args = f.put(args, "")
	to.bashArgs = f.put(append([]uintptr{to.bash}, args...), "")
	to.shellArgs = f.put(append([]uintptr{to.shell}, args...), "")
	_, err := descriptor(f.goOn).Write([]byte{1})
	return failed("start the job", err)
}

// start starts the first process in the root of the machine, and waits until it is ready.
func (f *first) start() error {
	pid, e := f.fork()
	if e != 0 {
		return &Failure{failures[startProcess], e}
	}
	f.pid = pid
	// What ends with the first process and the command has no other ends here.
	for _, fd := range []int{f.orders, f.news, 0, 1, 2} {
		syscall.Close(fd)
	}
	r, err := f.next(nil)
	if err != nil {
		return err
	}
	return r.Err()
}

// next waits for what happens next. Limits are those of the job.
func (f *first) next(limits []Limit) (*Report, error) {
	var e event
	if _, err := io.ReadFull(descriptor(f.events), unsafe.Slice((*byte)(unsafe.Pointer(&e)), unsafe.Sizeof(e))); err != nil {
		return nil, failed("hear of the first process", syscall.ESRCH)
	}
	switch {
	case e.step == ready:
		return &Report{Event: Ready}, nil
	case e.step == started:
		return &Report{Event: Started}, nil
	case e.step == ended:
		return e.end()
	case e.step >= setLimit:
		return &Report{Event: Failed, Step: limits[e.step-setLimit].Step, Errno: int(e.errno)}, nil
	}
	return &Report{Event: Failed, Step: failures[e.step], Errno: int(e.errno)}, nil
}

// end says how the job ended.
func (e *event) end() (*Report, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs("/", &fs); err != nil {
		return nil, failed("read the use of the private file system", err)
	}
	time := func(seconds, micros int64) int { return int(seconds*1_000_000_000 + micros*1_000) }
	u := &e.usage
	return &Report{Event: Ended, End: End{Status: int(e.status), Wall: int(e.wall), Left: e.left,
		User: time(u.userSeconds, u.userMicros), System: time(u.systemSeconds, u.systemMicros), MaxRSS: int(u.maxRSS) << 10,
		Disk: int(fs.Blocks), DiskFree: int(fs.Bavail)}}, nil
}
