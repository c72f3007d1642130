//go:build unix

package clock

import (
	"syscall"
	"time"
)

// ProcessorTime is how much processor time the process has used so far.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Since(began)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
