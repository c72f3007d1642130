//go:build unix

package yardstick

import (
	"syscall"
	"time"
)

// CPUTime is the processor time that the process has spent, on all cores: on a
// machine with other work it says more than the clock.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("yardstick: " + err.Error()) // by getrusage(2), of a wrong argument only
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
