package campaign

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// CheckInputs compares the tools of the plan, the earlier versions of tools, and the
// instances with the digests of the plan: those of whose paths there reports that they
// are to be read. What differs is a *[ChangedError].
func (c *Campaign) CheckInputs(ctx context.Context, there func(path string) bool) error {
	in := newInputs(c)
	for _, t := range c.Plan.Tools {
		if !there(t.Dir) {
			continue
		}
		if _, err := in.tool(ctx, t); err != nil {
			return err
		}
	}
	for _, t := range c.Plan.Replaced {
		if !there(t.Dir) {
			continue
		}
		if err := c.checkReplaced(ctx, t); err != nil {
			return err
		}
	}
	for _, i := range c.Plan.Instances {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !there(i.Path) {
			continue
		}
		if _, err := in.instance(i.ID); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaced checks the files of an earlier version of a tool.
func (c *Campaign) checkReplaced(ctx context.Context, planned PlannedTool) error {
	what := "the replaced version of tool " + planned.Name
	t, err := tools.Open(c.Path(planned.Dir))
	if err != nil {
		return errors.Join(&ChangedError{What: what}, err)
	}
	if same, err := t.Has(ctx, planned.Digest); err != nil || same {
		return err
	}
	return &ChangedError{What: what}
}

// Outputs says what [Log.CheckOutputs] has found.
type Outputs struct {
	Runs int // ends whose outputs were read
	// Elsewhere counts the ends that say something and have no output: they were made
	// elsewhere and imported.
	Elsewhere int
	Otherwise []Change // ends that say something else than their outputs
	Unnamed   int64    // bytes of packs that no end names
	// Damaged are the outputs that are not there, or not as they were, by pack.
	Damaged diagnostic.List
}

// CheckOutputs reads every output that the log names, compares it with its digest, and
// reads its answers again, as the record has read them. An error is one of this
// computer, or of ctx.
func (l *Log) CheckOutputs(ctx context.Context) (*Outputs, error) {
	var ends []*Finished
	for _, run := range slices.SortedFunc(maps.Keys(l.Finished), Run.Compare) {
		ends = append(ends, l.Finished[run])
	}
	for _, run := range slices.SortedFunc(maps.Keys(l.Further), Run.Compare) {
		ends = append(ends, l.Further[run]...)
	}
	found, damage := &Outputs{}, &Unread{}
	for some := range slices.Chunk(ends, 1024) {
		at := 0
		for change, err := range parallel.Try(ctx, some, func(f *Finished) (*Change, error) { return l.campaign.checkEnd(ctx, f) }) {
			f := some[at]
			at++
			switch {
			case err != nil && (ctx.Err() != nil || ofThisComputer(err)):
				return found, err
			case err != nil:
				damage.Note(f, err)
			case change != nil:
				found.Otherwise = append(found.Otherwise, *change)
			}
			found.Runs++
			if f.imported() && f.Answers.Len() > 0 {
				found.Elsewhere++
			}
		}
		if err := ctx.Err(); err != nil {
			return found, err
		}
	}
	l.campaign.layOut(ends, damage, found)
	found.Damaged = damage.List(l.campaign)
	return found, nil
}

// ofThisComputer reports whether an error says nothing about the files that were read.
func ofThisComputer(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, fs.ErrPermission)
}

// imported reports whether the end was not made by a worker of the campaign, and has no
// output.
func (f *Finished) imported() bool { return f.made.by.Driver == "" && f.Stdout.Size == 0 }

// Reader is the version of podium that has read the answers of the end.
func (f *Finished) Reader() string {
	if f.Reread != nil {
		return f.Reread.Reader
	}
	return f.made.by.Version
}

// checkEnd reads all outputs of an end; nil when they say what the record says.
func (c *Campaign) checkEnd(ctx context.Context, f *Finished) (*Change, error) {
	for _, ref := range f.outputs() {
		if err := ref.check(); err != nil {
			return nil, err
		}
	}
	err := c.wholeOutput(ctx, f.Stderr, f.Left)
	if err == nil {
		_, err = c.Curve(f)
	}
	if err != nil || f.imported() {
		return nil, err
	}
	return c.readOtherwise(ctx, f)
}

// check says what is wrong with a reference whatever is in the pack.
func (r PackRef) check() error {
	sum, err := hex.DecodeString(r.SHA256)
	if r == (PackRef{}) || err == nil && len(sum) == 32 && r.Size > 0 && r.Length > 0 && r.Offset >= 0 && r.Offset+r.Length > r.Offset {
		return nil
	}
	return fmt.Errorf("pack %s: the journal gives an output the place %d, the length %d and the digest %q, which cannot be", diagnostic.Excerpt(r.Pack), r.Offset, r.Length, diagnostic.Cut(r.SHA256))
}

// layOut looks for outputs that stand in one place, and for what stands in none.
func (c *Campaign) layOut(ends []*Finished, damage *Unread, found *Outputs) {
	type placed struct {
		ref *PackRef
		of  *Finished
	}
	var list []placed
	for _, f := range ends {
		for _, ref := range f.outputs() {
			if ref.Size > 0 && ref.check() == nil {
				list = append(list, placed{ref, f})
			}
		}
	}
	slices.SortFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.ref.Pack, b.ref.Pack), cmp.Compare(a.ref.Offset, b.ref.Offset), cmp.Compare(a.ref.Length, b.ref.Length))
	})
	named := map[string]int64{}
	for i, p := range list {
		if i > 0 && p.ref.Pack == list[i-1].ref.Pack && p.ref.Offset < list[i-1].ref.Offset+list[i-1].ref.Length {
			damage.Note(p.of, fmt.Errorf("the output at offset %d is also one of %s", p.ref.Offset, list[i-1].of.Run))
			continue
		}
		named[p.ref.Pack] += p.ref.Length
	}
	packs, _ := filepath.Glob(filepath.Join(c.Dir, "packs", "*.zst"))
	for _, file := range packs {
		if info, err := os.Lstat(file); err == nil {
			found.Unnamed += max(0, info.Size()-named[filepath.Base(file)])
		}
	}
}

