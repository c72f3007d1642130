package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Limits of archives that are read.
const (
	maxSums    = 64 << 20 // bytes of SHA256SUMS
	maxFacts   = 32 << 20 // bytes of archive.json
	maxEntries = 1 << 20  // files, links and directories
)

// granted is how many bytes any archive may unpack to, and ratio how many times its own
// size. Packs are compressed already, tables and journals shrink to a tenth, nets to a
// sixtieth.
const (
	granted = 64 << 20
	ratio   = 100
)

// Budget is how many bytes an archive of a size may unpack to, unless its reader allows
// more.
func Budget(size int64) int64 { return max(granted, min(size, math.MaxInt64/ratio)*ratio) }

// codeDamaged is the code of all findings on the bytes of an archive.
const codeDamaged = "archive-damaged"

// Is reports whether a file is meant to be an archive: by its name, or because it
// begins with a frame of zstd.
func Is(path string) bool {
	if strings.HasSuffix(path, ".tar.zst") {
		return true
	}
	f, err := files.OpenNamed(path)
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
	sums  []byte            // SHA256SUMS
	order []listed          // the files
	files map[string]string // the same: path and digest
	facts facts
	bytes int64
}

// names returns the paths of files, links and empty directories.
func (u *unpacked) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range u.order {
			if !yield(f.path) {
				return
			}
		}
		for name := range u.facts.Links {
			if !yield(name) {
				return
			}
		}
		for _, name := range u.facts.Empty {
			if !yield(name) {
				return
			}
		}
	}
}

// listed is a file of the list of digests.
type listed struct {
	path, sum string
	size      int64 // known when it was read
}

