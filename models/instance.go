package models

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"podium/pnml"
	"podium/pnml/diagnostic"
)

// The names of the files in an instance directory, besides the formula files.
const (
	ModelFile        = "model.pnml"
	ColoredFile      = "iscolored"
	InstanceFile     = "instance"
	NewModelFile     = "NewModel"
	LargeMarkingFile = "large_marking"
	UnfiniteFile     = "unfinite"
)

// EquivFile is the name of the file that says whether an instance of the kind
// has a twin: equiv_col for a P/T net, equiv_pt for a coloured one.
func EquivFile(k Kind) string {
	if k == COL {
		return "equiv_pt"
	}
	return "equiv_col"
}

// StrippedPrefix begins the names of stripped instances.
const StrippedPrefix = "S_"

// Claim is the content of a file that holds one word, TRUE or FALSE.
type Claim uint8

// The four readings of such a file.
const (
	Unsaid  Claim = iota // there is no such file
	No                   // FALSE
	Yes                  // TRUE
	Garbled              // something else
)

func parseClaim(text string) Claim {
	switch strings.TrimSpace(text) {
	case "TRUE":
		return Yes
	case "FALSE":
		return No
	}
	return Garbled
}

// word is the inverse of parseClaim, with the line feed of the contest's files.
func word(yes bool) string {
	if yes {
		return "TRUE\n"
	}
	return "FALSE\n"
}

// Facts are what the files beside the net say of an instance. They are claims.
type Facts struct {
	Colored      Claim  `json:"colored"`                // file iscolored
	Twin         Claim  `json:"twin"`                   // file equiv_pt or equiv_col: the other kind exists
	Param        string `json:"param"`                  // file instance
	New          bool   `json:"new,omitempty"`          // marker NewModel
	LargeMarking bool   `json:"largeMarking,omitempty"` // marker large_marking
	Unfinite     bool   `json:"unfinite,omitempty"`     // marker unfinite: the state space is infinite
}

// File is one file of an instance.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
}

// Instance is one instance on disk.
type Instance struct {
	ID      ID
	Class   Class
	Path    string // the directory or the archive
	Archive bool   // Path is an archive
	Facts   Facts
	Files   []File // sorted by name; hidden files and directories inside are no part of an instance

	limits Limits
	digest *digest
	memory map[string][]byte // the files, of an instance that is not on a disk
}

