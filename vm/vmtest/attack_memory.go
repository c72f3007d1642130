//go:build linux

package vmtest

import (
	"os"
	"slices"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// memoryAttacks hold memory that is not a program's own.
var memoryAttacks = []attack{
	{"memory in pipes", everyDriver, nil, holdPipes, recorded{}},
	{"memory in sockets", everyDriver, nil, holdSockets, recorded{}},
	{"memory in files without names", everyDriver, nil, func() error {
		fd, err := unix.MemfdCreate("held", 0)
		if err != nil {
			return err
		}
		return hold(func() (int, error) { return unix.Write(fd, chunk) })
	}, recorded{}},
	{"memory in temporary files", everyDriver, nil, func() error {
		f, err := os.Create("/dev/shm/held")
		if err != nil {
			return err
		}
		return hold(func() (int, error) { return f.Write(chunk) })
	}, recorded{}},
	{"memory in files of the instance", everyDriver, nil, func() error {
		f, err := os.Create("held")
		if err != nil {
			return err
		}
		return hold(func() (int, error) { return f.Write(chunk) })
	}, recorded{}},
	{"memory in many small files", everyDriver, nil, func() error {
		made := 0
		return hold(func() (int, error) {
			made++
			return 4096, os.WriteFile("/tmp/"+strconv.Itoa(made), chunk[:1], 0o600)
		})
	}, recorded{}},
	{"memory in semaphores", everyDriver, nil, func() error {
		const count, size = 8000, 64 // of a semaphore in the kernel
		return hold(func() (int, error) { return count * size, call(unix.SYS_SEMGET, unix.IPC_PRIVATE, count, 0o600) })
	}, recorded{}},
	{"memory in message queues", sandboxOnly, nil, holdMessages, recorded{}},
	{"memory in page tables", everyDriver, nil, func() error {
		const each = 2 << 20 // what one page of a table maps
		space, err := unix.Mmap(-1, 0, (spoils/os.Getpagesize()+1)*each, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		if err != nil {
			return err
		}
		if err := unix.Madvise(space, unix.MADV_NOHUGEPAGE); err != nil {
			return err
		}
		at, sum := 0, byte(0)
		return hold(func() (int, error) {
			sum += space[at*each]
			at++
			return os.Getpagesize(), nil
		})
	}, recorded{}},
	{"memory in locks on files", everyDriver, nil, holdLocks, recorded{}},
	{"memory in lists of names of overlays", sandboxOnly, nil, findOverlay, impossible{}},
}

// findOverlay looks for a directory that a tool can write to and that is made of two:
// the kernel keeps the names in it for each open descriptor, and counts them nowhere.
func findOverlay() error {
	for _, dir := range []string{".", "sub", vm.Home, vm.ResultDir, "/tmp", "/dev/shm"} {
		var fs unix.Statfs_t
		if err := unix.Statfs(dir, &fs); err != nil {
			return err
		}
		if fs.Type == unix.OVERLAYFS_SUPER_MAGIC && unix.Access(dir, unix.W_OK) == nil {
			return nil
		}
	}
	return errNotThere
}

// boundAttacks take something of the kernel's that is small, as often as it can be
// had. The limits of each process end them.
var boundAttacks = []attack{
	{"open files", everyDriver, nil, again(func() error { return second(unix.Eventfd(0, 0)) }), refused(unix.EMFILE)},
	{"descriptors in sockets", everyDriver, nil, func() error {
		p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return err
		}
		many := unix.UnixRights(slices.Repeat([]int{0}, 250)...)
		return again(func() error { return unix.Sendmsg(p[0], []byte{0}, many, nil, 0) })()
	}, refused(unix.ETOOMANYREFS)},
	{"real-time priority", everyDriver, nil, func() error {
		priority := uint32(1)
		const firstInFirstOut = 1
		return call(unix.SYS_SCHED_SETSCHEDULER, 0, firstInFirstOut, uintptr(unsafe.Pointer(&priority)))
	}, refused(unix.EPERM)},
	{"better priority", everyDriver, nil, func() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, -5) }, refused(unix.EACCES)},
}

// again does something until it fails, but not for ever.
func again(do func() error) func() error {
	return func() error {
		for range 10_000 {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	}
}

// chunk is what is written at once.
var chunk = make([]byte, 64<<10)

// fill writes to something that does not wait until it is full.
func fill(fd int, piece []byte) int {
	all := 0
	for {
		n, err := unix.Write(fd, piece)
		if n <= 0 || err != nil {
			return all
		}
		all += n
	}
}

func holdPipes() error {
	return hold(func() (int, error) {
		var p [2]int
		if err := unix.Pipe2(p[:], unix.O_NONBLOCK); err != nil {
			return 0, err
		}
		// The kernel may say no, and the pipe keeps its usual size.
		_, _ = unix.FcntlInt(uintptr(p[1]), unix.F_SETPIPE_SZ, 1<<20)
		return fill(p[1], chunk), nil
	})
}

func holdMessages() error {
	const size = 8 << 10
	message := make([]byte, 8+size) // a type, which must not be 0, and the text
	message[0] = 1
	return hold(func() (int, error) {
		queue, _, e := unix.Syscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, 0o600, 0)
		if e != 0 {
			return 0, e
		}
		all := 0
		for call(unix.SYS_MSGSND, queue, uintptr(unsafe.Pointer(&message[0])), size, unix.IPC_NOWAIT) == nil {
			all += size
		}
		return all, nil
	})
}

// holdLocks takes locks on bytes that do not touch. Each file has few, since the
// kernel looks through a list of them.
func holdLocks() error {
	const each, size = 1000, 200
	return hold(func() (int, error) {
		f, err := os.CreateTemp("", "locked")
		if err != nil {
			return 0, err
		}
		for i := range each {
			lock := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(2 * (each - i)), Len: 1}
			if err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &lock); err != nil {
				return i * size, err
			}
		}
		locked = append(locked, f)
		return each * size, nil
	})
}

// locked keeps files open.
var locked []*os.File

func holdSockets() error {
	return hold(func() (int, error) {
		p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return 0, err
		}
		err = unix.SetsockoptInt(p[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 4<<20)
		return fill(p[0], chunk), err
	})
}
