package publish

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"podium/internal/fault"
)

// provenanceFile is what makes a directory ours: only a directory that holds
// it, or an empty one, is ever replaced.
const provenanceFile = "provenance.json"

// tree is a directory of files that are written once each and remembered with
// their digests. Several goroutines may create files.
type tree struct {
	ctx   context.Context // of its writing, which is given up when it ends
	dir   string
	mu    sync.Mutex
	dirs  map[string]bool
	files []published
	amiss []error // failures of podium itself: the pages that they are about are not there
}

// contain does a part of the work that takes no other part down where it fails inside podium.
func (t *tree) contain(about string, do func() error) error {
	err := fault.Contain(about, do)
	if failed := (*fault.Error)(nil); errors.As(err, &failed) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.amiss = append(t.amiss, err)
		return nil
	}
	return err
}

// published is one file of the site.
type published struct {
	path  string
	bytes int64
	sum   [sha256.Size]byte
}

func newTree(ctx context.Context, dir string) *tree {
	return &tree{ctx: ctx, dir: dir, dirs: map[string]bool{"": true}}
}

// write makes the file at a slash-separated path. What fill writes is buffered. Where fill fails
// inside podium, a page says so instead, and another file is left out.
func (t *tree) write(path string, fill func(w *bufio.Writer) error) error {
	whole := false
	err := t.contain(path, func() error {
		err := t.make(path, fill)
		whole = true
		return err
	})
	switch {
	case err != nil || whole:
		return err
	case strings.HasSuffix(path, ".html"):
		return errors.Join(t.remove(path), t.make(path, func(w *bufio.Writer) error { _, err := w.WriteString(unmade); return err }))
	}
	return t.remove(path)
}

// unmade is the page in the place of one that could not be made.
const unmade = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page could not be made</title></head>
<body><h1>This page could not be made</h1>
<p>Podium itself failed when it made this page. The other pages are whole. Whoever published them was told why, and has a file for the report of the error.</p>
</body></html>
`

// remove removes what is there of a file.
func (t *tree) remove(path string) error {
	err := os.Remove(filepath.Join(t.dir, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (t *tree) make(path string, fill func(w *bufio.Writer) error) (err error) {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	full := filepath.Join(t.dir, filepath.FromSlash(path))
	if err := t.mkdir(filepath.Dir(full)); err != nil {
		return err
	}
	f, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := &digester{w: f, hash: sha256.New()}
	buffer := buffers.Get().(*bufio.Writer)
	buffer.Reset(sum)
	defer buffers.Put(buffer)
	if err := fill(buffer); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.files = append(t.files, published{path, sum.n, [sha256.Size]byte(sum.hash.Sum(nil))})
	return nil
}

// buffers are those of files that are written.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 32<<10) }}

func (t *tree) mkdir(dir string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dirs[dir] {
		return nil
	}
	t.dirs[dir] = true
	return os.MkdirAll(dir, 0o755)
}

type digester struct {
	w    io.Writer
	hash hash.Hash
	n    int64
}

func (d *digester) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.hash.Write(p[:n])
	d.n += int64(n)
	return n, err
}

// provenance is what results travel with: what was judged and by what. The
// file ends with the list of all other files and their digests.
type provenance struct {
	Format    string            `json:"format"`
	Title     string            `json:"title"`
	ForRecord bool              `json:"for_record"`
	Emulated  bool              `json:"emulated"`
	Version   string            `json:"version"`
	Edition   provenanceEdition `json:"edition"`
	Digests   []provenanceName  `json:"digests"`
	Started   string            `json:"started,omitempty"`
	Finished  string            `json:"finished,omitempty"`
	Counts    counts            `json:"counts"`
	Warnings  []string          `json:"warnings"`
}

type provenanceEdition struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

type provenanceName struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// writeProvenance writes the last file of a tree, which lists all others. The
// list is long, so it is written file by file.
func (t *tree) writeProvenance(v *view) error {
	slices.SortFunc(t.files, func(a, b published) int { return cmp.Compare(a.path, b.path) })
	p := provenance{
		Format: "podium-provenance/1", Title: v.c.Title, ForRecord: v.c.ForRecord, Emulated: v.c.emulated(), Version: v.c.Version,
		Edition: provenanceEdition{v.c.Edition.ID, v.c.Edition.Digest},
		Digests: []provenanceName{}, Counts: v.counts(), Warnings: append([]string{}, v.c.Warnings...),
	}
	for _, d := range v.c.Digests {
		p.Digests = append(p.Digests, provenanceName{d.Name, d.Text})
	}
	if !v.c.Started.IsZero() {
		p.Started, p.Finished = instant(v.c.Started), instant(v.c.Finished)
	}
	head, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	return t.write(provenanceFile, func(w *bufio.Writer) error {
		w.Write(bytes.TrimSuffix(head, []byte("\n}")))
		for i, f := range t.files {
			name, err := json.Marshal(f.path)
			if err != nil {
				return err
			}
			before := ",\n"
			if i == 0 {
				before = ",\n \"files\": [\n"
			}
			fmt.Fprintf(w, "%s  {\"path\": %s, \"bytes\": %d, \"sha256\": \"%x\"}", before, name, f.bytes, f.sum)
		}
		_, err := w.WriteString("\n ]\n}\n")
		return err
	})
}

func (s stagedSite) fresh() string { return s.scratch.Path("fresh") }

// place puts the finished site where dir is. An existing dir is moved away first and
// removed after.
func (s stagedSite) place() error {
	dir, old := s.dir, s.scratch.Path("old")
	if err := replaceable(dir); err != nil {
		return err
	}
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	had := err == nil
	if err := os.Rename(s.fresh(), dir); err != nil {
		if had {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	return s.scratch.Close()
}

// NotOursError says that a directory is not replaced, since it was not published.
type NotOursError struct{ Dir string }

func (e *NotOursError) Error() string {
	return fmt.Sprintf("%s is not replaced: it holds files but no %s, so it was not published by this program; name another directory", e.Dir, provenanceFile)
}

// replaceable refuses to delete what publishing did not make.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) == 0 || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == provenanceFile }) {
		return nil
	}
	return &NotOursError{dir}
}
