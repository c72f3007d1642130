//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"podium/vm"
)

// outcome reads the meters a last time and says why the job ended.
func (r *run) outcome(started time.Time, end ending) (vm.Outcome, error) {
	out := vm.Outcome{Started: started, Measured: r.driver.controllers.measured()}
	out.WallTime = vm.Took(time.Duration(end.Wall))
	out.OutputBytes = r.output.bytes
	var err error
	user, system := time.Duration(end.User), time.Duration(end.System)
	all := user + system
	if r.group.cpu.known() {
		all, user, _, err = r.group.cpuTimes()
	}
	out.CPUTime, out.UserTime = vm.Took(all), vm.Took(user)
	out.SystemTime = out.CPUTime - out.UserTime
	if err != nil {
		return out, fmt.Errorf("read CPU time: %w", err)
	}
	if r.group.memory.known() {
		if out.MemoryPeak, err = r.group.memoryPeak(); err != nil {
			return out, fmt.Errorf("read memory: %w", err)
		}
	}
	if !r.group.cpu.known() {
		out.Distrust(vm.Times, "CPU time is not measured: no control group counts it, and processes that nobody waited for are missing in what was seen.")
	}
	if out.MemoryPeak == 0 {
		out.MemoryPeak = max(int64(end.MaxRSS), r.meter.peak)
		out.Distrust(vm.Memory, "Memory is not measured: no control group keeps the peak, and what was seen is that of the largest process, or the sum at some moments.")
	}
	out.Curve = r.meter.end(out)
	for _, leak := range r.driver.leaks {
		out.Distrust(vm.Memory, "Memory is not measured. "+leak)
	}
	if end.command != nil && !commandFailed(end.command) {
		return out, fmt.Errorf("machine %s: %w", r.spec.Name, end.command)
	}
	return out, r.judge(&out, end)
}

// judge sets the reason of the end: the limit that we acted on; else what the
// kernel did; else what the last measurement says; else the command's own end.
func (r *run) judge(out *vm.Outcome, end ending) error {
	l := r.job.Limits
	status := syscall.WaitStatus(end.Status)
	oom, err := r.ranOutOfMemory()
	if err != nil {
		return err
	}
	full := l.Disk > 0 && end.Disk > 0 && end.DiskFree == 0
	failed := status.Signaled() || status.ExitStatus() != 0
	switch {
	case r.reason != "" && r.reason != canceled:
		out.Termination = r.reason
	case oom:
		out.Termination = vm.OutOfMem
	case l.CPUTime > 0 && out.CPUTime.Duration() > l.CPUTime && r.moreTime(out.CPUTime.Duration()) == 0:
		out.Termination = vm.OutOfCPU
	case l.WallTime > 0 && out.WallTime.Duration() > l.WallTime:
		out.Termination = vm.OutOfTime
	case r.output.exceeded():
		out.Termination = vm.TooMuchOut
	case end.command != nil:
		out.Termination, out.ExitCode = vm.Exited, shellCode(end.command)
		r.warn(fmt.Sprintf("The command %q %s%v.", r.job.Command[0], vm.CannotExecute, errors.Unwrap(end.command)))
	case full && failed:
		out.Termination = vm.DiskFull
	case status.Signaled():
		out.Termination, out.Signal = vm.Signalled, int(status.Signal())
	default:
		out.Termination, out.ExitCode = vm.Exited, status.ExitStatus()
		if end.Left {
			r.warn(vm.LeftRunning)
		}
	}
	if full && !failed {
		r.warn("The private file system was full at the end.")
	}
	return nil
}

// ranOutOfMemory reports whether the kernel killed the job at its limit. That it
// killed without the limit being reached is our fault, unless nobody else was there
// to take the memory.
func (r *run) ranOutOfMemory() (bool, error) {
	if !r.group.memory.known() {
		return false, nil
	}
	killed, limit, err := r.group.outOfMemory()
	if err != nil {
		return false, fmt.Errorf("read the events of memory: %w", err)
	}
	if !limit && (killed || r.reason == vm.OutOfMem && !r.overlocked) && !r.driver.options.Alone {
		return false, fmt.Errorf("machine %s: the host ran out of memory, not the job", r.spec.Name)
	}
	return killed, nil
}

// shellCode is how a shell reports a command that cannot be executed.
func shellCode(err error) int {
	if errors.Is(err, fs.ErrNotExist) {
		return 127
	}
	return 126
}

// exceeded reports whether more was printed than allowed.
func (o *output) exceeded() bool {
	select {
	case <-o.over:
		return true
	default:
		return false
	}
}

// ownFile bounds the files, in bytes, that the tool may write to in its copy of the
// instance. The copy is memory that nobody counts, so a tool must not make larger
// files its own; it may still remove and replace them.
const ownFile = 1 << 20

// copyInput gives the machine its own copy of the instance directory. An ordinary
// user's tool owns all of it.
func (m *machine) copyInput() error {
	to := m.path(vm.InstanceDir)
	if err := os.CopyFS(to, os.DirFS(m.spec.Input)); err != nil {
		return fmt.Errorf("copy the instance directory: %w", err)
	}
	if m.driver.ordinary {
		return nil
	}
	return filepath.WalkDir(to, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() && info.Size() > ownFile {
			return os.Chmod(path, 0o444|info.Mode()&0o111)
		}
		return os.Lchown(path, m.user, m.user)
	})
}
