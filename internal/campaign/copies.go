package campaign

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"podium/internal/parallel"
	"podium/internal/tools"
)

// inputsDir holds the copies that runs are made from, as <digest>/<name>: an edit
// of what they were copied from changes no run. They share blocks with it where
// the file system can, but never a file.
const inputsDir = "inputs"

// copiesNote is a file of inputsDir that says what it is.
const copiesNote = "README"

// CopiesText is what inputs/README of a campaign says.
const CopiesText = `Copies of the tools and instances of the campaign, by digest, made when it was planned. Runs are
made from them and from nothing else. Do not change them: a worker notices, and stops.
`

// copyAt is where a copy stands, in the campaign. Half of the digest is enough to
// tell inputs apart; all of it is compared.
func copyAt(digest, name string) string {
	return filepath.Join(inputsDir, digest[:min(len(digest), 16)], name)
}

// copyInputs copies what the plan names to dir, and lets the plan name the copies.
// It compares the digests of the copies with those of the plan.
func copyInputs(ctx context.Context, dir string, p *Plan) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	c := &copier{root: filepath.Dir(dir), made: map[fileKind][]string{}}
	for i := range p.Tools {
		t := &p.Tools[i]
		if err := c.tool(ctx, t); err != nil {
			return fmt.Errorf("copy of tool %s: %w", t.Name, err)
		}
	}
	if err := c.instances(ctx, p.Instances); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, copiesNote), []byte(CopiesText), 0o444)
}

// copier copies files, equal ones once.
type copier struct {
	root string // what the plan's paths are relative to
	mu   sync.Mutex
	made map[fileKind][]string
}

// fileKind is what copies must have in common to be one file. The time counts,
// since programs compare the times of their files.
type fileKind struct {
	size     int64
	modified time.Time
	mode     fs.FileMode
}

func (c *copier) tool(ctx context.Context, planned *PlannedTool) error {
	from, err := tools.Open(planned.Dir)
	if err != nil {
		return err
	}
	files, err := from.Files()
	if err != nil {
		return err
	}
	planned.Dir = copyAt(planned.Digest, planned.Name)
	to := filepath.Join(c.root, planned.Dir)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(to, f.Name)
		switch {
		case f.Mode.IsDir():
			err = os.Mkdir(path, 0o755)
		case f.Link != "":
			err = os.Symlink(f.Link, path)
		default:
			err = c.file(ctx, filepath.Join(from.Dir, f.Name), path, f.Permissions()&^0o222)
		}
		if err != nil {
			return err
		}
	}
	copied, err := tools.Open(to)
	if err != nil {
		return err
	}
	if same, err := copied.Has(ctx, planned.Digest); err != nil || !same {
		return cmp.Or(err, error(&ChangedError{What: "tool " + planned.Name}))
	}
	return nil
}

// instances copies instances, several at a time; those of one digest share files.
func (c *copier) instances(ctx context.Context, list []PlannedInstance) error {
	groups := map[string][]*PlannedInstance{}
	var digests []string
	for i := range list {
		digest := list[i].Digest
		if groups[digest] == nil {
			digests = append(digests, digest)
		}
		groups[digest] = append(groups[digest], &list[i])
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parallel.Indices(runtime.NumCPU(), len(digests), func(k int) {
		group := groups[digests[k]]
		if err := group[0].kind().copy(ctx, c, group); err != nil {
			cancel(fmt.Errorf("copy of instance %s: %w", group[0].ID, err))
		}
	})
	return context.Cause(ctx)
}

// writeNew writes a file that is not there yet.
func writeNew(path string, content io.Reader, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Chmod(mode), f.Close())
}

// file copies a file, or links it to an equal copy.
func (c *copier) file(ctx context.Context, from, to string, mode fs.FileMode) error {
	in, err := os.OpenFile(from, os.O_RDONLY|noLinkNoWait, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &ChangedError{What: from}
	}
	kind := fileKind{info.Size(), info.ModTime().UTC(), mode}
	if c.link(ctx, in, kind, to) {
		return nil
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if shareBlocks(out, in) != nil {
		err = copyData(ctx, out, in, info.Size())
	}
	if err = errors.Join(err, out.Chmod(mode), out.Close()); err != nil {
		return err
	}
	if err := os.Chtimes(to, time.Time{}, kind.modified); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made[kind] = append(c.made[kind], to)
	return nil
}

// link links a copy that is equal to what in reads, if there is one.
func (c *copier) link(ctx context.Context, in *os.File, kind fileKind, to string) bool {
	c.mu.Lock()
	made := slices.Clone(c.made[kind])
	c.mu.Unlock()
	for _, path := range made {
		if sameBytes(ctx, in, path, kind.size) && os.Link(path, to) == nil {
			return true
		}
	}
	return false
}

func sameBytes(ctx context.Context, a *os.File, path string, size int64) bool {
	b, err := os.Open(path)
	if err != nil {
		return false
	}
	defer b.Close()
	var x, y [1 << 16]byte
	for at := int64(0); at < size; at += int64(len(x)) {
		n := min(size-at, int64(len(x)))
		_, errA := a.ReadAt(x[:n], at)
		_, errB := b.ReadAt(y[:n], at)
		if errA != nil || errB != nil || ctx.Err() != nil || !bytes.Equal(x[:n], y[:n]) {
			return false
		}
	}
	return true
}

// copyData copies size bytes and leaves holes as they are: disks of machines are
// mostly holes.
func copyData(ctx context.Context, out, in *os.File, size int64) error {
	for at := int64(0); at < size; {
		data, end := nextData(in, at, size)
		if err := copyRange(ctx, out, in, data, end); err != nil {
			return err
		}
		at = end
	}
	return out.Truncate(size)
}

// copyRange copies the bytes from at to end.
func copyRange(ctx context.Context, out, in *os.File, at, end int64) error {
	if _, err := in.Seek(at, io.SeekStart); err != nil {
		return err
	}
	if _, err := out.Seek(at, io.SeekStart); err != nil {
		return err
	}
	const most = 64 << 20 // between two looks at ctx
	for ; at < end; at += most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(out, in, min(most, end-at)); err != nil {
			return err
		}
	}
	return nil
}
