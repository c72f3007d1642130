package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"podium/pnml/diagnostic"
)

// Limits of archives that are read.
const (
	maxPath  = 4096
	maxName  = 255       // of a part of a path, in bytes
	maxSums  = 1 << 30   // bytes of SHA256SUMS
	maxFacts = 256 << 20 // bytes of archive.json
)

// codeDamaged is the code of all findings on the bytes of an archive.
const codeDamaged = "archive-damaged"

// Is tells whether a file is meant to be an archive: by its name, or because it
// begins with a frame of zstd.
func Is(path string) bool {
	if strings.HasSuffix(path, ".tar.zst") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte{0x28, 0xB5, 0x2F, 0xFD})
}

// unpacked is what an archive held.
type unpacked struct {
	sums  []byte // SHA256SUMS
	files map[string]string
	facts facts
	bytes int64
}

// unpack writes the files of an archive into a directory, and checks the digest of
// each. Files that are not what they must be are findings, in the order of the
// archive; what cannot be read on is the last finding.
func unpack(ctx context.Context, archive, into string) (*unpacked, diagnostic.List, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() < trailerSize {
		return nil, diagnostic.List{{File: archive, Code: codeDamaged, Message: "this is no archive of podium archive"}}, nil
	}
	root, err := os.OpenRoot(into)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	all := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, info.Size()-trailerSize), all), 1<<20)
	dec, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, nil, err
	}
	defer dec.Close()
	r := &reader{ctx: ctx, archive: archive, tar: tar.NewReader(dec), root: root, made: map[string]bool{}}
	if err := r.all(); err != nil {
		return nil, nil, err
	}
	if len(r.found) == 0 {
		if err := r.ending(f, in, all); err != nil {
			return nil, nil, err
		}
	}
	return &r.unpacked, r.found, ctx.Err()
}

// reader reads one archive.
type reader struct {
	unpacked
	ctx     context.Context
	archive string
	tar     *tar.Reader
	root    *os.Root
	made    map[string]bool // directories
	found   diagnostic.List
}

// damaged adds a finding about a file of the archive.
func (r *reader) damaged(name, format string, args ...any) {
	r.found = append(r.found, diagnostic.Diagnostic{File: r.archive, Code: codeDamaged, Message: name + ": " + fmt.Sprintf(format, args...)})
}

// all reads every entry. Errors are those of the computer; what is wrong with the
// archive is found.
func (r *reader) all() error {
	sums, ok := r.text(sumsFile, maxSums)
	if !ok {
		return r.ctx.Err()
	}
	r.sums = sums
	order, err := parseSums(sums)
	if err != nil {
		r.damaged(sumsFile, "%v", err)
		return nil
	}
	r.files = make(map[string]string, len(order))
	for _, e := range order {
		r.files[e.path] = e.sum
		if r.belowFile(e.path) {
			r.damaged(e.path, "it stands below a file")
			return nil
		}
	}
	for _, e := range order {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if ok, err := r.file(e); !ok || err != nil {
			return err
		}
	}
	return r.apply()
}

// belowFile tells whether a file of the archive stands where the path needs a
// directory.
func (r *reader) belowFile(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if r.files[dir] != "" || r.facts.Links[dir] != "" {
			return true
		}
	}
	return false
}

// next gives the header of the next entry, which must have this name and one of
// these kinds.
func (r *reader) next(name string, kinds ...byte) (*tar.Header, bool) {
	head, err := r.tar.Next()
	switch {
	case errors.Is(err, io.EOF):
		r.damaged(name, "the archive ends before this file")
	case err != nil:
		r.damaged(name, "damaged (%v), so that what follows was not read", err)
	case head.Name != name || !slices.Contains(kinds, head.Typeflag):
		r.damaged(name, "another entry stands in its place: %s", diagnostic.Excerpt(head.Name))
	default:
		return head, true
	}
	return nil, false
}

// text reads a small file of the archive and writes it.
func (r *reader) text(name string, most int64) ([]byte, bool) {
	head, ok := r.next(name, tar.TypeReg)
	if !ok {
		return nil, false
	}
	if head.Size > most {
		r.damaged(name, "it has %d bytes, and at most %d are read", head.Size, most)
		return nil, false
	}
	text, err := io.ReadAll(r.tar)
	if err != nil {
		r.damaged(name, "damaged (%v)", err)
		return nil, false
	}
	return text, true
}

// file writes a file and checks its digest; not ok says that nothing behind it can
// be read.
func (r *reader) file(e entry) (ok bool, err error) {
	head, ok := r.next(e.path, tar.TypeReg, tar.TypeLink)
	if !ok {
		return false, nil
	}
	if head.Typeflag == tar.TypeLink {
		return r.same(e, head.Linkname)
	}
	out, err := r.create(e.path)
	if err != nil {
		return false, err
	}
	sum := sha256.New()
	target := &target{out: out}
	n, err := io.Copy(io.MultiWriter(sum, target), &until{r.ctx, r.tar})
	r.bytes += n
	if cerr := out.Close(); target.err == nil {
		target.err = cerr
	}
	switch {
	case target.err != nil:
		return false, target.err
	case r.ctx.Err() != nil:
		return false, r.ctx.Err()
	case err != nil:
		r.damaged(e.path, "damaged (%v), so that what follows was not read", err)
		return false, nil
	case hex.EncodeToString(sum.Sum(nil)) != e.sum:
		r.damaged(e.path, "its bytes do not have the digest that %s gives", sumsFile)
		return true, nil
	}
	return true, r.keep(e.path, head)
}

