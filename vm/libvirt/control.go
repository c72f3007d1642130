//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"fmt"
	"time"

	"podium/vm"
)

// control watches a machine from outside: the figures of its process are held
// against those of the guest, and limits are enforced again. It implements
// guest.Control.
type control struct {
	pid    int
	before hostTimes // when the job began
	limits vm.Limits

	used   hostTimes // since then
	memory int64     // peak, bytes
}

// hostTimes are times of a machine's process by the host's clock.
type hostTimes struct {
	cpu    time.Duration // that it used
	waited time.Duration // that its virtual processors could have used, when others had the cores
}

func timesOf(pid int) (t hostTimes, err error) {
	t.waited = waitTime(pid)
	t.cpu, err = cpuTime(pid)
	return t, err
}

func newControl(pid int, limits vm.Limits) (*control, error) {
	before, err := timesOf(pid)
	return &control{pid: pid, before: before, limits: limits}, err
}

// read takes the figures; those of a process that is gone stay as they were.
func (c *control) read() {
	if t, err := timesOf(c.pid); err == nil && t.cpu > c.before.cpu {
		c.used = hostTimes{t.cpu - c.before.cpu, t.waited - c.before.waited}
	}
	if m, err := peakMemory(c.pid); err == nil {
		c.memory = m
	}
}

// A machine's process uses more than the job: the guest's kernel and agent, and
// the emulation of devices. The host ends a job whose machine uses more than
// its limit by this much; before that the guest should have.
const (
	slackShare = 4 // a quarter
	slackTime  = 10 * time.Second
)

// Check ends a job that its guest lets go on.
func (c *control) Check() vm.Termination {
	c.read()
	if l := c.limits.CPUTime; l > 0 && c.used.cpu > l+l/slackShare+slackTime {
		return vm.OutOfCPU
	}
	return ""
}

// Left is how much of the job's CPU time is left by the host's clock; what is
// less than the bounds of agreement is nothing.
func (c *control) Left() time.Duration {
	c.read()
	limit := c.limits.CPUTime
	if left := limit - c.used.cpu; left > tolerance(limit) {
		return left
	}
	return 0
}

// tolerance is what is promised of figures of CPU time: 1 % or 10 ms.
func tolerance(t time.Duration) time.Duration { return max(t/100, 10*time.Millisecond) }

// By how much the process of a machine may have used more CPU time than the guest
// says, for its kernel and devices. A guest that hides work is below that.
const (
	belowShare, belowTime = 2, 2 * time.Second
)

// judge says in the outcome where guest and host differ by more than the bounds. A
// guest takes the time that others have its cores for its own, and does not know.
// All that it rightly counts is time of its machine's process, so that a figure
// above the host's is too high; where the process had work of its own, so that the
// figures do not show it, the time tells for which the machine had to wait.
func (c *control) judge(out *vm.Outcome) {
	out.HostCPUTime, out.HostMemoryPeak = vm.Took(c.used.cpu), c.memory
	said := out.CPUTime.Duration()
	if c.used.cpu == 0 {
		out.Distrust(vm.Times, "The host's control figures could not be read.")
		return
	}
	switch {
	case said-c.used.cpu > tolerance(c.used.cpu):
		out.Distrust(vm.Times, fmt.Sprintf("The guest measured %v of CPU time, but its machine had only %v: others used its cores, the figure is too high.", said, c.used.cpu))
	case c.used.waited > tolerance(said):
		out.Distrust(vm.Times, fmt.Sprintf("The guest measured %v of CPU time, but its machine waited %v for cores that others used: the figure may be too high.", said, c.used.waited))
	}
	if below := c.used.cpu - said; below > said/belowShare+belowTime {
		out.Distrust(vm.Times, fmt.Sprintf("The guest measured %v of CPU time, but its machine used %v.", said, c.used.cpu))
	}
	if out.MemoryPeak > c.memory && c.memory > 0 {
		out.Distrust(vm.Memory, fmt.Sprintf("The guest measured %d bytes of memory, but its machine had only %d.", out.MemoryPeak, c.memory))
	}
}
