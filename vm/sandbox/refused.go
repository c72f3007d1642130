//go:build linux

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

// call is a system call by its name and its numbers on x86-64, in programs of 32 bits
// there, and on arm64; none where there is no such call.
type call struct {
	name               string
	amd64, i386, arm64 int32
}

// none is the number of a call that a processor does not have.
const none = -1

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
// Numbers come from the kernel's tables (syscall_64.tbl, syscall_32.tbl and
// asm-generic/unistd.h), to which TestNumbersOfCalls compares them.
var refusals = []refusal{
	{"new namespaces", unix.EPERM, "in a user namespace of its own a tool has the rights of root over network devices and mounts: packet rings and loopback sockets hold memory that no control group counts",
		[]call{{"unshare", 272, 310, 97}}, bits(0, newNamespaces|unix.CLONE_NEWTIME)},
	{"new namespaces by clone", unix.EPERM, "the same",
		[]call{{"clone", 56, 120, 220}}, bits(0, newNamespaces)},
	{"open files shared by processes", unix.EPERM, "locks that one of them took outlive it where nobody can count them; threads share open files all the same",
		[]call{{"clone", 56, 120, 220}}, without(0, unix.CLONE_FILES, unix.CLONE_THREAD)},
	{"clone3", unix.ENOSYS, "its flags lie in memory, where a filter cannot see them; C libraries fall back to clone",
		[]call{{"clone3", 435, 435, 435}}, nil},
	{"entering namespaces", unix.EPERM, "the same as new ones",
		[]call{{"setns", 308, 346, 268}}, nil},
	{"mounts", unix.EPERM, "a machine's file system is made by the driver",
		[]call{{"mount", 165, 21, 40}, {"umount", none, 22, none}, {"umount2", 166, 52, 39}, {"pivot_root", 155, 217, 41},
			{"chroot", 161, 61, 51}, {"open_tree", 428, 428, 428}, {"move_mount", 429, 429, 429},
			{"fsopen", 430, 430, 430}, {"fsconfig", 431, 431, 431}, {"fsmount", 432, 432, 432},
			{"fspick", 433, 433, 433}, {"mount_setattr", 442, 442, 442}, {"open_tree_attr", 467, 467, 467},
			{"open_by_handle_at", 304, 342, 265}, {"quotactl", 179, 131, 60}, {"quotactl_fd", 443, 443, 443}}, nil},
	{"sockets but those of the family unix", unix.EAFNOSUPPORT, "what waits in sockets for the network, netlink, packets or ciphers is memory that no control group counts, even without a device; vsock reaches the host",
		[]call{{"socket", 41, 359, 198}, {"socketpair", 53, 360, 199}}, other(0, unix.AF_UNIX)},
	{"sockets by socketcall", unix.EAFNOSUPPORT, "its arguments lie in memory; only 32-bit programs have it",
		[]call{{"socketcall", none, 102, none}}, nil},
	{"filters of sockets", unix.EPERM, "the kernel keeps a copy that no control group counts",
		[]call{{"setsockopt", 54, 366, 208}}, oneOf(2, unix.SO_ATTACH_FILTER, unix.SO_ATTACH_BPF, unix.SO_ATTACH_REUSEPORT_CBPF, unix.SO_ATTACH_REUSEPORT_EBPF)},
	{"huge pages by mmap", unix.ENOMEM, "the pool of huge pages is outside of the limit of memory; runtimes go on with pages of the usual size",
		[]call{{"mmap", 9, none, 222}, {"mmap2", none, 192, none}}, bits(3, unix.MAP_HUGETLB)},
	{"mmap of the oldest kind", unix.ENOSYS, "its flags lie in memory; only 32-bit programs have it, and C libraries use mmap2",
		[]call{{"mmap", none, 90, none}}, nil},
	{"huge pages by shmget", unix.ENOMEM, "the same as by mmap",
		[]call{{"shmget", 29, 395, 194}}, bits(2, shmHugeTLB)},
	{"huge pages by memfd_create", unix.ENOMEM, "the same as by mmap",
		[]call{{"memfd_create", 319, 356, 279}}, bits(1, unix.MFD_HUGETLB)},
	{"secret memory", unix.ENOSYS, "nobody uses it, and it cannot be looked into",
		[]call{{"memfd_secret", 447, 447, 447}}, nil},
	{"io_uring", unix.ENOSYS, "work is done by threads of the kernel, past these rules; libraries fall back to plain calls",
		[]call{{"io_uring_setup", 425, 425, 425}, {"io_uring_enter", 426, 426, 426}, {"io_uring_register", 427, 427, 427}}, nil},
	{"asynchronous input and output", unix.ENOSYS, "the host has one number of requests for all runs, and a run could use it up",
		[]call{{"io_setup", 206, 245, 0}}, nil},
	{"userfaultfd", unix.ENOSYS, "a tool could make the kernel wait at any page",
		[]call{{"userfaultfd", 323, 374, 282}}, nil},
	{"performance counters", unix.EACCES, "they see other runs, and their buffers are outside of the limit of memory",
		[]call{{"perf_event_open", 298, 336, 241}}, nil},
	{"filters of its own", unix.EINVAL, "the kernel translates each into memory that all runs share, and that no control group counts",
		[]call{{"seccomp", 317, 354, 277}}, nil},
	{"filters of its own by prctl", unix.EINVAL, "the same",
		[]call{{"prctl", 157, 172, 167}}, oneOf(0, unix.PR_SET_SECCOMP)},
	{"limits of another process", unix.EPERM, "an ordinary user's tool could take them from the first process of its machine",
		[]call{{"prlimit64", 302, 340, 261}}, other(0, 0)},
	{"named message queues", unix.ENOSYS, "they are counted by user, over all runs: a channel, and a run could use them up; the older msgget remains",
		[]call{{"mq_open", 240, 277, 180}}, nil},
	{"programs in the kernel", unix.EPERM, "a tool has nothing to run there",
		[]call{{"bpf", 321, 357, 280}}, nil},
	{"the kernel's keys", unix.EPERM, "the key rings of a user outlive the run: a tool could leave something for its next one",
		[]call{{"add_key", 248, 286, 217}, {"request_key", 249, 287, 218}, {"keyctl", 250, 288, 219}}, nil},
	{"tracing and the memory of others", unix.EPERM, "only debuggers need it",
		[]call{{"ptrace", 101, 26, 117}, {"process_vm_readv", 310, 347, 270}, {"process_vm_writev", 311, 348, 271},
			{"kcmp", 312, 349, 272}, {"pidfd_getfd", 438, 438, 438}, {"process_madvise", 440, 440, 440}}, nil},
	{"placing memory on nodes", unix.EPERM, "policies are memory that no control group counts, and pages are placed by the machine",
		[]call{{"mbind", 237, 274, 235}, {"set_mempolicy", 238, 276, 237}, {"set_mempolicy_home_node", 450, 450, 450},
			{"migrate_pages", 256, 294, 238}, {"move_pages", 279, 317, 239}}, nil},
	{"merging of equal pages", unix.EINVAL, "a thread of the kernel does the work in its own time, and the time of a write tells what other runs hold",
		[]call{{"madvise", 28, 219, 233}}, oneOf(2, unix.MADV_MERGEABLE)},
	{"merging of equal pages by prctl", unix.EINVAL, "the same",
		[]call{{"prctl", 157, 172, 167}}, oneOf(0, unix.PR_SET_MEMORY_MERGE)},
	{"leases, notices and locks of open files", unix.EINVAL, "on files of the host they are a channel between runs; the usual locks (fcntl, flock) remain",
		[]call{{"fcntl", 72, 55, 25}, {"fcntl64", none, 221, none}}, oneOf(1, setLease, notify, ofdGetLock, ofdSetLock, ofdWaitLock)},
	{"watching files", unix.EMFILE, "on files of the host it is a channel between runs",
		[]call{{"inotify_init", 253, 291, none}, {"inotify_init1", 294, 332, 26}, {"fanotify_init", 300, 338, 262}}, nil},
	{"writing to terminals as if typed", unix.EPERM, "what is typed there is for somebody else",
		[]call{{"ioctl", 16, 54, 29}}, oneOf(1, unix.TIOCSTI, unix.TIOCLINUX)},
	{"the host's kernel, clock, swap, log and ports", unix.EPERM, "they are for who administers a host",
		[]call{{"kexec_load", 246, 283, 104}, {"kexec_file_load", 320, none, 294}, {"init_module", 175, 128, 105},
			{"finit_module", 313, 350, 273}, {"delete_module", 176, 129, 106}, {"reboot", 169, 88, 142},
			{"swapon", 167, 87, 224}, {"swapoff", 168, 115, 225}, {"acct", 163, 51, 89}, {"syslog", 103, 103, 116},
			{"settimeofday", 164, 79, 170}, {"stime", none, 25, none}, {"clock_settime", 227, 264, 112}, {"clock_settime64", none, 404, none},
			{"iopl", 172, 110, none}, {"ioperm", 173, 101, none}, {"vhangup", 153, 111, 58}}, nil},
	{"calls of the past", unix.ENOSYS, "nothing that is still built uses them",
		[]call{{"uselib", 134, 86, none}, {"lookup_dcookie", 212, 253, 18}, {"nfsservctl", 180, 169, 42},
			{"vm86", none, 166, none}, {"vm86old", none, 113, none}}, nil},
	{"ipc", unix.ENOSYS, "the flags of shared memory lie behind it; only 32-bit programs have it",
		[]call{{"ipc", none, 117, none}}, nil},
}
