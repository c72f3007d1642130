package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Scratch is a directory for what is not whole yet. Its name says what it is for, and a
// lock on a file in it tells others that its process lives. What a process that was killed
// has left is removed by the next one that makes a scratch directory beside it, or calls [Sweep].
type Scratch struct {
	Dir  string // holds the lock, and nothing else at first
	lock *os.File
}

// scratchPrefix begins the names of scratch directories; a word for what they are for,
// and random digits follow.
const scratchPrefix = ".podium-"

// scratchLock is the file in a scratch directory that its process holds locked.
const scratchLock = ".lock"

// NewScratch makes a scratch directory in another one, in that for temporary files if
// parent is empty. kind is a word that says what it is for.
func NewScratch(parent, kind string) (*Scratch, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	if err := sweepOnce(parent); err != nil {
		return nil, err
	}
	for {
		dir, err := os.MkdirTemp(parent, scratchPrefix+kind+"-")
		if err != nil {
			return nil, of(parent, err)
		}
		s := &Scratch{Dir: dir}
		if s.lock, err = os.OpenFile(filepath.Join(dir, scratchLock), os.O_CREATE|os.O_RDWR, 0o600); err == nil && s.held() {
			return s, nil
		}
		if s.lock != nil {
			s.lock.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			os.Remove(dir)
			return nil, of(parent, err)
		} // else it was swept before it was locked
	}
}

// held locks the directory, and reports whether it is still there. A file system without
// locks lets nobody sweep either.
func (s *Scratch) held() bool {
	if errors.Is(TryLock(s.lock), ErrLocked) {
		return false
	}
	mine, err := s.lock.Stat()
	there, thereErr := os.Lstat(s.lock.Name())
	return err == nil && thereErr == nil && os.SameFile(mine, there)
}

// Path returns the path of something in the directory.
func (s *Scratch) Path(name string) string { return filepath.Join(s.Dir, name) }

// Close removes the directory with all that is in it.
func (s *Scratch) Close() error {
	root, err := os.OpenRoot(filepath.Dir(s.Dir))
	if err != nil {
		return errors.Join(err, s.lock.Close())
	}
	defer root.Close()
	return remove(root, filepath.Base(s.Dir), s.lock)
}

// remove removes a scratch directory. Its lock is held until nothing else is in it.
func remove(root *os.Root, name string, lock *os.File) error {
	defer lock.Close()
	entries, err := fs.ReadDir(root.FS(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != scratchLock {
			err = errors.Join(err, removeAll(root, filepath.Join(name, e.Name())))
		}
	}
	if err != nil {
		return err
	}
	lock.Close() // for systems that remove no open file
	return root.RemoveAll(name)
}

// removeAll removes a tree. Its directories may be closed, even to their owner.
func removeAll(root *os.Root, name string) error {
	err := root.RemoveAll(name)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = fs.WalkDir(root.FS(), name, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return root.Chmod(path, 0o700) // before its list is read
		}
		return err
	})
	return root.RemoveAll(name)
}

// Sweep removes from directories what processes that were killed have left there. What a
// living process holds stays; so does what may not be removed. No link is followed.
func Sweep(dirs ...string) {
	for _, dir := range dirs {
		root, err := openRoot(dir)
		if err != nil {
			continue
		}
		entries, _ := fs.ReadDir(root.FS(), ".")
		for _, e := range entries {
			if e.IsDir() && strings.HasPrefix(e.Name(), scratchPrefix) {
				sweepOne(root, e.Name())
			}
		}
		root.Close()
	}
}

func sweepOne(root *os.Root, name string) {
	lock, err := root.OpenFile(filepath.Join(name, scratchLock), os.O_RDWR|noWait, 0)
	if errors.Is(err, fs.ErrNotExist) {
		root.Remove(name) // if it is empty: its maker was killed at once, or has not locked it yet
		return
	} else if err != nil {
		return
	}
	if TryLock(lock) != nil {
		lock.Close()
		return
	}
	_ = remove(root, name, lock) // what stays is left to the next one
}

// swept are the directories that were swept by this process.
var swept sync.Map

// sweepOnce sweeps a directory when its first scratch directory is made.
func sweepOnce(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, done := swept.LoadOrStore(dir, true); !done {
		Sweep(dir)
	}
	return nil
}
