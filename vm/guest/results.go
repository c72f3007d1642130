package guest

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Limits of what a guest may send as results.
const (
	maxResultFiles = 100_000
	maxResultBytes = 64 << 30 // where the job has no limit of disk space
)

// unpack writes the files of a tar stream below a directory. The stream is a
// guest's: names that lead elsewhere, links, and what exceeds the limit are
// refused.
func unpack(from io.Reader, dir string, limit int64) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	r := tar.NewReader(from)
	for files := 0; ; files++ {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("results: %w", err)
		}
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
			return fmt.Errorf("results: %q is no file of the job", h.Name)
		}
		if limit -= h.Size; limit < 0 || files == maxResultFiles {
			return fmt.Errorf("results: the job left more than is allowed")
		}
		if err := unpackFile(root, h, r); err != nil {
			return err
		}
	}
}

func unpackFile(root *os.Root, h *tar.Header, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(h.Name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, from, h.Size)
	return errors.Join(err, f.Close())
}

// unpacker unpacks what is written to it.
type unpacker struct {
	*io.PipeWriter
	done chan error
}

func newUnpacker(dir string, limit int64) *unpacker {
	if limit == 0 {
		limit = maxResultBytes
	}
	r, w := io.Pipe()
	u := &unpacker{w, make(chan error, 1)}
	go func() {
		err := unpack(r, dir, limit)
		if err == nil {
			// The padding of the archive.
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		}
		r.CloseWithError(errors.Join(err, io.ErrClosedPipe))
		u.done <- err
	}()
	return u
}

// finish waits until everything is on the disk.
func (u *unpacker) finish() error {
	return errors.Join(u.Close(), <-u.done)
}
