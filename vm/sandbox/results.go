//go:build linux && amd64

package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"podium/vm"
)

// What is looked at of a tree that a tool made, whatever it holds.
const (
	resultDepth   = 16      // directories below the directory of results
	resultName    = 1000    // bytes of a path
	resultEntries = 100_000 // files, directories and others
	resultBytes   = 64 << 30
)

// resultWalk takes the regular files that a job left in its result directory.
// The tree is the tool's, which may have made it unreadable, deep or endless, or
// put links into it: that is no fault of ours, and nothing outside is followed.
type resultWalk struct {
	limit   vm.SideLimit
	take    func(name string, size int64, from io.Reader) error
	files   int
	bytes   int64
	entries int

	over       int   // files beyond the limits
	skipped    int   // directories that are too deep or have too much in them
	unreadable int   // files and directories
	why        error // of the first unreadable one
}

// copyResults takes the results of the job, to the host directory to or to
// Options.Results.
func (r *run) copyResults(to string) error {
	machine, err := os.OpenRoot(r.path("/"))
	if err != nil {
		return fmt.Errorf("look at the results: %w", err)
	}
	defer machine.Close()
	for _, dir := range []string{path.Dir(vm.Home), vm.Home, vm.ResultDir} {
		if st, err := machine.Lstat(dir[1:]); err != nil || !st.IsDir() {
			r.warn("The tool removed the directory for its results.")
			return nil
		}
	}
	root, err := machine.OpenRoot(vm.ResultDir[1:])
	if err != nil {
		r.warn("The results cannot be read: " + err.Error() + ".")
		return nil
	}
	defer root.Close()
	w := &resultWalk{limit: r.job.SideLimit, take: r.driver.options.Results}
	// A file with holes may be longer than the disk that it is on.
	for _, bound := range []int64{r.job.Limits.Disk, resultBytes} {
		if bound > 0 && (w.limit.Bytes == 0 || w.limit.Bytes > bound) {
			w.limit.Bytes = bound
		}
	}
	if w.take == nil {
		target, err := os.OpenRoot(to)
		if err != nil {
			return err
		}
		defer target.Close()
		w.take = func(name string, size int64, from io.Reader) error {
			return copyFile(target, name, io.LimitReader(from, size))
		}
	}
	err = w.directory(root, "", 0)
	for _, sentence := range w.warnings() {
		r.warn(sentence)
	}
	return err
}

// warnings are sentences about what was left out.
func (w *resultWalk) warnings() (list []string) {
	if w.over > 0 {
		list = append(list, fmt.Sprintf("%d files that the tool left are more than are taken.", w.over))
	}
	if w.skipped > 0 {
		list = append(list, fmt.Sprintf("%d directories that the tool left are too deep or hold too much, and were not looked at to their end.", w.skipped))
	}
	if w.unreadable > 0 {
		list = append(list, fmt.Sprintf("%d parts of the results cannot be read: %v.", w.unreadable, w.why))
	}
	return list
}

// directory takes what is in a directory, whose path below the results is name.
func (w *resultWalk) directory(dir *os.Root, name string, depth int) error {
	entries, err := w.list(dir)
	if err != nil {
		w.fail(err)
	}
	for _, e := range entries {
		path := filepath.Join(name, e.Name())
		switch {
		case e.IsDir() && (depth == resultDepth || len(path) > resultName):
			w.skipped++
		case e.IsDir():
			sub, err := dir.OpenRoot(e.Name())
			if err != nil {
				w.fail(err)
				continue
			}
			err = w.directory(sub, path, depth+1)
			sub.Close()
			if err != nil {
				return err
			}
		case !e.Type().IsRegular() || !strings.HasSuffix(path, w.limit.Suffix):
		case len(path) > resultName || w.limit.Files > 0 && w.files == w.limit.Files:
			w.over++
		default:
			if err := w.file(dir, e.Name(), path); err != nil {
				return err
			}
		}
	}
	return nil
}

// list reads a directory, by name, and no more than is looked at.
func (w *resultWalk) list(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	left := resultEntries - w.entries
	entries, err := f.ReadDir(left + 1)
	if len(entries) > left {
		w.skipped++
		entries = entries[:left]
	}
	w.entries += len(entries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// file takes one file. An error is ours: the taker's.
func (w *resultWalk) file(dir *os.Root, base, path string) error {
	from, err := dir.OpenFile(base, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		w.fail(err)
		return nil
	}
	defer from.Close()
	st, err := from.Stat()
	if err != nil {
		return err
	}
	if st.Size() > w.limit.Bytes-w.bytes {
		w.over++
		return nil
	}
	w.files, w.bytes = w.files+1, w.bytes+st.Size()
	return w.take(path, st.Size(), from)
}

// fail counts what cannot be read, and keeps the first reason.
func (w *resultWalk) fail(err error) {
	w.unreadable++
	w.why = cmp.Or(w.why, err)
}

// copyFile writes a file below a directory, with the directories that it is in.
func copyFile(to *os.Root, name string, from io.Reader) error {
	if err := to.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}
