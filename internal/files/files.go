// Package files writes files whole or not at all, and opens files that others handed in.
package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Bytes is a text for [Write] and the others.
func Bytes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(text); return err }
}

// Write makes a file by what write writes, and the directories that it lies in: whole
// or not at all, an earlier file stays until then. What is no ordinary file, such as
// /dev/stdout or a pipe, is written to. The error is that of write, or of the file.
func Write(path string, write func(io.Writer) error) error {
	s, err := Stage(path, write)
	if err != nil {
		return err
	}
	return s.Commit()
}

// Replace is Write for a file in a directory that is there.
func Replace(path string, write func(io.Writer) error) error {
	s, err := StageFile(path, func(f *os.File) error { return write(f) })
	if err != nil {
		return err
	}
	return s.Commit()
}

// Staged is a file that is written and has not its name yet, for those that write several
// things of which all are made or none.
type Staged struct {
	Size    int64 // bytes
	scratch *Scratch
	path    string
}

// Stage writes a file beside the place where it belongs, and makes the directories. One
// of Commit and Discard ends it. What is no ordinary file is written at once.
func Stage(path string, write func(io.Writer) error) (*Staged, error) {
	if full, err := filepath.EvalSymlinks(path); err == nil {
		path = full // a link stays a link
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &Staged{}, errors.Join(write(f), f.Close())
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return StageFile(path, func(f *os.File) error { return write(f) })
}

// StageFile is Stage for a file in a directory that is there.
func StageFile(path string, write func(*os.File) error) (*Staged, error) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return nil, &os.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	}
	scratch, err := NewScratch(filepath.Dir(path), "write")
	if err != nil {
		return nil, of(path, err)
	}
	s := &Staged{scratch: scratch, path: path}
	f, err := os.OpenFile(s.File(), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		s.Discard()
		return nil, of(path, err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync() // else the name may come to the disk before what is in the file
	}
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Chmod(0o644), f.Close()); err != nil {
		s.Discard()
		return nil, err
	}
	s.Size = info.Size()
	return s, nil
}

// of gives an error of a name that nobody chose that of the file for which it stands.
func of(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: "write", Path: path, Err: at.Err}
	}
	return err
}

// File is the path of the file until it has its name.
func (s *Staged) File() string { return s.scratch.Path("file") }

// Commit gives the file its name. After an error the file is gone.
func (s *Staged) Commit() error { return s.place(os.Rename) }

// CommitNew is Commit for a name that no file may have yet: the error is [fs.ErrExist].
func (s *Staged) CommitNew() error { return s.place(os.Link) }

// Empty reports whether there is no file to give a name.
func (s *Staged) Empty() bool { return s == nil || s.scratch == nil }

func (s *Staged) place(as func(from, to string) error) error {
	if s.Empty() {
		return nil
	}
	defer s.Discard()
	if err := as(s.File(), s.path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(s.path))
}

// Discard removes a file that has not its name.
func (s *Staged) Discard() {
	if !s.Empty() {
		s.scratch.Close()
		s.scratch = nil
	}
}

// SyncDir waits until the names in a directory are on the disk.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Free says that a file may be written at path: the error is [fs.ErrExist] where a file
// that is not empty is there already, and replace does not say that it may go.
func Free(path string, replace bool) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // whoever writes says what else is wrong
		return nil
	case info.IsDir():
		return &os.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	case info.Mode().IsRegular() && info.Size() > 0 && !replace:
		return &os.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	return nil
}

// New is Write for a file that is not there yet, as [Free] says.
func New(path string, replace bool, write func(io.Writer) error) error {
	if err := Free(path, replace); err != nil {
		return err
	}
	return Write(path, write)
}

// headSize is where the mark of a file is looked for, bytes.
const headSize = 512

// Begins reports whether a file has a mark in its first bytes, by which those who wrote it
// know it again.
func Begins(path, mark string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	return err == nil && bytes.Contains(head, []byte(mark))
}

// Make makes a file that a program writes under a name of its own, and its directories.
// make gets the name of a file that is not there, which then takes the place of path, as
// [Free] says.
func Make(path string, replace bool, make func(file string) error) error {
	if err := Free(path, replace); err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	scratch, err := NewScratch(parent, "make")
	if err != nil {
		return of(path, err)
	}
	defer scratch.Close()
	file := scratch.Path(filepath.Base(path))
	if err := make(file); err != nil {
		return err
	}
	return os.Rename(file, path)
}

// Into writes files and directories into a directory, which is made: all of them or none.
// fill gets an empty directory, and what it leaves there is moved. What has its name already
// is [fs.ErrExist], unless it is empty, or replace says that it may go.
func Into(dir string, replace bool, fill func(dir string) error) (err error) {
	var missing []string // directories, the innermost first
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil {
			break
		}
		missing = append(missing, at)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	scratch, err := NewScratch(dir, "into")
	if err != nil {
		return of(dir, err)
	}
	defer func() {
		if err = errors.Join(err, scratch.Close()); err != nil {
			for _, empty := range missing {
				os.Remove(empty)
			}
		}
	}()
	fresh, old := scratch.Path("new"), scratch.Path("old")
	if err := errors.Join(os.Mkdir(fresh, 0o755), os.Mkdir(old, 0o755)); err != nil {
		return err
	}
	if err := fill(fresh); err != nil {
		return err
	}
	entries, err := os.ReadDir(fresh)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); !replace && holds(path) {
			return &os.PathError{Op: "write", Path: path, Err: fs.ErrExist}
		}
	}
	for i, e := range entries {
		if err := swap(dir, fresh, old, e.Name()); err != nil {
			for _, done := range entries[:i] { // back again
				err = errors.Join(err, swap(dir, old, fresh, done.Name()))
			}
			return err
		}
	}
	return nil
}

// holds reports whether there is something at path that is not empty.
func holds(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		return err != nil || len(entries) > 0
	}
	return !info.Mode().IsRegular() || info.Size() > 0
}

// swap moves what has a name in dir to another directory, if there is any, and puts what
// has it in a third one, if there is any, in its place.
func swap(dir, from, to, name string) error {
	path := filepath.Join(dir, name)
	if err := os.Rename(path, filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := os.Rename(filepath.Join(from, name), path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if back := os.Rename(filepath.Join(to, name), path); !errors.Is(back, fs.ErrNotExist) {
		err = errors.Join(err, back)
	}
	return err
}
