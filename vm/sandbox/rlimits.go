//go:build linux

package sandbox

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"

	"podium/vm/sandbox/maker"
)

// processLimits are limits that the kernel sets for each process alone, the same for
// every tool. What no control group counts is small for each open file and each queue,
// and bounded by these numbers. docs/machines.md lists them.
var processLimits = []maker.Limit{
	{Step: "forbid core dumps", Resource: unix.RLIMIT_CORE},
	{Step: "limit open files", Resource: unix.RLIMIT_NOFILE, Soft: 1024, Hard: 4096},
	{Step: "limit locked memory", Resource: unix.RLIMIT_MEMLOCK, Soft: 8 << 20, Hard: 8 << 20},
	{Step: "forbid message queues", Resource: unix.RLIMIT_MSGQUEUE},
	{Step: "forbid real-time priorities", Resource: unix.RLIMIT_RTPRIO},
	{Step: "forbid better priorities", Resource: unix.RLIMIT_NICE},
}

// processLimits are those, or what this process has itself where that is less, and those
// that must do where no control group limits the run as a whole.
func (r *run) processLimits() []maker.Limit {
	var all []maker.Limit
	for _, l := range processLimits {
		var own unix.Rlimit
		if err := unix.Getrlimit(l.Resource, &own); err == nil {
			most := int(min(own.Max, math.MaxInt))
			l.Soft, l.Hard = min(l.Soft, most), min(l.Hard, most)
		}
		all = append(all, l)
	}
	set := func(step string, resource, soft, hard int) {
		all = append(all, maker.Limit{Step: step, Resource: resource, Soft: soft, Hard: hard})
	}
	l, g := r.job.Limits, r.group
	if l.CPUTime > 0 && !g.cpu.known() {
		seconds := int(l.CPUTime.Seconds()) + 1
		set("limit CPU time", unix.RLIMIT_CPU, seconds, seconds+1)
	}
	if l.Memory > 0 && !g.memory.known() {
		// Runtimes ask for more than they use; this only stops what grows
		// faster than the engine looks.
		backstop := 2*int(l.Memory) + 1<<30
		set("limit memory", unix.RLIMIT_DATA, backstop, backstop)
	}
	if l.Processes > 0 && !g.processes.known() {
		most := l.Processes + r.ownThreads()
		set("limit processes", unix.RLIMIT_NPROC, most, most)
	}
	return all
}

// ownThreads is how many threads of the machine's own the kernel counts as the tool's, who
// is the same user where the engine is an ordinary one.
func (r *run) ownThreads() int {
	if !r.driver.ordinary {
		return 0
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", r.pid))
	if err != nil {
		return 1
	}
	return len(threads) + 1 // and the first process
}
