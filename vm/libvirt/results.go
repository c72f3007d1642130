package libvirt

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

	"podium/vm"
)

// Limits of what a system may send as results, where the job has none.
const (
	maxResultFiles = 100_000
	maxResultBytes = 64 << 30
)

// takeResults writes the files of an archive that a system sends below a
// directory, as far as the bound allows. What it leaves out, or cannot read, is a
// warning; an error is ours.
func takeResults(from io.Reader, dir string, bound vm.SideLimit) (warnings []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if bound.Files == 0 {
		bound.Files = maxResultFiles
	}
	if bound.Bytes == 0 {
		bound.Bytes = maxResultBytes
	}
	over := 0
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("A part of the results cannot be read: %v.", err))
			break
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) || !strings.HasSuffix(name, bound.Suffix) {
			continue
		}
		if bound.Files == 0 || h.Size > bound.Bytes {
			over++
			continue
		}
		bound.Files--
		bound.Bytes -= h.Size
		switch err := takeResult(root, name, h.Size, r); {
		case errors.As(err, new(*fs.PathError)):
			return warnings, err
		case err != nil:
			return append(warnings, fmt.Sprintf("A part of the results cannot be read: %v.", err)), nil
		}
	}
	if over > 0 {
		warnings = append(warnings, fmt.Sprintf("%d files that the tool left are more than are taken.", over))
	}
	return warnings, nil
}

// takeResult writes one file. A name that came before, or that is below a file,
// is an error of the archive.
func takeResult(root *os.Root, name string, size int64, from io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return fmt.Errorf("%q: no directory for it", name)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%q: it cannot be made", name)
	}
	_, err = io.CopyN(f, from, size)
	return errors.Join(err, f.Close())
}
