//go:build !unix

package clock

import "time"

// processorTime is wall time: here nobody counts the processor time of a process.
func processorTime() time.Duration { return time.Since(began) }
