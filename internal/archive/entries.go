package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/internal/parallel"
	"podium/pnml/diagnostic"
)

// The names of the archive's own files.
const (
	sumsFile   = "SHA256SUMS"
	readmeFile = "README.md"
	factsFile  = "archive.json"
	crateFile  = "ro-crate-metadata.json"
)

// The directories of an archive.
const (
	campaignDir = "campaign"
	resultsDir  = "results"
)

// entry is one file of an archive.
type entry struct {
	path string // in the archive, with slashes
	from string // on disk; empty: text
	text []byte
	size int64
	mode fs.FileMode // permissions
	sum  string      // sha256, in hexadecimal
}

// content is what makes two files one: they are stored once.
type content struct {
	sum  string
	mode fs.FileMode
}

func (e *entry) content() content { return content{e.sum, e.mode} }

// contents is what goes into an archive.
type contents struct {
	files []entry           // in the order of their paths
	links map[string]string // symbolic links: path and target
	empty []string          // directories without anything in them
}

// derived are the parts of a campaign's directory that can be made again, or that
// mean something only while it is run.
var derived = []string{"published", "claims", "cluster"}

// add takes the tree below dir into the archive, at the given path. skip names what
// is left out, by its path below dir.
func (c *contents) add(dir, at string, skip func(path string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		if below == "." {
			return nil
		}
		if skip(below) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name := at + "/" + below
		if err := nameable(name); err != nil {
			return err
		}
		return c.take(path, name, d)
	})
}

func (c *contents) take(path, name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	switch {
	case d.IsDir():
		list, err := os.ReadDir(path)
		if err == nil && len(list) == 0 {
			c.empty = append(c.empty, name)
		}
		return err
	case d.Type() == fs.ModeSymlink:
		target, err := os.Readlink(path)
		if err == nil && !staysInside(name, target) {
			err = fmt.Errorf("%s is a link to %s, which is not in the archive: copy the file in its place", path, target)
		}
		c.links[name] = target
		return err
	case d.Type().IsRegular():
		c.files = append(c.files, entry{path: name, from: path, size: info.Size(), mode: info.Mode().Perm()})
		return nil
	}
	return fmt.Errorf("%s is neither a file nor a directory: remove it from the campaign", path)
}

// text adds a file that is no file on disk.
func (c *contents) text(name string, text []byte) {
	c.files = append(c.files, entry{path: name, text: text, size: int64(len(text)), mode: 0o644})
}

// sort puts the files in the order of an archive.
func (c *contents) sort() {
	slices.SortFunc(c.files, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	slices.Sort(c.empty)
}

// digest reads every file that has no digest yet.
func (c *contents) digest(ctx context.Context) error {
	var todo []*entry
	for i := range c.files {
		if c.files[i].sum == "" {
			todo = append(todo, &c.files[i])
		}
	}
	for err := range parallel.Each(ctx, todo, func(e *entry) error {
		f, err := e.open()
		if err != nil {
			return err
		}
		defer f.Close()
		sum := sha256.New()
		n, err := io.Copy(sum, f)
		e.size, e.sum = n, hex.EncodeToString(sum.Sum(nil))
		return err
	}) {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (e *entry) open() (io.ReadCloser, error) {
	if e.from == "" {
		return io.NopCloser(bytes.NewReader(e.text)), nil
	}
	return os.Open(e.from)
}

// sums is the text of SHA256SUMS.
func (c *contents) sums() []byte {
	var text bytes.Buffer
	for _, e := range c.files {
		fmt.Fprintf(&text, "%s  %s\n", e.sum, e.path)
	}
	return text.Bytes()
}

// modes are the permissions that are not those of a plain file.
func (c *contents) modes() map[string]string {
	modes := map[string]string{}
	for _, e := range c.files {
		if e.mode != plainMode {
			modes[e.path] = fmt.Sprintf("%03o", e.mode)
		}
	}
	return modes
}

const plainMode fs.FileMode = 0o644

// nameable refuses names that SHA256SUMS cannot hold in one line.
func nameable(name string) error {
	long := len(name) > maxPath
	for part := range strings.SplitSeq(name, "/") {
		long = long || len(part) > maxName
	}
	if long || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\n\r\x00") {
		return fmt.Errorf("%s cannot be the name of a file in an archive: names have at most %d bytes, no backslash and no line break", diagnostic.Excerpt(name), maxName)
	}
	return nil
}

// staysInside tells whether a link of the archive leads to a place in it.
func staysInside(name, target string) bool {
	return !filepath.IsAbs(target) && filepath.IsLocal(filepath.Join(filepath.Dir(name), target))
}

// ofCampaign collects the files of a campaign.
func ofCampaign(c *campaign.Campaign, withoutTools bool) (*contents, error) {
	list := &contents{links: map[string]string{}}
	left := slices.Clone(derived)
	if withoutTools {
		for _, t := range append(slices.Clone(c.Plan.Tools), c.Plan.Replaced...) {
			left = append(left, filepath.ToSlash(t.Dir))
		}
	}
	err := list.add(c.Dir, campaignDir, func(path string) bool {
		return strings.HasPrefix(path, ".") || slices.Contains(left, path)
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the campaign was changed while it was read: %w", err)
	}
	return list, err
}
