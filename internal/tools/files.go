package tools

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
	"syscall"
	"unicode/utf8"

	"podium/internal/clock"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// maxFiles bounds the files, links and directories of a tool.
const maxFiles = 1 << 20

// File is a file, a symbolic link or a directory of a tool.
type File struct {
	Name string // inside the tool's directory
	Mode fs.FileMode
	Size int64  // bytes, of a file
	Link string // target of a symbolic link, always inside the tool
}

// Permissions are what a run sees of a file's mode: whether it may be executed.
// Who may write it depends on who has unpacked the tool, and does not count.
func (f File) Permissions() fs.FileMode {
	if f.Mode&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

// Files lists all that is in the tool's directory, a directory before what it
// holds. Links that lead out of the tool are errors, since what they lead to is
// not part of the tool and has no digest; so are devices, pipes and sockets, links to
// themselves, and names that no archive can hold.
func (t Tool) Files() ([]File, error) {
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var list []File
	var found diagnostic.List
	refuse := func(name, code, message, hint string) {
		found.Add(diagnostic.Diagnostic{File: filepath.Join(t.Dir, name), Code: code, Message: message, Hint: hint})
	}
	err = filepath.WalkDir(t.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == t.Dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := File{Mode: info.Mode(), Size: info.Size()}
		if f.Name, err = filepath.Rel(t.Dir, path); err != nil {
			return err
		}
		if err := files.Nameable(filepath.ToSlash(f.Name)); err != nil {
			refuse(f.Name, "tool-file-name", err.Error(), "rename it")
		}
		switch {
		case len(list) == maxFiles:
			refuse("", "tool-files", fmt.Sprintf("the tool has more than %d files", maxFiles), "is this the directory of one tool?")
			return fs.SkipAll
		case info.Mode()&fs.ModeSymlink != 0:
			if f.Link, err = os.Readlink(path); err != nil {
				return err
			}
			switch _, err := root.Stat(f.Name); {
			case !utf8.ValidString(f.Link):
				refuse(f.Name, "tool-link", "the link leads to a name that is no UTF-8, which no archive can hold", "rename what it leads to")
			case filepath.IsAbs(f.Link), err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ELOOP) && !errors.Is(err, syscall.ENOTDIR):
				refuse(f.Name, "tool-link", fmt.Sprintf("the link leads to %s, out of the tool: what stands there has no digest and is not there in a machine", f.Link),
					"put a copy in its place; `cp -rL` copies a whole tool in that way")
			case err != nil && !errors.Is(err, fs.ErrNotExist): // what leads to nothing stays
				refuse(f.Name, "tool-link", fmt.Sprintf("the link to %s leads to itself, or through a file: nobody can follow it", f.Link), "remove it from the tool")
			}
		case !info.Mode().IsRegular() && !info.IsDir():
			refuse(f.Name, "tool-file-kind", "this is no file, directory or symbolic link", "remove it from the tool")
		}
		list = append(list, f)
		return nil
	})
	if err == nil {
		found.Sort()
		err = found.Err()
	}
	return list, err
}

// Digest is the sha256 over the names, permissions and contents of the tool's
// files, in hexadecimal; symbolic links count by their target's name, which is
// inside the tool.
func (t Tool) Digest(ctx context.Context) (string, error) { return t.digest(ctx, File.Permissions) }

// Has reports whether the tool's digest is this one: as [Tool.Digest] gives it, or
// as it was once taken, over all bits of the files' modes.
func (t Tool) Has(ctx context.Context, digest string) (bool, error) {
	for _, mode := range []func(File) fs.FileMode{File.Permissions, func(f File) fs.FileMode { return f.Mode }} {
		if now, err := t.digest(ctx, mode); err != nil || now == digest {
			return err == nil, err
		}
	}
	return false, nil
}

func (t Tool) digest(ctx context.Context, mode func(File) fs.FileMode) (string, error) {
	list, err := t.Files()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, f := range list {
		switch {
		case f.Mode.IsDir():
		case f.Link != "":
			fmt.Fprintf(h, "%q %o %q\n", f.Name, f.Mode, f.Link)
		default:
			fmt.Fprintf(h, "%q %o %d\n", f.Name, mode(f), f.Size)
			if err := hashFile(ctx, h, t.Dir, f.Name); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashFile(ctx context.Context, h io.Writer, dir, name string) error {
	f, err := files.Open(dir, name)
	if err != nil {
		return err
	}
	defer f.Close()
	return clock.Until(ctx, func(k *clock.Clock) error { // images have many gigabytes
		_, err := io.Copy(h, k.Reader(f))
		return err
	})
}
