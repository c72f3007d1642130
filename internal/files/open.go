package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"podium/pnml/diagnostic"
)

// Open opens a file in a directory that others have filled, such as a tool, a copy of a
// campaign or an unpacked archive. name is relative to dir. Below dir no link is followed, only regular
// files are opened, and nothing waits, as for the writer of a pipe. dir itself is the
// caller's word and may be a link. What is refused is a [diagnostic.List].
func Open(dir, name string) (*os.File, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := look(root, dir, name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, in(path, err)
	}
	return opened(path, f)
}

// OpenNamed opens a regular file that the user named, also through links, and does not
// wait either. Where a user may name a stream, such as /dev/stdin, [os.Open] is right.
func OpenNamed(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, in(path, err)
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	return opened(path, f)
}

// opened looks once more, at what was opened: somebody may have exchanged the file.
func opened(path string, f *os.File) (*os.File, error) {
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Read reads a file of a directory that others have filled, as [Open] says. A file of
// more than limit bytes is refused.
func Read(dir, name string, limit int64) ([]byte, error) {
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	return readAll(f, filepath.Join(dir, name), limit)
}

// ReadNamed reads a file that the user named, which may be a stream. One of more than
// limit bytes is refused.
func ReadNamed(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(f, path, limit)
}

// readAll reads a file and closes it.
func readAll(f *os.File, path string, limit int64) ([]byte, error) {
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, diagnostic.List{{File: path, Code: "file-size", Message: fmt.Sprintf("this file has more than %d bytes", limit), Hint: "is it the right one?"}}
	}
	return text, err
}

// Resolve follows the links of a name below a directory that others have filled, for those
// who may use links between their own files: the result leads to the same file without
// links. A way out of the directory is refused.
func Resolve(dir, name string) (string, error) {
	root, err := openRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	path := filepath.Join(dir, name)
	if !filepath.IsLocal(name) {
		return "", outside(dir, name)
	}
	switch _, err := root.Stat(name); { // which looks at nothing outside
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrPermission):
		return "", in(path, err)
	case errors.Is(err, syscall.ELOOP):
		return "", diagnostic.List{{File: path, Code: "file-link", Message: "this symbolic link leads to itself", Hint: "put a file in its place, or remove it"}}
	case err != nil:
		return "", outside(dir, name)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	return filepath.Rel(dir, real)
}

// outside refuses a name that does not lie in the directory of the others.
func outside(dir, name string) error {
	return diagnostic.List{{File: filepath.Join(dir, name), Code: "file-outside", Message: "this does not lie in the directory " + dir, Hint: "put a copy into the directory"}}
}

// openRoot opens a directory. os.OpenRoot would wait for the writer of a pipe; with the
// separator behind its name a pipe is an error.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(filepath.Clean(dir) + string(filepath.Separator))
	return root, in(filepath.Clean(dir), err)
}

// look says what stands at a name below a directory, which no link leads to.
func look(root *os.Root, dir, name string) (info fs.FileInfo, err error) {
	if !filepath.IsLocal(name) {
		return nil, outside(dir, name)
	}
	for end := 1; end <= len(name); end++ {
		if end < len(name) && !os.IsPathSeparator(name[end]) {
			continue
		}
		path := filepath.Join(dir, name[:end])
		if info, err = root.Lstat(name[:end]); err != nil {
			return nil, in(path, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, diagnostic.List{{File: path, Code: "file-link", Message: "this is a symbolic link, and no link is followed here", Hint: "put a copy of what it leads to in its place"}}
		}
	}
	return info, nil
}

// regular refuses what is no regular file.
func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return diagnostic.List{{File: path, Code: "file-kind", Message: "this is " + kind(info.Mode()) + ", and no regular file", Hint: "name a file, or put one in its place"}}
}

// kind names what stands in the place of a file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a thing of another kind"
}

// in returns an error of the system with the whole path that it is about.
func in(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: "open", Path: path, Err: at.Err}
	}
	return err
}

// Limits of names that archives hold, in bytes.
const (
	maxPath = 4096
	maxName = 255 // of a part of a path
)

// Nameable refuses the name of a file that no archive of a contest can hold: a list of
// digests has each name in one line, as text.
func Nameable(name string) error {
	long := len(name) > maxPath
	for part := range strings.SplitSeq(name, "/") {
		long = long || len(part) > maxName
	}
	if long || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\n\r\x00") {
		return fmt.Errorf("%s cannot be the name of a file in an archive: names are UTF-8 of at most %d bytes, without backslash and line break", diagnostic.Excerpt(name), maxName)
	}
	return nil
}
