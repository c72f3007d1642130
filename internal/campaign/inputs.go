package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"podium/internal/tools"
)

// inputs checks the digest of each tool and instance once for all its runs, which
// follow each other. Whether an input changed after that is told without reading
// it, after every run: a run under changed inputs does not count.
type inputs struct {
	campaign *Campaign
	mu       sync.Mutex
	opened   map[string]*opening // tools and instances, by what they are
	recent   []string            // the same in the order of their last use
}

// keptInstances bounds how many instances are remembered at a time, beside the
// tools.
const keptInstances = 16

type opening struct {
	once sync.Once
	checked
	err error
}

// checked is the directory of an input whose digest is that of the plan.
type checked struct {
	what  string // "tool x" or "instance y"
	dir   string
	files []seen
}

// input is what a run reads and what is asked.
type input struct {
	Setting
	tool, instance checked
}

// seen is what tells, without reading it, that a file is still the same.
type seen struct {
	name     string
	mode     fs.FileMode
	size     int64
	modified int64 // ns
	inode    uint64
}

func newInputs(c *Campaign) *inputs {
	return &inputs{campaign: c, opened: map[string]*opening{}}
}

// allTools checks all tools.
func (in *inputs) allTools(ctx context.Context) error {
	for _, t := range in.campaign.Plan.Tools {
		if _, err := in.tool(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (in *inputs) tool(ctx context.Context, planned PlannedTool) (checked, error) {
	return in.open("tool "+planned.Name, func() (string, func() error, error) {
		t, err := tools.Open(in.campaign.Path(planned.Dir))
		if err != nil {
			err = errors.Join(&ChangedError{What: "tool " + planned.Name}, err)
		}
		return t.Dir, func() error {
			same, err := t.Has(ctx, planned.Digest)
			if err == nil && !same {
				err = &ChangedError{What: "tool " + planned.Name}
			}
			return err
		}, err
	})
}

func (in *inputs) instance(name string) (checked, error) {
	return in.open("instance "+name, func() (string, func() error, error) {
		planned, ok := in.campaign.Plan.Instance(name)
		if !ok {
			return "", nil, fmt.Errorf("instance %s is not in the plan", name)
		}
		dir, err := planned.kind().directory(in.campaign, planned)
		return dir, func() error { return planned.kind().check(planned, dir) }, err
	})
}

// of returns what a run reads.
func (in *inputs) of(ctx context.Context, run Run) (input, error) {
	planned, _ := in.campaign.Plan.Tool(run.Tool)
	tool, err := in.tool(ctx, planned)
	if err != nil {
		return input{}, err
	}
	instance, err := in.instance(run.Instance)
	if err != nil {
		return input{}, err
	}
	asked, _ := in.campaign.Plan.Instance(run.Instance)
	return input{Setting{&in.campaign.Plan, run, planned, asked, tool.dir, instance.dir}, tool, instance}, nil
}

// unchanged tells whether a run has read what was planned. What was changed is
// forgotten, and the next run reads it again to know by how much.
func (in *inputs) unchanged(of input) error {
	for _, c := range []checked{of.tool, of.instance} {
		now, err := seenIn(c.dir)
		if err == nil && slices.Equal(now, c.files) {
			continue
		}
		in.forget(c.what)
		return errors.Join(fmt.Errorf("%s was changed during the run", c.what), err)
	}
	return nil
}

func (in *inputs) forget(what string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.opened, what)
}

// open checks an input, unless it is remembered. find gives its directory, and
// what compares its digest with the plan's.
func (in *inputs) open(what string, find func() (dir string, compare func() error, err error)) (checked, error) {
	o := in.opening(what)
	o.once.Do(func() { o.checked, o.err = check(what, find) })
	if o.err != nil {
		in.forget(what)
	}
	return o.checked, o.err
}

func check(what string, find func() (dir string, compare func() error, err error)) (checked, error) {
	dir, compare, err := find()
	if err != nil {
		return checked{}, err
	}
	before, err := seenIn(dir)
	if err != nil {
		return checked{}, err
	}
	if err := compare(); err != nil {
		return checked{}, err
	}
	after, err := seenIn(dir)
	if err == nil && !slices.Equal(before, after) {
		err = &ChangedError{What: what}
	}
	return checked{what, dir, before}, err
}

// seenIn lists what can be told of the files of a directory without reading them.
func seenIn(dir string) ([]seen, error) {
	var list []seen
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := seen{path, info.Mode(), info.Size(), info.ModTime().UnixNano(), 0}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			f.inode = st.Ino
		}
		list = append(list, f)
		return nil
	})
	return list, err
}

func (in *inputs) opening(what string) *opening {
	in.mu.Lock()
	defer in.mu.Unlock()
	o, ok := in.opened[what]
	if !ok {
		o = &opening{}
		in.opened[what] = o
	}
	if i := slices.Index(in.recent, what); i >= 0 {
		in.recent = slices.Delete(in.recent, i, i+1)
	}
	in.recent = append(in.recent, what)
	if len(in.recent) > keptInstances+len(in.campaign.Plan.Tools) {
		delete(in.opened, in.recent[0])
		in.recent = in.recent[1:]
	}
	return o
}

// Manifest reads what the copy of a tool says of itself.
func (c *Campaign) Manifest(t PlannedTool) (tools.Manifest, error) {
	opened, err := tools.Open(c.Path(t.Dir))
	return opened.Manifest, err
}
