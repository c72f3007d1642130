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
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
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
	files  []entry           // in the order of their paths
	links  map[string]string // symbolic links: path and target
	empty  []string          // directories without anything in them
	passed []string          // files that were left out, because no command reads them
}

// all leaves nothing out.
func all(string, bool) bool { return false }

// add takes the tree below dir into the archive, at the given path. skip names what
// is left out, by its path below dir; what a directory holds that is left out is, too.
func (c *contents) add(dir, at string, skip func(path string, isDir bool) bool) error {
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
		if skip(below, d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name := at + "/" + below
		if err := files.Nameable(name); err != nil {
			return unfit(path, err.Error(), "rename it; --without-tools leaves out the files of tools, whose digests stand for their names, too")
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
		c.links[name] = target
		return err
	case d.Type().IsRegular():
		c.files = append(c.files, entry{path: name, from: path, size: info.Size(), mode: info.Mode().Perm()})
		return nil
	}
	return unfit(path, "it is neither a file nor a directory", "remove it from the campaign")
}

// unfit says why something of a campaign cannot be in an archive.
func unfit(path, message, hint string) error {
	return diagnostic.List{{File: diagnostic.Line(path), Code: "archive-unfit", Message: message, Hint: hint}}
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
	return files.OpenNamed(e.from)
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

// staysInside reports whether the target of a link in a directory of an archive is below
// that directory, as far as the texts say.
func staysInside(dir, name, target string) bool {
	below, ok := strings.CutPrefix(name, dir+"/")
	return ok && target != "" && !path.IsAbs(target) && filepath.IsLocal(path.Join(path.Dir(below), target))
}

// ofCampaign collects the files of a campaign.
func ofCampaign(l *layout, withoutTools bool) (*contents, error) {
	list := &contents{links: map[string]string{}}
	err := list.add(l.campaign.Dir, campaignDir, func(below string, isDir bool) bool {
		name := l.at + below
		if isDir {
			is, of := l.part(name + "/file")
			return is == derived || withoutTools && is == ofTool && of == name
		}
		is, _ := l.part(name)
		if is == foreign {
			list.passed = append(list.passed, below)
		}
		return is == foreign || is == derived
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the campaign was changed while it was read: %w", err)
	}
	list.empty = slices.DeleteFunc(list.empty, func(name string) bool {
		is, _ := l.part(name)
		return is != ofTool && !l.holds(name)
	})
	for _, name := range slices.Sorted(maps.Keys(list.links)) {
		if why := l.refuses(name, list.links[name]); why != "" && err == nil {
			err = unfit(filepath.Join(l.campaign.Dir, strings.TrimPrefix(name, l.at)), why, "copy the file in its place")
		}
	}
	return list, err
}

// refuses says why a link cannot be in the archive; empty for one that can.
func (l *layout) refuses(name, target string) string {
	is, of := l.part(name)
	switch {
	case is != ofTool:
		return "it is a link, and only tools have links"
	case !staysInside(of, name, target):
		return "it is a link to " + diagnostic.Excerpt(target) + ", which leads out of the tool"
	}
	return ""
}
