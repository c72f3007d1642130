//go:build linux

package guest

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// exportDisk sends the file system on a disk that holds the tool's directory,
// as an archive. Who the files belong to does not matter any more then.
func exportDisk(s Setup, to io.Writer) error {
	if len(s.Disks) != 1 {
		return fmt.Errorf("%d disks are to be sent", len(s.Disks))
	}
	device, err := findDisk(s.Disks[0].Serial, 10*time.Second)
	if err != nil {
		return err
	}
	parts, err := filepath.Glob(device + "?*")
	if err != nil {
		return err
	}
	at := filepath.Join(mountsDir, RoleBase)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	for _, part := range append(parts, device) {
		for _, kind := range []struct{ name, options string }{{"ext4", "noload"}, {"xfs", "norecovery"}, {"btrfs", ""}} {
			if unix.Mount(part, at, kind.name, unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, kind.options) != nil {
				continue
			}
			if st, err := os.Stat(filepath.Join(at, vm.ToolDir)); err == nil && st.IsDir() {
				return errors.Join(sendTree(at, to), unix.Unmount(at, 0))
			}
			if err := unix.Unmount(at, 0); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("the disk has no file system (ext2, ext3, ext4, xfs, btrfs) with the directory %s", vm.ToolDir)
}

// unsent are directories that a tool does not see or that are the machine's.
var unsent = []string{"boot", "dev", "lost+found", "media", "mnt", "proc", "run", "sys", "tmp", "var"}

// sendTree writes an archive of the files, directories and links of a file
// system.
func sendTree(dir string, to io.Writer) error {
	w := tar.NewWriter(to)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.IsDir() && slices.Contains(unsent, name) {
			return filepath.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		link := ""
		switch mode := info.Mode(); {
		case mode&fs.ModeSymlink != 0:
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		case !mode.IsDir() && !mode.IsRegular():
			return nil
		}
		h, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		h.Name, h.Format = name, tar.FormatPAX
		if err := w.WriteHeader(h); err != nil || !info.Mode().IsRegular() {
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.CopyN(w, f, info.Size())
		return err
	})
	return errors.Join(err, w.Close())
}
