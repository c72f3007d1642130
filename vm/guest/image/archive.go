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
	temporary *os.File
}

func (s *source) close() error {
	if s.temporary == nil {
		return nil
	}
	return errors.Join(s.temporary.Close(), os.Remove(s.temporary.Name()))
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
	s.temporary, err = os.CreateTemp("", "podium-archive-*.tar")
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	err = unpackArchive(s.temporary, f)
	if err == nil {
		s.entries, err = archiveEntries(s.temporary, owner)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close(), s.close())
	}
	return s, f.Close()
}

// unpackArchive copies an archive, unpacked.
func unpackArchive(to io.Writer, from io.Reader) error {
	b := bufio.NewReaderSize(from, 1<<20)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	var r io.Reader = b
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		if r, err = gzip.NewReader(b); err != nil {
			return err
		}
	case bytes.HasPrefix(head, []byte("BZh")):
		r = bzip2.NewReader(b)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	}
	n, err := io.Copy(to, io.LimitReader(r, maxBytes+1))
	if err == nil && n > maxBytes {
		err = fmt.Errorf("the archive has more than %d bytes", int64(maxBytes))
	}
	return err
}

// archiveEntries lists an archive. A name that comes twice has its last
// content; hard links become copies; devices, sockets and pipes are left out.
func archiveEntries(f io.ReadSeeker, owner int) ([]entry, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, errors.New("the archive cannot be read at places")
	}
	byName := map[string]entry{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("no archive, or a damaged one: %w", err)
		}
		name := path.Clean(strings.TrimPrefix(strings.TrimPrefix(h.Name, "."), "/"))
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the archive holds %q, which is outside of it", h.Name)
		}
		if len(byName) == maxEntries {
			return nil, fmt.Errorf("the archive holds more than %d files", maxEntries)
		}
		e := entry{name: name, mode: fs.FileMode(h.Mode & 0o777), owner: owner}
		switch h.Typeflag {
		case tar.TypeDir:
			e.mode |= fs.ModeDir
		case tar.TypeSymlink:
			e = linkEntry(name, h.Linkname)
			e.owner = owner
		case tar.TypeReg:
			offset, err := f.Seek(0, io.SeekCurrent)
			if err != nil {
				return nil, err
			}
			if h.PAXRecords["GNU.sparse.major"] != "" {
				return nil, fmt.Errorf("%s is a sparse file: make the archive without --sparse", h.Name)
			}
			e.size = h.Size
			e.open = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(at, offset, h.Size)), nil }
		case tar.TypeLink:
			target, ok := byName[path.Clean(strings.TrimPrefix(strings.TrimPrefix(h.Linkname, "."), "/"))]
			if !ok || target.open == nil {
				return nil, fmt.Errorf("%s is a link to %s, which is not in the archive before it", h.Name, h.Linkname)
			}
			target.name = name
			e = target
		case tar.TypeGNUSparse:
			return nil, fmt.Errorf("%s is a sparse file: make the archive without --sparse", h.Name)
		default:
			continue
		}
		byName[name] = e
	}
	return sorted(byName)
}
