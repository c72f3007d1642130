package vm

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// The limits of what is copied from a job's results, whatever its own limits
// are.
const (
	MaxResults     = 100_000  // files
	MaxResultName  = 1000     // bytes of a path
	maxResultBytes = 64 << 30 // together
)

// Results receives the files that a job leaves for its SideOut, within its
// limits. Their names, sizes and contents come from a tool, or from a machine
// that a tool may control: files whose names lead out of the directory, or that
// are beyond the limits, are left out and counted. Errors of its methods are
// failures of the host, never of the tool.
type Results struct {
	left SideLimit
	take func(name string, size int64, from io.Reader) error
	dir  *os.Root

	over    int   // files beyond the limits
	foreign error // of what is no file below the directory
	broken  error // why an archive was not read to its end
}

// NewResults passes the results of a job to take, which reads size bytes or
// fails.
func NewResults(job *Job, take func(name string, size int64, from io.Reader) error) *Results {
	left := job.SideLimit
	if left.Files == 0 {
		left.Files = MaxResults
	}
	// A file with holes may be longer than the disk that it is on.
	for _, bound := range []int64{job.Limits.Disk, maxResultBytes} {
		if bound > 0 && (left.Bytes == 0 || left.Bytes > bound) {
			left.Bytes = bound
		}
	}
	return &Results{left: left, take: take}
}

// OpenResults writes the results of a job below the directory SideOut, until Close.
func OpenResults(job *Job) (*Results, error) {
	dir, err := os.OpenRoot(job.SideOut)
	if err != nil {
		return nil, err
	}
	r := NewResults(job, nil)
	r.take, r.dir = r.write, dir
	return r, nil
}

// Close releases the directory.
func (r *Results) Close() error {
	if r.dir == nil {
		return nil
	}
	return r.dir.Close()
}

// Limit returns what the limits still allow.
func (r *Results) Limit() SideLimit { return r.left }

// Wants reports whether the job asks for files of this name.
func (r *Results) Wants(name string) bool { return strings.HasSuffix(name, r.left.Suffix) }

// Add receives a file, if the job asks for it and the limits allow it. Name is
// its path below the directory of results.
func (r *Results) Add(name string, size int64, from io.Reader) error {
	switch {
	case !r.Wants(name):
		return nil
	case len(name) > MaxResultName || r.left.Files == 0 || size > r.left.Bytes:
		r.over++
		return nil
	}
	r.left.Files--
	r.left.Bytes -= size
	return r.take(name, size, from)
}

// AddTar receives the files of a tar archive. A damaged archive is a warning.
func (r *Results) AddTar(from io.Reader) error {
	for archive := tar.NewReader(from); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			r.broken = err
			return nil
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			r.foreign = fmt.Errorf("%q is no file of the job", h.Name)
			continue
		}
		switch err := r.Add(name, h.Size, archive); {
		case errors.As(err, new(*fs.PathError)):
			return err
		case err != nil:
			r.broken = err
			return nil
		}
	}
}

// Refused gives an error if a file was left out, for archives in which this
// must not happen.
func (r *Results) Refused() error {
	switch {
	case r.broken != nil:
		return r.broken
	case r.foreign != nil:
		return r.foreign
	case r.over > 0:
		return errors.New("the job left more than is allowed")
	}
	return nil
}

// Warnings returns sentences about the files that were left out.
func (r *Results) Warnings() (list []string) {
	if r.over > 0 {
		list = append(list, fmt.Sprintf("The tool left more files than are taken: %d too many.", r.over))
	}
	if r.broken != nil {
		list = append(list, fmt.Sprintf("A part of the results cannot be read: %v.", r.broken))
	}
	return list
}

// write makes one file, with the directories that it is in. A name that came before,
// or that is below a file, is an error of the name and no *fs.PathError.
func (r *Results) write(name string, size int64, from io.Reader) error {
	if err := r.dir.MkdirAll(path.Dir(name), 0o755); err != nil {
		return ofName(name, err)
	}
	f, err := r.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return ofName(name, err)
	}
	_, err = io.CopyN(f, from, size)
	return errors.Join(err, f.Close())
}

// ofName gives the error of a name that cannot be made, or ours if the disk is full.
func ofName(name string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return err
	}
	return fmt.Errorf("%q cannot be made: %v", name, errors.Unwrap(err))
}