// same writes a file that is stored under another name.
func (r *reader) same(e entry, as string) (ok bool, err error) {
	if as >= e.path || r.files[as] != e.sum {
		r.damaged(e.path, "it is stored as %s, which is not the same file", diagnostic.Excerpt(as))
		return true, nil
	}
	if err := r.mkdir(path.Dir(e.path)); err != nil {
		return false, err
	}
	if info, err := r.root.Stat(as); err == nil {
		r.bytes += info.Size()
	}
	return true, r.root.Link(as, e.path)
}

// keep reads archive.json, once it is known to be whole.
func (r *reader) keep(name string, head *tar.Header) error {
	if name != factsFile {
		return nil
	}
	text, err := r.root.ReadFile(factsFile)
	if err != nil {
		return err
	}
	if len(text) > maxFacts {
		r.damaged(name, "it has %d bytes, and at most %d are read", head.Size, maxFacts)
		return nil
	}
	err = json.Unmarshal(text, &r.facts)
	if err == nil {
		err = r.facts.check(r.files)
	}
	if err != nil {
		r.facts = facts{}
		r.damaged(name, "%v", err)
	}
	return nil
}

// apply makes directories and links, and gives files their permissions, as
// archive.json says; the entries of the archive must say the same.
func (r *reader) apply() error {
	if r.facts.Format == "" && len(r.found) == 0 {
		r.damaged(factsFile, "there is no such file in the archive")
	}
	if len(r.found) > 0 {
		return nil
	}
	for _, name := range slices.Concat(r.facts.Empty, slices.Collect(maps.Keys(r.facts.Links))) {
		if r.belowFile(name) {
			r.damaged(name, "it stands below a file")
			return nil
		}
	}
	for _, name := range r.facts.Empty {
		if _, ok := r.next(name+"/", tar.TypeDir); !ok {
			return nil
		}
		if err := r.mkdir(name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.facts.Links)) {
		head, ok := r.next(name, tar.TypeSymlink)
		if !ok {
			return nil
		}
		if head.Linkname != r.facts.Links[name] {
			r.damaged(name, "the link leads to %s, and %s says %s", diagnostic.Excerpt(head.Linkname), factsFile, r.facts.Links[name])
			return nil
		}
		if err := r.mkdir(path.Dir(name)); err != nil {
			return err
		}
		if err := r.root.Symlink(head.Linkname, name); errors.Is(err, fs.ErrExist) {
			r.damaged(name, "it is a link and a directory")
			return nil
		} else if err != nil {
			return err
		}
	}
	for name := range r.facts.Links { // several together could lead out
		if _, err := r.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.damaged(name, "the link cannot be followed inside of the archive")
		}
	}
	for name, text := range r.facts.Modes {
		mode, err := strconv.ParseUint(text, 8, 9)
		if err != nil {
			r.damaged(factsFile, "%q are no permissions", text)
			continue
		}
		if err := r.root.Chmod(name, fs.FileMode(mode)|0o400); err != nil {
			return err
		}
	}
	return nil
}

// ending checks what follows the last entry: nothing but the digest of all bytes.
func (r *reader) ending(f *os.File, rest io.Reader, all hash.Hash) error {
	if head, err := r.tar.Next(); !errors.Is(err, io.EOF) {
		name := ""
		if head != nil {
			name = diagnostic.Excerpt(head.Name)
		}
		r.damaged("the end", "something follows the last file: %s%v", name, err)
		return nil
	}
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return err
	}
	last := make([]byte, trailerSize)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.ReadAt(last, info.Size()-trailerSize); err != nil {
		return err
	}
	if !bytes.Equal(last, trailer(all.Sum(nil))) {
		r.damaged("the end", "all files are what they must be, and still the bytes of the archive are not those that were written: get it once more")
	}
	return nil
}

func (r *reader) mkdir(dir string) error {
	if r.made[dir] || dir == "." {
		return nil
	}
	r.made[dir] = true
	return r.root.MkdirAll(filepath.FromSlash(dir), 0o755)
}

func (r *reader) create(name string) (*os.File, error) {
	if err := r.mkdir(path.Dir(name)); err != nil {
		return nil, err
	}
	return r.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// target keeps the error of writing apart from that of reading.
type target struct {
	out io.Writer
	err error
}

func (t *target) Write(b []byte) (n int, err error) {
	n, t.err = t.out.Write(b)
	return n, t.err
}

// until stops reading when the context ends.
type until struct {
	ctx context.Context
	in  io.Reader
}

func (u *until) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(b)
}

// parseSums reads SHA256SUMS: names in their order, each once.
func parseSums(text []byte) (list []entry, err error) {
	line := 0
	for one := range strings.Lines(string(text)) {
		line++
		sum, name, ok := strings.Cut(strings.TrimSuffix(one, "\n"), "  ")
		_, hexErr := hex.DecodeString(sum)
		if !ok || len(sum) != 2*sha256.Size || hexErr != nil || !strings.HasSuffix(one, "\n") {
			return nil, fmt.Errorf("line %d is not a digest, two blanks and a name", line)
		}
		if err := nameable(name); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if name == sumsFile || len(list) > 0 && name <= list[len(list)-1].path {
			return nil, fmt.Errorf("line %d: %s stands in the wrong place, or twice", line, name)
		}
		list = append(list, entry{path: name, sum: sum})
	}
	return list, nil
}
