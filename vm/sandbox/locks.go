//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"os"
	"strings"
	"time"
)

// Locks on files (fcntl) are memory of the kernel that no control group counts and
// no limit of a process bounds, some 200 bytes for each. Runtimes and libraries use
// a few; so they are not refused but looked at, and a job with more than lockLimit
// has ended by its limit of memory.
const (
	lockLimit = 20_000
	lockPause = 200 * time.Millisecond
)

// watchLocks closes tooMany when the job holds too many locks.
func (r *run) watchLocks(ctx context.Context, tooMany chan<- struct{}) {
	tick := time.NewTicker(lockPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if countLocks(r.path("/proc/locks"), lockLimit+1) > lockLimit {
				close(tooMany)
				return
			}
		}
	}
}

// countLocks reads the locks that processes of a /proc hold, at most so many. Those
// of open files, which tools cannot have, are shown to everybody.
func countLocks(path string, most int) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	count := 0
	for lines := bufio.NewScanner(f); count < most && lines.Scan(); {
		if !strings.Contains(lines.Text(), "OFDLCK") {
			count++
		}
	}
	return count
}
