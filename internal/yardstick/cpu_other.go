//go:build !unix

package yardstick

import "time"

var began = time.Now()

// CPUTime is the time since the program began: this system does not tell how much
// of it the processor worked.
func CPUTime() time.Duration { return time.Since(began) }
