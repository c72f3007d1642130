// Package files writes files.
package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write makes a file, or replaces what it holds, by what write writes. The error
// is that of write, or of the file.
func Write(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Replace makes a file whole or not at all: write writes into another file beside it,
// which takes the name when it is written. An earlier file stays until then.
func Replace(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
