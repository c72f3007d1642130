package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"podium/internal/carried"
	"podium/internal/files"
	"podium/vm/guest"
)

// Store is a directory of disks and of what guests are booted with. All of it
// can be made again, and may be deleted while no machine runs.
type Store struct {
	dir  string
	mu   sync.Mutex
	busy map[string]*sync.Mutex // one maker for each file
}

// OpenStore opens a store, by default that of the user, and removes what was
// not used for a month.
func OpenStore(dir string) (*Store, error) {
	if dir == "" {
		dir = filepath.Join(files.Cache(), "guests")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, busy: map[string]*sync.Mutex{}}
	return s, s.drop(time.Now().AddDate(0, -1, 0))
}

// Path returns the path of a file in the store that another package keeps there.
func (s *Store) Path(name string) string { return filepath.Join(s.dir, name) }

// drop removes what was used last before a time.
func (s *Store) drop(before time.Time) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		file := filepath.Join(s.dir, e.Name())
		switch {
		case err != nil:
		case info.Mode().IsRegular() && info.ModTime().Before(before):
			err = os.Remove(file)
		case strings.HasPrefix(e.Name(), treePrefix) && info.ModTime().Before(before):
			err = files.RemoveAll(file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// file returns a file of the store, made when it is not there.
func (s *Store) file(name string, write func(file string) error) (string, error) {
	s.mu.Lock()
	one := s.busy[name]
	if one == nil {
		one = &sync.Mutex{}
		s.busy[name] = one
	}
	s.mu.Unlock()
	one.Lock()
	defer one.Unlock()

	file := filepath.Join(s.dir, name)
	now := time.Now()
	if err := os.Chtimes(file, now, now); err == nil {
		return file, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	// Other processes may make it at the same time; the last one wins, and all
	// make the same.
	return file, writeWhole(file, write)
}

// writeWhole makes a file in a directory of its own beside it, and renames it.
func writeWhole(file string, write func(file string) error) error {
	scratch, err := files.NewScratch(filepath.Dir(file), "image")
	if err != nil {
		return err
	}
	defer scratch.Close()
	made := scratch.Path(filepath.Base(file))
	if err := write(made); err != nil {
		return err
	}
	err = os.Rename(made, file)
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return nil // a directory, which another process has made meanwhile
	}
	return err
}

// Disk returns a disk with the content of a directory, owned by the tool's user.
// It is made again only when something in the directory has changed.
func (s *Store) Disk(ctx context.Context, dir string) (string, error) {
	entries, err := treeEntries(dir, "", guest.User)
	if err != nil {
		return "", err
	}
	key, err := treeKey(dir)
	if err != nil {
		return "", err
	}
	return s.file("disk-"+key+".squashfs", func(file string) error {
		if err := writeDisk(ctx, file, entries); err != nil {
			return err
		}
		return pad(file)
	})
}

// DiskSize is the size in bytes that disks of directories show to guests. It is
// the same for all, so that a guest cannot tell them apart before it reads
// them.
const DiskSize = 1 << 36

// pad makes the end of a disk a hole; one that is larger is left as it is.
func pad(file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() >= DiskSize {
		return err
	}
	return os.Truncate(file, DiskSize)
}

// treeKey tells two states of a directory apart without reading its files: by
// what a change of a file cannot leave as it was.
func treeKey(dir string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", formatVersion)
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		mark, err := changeMark(info)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		_, err = fmt.Fprintf(h, "%q %v %d %s\n", file, info.Mode(), info.Size(), mark)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}

// formatVersion changes when the same input is made into something else.
const formatVersion = 3

// Boot is the kernel and the initial file system that a guest boots. Both are podium's
// own; nothing of them comes from who made a tool or its image.
type Boot struct {
	Kernel    string // file for -kernel
	Initramfs string // file for -initrd
	Release   string
}

// Boot makes the kernel and the initial file system of guests from the newest
// kernel of the host. Guests load the modules named in extra, too, where the
// kernel has them.
func (s *Store) Boot(extra ...string) (Boot, error) {
	k, err := FindKernel()
	if err != nil {
		return Boot{}, err
	}
	entries, err := initramfs(k, extra)
	if err != nil {
		return Boot{}, err
	}
	b := Boot{Release: k.Release}
	if b.Kernel, err = s.kernel(k); err != nil {
		return Boot{}, err
	}
	h := sha256.New()
	if err := writeCpio(h, entries); err != nil {
		return Boot{}, err
	}
	b.Initramfs, err = s.file("initramfs-"+hex.EncodeToString(h.Sum(nil)[:16])+".cpio", func(file string) error {
		return writeFile(file, func(w io.Writer) error { return writeCpio(w, entries) })
	})
	return b, err
}

// kernel unpacks the kernel where that is possible.
func (s *Store) kernel(k Kernel) (string, error) {
	image, err := os.ReadFile(k.Image)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(image)
	return s.file("kernel-"+k.Release+"-"+hex.EncodeToString(sum[:16]), func(file string) error {
		unpacked, err := unpackKernel(image)
		if err != nil {
			unpacked = image
		}
		return os.WriteFile(file, unpacked, 0o644)
	})
}

func writeFile(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// initramfs is the initial file system: the agent, kernel modules, a base.
func initramfs(k Kernel, extra []string) ([]entry, error) {
	agent, err := carried.Program(carried.Agent)
	if err != nil {
		return nil, err
	}
	modules, err := k.modules(neededModules, extra)
	if err != nil {
		return nil, err
	}
	base, err := busyboxBase()
	if err != nil {
		return nil, err
	}
	console := entry{name: "dev/console", mode: fs.ModeDevice | fs.ModeCharDevice | 0o600, device: [2]uint32{5, 1}}
	entries := []entry{dirEntry("dev", 0o755), console, dataEntry("init", 0o755, agent), dirEntry(guest.ModulesDir[1:], 0o755)}
	var order []string
	for _, m := range modules {
		order = append(order, m.name)
		entries = append(entries, dataEntry(guest.ModulesDir[1:]+"/"+m.name, 0o644, m.data))
	}
	entries = append(entries, dataEntry(guest.ModulesList[1:], 0o644, []byte(strings.Join(order, "\n")+"\n")))
	return append(entries, below(guest.BaseDir[1:], base)...), nil
}

// below moves entries into a directory.
func below(dir string, entries []entry) []entry {
	moved := []entry{dirEntry(dir, 0o755)}
	for _, e := range entries {
		e.name = dir + "/" + e.name
		moved = append(moved, e)
	}
	return moved
}
