//go:build linux && amd64

package sandbox

import (
	"golang.org/x/sys/unix"
)

// refusal is a group of system calls that no tool needs, and why they are
// refused. The table in docs/lab/machines.md has the same rows.
type refusal struct {
	what   string // as the page says it
	answer unix.Errno
	why    string // as the page says it
	calls  []call
	when   []condition // any of them; none: always
}

// call is a system call by its name and its numbers in programs of 64 and of 32
// bits, 0 where there is none.
type call struct {
	name       string
	nr64, nr32 uint32
}

// condition is met by calls with a certain argument. Arguments are numbered from
// 0, and of each the lower 32 bits are seen, which are all that the kernel reads
// of those that are named below.
type condition struct {
	arg   uint32
	kind  conditionKind
	value uint32
	mask  uint32 // of masked
}

type conditionKind int

// The conditions.
const (
	hasBits conditionKind = iota // at least one of the bits of value
	equals
	differs
	masked // the bits of mask are those of value
)

func bits(arg, value uint32) []condition { return []condition{{arg: arg, kind: hasBits, value: value}} }

func other(arg, value uint32) []condition {
	return []condition{{arg: arg, kind: differs, value: value}}
}

// without is met where the first bit is set and the second is not.
func without(arg, set, clear uint32) []condition {
	return []condition{{arg: arg, kind: masked, value: set, mask: set | clear}}
}

func oneOf(arg uint32, values ...uint32) []condition {
	all := make([]condition, len(values))
	for i, v := range values {
		all[i] = condition{arg: arg, kind: equals, value: v}
	}
	return all
}

const (
	newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET
	shmHugeTLB = 0o4000

	setLease, notify                    = 1024, 1026
	ofdGetLock, ofdSetLock, ofdWaitLock = 36, 37, 38
)

