//go:build !unix

package clock

import "time"

// ProcessorTime is wall time: here nobody counts the processor time of a process.
func ProcessorTime() time.Duration { return time.Since(began) }
