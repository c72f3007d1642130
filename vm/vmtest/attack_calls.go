//go:build linux

package vmtest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// callAttacks are system calls with which tools left their control group, and
// those that might do so. Every machine refuses them.
var callAttacks = []attack{
	{"user namespace by unshare", everyDriver, nil, unshare(unix.CLONE_NEWUSER), refused(unix.EPERM)},
	{"network namespace by unshare", everyDriver, nil, unshare(unix.CLONE_NEWNET), refused(unix.EPERM)},
	{"mount namespace by unshare", everyDriver, nil, unshare(unix.CLONE_NEWNS), refused(unix.EPERM)},
	{"time namespace by unshare", everyDriver, nil, unshare(unix.CLONE_NEWTIME), refused(unix.EPERM)},
	{"user and network namespace by clone", everyDriver, nil, clone(unix.CLONE_NEWUSER | unix.CLONE_NEWNET), refused(unix.EPERM)},
	{"user namespace by clone3", everyDriver, nil, func() error {
		args := [8]uint64{unix.CLONE_NEWUSER, 0, 0, 0, uint64(unix.SIGCHLD)}
		return call(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args))
	}, refused(unix.ENOSYS)},
	{"user namespace as a 32-bit program", everyDriver, nil, func() error { return call32(310, unix.CLONE_NEWUSER, 0, 0) }, refused(unix.EPERM)},
	{"user namespace as an x32 program", everyDriver, nil, func() error { return call(x32Bit|unix.SYS_UNSHARE, unix.CLONE_NEWUSER) }, refused(unix.ENOSYS)},
	{"namespace of another process by setns", everyDriver, nil, func() error {
		f, err := os.Open("/proc/self/ns/net")
		if err != nil {
			return err
		}
		defer f.Close()
		return unix.Setns(int(f.Fd()), 0)
	}, refused(unix.EPERM)},
	{"mount", everyDriver, nil, func() error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") }, refused(unix.EPERM)},
	{"mount by fsopen", everyDriver, nil, func() error { return second(unix.Fsopen("tmpfs", 0)) }, refused(unix.EPERM)},
	{"change of the root", everyDriver, nil, func() error { return unix.Chroot("/tmp") }, refused(unix.EPERM)},
	{"packet socket", everyDriver, nil, socket(unix.AF_PACKET, unix.SOCK_RAW), refused(unix.EAFNOSUPPORT)},
	{"packet socket as a 32-bit program", everyDriver, nil, func() error { return call32(359, unix.AF_PACKET, unix.SOCK_DGRAM, 0) }, refused(unix.EAFNOSUPPORT)},
	{"socket by socketcall of a 32-bit program", everyDriver, nil, func() error { return call32(102, 1, 0, 0) }, refused(unix.EAFNOSUPPORT)},
	{"internet socket", everyDriver, nil, socket(unix.AF_INET, unix.SOCK_DGRAM), refused(unix.EAFNOSUPPORT)},
	{"internet socket of version 6", everyDriver, nil, socket(unix.AF_INET6, unix.SOCK_STREAM), refused(unix.EAFNOSUPPORT)},
	{"netlink socket", everyDriver, nil, socket(unix.AF_NETLINK, unix.SOCK_RAW), refused(unix.EAFNOSUPPORT)},
	{"socket of ciphers", everyDriver, nil, socket(unix.AF_ALG, unix.SOCK_SEQPACKET), refused(unix.EAFNOSUPPORT)},
	{"socket to the host of a machine", everyDriver, nil, socket(unix.AF_VSOCK, unix.SOCK_STREAM), refused(unix.EAFNOSUPPORT)},
	{"filter of a socket", everyDriver, nil, func() error {
		s, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		accept := unix.SockFilter{Code: unix.BPF_RET}
		return unix.SetsockoptSockFprog(s, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &accept})
	}, refused(unix.EPERM)},
	{"huge pages by mmap", everyDriver, nil, func() error {
		return second(unix.Mmap(-1, 0, 2<<20, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_HUGETLB))
	}, refused(unix.ENOMEM)},
	{"huge pages by shmget", everyDriver, nil, func() error { return second(unix.SysvShmGet(unix.IPC_PRIVATE, 2<<20, 0o600|shmHugeTLB)) }, refused(unix.ENOMEM)},
	{"huge pages by memfd_create", everyDriver, nil, func() error { return second(unix.MemfdCreate("huge", unix.MFD_HUGETLB)) }, refused(unix.ENOMEM)},
	{"mapping of the oldest kind as a 32-bit program", everyDriver, nil, func() error { return call32(90, 0, 0, 0) }, refused(unix.ENOSYS)},
	{"shared memory by ipc as a 32-bit program", everyDriver, nil, func() error {
		const get = 23
		return call32(117, get, unix.IPC_PRIVATE, 2<<20)
	}, refused(unix.ENOSYS)},
	{"secret memory", everyDriver, nil, func() error { return second(unix.MemfdSecret(0)) }, refused(unix.ENOSYS)},
	{"io_uring", everyDriver, nil, func() error {
		var params [120]byte
		return call(unix.SYS_IO_URING_SETUP, 8, uintptr(unsafe.Pointer(&params)))
	}, refused(unix.ENOSYS)},
	{"asynchronous input and output", everyDriver, nil, func() error {
		var context uintptr
		return call(unix.SYS_IO_SETUP, 1000, uintptr(unsafe.Pointer(&context)))
	}, refused(unix.ENOSYS)},
	{"userfaultfd", everyDriver, nil, func() error { return call(unix.SYS_USERFAULTFD, 1) }, refused(unix.ENOSYS)},
	{"performance counter", everyDriver, nil, func() error {
		return second(unix.PerfEventOpen(&unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE}, 0, -1, -1, 0))
	}, refused(unix.EACCES)},
	{"filter of its own by seccomp", everyDriver, nil, func() error { return call(unix.SYS_SECCOMP, 1, 0, 0) }, refused(unix.EINVAL)},
	{"strict filter by prctl", everyDriver, nil, func() error { return unix.Prctl(unix.PR_SET_SECCOMP, 2, 0, 0, 0) }, refused(unix.EINVAL)},
	{"limits of the first process", everyDriver, nil, func() error {
		none := unix.Rlimit{}
		return unix.Prlimit(1, unix.RLIMIT_CPU, &none, nil)
	}, refused(unix.EPERM)},
	{"open files shared with a process", everyDriver, nil, clone(unix.CLONE_FILES), refused(unix.EPERM)},
	{"named message queue", everyDriver, nil, func() error {
		name, err := unix.BytePtrFromString("queue")
		if err != nil {
			return err
		}
		return call(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_CREAT|unix.O_RDWR, 0o600, 0)
	}, refused(unix.ENOSYS)},
	{"program in the kernel", everyDriver, nil, func() error {
		var attr [128]byte
		return call(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
	}, refused(unix.EPERM)},
	{"word in a key ring", everyDriver, nil, func() error {
		return second(unix.AddKey("user", "vmtest", []byte("word"), unix.KEY_SPEC_USER_KEYRING))
	}, refused(unix.EPERM)},
	{"tracing the parent", everyDriver, nil, func() error { return unix.PtraceSeize(os.Getppid()) }, refused(unix.EPERM)},
	{"memory of another process", everyDriver, nil, func() error {
		word := make([]byte, 8)
		local := []unix.Iovec{{Base: &word[0], Len: 8}}
		return second(unix.ProcessVMReadv(1, local, []unix.RemoteIovec{{Base: 0x10000000, Len: 8}}, 0))
	}, refused(unix.EPERM)},
	{"descriptor of another process", everyDriver, nil, func() error {
		parent, err := unix.PidfdOpen(os.Getppid(), 0)
		if err != nil {
			return err
		}
		return second(unix.PidfdGetfd(parent, 0, 0))
	}, refused(unix.EPERM)},
	{"policy of memory", everyDriver, nil, func() error { return call(unix.SYS_SET_MEMPOLICY, 0) }, refused(unix.EPERM)},
	{"merging of pages by madvise", everyDriver, nil, func() error {
		page, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		return unix.Madvise(page, unix.MADV_MERGEABLE)
	}, refused(unix.EINVAL)},
	{"merging of pages by prctl", everyDriver, nil, func() error { return unix.Prctl(unix.PR_SET_MEMORY_MERGE, 1, 0, 0, 0) }, refused(unix.EINVAL)},
	{"lease of a file", everyDriver, nil, onFile(1024, unix.F_WRLCK), refused(unix.EINVAL)},
	{"lock of an open file", everyDriver, nil, onFile(unix.F_OFD_GETLK, 0), refused(unix.EINVAL)},
	{"notices of a directory", everyDriver, nil, func() error {
		const notify, modified = 1026, 2
		dir, err := os.Open(os.TempDir())
		if err != nil {
			return err
		}
		defer dir.Close()
		return second(unix.FcntlInt(dir.Fd(), notify, modified))
	}, refused(unix.EINVAL)},
	{"watching a file system", everyDriver, nil, func() error { return second(unix.FanotifyInit(0, 0)) }, refused(unix.EMFILE)},
	{"watching files", everyDriver, nil, func() error { return second(unix.InotifyInit1(0)) }, refused(unix.EMFILE)},
	{"typing into a terminal", everyDriver, nil, func() error {
		key := byte('x')
		return call(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(&key)))
	}, refused(unix.EPERM)},
	{"log of the kernel", everyDriver, nil, func() error { return second(unix.Klogctl(10, nil)) }, refused(unix.EPERM)},
	{"module of the kernel", everyDriver, nil, func() error { return unix.FinitModule(0, "", 0) }, refused(unix.EPERM)},
	{"system call that is newer than the list", everyDriver, nil, func() error { return call(1000) }, refused(unix.ENOSYS)},
}

const (
	x32Bit     = 1 << 30
	shmHugeTLB = 0o4000
)

// call is a system call whose result is of no interest.
func call(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, e := syscall.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]); e != 0 {
		return e
	}
	return nil
}

// second drops what a call gave.
func second[T any](_ T, err error) error { return err }

func unshare(flags int) func() error { return func() error { return unix.Unshare(flags) } }

// clone starts a process, which the role does not wait for.
func clone(flags uintptr) func() error {
	return func() error {
		pid, err := syscall.ForkExec("/proc/self/exe", []string{"child"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Cloneflags: flags}})
		if err == nil {
			err = errors.Join(syscall.Kill(pid, syscall.SIGKILL))
		}
		return err
	}
}

func socket(family, kind int) func() error {
	return func() error { return second(unix.Socket(family, kind, 0)) }
}

// onFile is a call of fcntl on a file of the tool's own.
func onFile(command, arg int) func() error {
	return func() error {
		f, err := os.Create(filepath.Join(os.TempDir(), "held"))
		if err != nil {
			return err
		}
		defer f.Close()
		return second(unix.FcntlInt(f.Fd(), command, arg))
	}
}
