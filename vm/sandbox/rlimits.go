//go:build linux && amd64

package sandbox

import "golang.org/x/sys/unix"

// processLimit is a limit that the kernel sets for each process alone. What no
// control group counts is small for each open file and each queue, and bounded by
// these numbers.
type processLimit struct {
	label      string
	resource   int
	soft, hard uint64
}

// processLimits are the same for every tool; docs/machines.md lists them.
var processLimits = []processLimit{
	{"forbid core dumps", unix.RLIMIT_CORE, 0, 0},
	{"limit open files", unix.RLIMIT_NOFILE, 1024, 4096},
	{"limit locked memory", unix.RLIMIT_MEMLOCK, 8 << 20, 8 << 20},
	{"forbid message queues", unix.RLIMIT_MSGQUEUE, 0, 0},
	{"forbid real-time priorities", unix.RLIMIT_RTPRIO, 0, 0},
	{"forbid better priorities", unix.RLIMIT_NICE, 0, 0},
}

// setProcessLimits sets them, or what this process has itself where that is less.
func setProcessLimits(p *program) {
	for _, l := range processLimits {
		var own unix.Rlimit
		if err := unix.Getrlimit(l.resource, &own); err == nil {
			l.soft, l.hard = min(l.soft, own.Max), min(l.hard, own.Max)
		}
		setLimit(p, l.label, uint64(l.resource), l.soft, l.hard)
	}
}