// refusals is what tools are refused. Whoever holds a tool's memory, CPU time or
// words outside of its machine has found a row that is missing.
//
// Numbers come from the kernel's tables for x86 (syscall_64.tbl, syscall_32.tbl).
var refusals = []refusal{
	{"new namespaces", unix.EPERM, "in a user namespace of its own a tool has the rights of root over network devices and mounts: packet rings and loopback sockets hold memory that no control group counts",
		[]call{{"unshare", unix.SYS_UNSHARE, 310}}, bits(0, newNamespaces|unix.CLONE_NEWTIME)},
	{"new namespaces by clone", unix.EPERM, "the same",
		[]call{{"clone", unix.SYS_CLONE, 120}}, bits(0, newNamespaces)},
	{"open files shared by processes", unix.EPERM, "locks that one of them took outlive it where nobody can count them; threads share open files all the same",
		[]call{{"clone", unix.SYS_CLONE, 120}}, without(0, unix.CLONE_FILES, unix.CLONE_THREAD)},
	{"clone3", unix.ENOSYS, "its flags lie in memory, where a filter cannot see them; C libraries fall back to clone",
		[]call{{"clone3", unix.SYS_CLONE3, 435}}, nil},
	{"entering namespaces", unix.EPERM, "the same as new ones",
		[]call{{"setns", unix.SYS_SETNS, 346}}, nil},
	{"mounts", unix.EPERM, "a machine's file system is made by the driver",
		[]call{{"mount", unix.SYS_MOUNT, 21}, {"umount", 0, 22}, {"umount2", unix.SYS_UMOUNT2, 52}, {"pivot_root", unix.SYS_PIVOT_ROOT, 217},
			{"chroot", unix.SYS_CHROOT, 61}, {"open_tree", unix.SYS_OPEN_TREE, 428}, {"move_mount", unix.SYS_MOVE_MOUNT, 429},
			{"fsopen", unix.SYS_FSOPEN, 430}, {"fsconfig", unix.SYS_FSCONFIG, 431}, {"fsmount", unix.SYS_FSMOUNT, 432},
			{"fspick", unix.SYS_FSPICK, 433}, {"mount_setattr", unix.SYS_MOUNT_SETATTR, 442}, {"open_tree_attr", unix.SYS_OPEN_TREE_ATTR, 467},
			{"open_by_handle_at", unix.SYS_OPEN_BY_HANDLE_AT, 342}, {"quotactl", unix.SYS_QUOTACTL, 131}, {"quotactl_fd", unix.SYS_QUOTACTL_FD, 443}}, nil},
	{"sockets but those of the family unix", unix.EAFNOSUPPORT, "what waits in sockets for the network, netlink, packets or ciphers is memory that no control group counts, even without a device; vsock reaches the host",
		[]call{{"socket", unix.SYS_SOCKET, 359}, {"socketpair", unix.SYS_SOCKETPAIR, 360}}, other(0, unix.AF_UNIX)},
	{"sockets by socketcall", unix.EAFNOSUPPORT, "its arguments lie in memory; only 32-bit programs have it",
		[]call{{"socketcall", 0, 102}}, nil},
	{"filters of sockets", unix.EPERM, "the kernel keeps a copy that no control group counts",
		[]call{{"setsockopt", unix.SYS_SETSOCKOPT, 366}}, oneOf(2, unix.SO_ATTACH_FILTER, unix.SO_ATTACH_BPF, unix.SO_ATTACH_REUSEPORT_CBPF, unix.SO_ATTACH_REUSEPORT_EBPF)},
	{"huge pages by mmap", unix.ENOMEM, "the pool of huge pages is outside of the limit of memory; runtimes go on with pages of the usual size",
		[]call{{"mmap", unix.SYS_MMAP, 0}, {"mmap2", 0, 192}}, bits(3, unix.MAP_HUGETLB)},
	{"mmap of the oldest kind", unix.ENOSYS, "its flags lie in memory; only 32-bit programs have it, and C libraries use mmap2",
		[]call{{"mmap", 0, 90}}, nil},
	{"huge pages by shmget", unix.ENOMEM, "the same as by mmap",
		[]call{{"shmget", unix.SYS_SHMGET, 395}}, bits(2, shmHugeTLB)},
	{"huge pages by memfd_create", unix.ENOMEM, "the same as by mmap",
		[]call{{"memfd_create", unix.SYS_MEMFD_CREATE, 356}}, bits(1, unix.MFD_HUGETLB)},
	{"secret memory", unix.ENOSYS, "nobody uses it, and it cannot be looked into",
		[]call{{"memfd_secret", unix.SYS_MEMFD_SECRET, 447}}, nil},
	{"io_uring", unix.ENOSYS, "work is done by threads of the kernel, past these rules; libraries fall back to plain calls",
		[]call{{"io_uring_setup", unix.SYS_IO_URING_SETUP, 425}, {"io_uring_enter", unix.SYS_IO_URING_ENTER, 426}, {"io_uring_register", unix.SYS_IO_URING_REGISTER, 427}}, nil},
	{"asynchronous input and output", unix.ENOSYS, "the host has one number of requests for all runs, and a run could use it up",
		[]call{{"io_setup", unix.SYS_IO_SETUP, 245}}, nil},
	{"userfaultfd", unix.ENOSYS, "a tool could make the kernel wait at any page",
		[]call{{"userfaultfd", unix.SYS_USERFAULTFD, 374}}, nil},
	{"performance counters", unix.EACCES, "they see other runs, and their buffers are outside of the limit of memory",
		[]call{{"perf_event_open", unix.SYS_PERF_EVENT_OPEN, 336}}, nil},
	{"filters of its own", unix.EINVAL, "the kernel translates each into memory that all runs share, and that no control group counts",
		[]call{{"seccomp", unix.SYS_SECCOMP, 354}}, nil},
	{"filters of its own by prctl", unix.EINVAL, "the same",
		[]call{{"prctl", unix.SYS_PRCTL, 172}}, oneOf(0, unix.PR_SET_SECCOMP)},
	{"limits of another process", unix.EPERM, "an ordinary user's tool could take them from the first process of its machine",
		[]call{{"prlimit64", unix.SYS_PRLIMIT64, 340}}, other(0, 0)},
	{"named message queues", unix.ENOSYS, "they are counted by user, over all runs: a channel, and a run could use them up; the older msgget remains",
		[]call{{"mq_open", unix.SYS_MQ_OPEN, 277}}, nil},
	{"programs in the kernel", unix.EPERM, "a tool has nothing to run there",
		[]call{{"bpf", unix.SYS_BPF, 357}}, nil},
	{"the kernel's keys", unix.EPERM, "the key rings of a user outlive the run: a tool could leave something for its next one",
		[]call{{"add_key", unix.SYS_ADD_KEY, 286}, {"request_key", unix.SYS_REQUEST_KEY, 287}, {"keyctl", unix.SYS_KEYCTL, 288}}, nil},
	{"tracing and the memory of others", unix.EPERM, "only debuggers need it",
		[]call{{"ptrace", unix.SYS_PTRACE, 26}, {"process_vm_readv", unix.SYS_PROCESS_VM_READV, 347}, {"process_vm_writev", unix.SYS_PROCESS_VM_WRITEV, 348},
			{"kcmp", unix.SYS_KCMP, 349}, {"pidfd_getfd", unix.SYS_PIDFD_GETFD, 438}, {"process_madvise", unix.SYS_PROCESS_MADVISE, 440}}, nil},
	{"placing memory on nodes", unix.EPERM, "policies are memory that no control group counts, and pages are placed by the machine",
		[]call{{"mbind", unix.SYS_MBIND, 274}, {"set_mempolicy", unix.SYS_SET_MEMPOLICY, 276}, {"set_mempolicy_home_node", unix.SYS_SET_MEMPOLICY_HOME_NODE, 450},
			{"migrate_pages", unix.SYS_MIGRATE_PAGES, 294}, {"move_pages", unix.SYS_MOVE_PAGES, 317}}, nil},
	{"merging of equal pages", unix.EINVAL, "a thread of the kernel does the work in its own time, and the time of a write tells what other runs hold",
		[]call{{"madvise", unix.SYS_MADVISE, 219}}, oneOf(2, unix.MADV_MERGEABLE)},
	{"merging of equal pages by prctl", unix.EINVAL, "the same",
		[]call{{"prctl", unix.SYS_PRCTL, 172}}, oneOf(0, unix.PR_SET_MEMORY_MERGE)},
	{"leases, notices and locks of open files", unix.EINVAL, "on files of the host they are a channel between runs; the usual locks (fcntl, flock) remain",
		[]call{{"fcntl", unix.SYS_FCNTL, 55}, {"fcntl64", 0, 221}}, oneOf(1, setLease, notify, ofdGetLock, ofdSetLock, ofdWaitLock)},
	{"watching files", unix.EMFILE, "on files of the host it is a channel between runs",
		[]call{{"inotify_init", unix.SYS_INOTIFY_INIT, 291}, {"inotify_init1", unix.SYS_INOTIFY_INIT1, 332}, {"fanotify_init", unix.SYS_FANOTIFY_INIT, 338}}, nil},
	{"writing to terminals as if typed", unix.EPERM, "what is typed there is for somebody else",
		[]call{{"ioctl", unix.SYS_IOCTL, 54}}, oneOf(1, unix.TIOCSTI, unix.TIOCLINUX)},
	{"the host's kernel, clock, swap, log and ports", unix.EPERM, "they are for who administers a host",
		[]call{{"kexec_load", unix.SYS_KEXEC_LOAD, 283}, {"kexec_file_load", unix.SYS_KEXEC_FILE_LOAD, 0}, {"init_module", unix.SYS_INIT_MODULE, 128},
			{"finit_module", unix.SYS_FINIT_MODULE, 350}, {"delete_module", unix.SYS_DELETE_MODULE, 129}, {"reboot", unix.SYS_REBOOT, 88},
			{"swapon", unix.SYS_SWAPON, 87}, {"swapoff", unix.SYS_SWAPOFF, 115}, {"acct", unix.SYS_ACCT, 51}, {"syslog", unix.SYS_SYSLOG, 103},
			{"settimeofday", unix.SYS_SETTIMEOFDAY, 79}, {"stime", 0, 25}, {"clock_settime", unix.SYS_CLOCK_SETTIME, 264}, {"clock_settime64", 0, 404},
			{"iopl", unix.SYS_IOPL, 110}, {"ioperm", unix.SYS_IOPERM, 101}, {"vhangup", unix.SYS_VHANGUP, 111}}, nil},
	{"calls of the past", unix.ENOSYS, "nothing that is still built uses them",
		[]call{{"uselib", unix.SYS_USELIB, 86}, {"lookup_dcookie", unix.SYS_LOOKUP_DCOOKIE, 253}, {"nfsservctl", unix.SYS_NFSSERVCTL, 169},
			{"vm86", 0, 166}, {"vm86old", 0, 113}}, nil},
	{"ipc", unix.ENOSYS, "the flags of shared memory lie behind it; only 32-bit programs have it",
		[]call{{"ipc", 0, 117}}, nil},
}