// InMemory gives an instance whose files are not on a disk, by their names.
func InMemory(id ID, files map[string][]byte) Instance {
	i := Instance{ID: id, memory: files, digest: &digest{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		i.Files = append(i.Files, File{Name: name, Size: int64(len(files[name]))})
	}
	return i
}

type digest struct {
	once sync.Once
	text string
	err  error
}

// classOf gives the class (E-4.4) that name and markers tell.
func classOf(id ID, f Facts) Class {
	switch {
	case f.New:
		return Surprise
	case strings.HasPrefix(id.Family, StrippedPrefix):
		return Stripped
	}
	return Known
}

// Has tells whether the instance has the file.
func (i Instance) Has(name string) bool {
	_, ok := slices.BinarySearchFunc(i.Files, name, func(f File, name string) int { return cmp.Compare(f.Name, name) })
	return ok
}

// Bytes is the sum of the sizes of the files.
func (i Instance) Bytes() int64 {
	var n int64
	for _, f := range i.Files {
		n += f.Size
	}
	return n
}

// ReadFile gives the content of one file of at most limit bytes. The error is
// fs.ErrNotExist when the instance has no such file.
func (i Instance) ReadFile(name string, limit int64) ([]byte, error) {
	var out []byte
	err := i.With(name, func(r io.Reader) error {
		var err error
		if out, err = io.ReadAll(io.LimitReader(r, limit+1)); err == nil && int64(len(out)) > limit {
			err = fmt.Errorf("has more than %d bytes", limit)
		}
		return err
	})
	return out, err
}

// With opens one file of the instance, without unpacking an archive to disk,
// and calls use with its content. In an archive it has to read everything
// before the file.
func (i Instance) With(name string, use func(io.Reader) error) error {
	if !i.Has(name) {
		return &os.PathError{Op: "open", Path: filepath.Join(i.Path, name), Err: os.ErrNotExist}
	}
	if i.memory != nil {
		return use(bytes.NewReader(i.memory[name]))
	}
	if !i.Archive {
		f, err := os.Open(filepath.Join(i.Path, name))
		if err != nil {
			return err
		}
		defer f.Close()
		return use(f)
	}
	_, err := walkArchive(i.Path, i.limits, func(entry string, _ int64, content io.Reader) error {
		if entry != name {
			return nil
		}
		if err := use(content); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return errStop
	})
	if err != nil {
		return fmt.Errorf("%s: %w", i.Path, err)
	}
	return nil
}

// Document reads the net of the instance. The error may be a [diagnostic.List]
// with the findings, when one of them is an error.
func (i Instance) Document() (doc *pnml.Document, err error) {
	var found diagnostic.List
	if err := i.With(ModelFile, func(r io.Reader) error {
		doc, found = pnml.Read(r, filepath.Join(i.Path, ModelFile))
		return nil
	}); err != nil {
		return nil, err
	}
	pnml.Locate(found, func(use func(io.Reader) error) error { return i.With(ModelFile, use) })
	return doc, found.Err()
}

// Each calls visit for every file of the instance, in one pass over an archive
// and therefore in any order. It is cheaper than calling With for each file. It
// ends at the first error of visit and returns it.
func (i Instance) Each(visit func(name string, content io.Reader) error) error {
	if i.Archive {
		_, err := walkArchive(i.Path, i.limits, func(name string, _ int64, content io.Reader) error {
			return visit(name, content)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", i.Path, err)
		}
		return nil
	}
	for _, f := range i.Files {
		if err := i.With(f.Name, func(r io.Reader) error { return visit(f.Name, r) }); err != nil {
			return err
		}
	}
	return nil
}

// Digest is the SHA-256, in hexadecimal, of the sorted names and contents of
// the files: the same for a directory and an archive of it. It is computed once
// and kept.
func (i Instance) Digest() (string, error) {
	i.digest.once.Do(func() {
		if i.digest.text == "" {
			i.digest.text, i.digest.err = i.computeDigest()
		}
	})
	return i.digest.text, i.digest.err
}

func (i Instance) computeDigest() (string, error) {
	sums := map[string][]byte{}
	err := i.Each(func(name string, content io.Reader) error {
		var err error
		sums[name], err = sum(content)
		return err
	})
	if err != nil {
		return "", err
	}
	return combine(sums), nil
}

func sum(r io.Reader) ([]byte, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return h.Sum(nil), err
}

// combine hashes "name NUL hash" of every file in the order of names; a name
// holds no NUL, so no two sets of files give the same text.
func combine(sums map[string][]byte) string {
	var b bytes.Buffer
	names := make([]string, 0, len(sums))
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.WriteString(name)
		b.WriteByte(0)
		b.Write(sums[name])
	}
	all := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(all[:])
}

// Directory gives a directory with the files of the instance. For an archive it
// is cache/<digest>/<name>, to which the archive is unpacked when it is not
// there yet. A changed archive has another digest and so another directory.
// Several processes may share one cache: unpacking ends with a rename. The
// files must not be changed.
func (i Instance) Directory(cache string) (string, error) {
	if !i.Archive {
		return i.Path, nil
	}
	digest, err := i.Digest()
	if err != nil {
		return "", err
	}
	parent := filepath.Join(cache, digest[:16])
	dir := filepath.Join(parent, i.ID.String())
	if i.completeAt(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(parent, ".unpacking-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := unpack(i.Path, temp, i.limits); err != nil {
		return "", fmt.Errorf("%s: %w", i.Path, err)
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return "", err
	}
	return dir, i.install(temp, dir)
}

// install moves temp to dir, unless somebody else did so in the meantime.
func (i Instance) install(temp, dir string) error {
	if !i.completeAt(temp) {
		return fmt.Errorf("%s: the archive changed while it was read", i.Path)
	}
	err := os.Rename(temp, dir)
	if err == nil || i.completeAt(dir) {
		return nil
	}
	// A half-lost directory, say after a power cut.
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// completeAt tells whether dir holds every file in its size.
func (i Instance) completeAt(dir string) bool {
	for _, f := range i.Files {
		info, err := os.Lstat(filepath.Join(dir, f.Name))
		if err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
			return false
		}
	}
	return true
}
