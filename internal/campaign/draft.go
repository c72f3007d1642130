package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Draft is a directory in which a campaign is planned, by one process at a time.
// Until [Draft.Create] has ended, all that is made stands in its scratch directory.
type Draft struct {
	Dir     string
	Scratch string // for what planning makes; it is gone after Close

	scratch *files.Scratch
	lock    *os.File
	made    bool // the directory was not there before
}

// NewDraft makes the directory, if need be, and waits until nobody else plans in it.
func NewDraft(ctx context.Context, dir string) (*Draft, error) {
	_, err := os.Lstat(dir)
	d := &Draft{Dir: dir, made: errors.Is(err, fs.ErrNotExist)}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if d.lock, err = Lock(ctx, filepath.Join(dir, planLock)); err != nil {
		return nil, err
	}
	if d.scratch, err = files.NewScratch(dir, "plan"); err != nil {
		return nil, errors.Join(err, d.unlock())
	}
	d.Scratch = d.scratch.Dir
	return d, nil
}

// Lock makes a file, if need be, and waits until nobody else holds it locked, or ctx
// ends. Closing the file, or the end of the process, gives the lock back.
func Lock(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		if err := lockFile(ctx, f); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Lstat(path); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close() // who held it has removed it: others lock another file
	}
}

// planLock is locked by who plans in a directory.
const planLock = ".plan"

// lockFile waits for a lock until ctx ends.
func lockFile(ctx context.Context, f *os.File) error {
	for {
		err := tryLock(f)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Close removes the scratch directory and lets others plan. Where nothing was planned, a directory
// that was made for it is gone.
func (d *Draft) Close() error {
	return errors.Join(d.scratch.Close(), d.unlock())
}

// unlock gives the lock back, and leaves none behind where there is no campaign.
func (d *Draft) unlock() error {
	if Is(d.Dir) {
		return d.lock.Close()
	}
	err := os.Remove(d.lock.Name())
	if d.made {
		_ = os.Remove(d.Dir) // it stays where something is in it
	}
	return errors.Join(err, d.lock.Close())
}

// Create copies the inputs that the plan names into the campaign, lets the plan
// name the copies, and writes it. The campaign is there when its plan is; one that
// was there before is not touched: the error is [fs.ErrExist].
func (d *Draft) Create(ctx context.Context, p *Plan) (*Campaign, error) {
	if _, err := os.Lstat(filepath.Join(d.Dir, planFile)); !errors.Is(err, fs.ErrNotExist) {
		return nil, cmp.Or(err, fs.ErrExist)
	}
	if err := d.outside(p.Tools); err != nil {
		return nil, err
	}
	to := filepath.Join(d.Dir, inputsDir)
	if err := removeCopies(to); err != nil {
		return nil, err
	}
	p.Origins = p.origins()
	staged := filepath.Join(d.Scratch, inputsDir)
	if err := copyInputs(ctx, staged, p); err != nil {
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			err = fmt.Errorf("%w: a campaign keeps copies of its tools and instances; nothing was planned, make room or plan on another disk", err)
		}
		return nil, err
	}
	if err := os.Rename(staged, to); err != nil {
		return nil, err
	}
	// One call for all files: a sync of each takes minutes for a whole contest.
	if err := syncFileSystem(to); err != nil {
		return nil, err
	}
	return Create(d.Dir, p)
}

// outside refuses a campaign inside of a tool, which would hold itself.
func (d *Draft) outside(list []PlannedTool) error {
	here, err := filepath.Abs(d.Dir)
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return err
	}
	for _, t := range list {
		if within, err := filepath.Rel(t.Dir, here); err == nil && filepath.IsLocal(within) {
			return diagnostic.List{{File: d.Dir, Code: "campaign-inside-tool", Message: "the campaign would stand inside of the tool " + t.Name + ", which is in " + t.Dir,
				Hint: "plan in a directory outside of it"}}
		}
	}
	return nil
}

// removeCopies removes the copies of a planning that was killed before its end,
// and nothing else.
func removeCopies(dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(dir, copiesNote)); err != nil {
		return diagnostic.List{{File: dir, Code: "campaign-inputs", Message: "this directory is not podium's, and a campaign keeps copies of its tools and instances under that name",
			Hint: "plan in another directory"}}
	}
	return os.RemoveAll(dir)
}
