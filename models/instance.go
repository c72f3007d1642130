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

	"podium/internal/files"
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
	Path    string // the directory, the archive, or the file of the net
	Archive bool   // Path is an archive
	Alone   bool   // Path is the file of the net, which stands for an instance
	Made    bool   // ID is made of the name of a file that is the name of no instance
	partial bool   // its directory holds other files, see GivenBy
	Facts   Facts
	Files   []File // sorted by name; hidden files and directories inside are no part of an instance

	limits Limits
	digest *digest
	memory map[string][]byte     // the files that are not on a disk
	hear   func(diagnostic.List) // receives what reading the net warns of; may be nil
}

// File returns the path of one file of the instance, as messages name it.
func (i Instance) File(name string) string {
	switch {
	case !i.Alone:
		return filepath.Join(i.Path, name)
	case name == ModelFile:
		return i.Path
	}
	return filepath.Join(filepath.Dir(i.Path), name)
}

// InMemory returns an instance whose files are not on a disk, by their names.
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

// classOf returns the class (E-4.4) that name and markers tell.
func classOf(id ID, f Facts) Class {
	switch {
	case f.New:
		return Surprise
	case strings.HasPrefix(id.Family, StrippedPrefix):
		return Stripped
	}
	return Known
}

// Has reports whether the instance has the file.
func (i Instance) Has(name string) bool {
	_, ok := slices.BinarySearchFunc(i.Files, name, func(f File, name string) int { return cmp.Compare(f.Name, name) })
	return ok
}

// Rewritten reports whether runs are given another text of a file than that on the disk.
func (i Instance) Rewritten(name string) bool { return i.partial && i.memory[name] != nil }

// Bytes is the sum of the sizes of the files.
func (i Instance) Bytes() int64 {
	var n int64
	for _, f := range i.Files {
		n += f.Size
	}
	return n
}

// ReadFile returns the content of one file of at most limit bytes. The error is
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
		return &os.PathError{Op: "open", Path: i.File(name), Err: os.ErrNotExist}
	}
	if content, ok := i.memory[name]; ok {
		return use(bytes.NewReader(content))
	}
	if !i.Archive {
		f, err := files.OpenNamed(i.File(name))
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
		doc, found = i.Read(r)
		return nil
	}); err != nil {
		return nil, err
	}
	return doc, found.Err()
}

// Read reads the net of the instance from its file, which somebody has opened: every reader
// of nets goes through it. The findings, sorted, are those of [pnml.Read], and an error where
// the net is of another kind than the name says. Where none is an error, those that warn go to
// [Opener.Hear], too. The document is what could be read, never nil.
func (i Instance) Read(content io.Reader) (*pnml.Document, diagnostic.List) {
	doc, found := pnml.Read(content, i.File(ModelFile))
	if !pnml.DoubtfulType(found) {
		i.compareKind(doc, &found)
	}
	i.locate(found)
	if i.hear != nil && found.Err() == nil {
		i.hear(found)
	}
	return doc, found
}

// locate says where in the file of the net findings belong that are about an element.
func (i Instance) locate(found diagnostic.List) {
	pnml.Locate(found, func(use func(io.Reader) error) error { return i.With(ModelFile, use) })
}

// compareKind reports a net that is of another kind than the name says.
func (i Instance) compareKind(doc *pnml.Document, found *diagnostic.List) {
	kind, what, net := PT, "place/transition", ""
	switch {
	case doc.Net != nil:
		net = doc.Net.ID
	case doc.Symmetric != nil:
		kind, what, net = COL, "symmetric", doc.Symmetric.ID
	default:
		return
	}
	if kind == i.ID.Kind {
		return
	}
	d := finding(diagnostic.Error, i.File(ModelFile), "models-kind", fmt.Sprintf("the net is a %s net, the name says %s", what, i.ID.Kind),
		fmt.Sprintf("name the instance %s, or correct the type of the net", ID{i.ID.Family, kind, i.ID.Param}))
	d.Subject = net
	found.Add(d)
}

// Each calls visit for every file of the instance, in one pass over an archive
// and therefore in any order. It is cheaper than calling With for each file. It
// ends at the first error of visit and returns it.
func (i Instance) Each(visit func(name string, content io.Reader) error) error {
	if i.Archive {
		_, err := walkArchive(i.Path, i.limits, func(name string, _ int64, content io.Reader) error {
			if text, ok := i.memory[name]; ok {
				content = bytes.NewReader(text)
			} else if !i.Has(name) { // of what is not given to runs
				return nil
			}
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

// Directory returns a directory with the files of the instance. For an archive, a net that stands
// alone, and one of which runs do not see all, it is cache/<digest>/<name>, to which the files are written when
// they are not there yet. A changed archive has another digest and so another directory.
// Several processes may share one cache: writing ends with a rename. The
// files must not be changed.
func (i Instance) Directory(cache string) (string, error) {
	if !i.Archive && !i.Alone && !i.partial {
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
	scratch, err := files.NewScratch(parent, "unpack")
	if err != nil {
		return "", err
	}
	defer scratch.Close()
	temp := scratch.Path("instance")
	if err := os.Mkdir(temp, 0o755); err != nil {
		return "", err
	}
	if err := i.store(temp); err != nil {
		return "", err
	}
	return dir, i.install(temp, dir)
}

// install moves temp to dir, unless somebody else did so in the meantime.
func (i Instance) install(temp, dir string) error {
	if !i.completeAt(temp) {
		return fmt.Errorf("%s: it changed while it was read", i.Path)
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

// completeAt reports whether dir holds every file in its size.
func (i Instance) completeAt(dir string) bool {
	for _, f := range i.Files {
		info, err := os.Lstat(filepath.Join(dir, f.Name))
		if err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
			return false
		}
	}
	return true
}
