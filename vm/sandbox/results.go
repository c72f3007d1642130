//go:build linux

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
	"syscall"

	"podium/vm"
)

// What is looked at of a tree that a tool made, whatever it holds.
const (
	resultDepth   = 16 // directories below the directory of results
	resultEntries = vm.MaxResults
)

// resultWalk takes the regular files that a job left in its result directory.
// The tree is the tool's, which may have made it unreadable, deep or endless, or
// put links into it: that is no fault of ours, and nothing outside is followed.
type resultWalk struct {
	*vm.Results
	entries int

	skipped    int   // directories that are too deep or have too much in them
	unreadable int   // files and directories
	why        error // of the first unreadable one
}

// results takes what the walk finds to the job's directory or to Options.Results.
func (r *run) results() (*vm.Results, error) {
	if take := r.driver.options.Results; take != nil {
		return vm.NewResults(&r.job, take), nil
	}
	return vm.OpenResults(&r.job)
}

// copyResults takes the results of the job.
func (r *run) copyResults() error {
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
	results, err := r.results()
	if err != nil {
		return err
	}
	defer results.Close()
	w := &resultWalk{Results: results}
	err = w.directory(root, "", 0)
	for _, sentence := range w.warnings() {
		r.warn(sentence)
	}
	return err
}

// warnings are sentences about what was left out.
func (w *resultWalk) warnings() []string {
	list := w.Warnings()
	if w.skipped > 0 {
		list = append(list, fmt.Sprintf("Directories that the tool left are too deep or hold too much, and were not looked at to their end: %d.", w.skipped))
	}
	if w.unreadable > 0 {
		list = append(list, fmt.Sprintf("Parts of the results cannot be read: %d, the first because of this: %v.", w.unreadable, w.why))
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
		case e.IsDir() && (depth == resultDepth || len(path) > vm.MaxResultName):
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
		case e.Type().IsRegular() && w.Wants(path):
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
	return w.Add(path, st.Size(), from)
}

// fail counts what cannot be read, and keeps the first reason.
func (w *resultWalk) fail(err error) {
	w.unreadable++
	w.why = cmp.Or(w.why, err)
}
