package trial

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"time"
)

// Watch calls do at once and after each change of what lies in some directories, as soon
// as they are the same at two ticks in a row, so that a build is over. It returns when ctx
// ends or do fails.
func Watch(ctx context.Context, dirs []string, tick <-chan time.Time, do func() error) error {
	done, last := state(dirs), uint64(0)
	if err := do(); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
		now := state(dirs)
		if now != done && now == last {
			done = now
			if err := do(); err != nil {
				return err
			}
		}
		last = now
	}
}

// state tells two states of directories apart, by the names, sizes, times and modes of
// their files. What cannot be read counts as not there.
func state(dirs []string) uint64 {
	h := fnv.New64a()
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintf(h, "%q %v %d %d\n", path, info.Mode(), info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return h.Sum64()
}