// unpack writes the files of an archive into a directory, and checks the digest of
// each; most bounds the bytes, 0 for [Budget]. Links are not made, see [unpacked.link].
// Files that are not what they must be are findings, in the order of the
// archive; what cannot be read on is the last finding.
func unpack(ctx context.Context, archive, into string, most int64) (*unpacked, diagnostic.List, error) {
	f, err := files.OpenNamed(archive)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() < trailerSize {
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
	if most == 0 {
		most = Budget(info.Size())
	}
	plain := &meter{ctx: ctx, in: dec, most: most, left: most}
	r := &reader{ctx: ctx, archive: archive, tar: tar.NewReader(plain), plain: plain, root: root, made: map[string]bool{}}
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

// meter reads until the context ends, or more was read than an archive may unpack to.
type meter struct {
	ctx        context.Context
	in         io.Reader
	most, left int64
	spent      bool
}

func (m *meter) Read(b []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.left == 0 {
		n, err := m.in.Read(b[:min(1, len(b))])
		if m.spent = n > 0; m.spent {
			err = m.err()
		}
		return 0, err
	}
	n, err := m.in.Read(b[:min(int64(len(b)), m.left)])
	m.left -= int64(n)
	return n, err
}

func (m *meter) err() error {
	return fmt.Errorf("the archive unpacks to more than %.1f MB, which is more than its size lets expect: --unpack-at-most SIZE allows more, if you trust whoever made it", float64(m.most)/1e6)
}

// reader reads one archive.
type reader struct {
	unpacked
	ctx     context.Context
	archive string
	tar     *tar.Reader
	plain   *meter
	root    *os.Root
	made    map[string]bool // directories
	date    time.Time       // of all entries
	found   diagnostic.List
}

// damaged adds a finding about a file of the archive.
func (r *reader) damaged(name, format string, args ...any) {
	r.found = append(r.found, diagnostic.Diagnostic{File: r.archive, Code: codeDamaged, Message: name + ": " + fmt.Sprintf(format, args...)})
}

// all reads every entry. Errors are those of the computer; what is wrong with the
// archive is found.
func (r *reader) all() error {
	sums, err := r.text(sumsFile, maxSums)
	if sums == nil || err != nil {
		return cmp.Or(err, r.ctx.Err())
	}
	r.sums = sums
	if r.order, err = parseSums(string(sums)); err != nil {
		r.damaged(sumsFile, "%v", err)
		return nil
	}
	r.files = make(map[string]string, len(r.order))
	for _, e := range r.order {
		r.files[e.path] = e.sum
		if r.belowFile(e.path) {
			r.damaged(e.path, "it stands below a file")
			return nil
		}
	}
	for i := range r.order {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if ok, err := r.file(&r.order[i]); !ok || err != nil {
			return err
		}
	}
	return r.apply()
}

// belowFile reports whether a file of the archive stands where the path needs a
// directory.
func (r *reader) belowFile(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if r.files[dir] != "" || r.facts.Links[dir] != "" {
			return true
		}
	}
	return false
}

// next returns the header of the next entry, which must have this name and permissions, and
// one of these kinds, and nothing that podium archive does not write.
func (r *reader) next(name string, mode fs.FileMode, kinds ...byte) (*tar.Header, bool) {
	head, err := r.tar.Next()
	switch {
	case errors.Is(err, io.EOF):
		r.damaged(name, "the archive ends before this file")
	case err != nil:
		r.broken(name, err)
	case head.Name != name || !slices.Contains(kinds, head.Typeflag):
		r.damaged(name, "another entry stands in its place: %s", diagnostic.Excerpt(head.Name))
	case !r.usual(head, mode):
		r.damaged(name, "its entry has permissions, an owner, a time or attributes that podium archive does not give it")
	default:
		return head, true
	}
	return nil, false
}

// broken says that the archive cannot be read on.
func (r *reader) broken(name string, err error) {
	switch {
	case r.ctx.Err() != nil:
	case r.plain.spent:
		r.found = append(r.found, diagnostic.Diagnostic{File: r.archive, Code: "archive-size", Message: name + ": " + r.plain.err().Error()})
	default:
		r.damaged(name, "damaged (%v), so that what follows was not read", err)
	}
}

// usual reports whether a header says what podium archive writes, so that other programs
// unpack what was checked here.
func (r *reader) usual(head *tar.Header, mode fs.FileMode) bool {
	if r.date.IsZero() {
		r.date = head.ModTime
	}
	for key := range head.PAXRecords {
		if key != "path" && key != "linkpath" && key != "size" {
			return false
		}
	}
	return head.Mode == int64(mode) && head.Uid == 0 && head.Gid == 0 && head.Uname == "" && head.Gname == "" && head.Devmajor == 0 && head.Devminor == 0 &&
		head.ModTime.Equal(r.date) && head.AccessTime.IsZero() && head.ChangeTime.IsZero()
}

// text reads a small file of the archive and writes it; nil for one that cannot be read.
func (r *reader) text(name string, most int64) ([]byte, error) {
	head, ok := r.next(name, plainMode, tar.TypeReg)
	if !ok {
		return nil, nil
	}
	if head.Size > most {
		r.damaged(name, "it has %d bytes, and at most %d are read", head.Size, most)
		return nil, nil
	}
	text, err := io.ReadAll(r.tar)
	if err != nil {
		r.broken(name, err)
		return nil, nil
	}
	return text, r.root.WriteFile(name, text, plainMode)
}

// file writes a file and checks its digest; not ok says that nothing behind it can
// be read.
func (r *reader) file(e *listed) (ok bool, err error) {
	if r.facts.Format == "" && e.path != readmeFile && e.path != factsFile {
		r.damaged(e.path, "it stands before %s, which is missing or not in its place", factsFile)
		return false, nil
	}
	mode := r.facts.mode(e.path)
	head, ok := r.next(e.path, mode, tar.TypeReg, tar.TypeLink)
	if !ok {
		return false, nil
	}
	if head.Typeflag == tar.TypeLink {
		return r.same(e, head.Linkname)
	}
	if e.path == factsFile && head.Size > maxFacts {
		r.damaged(e.path, "it has %d bytes, and at most %d are read", head.Size, maxFacts)
		return false, nil
	}
	out, err := r.create(e.path)
	if err != nil {
		return false, err
	}
	sum := sha256.New()
	target := &target{out: out}
	e.size, err = io.Copy(io.MultiWriter(sum, target), r.tar)
	r.bytes += e.size
	if cerr := out.Close(); target.err == nil {
		target.err = cerr
	}
	switch {
	case target.err != nil:
		return false, target.err
	case r.ctx.Err() != nil:
		return false, r.ctx.Err()
	case err != nil:
		r.broken(e.path, err)
		return false, nil
	case hex.EncodeToString(sum.Sum(nil)) != e.sum:
		r.damaged(e.path, "its bytes do not have the digest that %s gives", sumsFile)
		return e.path != factsFile, nil
	case e.path == factsFile:
		return r.keep()
	case mode != plainMode:
		return true, r.root.Chmod(e.path, mode|0o400)
	}
	return true, nil
}

// same writes a file that is stored under another name.
func (r *reader) same(e *listed, as string) (ok bool, err error) {
	first, known := slices.BinarySearchFunc(r.order, as, func(l listed, name string) int { return strings.Compare(l.path, name) })
	if !known || as >= e.path || r.files[as] != e.sum || r.facts.mode(as) != r.facts.mode(e.path) {
		r.damaged(e.path, "it is stored as %s, which is not the same file", diagnostic.Excerpt(as))
		return true, nil
	}
	if err := r.mkdir(path.Dir(e.path)); err != nil {
		return false, err
	}
	e.size = r.order[first].size
	r.bytes += e.size
	return true, r.root.Link(as, e.path)
}

// keep reads archive.json, which was written as it must be.
func (r *reader) keep() (ok bool, err error) {
	text, err := r.root.ReadFile(factsFile)
	if err != nil {
		return false, err
	}
	if r.facts, err = readFacts(text, r.files); err != nil {
		r.damaged(factsFile, "%v", err)
		return false, nil
	}
	if date, _ := time.Parse(time.DateOnly, r.facts.Date); !date.Equal(r.date) {
		r.damaged(factsFile, "the date is %s, and the files have another", r.facts.Date)
		return false, nil
	}
	return true, nil
}

// apply makes directories, and reads links, as archive.json says; the entries of the
// archive must say the same.
func (r *reader) apply() error {
	if r.facts.Format == "" && len(r.found) == 0 {
		r.damaged(factsFile, "there is no such file in the archive")
	}
	if len(r.found) > 0 {
		return nil
	}
	links := slices.Sorted(maps.Keys(r.facts.Links))
	for _, name := range slices.Concat(r.facts.Empty, links) {
		if r.belowFile(name) {
			r.damaged(name, "it stands below a file")
			return nil
		}
	}
	for _, name := range r.facts.Empty {
		if _, ok := r.next(name+"/", 0o755, tar.TypeDir); !ok {
			return nil
		}
		if r.made[name] || r.facts.Links[name] != "" {
			r.damaged(name, "%s says that this directory is empty, and it is not", factsFile)
			return nil
		}
		if err := r.mkdir(name); err != nil {
			return err
		}
	}
	for _, name := range links {
		head, ok := r.next(name, 0o777, tar.TypeSymlink)
		switch {
		case !ok:
			return nil
		case head.Linkname != r.facts.Links[name]:
			r.damaged(name, "the link leads to %s, and %s says %s", diagnostic.Excerpt(head.Linkname), factsFile, diagnostic.Excerpt(r.facts.Links[name]))
			return nil
		case r.made[name]:
			r.damaged(name, "it is a link and a directory")
			return nil
		}
		if err := r.mkdir(path.Dir(name)); err != nil {
			return err
		}
	}
	return nil
}

// link makes the links of an archive in the directory that it was unpacked to. tool gives
// the directory of the tool that a link belongs to, or says why there can be none. Those
// that lead to nothing are counted.
func (u *unpacked) link(dir, archive string, tool func(name string) (of, refused string)) (nowhere int, found diagnostic.List, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, nil, err
	}
	defer root.Close()
	names := slices.Sorted(maps.Keys(u.facts.Links))
	for _, name := range names {
		if _, refused := tool(name); refused != "" {
			found.Add(diagnostic.Diagnostic{File: archive, Code: "archive-link", Message: name + ": " + refused})
		}
	}
	if len(found) > 0 {
		return 0, found, nil
	}
	for _, name := range names {
		if err := root.Symlink(u.facts.Links[name], name); err != nil {
			return 0, nil, err
		}
	}
	for _, name := range names { // several together could lead out
		of, _ := tool(name)
		inside, err := root.OpenRoot(of)
		if err != nil {
			return 0, nil, err
		}
		_, err = inside.Stat(strings.TrimPrefix(name, of+"/"))
		inside.Close()
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR):
			nowhere++
		default:
			found.Add(diagnostic.Diagnostic{File: archive, Code: "archive-link", Message: name + ": the link cannot be followed inside of its tool"})
		}
	}
	return nowhere, found, nil
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
	for at := dir; at != "." && !r.made[at]; at = path.Dir(at) {
		r.made[at] = true
	}
	if len(r.made) > maxEntries {
		return diagnostic.List{{File: r.archive, Code: codeDamaged, Message: fmt.Sprintf("the archive has more than %d directories", maxEntries)}}
	}
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

// parseSums reads SHA256SUMS: names in their order, each once.
func parseSums(text string) (list []listed, err error) {
	line := 0
	for one := range strings.Lines(text) {
		line++
		sum, name, ok := strings.Cut(strings.TrimSuffix(one, "\n"), "  ")
		if !ok || len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" || !strings.HasSuffix(one, "\n") {
			return nil, fmt.Errorf("line %d is not a digest, two blanks and a name", line)
		}
		if err := files.Nameable(name); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if name == sumsFile || len(list) > 0 && name <= list[len(list)-1].path {
			return nil, fmt.Errorf("line %d: %s stands in the wrong place, or twice", line, name)
		}
		if line > maxEntries {
			return nil, fmt.Errorf("it names more than %d files", maxEntries)
		}
		list = append(list, listed{path: name, sum: sum})
	}
	return list, nil
}
