package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// entry is a file of a file system that is made.
type entry struct {
	name   string      // relative, with slashes
	mode   fs.FileMode // type and permissions
	link   string      // target of a symbolic link, or of a hard link
	hard   bool
	owner  int // as user and as group
	size   int64
	open   func() (io.ReadCloser, error)
	device [2]uint32 // major and minor of a character device
}

func dirEntry(name string, perm fs.FileMode) entry { return entry{name: name, mode: fs.ModeDir | perm} }

func linkEntry(name, target string) entry {
	return entry{name: name, mode: fs.ModeSymlink | 0o777, link: target}
}

func dataEntry(name string, perm fs.FileMode, data []byte) entry {
	return entry{name: name, mode: perm, size: int64(len(data)),
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// fileEntry copies a file of the host.
func fileEntry(name, from string, info fs.FileInfo, owner int) entry {
	return entry{name: name, mode: info.Mode().Perm(), owner: owner, size: info.Size(),
		open: func() (io.ReadCloser, error) { return os.Open(from) }}
}

// treeEntries lists a directory of the host below prefix, in order, as if all
// of it were the owner's. What is neither file, directory nor symbolic link is
// left out.
func treeEntries(dir, prefix string, owner int) ([]entry, error) {
	var list []entry
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name := path.Join(prefix, filepath.ToSlash(rel))
		switch mode := info.Mode(); {
		case mode.IsDir():
			list = append(list, entry{name: name, mode: fs.ModeDir | mode.Perm(), owner: owner})
		case mode.IsRegular():
			list = append(list, fileEntry(name, file, info, owner))
		case mode&fs.ModeSymlink != 0:
			target, err := os.Readlink(file)
			if err != nil {
				return err
			}
			l := linkEntry(name, target)
			l.owner = owner
			list = append(list, l)
		}
		return nil
	})
	return list, err
}

// writeTar writes entries as an archive that depends on them alone. The two empty
// blocks at its end come in one write: who reads them may be gone after the first.
func writeTar(to io.Writer, entries []entry) error {
	b := bufio.NewWriterSize(to, 64<<10)
	w := tar.NewWriter(b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: int64(unixMode(e.mode) & 0o7777), Uid: e.owner, Gid: e.owner, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		switch {
		case e.hard:
			h.Typeflag, h.Linkname = tar.TypeLink, e.link
		case e.mode.IsDir():
			h.Typeflag, h.Name = tar.TypeDir, e.name+"/"
		case e.mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.link
		default:
			h.Typeflag, h.Size = tar.TypeReg, e.size
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if h.Typeflag == tar.TypeReg {
			if err := copyEntry(w, e); err != nil {
				return err
			}
		}
	}
	for _, step := range []func() error{w.Flush, b.Flush, w.Close, b.Flush} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// copyEntry copies exactly the size that was announced.
func copyEntry(to io.Writer, e entry) error {
	from, err := e.open()
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := io.CopyN(to, from, e.size); err != nil {
		return fmt.Errorf("%s: it became shorter while it was read: %w", e.name, err)
	}
	return nil
}

// unixMode is a mode as the kernel writes it.
func unixMode(m fs.FileMode) uint32 {
	u := uint32(m.Perm())
	for _, b := range []struct {
		bit  fs.FileMode
		unix uint32
	}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000}} {
		if m&b.bit != 0 {
			u |= b.unix
		}
	}
	switch {
	case m.IsDir():
		u |= 0o040000
	case m&fs.ModeSymlink != 0:
		u |= 0o120000
	case m&fs.ModeCharDevice != 0:
		u |= 0o020000
	default:
		u |= 0o100000
	}
	return u
}
