package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// disk is the subject of the check of the store.
const disk = "disk"

// Bounds of the store: below the first nothing can be run, below the second a
// whole contest does not fit; a journal writes once per run, so that even a
// slow disk costs a run little.
const (
	leastSpace  = 1 << 30
	enoughSpace = 50 << 30
	slowSync    = 50 * time.Millisecond
	syncs       = 16
)

// store tries the disk where campaigns would be.
func (h *Host) store(context.Context) []Check {
	dir, err := existing(h.Store)
	if err != nil {
		return []Check{noStore(h.Store, err)}
	}
	free, err := freeSpace(dir)
	if err != nil {
		return []Check{noStore(dir, err)}
	}
	sync, err := syncTime(dir)
	if err != nil {
		return []Check{noStore(dir, err)}
	}
	return []Check{judgeStore(dir, free, sync)}
}

func noStore(dir string, err error) Check {
	return Check{Subject: disk, Verdict: Missing, Found: oneLine(err.Error()), Means: "There is no place for a campaign.",
		Advice: fmt.Sprintf("Make %s writable, or choose another place with --store.", dir)}
}

func judgeStore(dir string, free int64, sync time.Duration) Check {
	c := Check{Subject: disk, Verdict: OK, Found: fmt.Sprintf("%s free, a record is safe after %.1f ms", gigabytes(free), float64(sync.Microseconds())/1000),
		Means: "Room for a campaign; what has finished survives a crash of the host."}
	switch {
	case free < leastSpace:
		c.Verdict, c.Means = Missing, "Runs would be void, because their output has no place."
		c.Advice = fmt.Sprintf("Make room below %s, or choose another place with --store.", dir)
	case free < enoughSpace:
		c.Verdict, c.Means = Limited, "Room for rehearsals; images and instances of a whole contest take some 50 GB."
		c.Advice = fmt.Sprintf("Make room below %s, or choose another place with --store.", dir)
	case sync > slowSync:
		c.Verdict, c.Means = Limited, "Each run waits for the disk before the next begins; measured times do not change."
		c.Advice = "Take a faster disk for campaigns of many short runs."
	}
	return c
}

// existing is the directory, or the next one above that is there.
func existing(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir, err
		}
		dir = filepath.Dir(dir)
	}
}

// syncTime is the median time of a write that is on the disk when it is done.
func syncTime(dir string) (time.Duration, error) {
	f, err := os.CreateTemp(dir, ".podium-doctor-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	times := make([]float64, syncs)
	for i := range times {
		began := time.Now()
		if _, err := f.WriteString("one record of a journal\n"); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		times[i] = float64(time.Since(began))
	}
	return median(times), nil
}
