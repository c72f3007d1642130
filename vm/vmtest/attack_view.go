//go:build linux

package vmtest

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// viewAttacks look for what is not the tool's business: other people's files, other
// runs, and the machine's own making.
var viewAttacks = []attack{
	{"the home of the host's root", everyDriver, nil, list("/root"), refused(unix.ENOENT)},
	{"homes of the host's users", everyDriver, nil, others("/home", "mcc"), refused(unix.ENOENT)},
	{"what is installed below /opt", everyDriver, nil, list("/opt"), refused(unix.ENOENT)},
	{"sources below /usr", everyDriver, nil, list("/usr/src"), refused(unix.ENOENT)},
	{"services of the host below /run", everyDriver, nil, list("/run"), refused(unix.ENOENT)},
	{"data of services below /var/lib", everyDriver, nil, list("/var/lib"), refused(unix.ENOENT)},
	{"disks below /mnt", everyDriver, nil, list("/mnt"), refused(unix.ENOENT)},
	{"kernel and devices below /sys", everyDriver, nil, others("/sys", "fs"), refused(unix.ENOENT)},
	{"a file beside the run's own control group", everyDriver, []Need{ExactMemory}, func() error { return os.WriteFile("/sys/fs/mine", nil, 0o644) }, refused(unix.EROFS)},
	{"the run's own limit of memory", everyDriver, []Need{ExactMemory}, raiseLimit, refused(unix.EROFS)},
	{"passwords of the host", everyDriver, nil, read("/etc/shadow"), refused(unix.ENOENT)},
	{"the host's number", everyDriver, nil, read("/etc/machine-id"), refused(unix.ENOENT)},
	{"users of the host", everyDriver, nil, func() error {
		users, err := os.ReadFile("/etc/passwd")
		if err == nil && strings.Count(string(users), "\n") == 3 {
			return unix.ENOENT
		}
		return err
	}, refused(unix.ENOENT)},
	{"what lies above the root", everyDriver, nil, list("/proc/self/root/../../root"), refused(unix.ENOENT)},
	{"the root of the first process", everyDriver, nil, list("/proc/1/root"), refused(unix.EACCES)},
	{"descriptors of the first process", everyDriver, nil, read("/proc/1/fd/5"), refused(unix.EACCES)},
	{"memory of the first process", everyDriver, nil, read("/proc/1/mem"), refused(unix.EACCES)},
	{"layers of the machine", everyDriver, nil, others("/.machine"), refused(unix.ENOENT)},
	{"descriptors that nobody closed", everyDriver, nil, func() error {
		fds, err := os.ReadDir("/proc/self/fd")
		for _, fd := range fds {
			// The runtime's own, and the directory that is being read.
			target, err := os.Readlink("/proc/self/fd/" + fd.Name())
			if err == nil && fd.Name() > "2" && !strings.HasPrefix(target, "anon_inode:") && !strings.HasPrefix(target, "/proc/") {
				return nil
			}
		}
		return errors.Join(err, unix.EBADF)
	}, refused(unix.EBADF)},
	{"control groups of version 1 by mount", everyDriver, nil, func() error { return unix.Mount("cgroup", "/tmp", "cgroup", 0, "cpuacct") }, refused(unix.EPERM)},
	{"own control group of version 1 by a user namespace", everyDriver, nil, func() error {
		if err := unix.Unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWNS); err != nil {
			return err
		}
		return unix.Mount("cgroup", "/tmp", "cgroup", 0, "cpuacct")
	}, refused(unix.EPERM)},
	{"control groups of version 2 by fsopen", everyDriver, nil, func() error { return second(unix.Fsopen("cgroup2", 0)) }, refused(unix.EPERM)},
	{"a directory in /usr", everyDriver, nil, func() error { return os.Mkdir("/usr/left", 0o755) }, refused(unix.EROFS)},
	{"a directory in /bin", everyDriver, nil, func() error { return os.Mkdir("/bin/left", 0o755) }, refused(unix.EROFS)},
	{"a directory in the tool's own", everyDriver, nil, func() error { return os.Mkdir("/home/mcc/BenchKit/left", 0o755) }, refused(unix.EROFS)},
}

func list(dir string) func() error { return func() error { return second(os.ReadDir(dir)) } }

// read reads a byte of a file.
func read(path string) func() error {
	return func() error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return second(f.Read(make([]byte, 1)))
	}
}

// others looks for anything in a directory but what is known to be there.
func others(dir string, known ...string) func() error {
	return func() error {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, unix.EACCES) || err == nil && len(entries) <= len(known) {
			return unix.ENOENT
		}
		return err
	}
}

// raiseLimit writes to the file that says how much memory the run may use.
func raiseLimit() error {
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString("99999999999")
		}
		switch {
		case errors.Is(err, unix.EACCES):
			return unix.EROFS // it belongs to somebody else, which the kernel says first
		case err == nil:
			return f.Close()
		case !errors.Is(err, unix.ENOENT):
			return err
		}
	}
	return unix.ENOENT
}