// Unread are the outputs that are not there, or not as they were, by the name of their
// pack. Several goroutines may use it.
type Unread struct {
	mu    sync.Mutex
	packs map[string]*unreadPack
}

type unreadPack struct {
	first string // what is wrong with the first
	run   Run
	more  int
}

// Note notes that an output of an end cannot be read. It reports whether that says
// something about the output: else the error is one of this computer.
func (u *Unread) Note(f *Finished, err error) bool {
	if ofThisComputer(err) {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	pack := cmp.Or(f.Stdout.Pack, f.Stderr.Pack, f.Left.Pack, f.Curve.Pack)
	if known := u.packs[pack]; known != nil {
		if known.run != f.Run {
			known.more++
		}
		return true
	}
	if u.packs == nil {
		u.packs = map[string]*unreadPack{}
	}
	u.packs[pack] = &unreadPack{fmt.Sprintf("%s: %v", f.Run, err), f.Run, 0}
	return true
}

// List names the packs, and what to do.
func (u *Unread) List(c *Campaign) (list diagnostic.List) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, pack := range slices.Sorted(maps.Keys(u.packs)) {
		text := u.packs[pack].first
		if n := u.packs[pack].more; n > 0 {
			text += "; and outputs of " + wording.Count(n, "other run", "other runs")
		}
		list.Add(diagnostic.Diagnostic{File: filepath.Join(c.Dir, "packs", diagnostic.Line(pack)), Code: "campaign-output", Message: text,
			Hint: fmt.Sprintf("restore the file from a copy of the campaign, as `podium shard merge` does, or have the runs done again: podium run %s --again --only %s", wording.Shell(c.Dir), wording.Shell(u.packs[pack].run.Only()))})
	}
	return list
}
