//go:build linux

package vmtest

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
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
	{"memory in many small files", everyDriver, nil, func() error {
		made := 0
		return hold(func() (int, error) {
			made++
			return 4096, os.WriteFile("/tmp/"+strconv.Itoa(made), chunk[:1], 0o600)
		})
	}, recorded{}},
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
