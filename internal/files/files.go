// Package files writes files whole or not at all.
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

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
	s, err := stageBeside(path, write)
	if err != nil {
		return err
	}
	return s.Commit()
}

// Staged is a file that is written and has not its name yet, for those that write several
// things of which all are made or none.
type Staged struct{ temp, path string }

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
	return stageBeside(path, write)
}

func stageBeside(path string, write func(io.Writer) error) (*Staged, error) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return nil, &os.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-")
	if err != nil {
		return nil, err
	}
	s := &Staged{f.Name(), path}
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

// Commit gives the file its name. After an error the file is gone.
func (s *Staged) Commit() error {
	if s.temp == "" {
		return nil
	}
	defer s.Discard()
	return os.Rename(s.temp, s.path)
}

// Discard removes a file that has not its name.
func (s *Staged) Discard() {
	if s.temp != "" {
		os.Remove(s.temp)
	}
}

// Make makes a file that a program writes under a name of its own, and its directories.
// make gets the name of a file that is not there, which then takes the place of path. A
// file that is there already is [fs.ErrExist] unless replace says otherwise.
func Make(path string, replace bool, make func(file string) error) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return &os.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(parent, ".writing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, filepath.Base(path))
	if err := make(file); err != nil {
		return err
	}
	return os.Rename(file, path)
}
