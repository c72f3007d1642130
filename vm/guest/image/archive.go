package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"podium/internal/files"
)

// Limits of what is read of a directory or an archive.
const (
	maxEntries = 2 << 20
	maxBytes   = 64 << 30
)

// source is a directory or an archive whose files go into an image. The files
// of a packed archive are kept in a temporary one.
type source struct {
	entries   []entry
	scratch   *files.Scratch
	temporary *os.File
}

func (s *source) close() error {
	if s.scratch == nil {
		return nil
	}
	return errors.Join(s.temporary.Close(), s.scratch.Close())
}

// makeTemporary makes the temporary file.
func (s *source) makeTemporary() error {
	scratch, err := files.NewScratch("", "image")
	if err != nil {
		return err
	}
	if s.temporary, err = os.Create(scratch.Path("archive.tar")); err != nil {
		return errors.Join(err, scratch.Close())
	}
	s.scratch = scratch
	return nil
}

// openSource reads a directory or an archive (tar, packed by gzip, bzip2 or zstd
// or not). All of it will belong to owner.
func openSource(name string, owner int) (*source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	s := &source{}
	if info.IsDir() {
		s.entries, err = treeEntries(name, "", owner)
		return s, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := s.makeTemporary(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	err = unpackArchive(s.temporary, f, maxBytes)
	if err == nil {
		s.entries, err = archiveEntries(s.temporary, owner)
	}
	if err != nil {
		return nil, errors.Join(invalid(name, err), f.Close(), s.close())
	}
	return s, f.Close()
}

// The first bytes of what is packed.
const (
	gzipMagic  = "\x1f\x8b"
	bzip2Magic = "BZh"
	zstdMagic  = "\x28\xb5\x2f\xfd"
)

// packing returns the magic bytes that a file begins with, "" when it is not packed.
func packing(head []byte) string {
	for _, magic := range []string{gzipMagic, bzip2Magic, zstdMagic} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return magic
		}
	}
	return ""
}

// unpackArchive copies an archive, unpacked, of at most limit bytes.
func unpackArchive(to io.Writer, from io.Reader, limit int64) error {
	b := bufio.NewReaderSize(from, 1<<20)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	var r io.Reader = b
	switch packing(head) {
	case gzipMagic:
		if r, err = gzip.NewReader(b); err != nil {
			return err
		}
	case bzip2Magic:
		r = bzip2.NewReader(b)
	case zstdMagic:
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	}
	return copyAtMost(to, r, limit)
}

// copyAtMost copies no more than limit bytes, and fails when there are more.
func copyAtMost(to io.Writer, from io.Reader, limit int64) error {
	n, err := io.Copy(to, io.LimitReader(from, limit))
	if err == nil && n == limit {
		if n, _ := io.ReadFull(from, make([]byte, 1)); n > 0 {
			err = fmt.Errorf("the archive has more than %d bytes", limit)
		}
	}
	return err
}

// archiveEntries lists an archive. A name that comes twice has its last
// content; hard links become copies; devices, sockets and pipes are left out, and bits
// by which a program gets other rights.
func archiveEntries(f archiveReader, owner int) ([]entry, error) {
	t := &tree{byName: map[string]entry{}, owner: owner}
	err := eachMember(f, func(m member) error {
		e, ok, err := t.entry(m, m.name)
		if ok {
			t.byName[e.name] = e
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.sorted()
}

// archiveReader is an archive that is not packed.
type archiveReader interface {
	io.ReadSeeker
	io.ReaderAt
}

// member is what an archive holds.
type member struct {
	*tar.Header
	name string // clean, inside of the archive
	from io.ReaderAt
	at   int64 // of the content
}

// eachMember calls a function for all that is in an archive.
func eachMember(f archiveReader, do func(member) error) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	n := 0
	for r := tar.NewReader(f); ; n++ {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("no archive, or a damaged one: %w", err)
		}
		m := member{Header: h, name: cleanName(h.Name), from: f}
		if !filepath.IsLocal(m.name) || len(m.name) > maxName {
			return fmt.Errorf("the archive holds %.200q, which is outside of it, or too long", h.Name)
		}
		if n == maxEntries {
			return fmt.Errorf("the archive holds more than %d files", maxEntries)
		}
		if m.at, err = f.Seek(0, io.SeekCurrent); err != nil {
			return err
		}
		if err := do(m); err != nil {
			return err
		}
	}
}

// maxName bounds the bytes of a path, as Linux does.
const maxName = 4095

// cleanName is a name of an archive without "./" or "/" before it.
func cleanName(name string) string {
	if name = strings.TrimLeft(path.Clean(name), "/"); name == "" {
		return "."
	}
	return name
}

// tree is a file system that is put together of archives.
type tree struct {
	byName map[string]entry
	owner  int
}

// entry makes a member an entry of that name; ok is false for what is left out.
func (t *tree) entry(m member, name string) (e entry, ok bool, err error) {
	e = entry{name: name, mode: fs.FileMode(m.Mode & 0o777), owner: t.owner}
	switch m.Typeflag {
	case tar.TypeDir:
		e.mode |= fs.ModeDir
	case tar.TypeSymlink:
		if len(m.Linkname) > maxName {
			return e, false, fmt.Errorf("%.200q is a link to a name that is too long", m.Name)
		}
		e = linkEntry(name, m.Linkname)
		e.owner = t.owner
	case tar.TypeReg:
		if m.PAXRecords["GNU.sparse.major"] != "" {
			return e, false, fmt.Errorf("%.200q is a sparse file: make the archive without --sparse", m.Name)
		}
		e.size = m.Size
		e.open = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(m.from, m.at, m.Size)), nil }
	case tar.TypeLink:
		target, ok := t.byName[t.linked(m.Linkname)]
		if !ok || target.mode.IsDir() {
			return e, false, fmt.Errorf("%.200q is a link to %.200q, which is not in the archive before it", m.Name, m.Linkname)
		}
		target.name = name
		e = target
	case tar.TypeGNUSparse:
		return e, false, fmt.Errorf("%.200q is a sparse file: make the archive without --sparse", m.Name)
	default:
		return e, false, nil
	}
	return e, true, nil
}

// linked is the name of what a hard link leads to.
func (t *tree) linked(to string) string {
	dir, base := path.Split(cleanName(to))
	return path.Join(t.resolve(dir), base)
}

// sorted lists the tree. Hard links have made copies, so that its size has a limit
// beside that of the archives.
func (t *tree) sorted() ([]entry, error) {
	var size int64
	for _, e := range t.byName {
		if size += e.size; size > maxBytes {
			return nil, fmt.Errorf("the files have more than %d bytes together", int64(maxBytes))
		}
	}
	return sorted(t.byName)
}
