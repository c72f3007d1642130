//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is what a process used since it started, with threads that have
// ended: the kernel's clock of that process.
func cpuTime(pid int) (time.Duration, error) {
	const processClock = 2 // CPUCLOCK_SCHED, of all threads
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|processClock), &ts); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// waitTime is how long the virtual processors of a machine could have run since it
// started, but others had the cores of this host: what the kernel says of the
// threads "CPU 0/KVM" and "CPU 0/TCG" of QEMU in /proc/PID/task/TID/schedstat
// (nanoseconds on a core, nanoseconds in the queue, time slices). It is 0 where
// the kernel does not say it.
func waitTime(pid int) (sum time.Duration) {
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", pid))
	if err != nil {
		return 0
	}
	for _, file := range names {
		name, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(name), "CPU") {
			continue // it has ended, or does something else
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "schedstat"))
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			n, _ := strconv.ParseInt(fields[1], 10, 64) // of the kernel
			sum += time.Duration(n)
		}
	}
	return sum
}

// peakMemory is the most memory that a process had, in bytes.
func peakMemory(pid int) (int64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(v), " kB"), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no memory", pid)
}

// peer is the process at the other end of a connection.
func peer(c *net.UnixConn) (int, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var failure error
	if err := raw.Control(func(fd uintptr) { cred, failure = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, failure
	}
	return int(cred.Pid), nil
}

// holdSockets returns descriptors of our own for the sockets of a process, as far
// as it is ours to look into.
func holdSockets(pid, pidfd int) (held []int) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, f := range files {
		fd, err := strconv.Atoi(f.Name())
		if err != nil {
			continue
		}
		to, err := os.Readlink(filepath.Join(dir, f.Name()))
		if err != nil || !strings.HasPrefix(to, "socket:") {
			continue
		}
		if own, err := unix.PidfdGetfd(pidfd, fd, 0); err == nil {
			held = append(held, own)
		}
	}
	return held
}

// bury waits until a killed process is reaped, and does so where it is a child
// of this one.
func bury(pidfd int, patience time.Duration) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		// An error means that it is not a child, or that the reaper was faster.
		_ = unix.Waitid(unix.P_PIDFD, pidfd, nil, unix.WEXITED|unix.WNOHANG, nil)
		if errors.Is(unix.PidfdSendSignal(pidfd, 0, nil, 0), unix.ESRCH) {
			return
		}
	}
}
