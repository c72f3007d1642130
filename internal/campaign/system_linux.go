package campaign

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"podium/internal/files"
)

// noLinkNoWait opens files that are neither links nor wait for a writer.
const noLinkNoWait = unix.O_NOFOLLOW | unix.O_NONBLOCK

// tryLock locks a file for this process. The error is EWOULDBLOCK where another one
// has the lock.
func tryLock(f *os.File) error { return files.TryLock(f) }

// touch sets the times of a file to now, by the clock of its file system.
func touch(path string) error {
	now := unix.Timespec{Nsec: unix.UTIME_NOW}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{now, now}, 0)
}

// shareBlocks makes one file a copy of another that shares its blocks on the disk.
func shareBlocks(to, from *os.File) error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) }

// nextData finds the next bytes of a file that are no hole, from at on, and where
// they end. Where there are none, both are the size.
func nextData(f *os.File, at, size int64) (data, end int64) {
	data, err := unix.Seek(int(f.Fd()), at, unix.SEEK_DATA)
	switch {
	case errors.Is(err, unix.ENXIO):
		return size, size
	case err != nil:
		return at, size // the file system does not tell
	}
	if hole, err := unix.Seek(int(f.Fd()), data, unix.SEEK_HOLE); err == nil {
		return data, min(hole, size)
	}
	return data, size
}

// syncFileSystem waits until everything that was written to the file system of a
// path is on the disk.
func syncFileSystem(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// noProcess reports whether there is no process with a number.
func noProcess(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// systemNameAndMemory are the name and the release of the kernel, and the bytes of
// memory of this computer.
func systemNameAndMemory() (name string, memory int64) {
	var names unix.Utsname
	if unix.Uname(&names) == nil {
		name = unix.ByteSliceToString(names.Sysname[:]) + " " + unix.ByteSliceToString(names.Release[:])
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		memory = int64(info.Totalram) * int64(info.Unit)
	}
	return name, memory
}
