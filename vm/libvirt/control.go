//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"fmt"
	"time"

	"podium/vm"
)

// control watches a machine from outside: the figures of its process are held
// against those of the guest, and limits are enforced again.
type control struct {
	pid    int
	before time.Duration // CPU time when the job began
	cores  int
	limits vm.Limits

	cpu    time.Duration // since then
	memory int64         // peak, bytes
}

// read takes the figures; those of a process that is gone stay as they were.
func (c *control) read() {
	if t, err := cpuTime(c.pid); err == nil && t > c.before {
		c.cpu = t - c.before
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

func (c *control) check() vm.Termination {
	c.read()
	if l := c.limits.CPUTime; l > 0 && c.cpu > l+l/slackShare+slackTime {
		return vm.OutOfCPU
	}
	return ""
}

// Bounds of agreement between guest and host. All that a guest counts is time of
// its machine's process, so a figure above the host's by more than what is
// promised of figures (1 % or 10 ms) holds time that others had. A guest that
// hides work is below it.
const (
	aboveShare, aboveTime = 100, 10 * time.Millisecond
	belowShare, belowTime = 2, 2 * time.Second
)

// disagreements says where guest and host differ by more than the bounds.
func (c *control) disagreements(out vm.Outcome) []string {
	var list []string
	if c.cpu == 0 {
		return []string{"The host's control figures could not be read."}
	}
	if above := out.CPUTime - c.cpu; above > max(c.cpu/aboveShare, aboveTime) {
		list = append(list, fmt.Sprintf("The guest measured %v of CPU time, but its machine had only %v: others used its cores, the figure is too high.", out.CPUTime, c.cpu))
	}
	if below := c.cpu - out.CPUTime; below > out.CPUTime/belowShare+belowTime {
		list = append(list, fmt.Sprintf("The guest measured %v of CPU time, but its machine used %v.", out.CPUTime, c.cpu))
	}
	if out.MemoryPeak > c.memory && c.memory > 0 {
		list = append(list, fmt.Sprintf("The guest measured %d bytes of memory, but its machine had only %d.", out.MemoryPeak, c.memory))
	}
	return list
}
