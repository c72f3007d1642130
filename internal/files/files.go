// Package files writes files.
package files

import (
	"errors"
	"io"
	"os"
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
