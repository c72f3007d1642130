package image

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/programs"
	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/guest"
)

// Format is the value of the format key of an image.
const Format = "podium-image/1"

// manifest says that a disk is an image. It lies in the image.
type manifest struct {
	Format string `json:"format"`
}

// Where an image keeps its manifest, and what belongs to it.
const (
	bootDir      = "boot/podium"
	manifestFile = bootDir + "/image.json"
)

// Build describes an image to be made.
type Build struct {
	Tool string              // directory or archive that becomes vm.ToolDir, "" where the base has it
	Base string              // "none", "busybox", or a directory or archive with a whole file system
	OCI  string              // instead of Base: archive with a container image; without Tool, the image need not hold one
	Out  string              // file, must not be there
	Say  func(remark string) // receives remarks for the person; nil: there are none
}

// Image makes an image and returns its digest.
func (b Build) Image(ctx context.Context) (digest string, err error) {
	all := map[string]entry{}
	add := func(prefix string, list []entry) error {
		for _, e := range list {
			e.name = path.Join(prefix, e.name)
			if e.name != "." && !filepath.IsLocal(e.name) {
				return fmt.Errorf("%q is outside of the image", e.name)
			}
			all[e.name] = e
		}
		return nil
	}
	for _, part := range []struct {
		prefix string
		list   func() ([]entry, func() error, error)
	}{{"", b.base}, {vm.ToolDir[1:], func() ([]entry, func() error, error) { return partEntries(b.Tool, guest.User) }}} {
		list, done, err := part.list()
		if err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, done()) }()
		if err := add(part.prefix, list); err != nil {
			return "", err
		}
	}
	tool := vm.ToolDir[1:]
	if b.Tool != "" || b.OCI != "" && all[tool].name == "" {
		// An archive may say nothing of its root.
		all[tool] = entry{name: tool, mode: fs.ModeDir | 0o755, owner: guest.User}
	}
	if e, ok := all[tool]; !ok || !e.mode.IsDir() {
		return "", fmt.Errorf("%s: the image has no directory %s, where the tool should be", b.Base, vm.ToolDir)
	}
	text, err := json.MarshalIndent(manifest{Format}, "", "  ")
	if err != nil {
		return "", err
	}
	delete(all, ".")
	for name, e := range all {
		// Whoever had the tool on a submitted disk, here the tool has it.
		if name == tool || strings.HasPrefix(name, tool+"/") {
			e.owner = guest.User
			all[name] = e
		}
	}
	if missing, err := startless(all); err != nil {
		return "", err
	} else if missing != "" && b.Say != nil {
		b.Say(fmt.Sprintf("%s is run by %s, which the image does not have: choose another file system with --base or --oci", headFile, diagnostic.Printable(missing)))
	}
	if err := add("", []entry{dataEntry(manifestFile, 0o644, append(text, '\n'))}); err != nil {
		return "", err
	}
	entries, err := sorted(all)
	if err != nil {
		return "", err
	}
	if err := writeNew(b.Out, func(file string) error { return writeDisk(ctx, file, entries) }); err != nil {
		return "", err
	}
	return Digest(b.Out)
}

// headFile starts a tool, if its manifest does not name another.
const headFile = "BenchKit_head.sh"

// startless returns the program that the first line of the tool's head names, where the image lacks it.
func startless(all map[string]entry) (program string, err error) {
	head := all[vm.ToolDir[1:]+"/"+headFile]
	if head.open == nil {
		return "", nil
	}
	from, err := head.open()
	if err != nil {
		return "", err
	}
	defer from.Close()
	line, err := bufio.NewReader(io.LimitReader(from, 256)).ReadString('\n') // of which Linux reads no more
	if err != nil && err != io.EOF {
		return "", err
	}
	rest, is := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if !is || len(words) == 0 || !path.IsAbs(words[0]) {
		return "", nil
	}
	if _, has := all[(&tree{byName: all}).resolve(words[0][1:])]; has {
		return "", nil
	}
	return words[0], nil
}

// base returns the file system below the tool.
func (b Build) base() (list []entry, done func() error, err error) {
	if b.OCI == "" {
		return partEntries(b.Base, 0)
	}
	s, environment, err := openContainer(b.OCI)
	if err != nil {
		return nil, nil, err
	}
	if b.Say != nil {
		for _, remark := range unseen(s.entries, environment) {
			b.Say(remark)
		}
	}
	return append(s.entries, environmentEntry(environment)), s.close, nil
}

// partEntries returns the files of a base or a tool.
func partEntries(name string, owner int) (list []entry, done func() error, err error) {
	done = func() error { return nil }
	switch name {
	case "":
		return nil, done, nil
	case "none":
		return accounts(), done, nil
	case "busybox":
		list, err := busyboxBase()
		return list, done, err
	}
	s, err := openSource(name, owner)
	if err != nil {
		return nil, done, err
	}
	return s.entries, s.close, nil
}

// sorted puts files below their directories, and adds directories that are
// missing.
func sorted(byName map[string]entry) ([]entry, error) {
	for _, name := range slices.Collect(maps.Keys(byName)) {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			e, ok := byName[dir]
			if !ok {
				byName[dir] = dirEntry(dir, 0o755)
			} else if !e.mode.IsDir() {
				return nil, fmt.Errorf("%s is below %s, which is no directory", name, dir)
			}
		}
	}
	list := make([]entry, 0, len(byName))
	for _, name := range slices.SortedFunc(maps.Keys(byName), func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	}) {
		if name == "." {
			list = append([]entry{byName[name]}, list...)
			continue
		}
		list = append(list, byName[name])
	}
	return list, nil
}

// writeNew makes a file that must not be there.
func writeNew(file string, write func(file string) error) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s: %w", file, fs.ErrExist))
	}
	return writeWhole(file, write)
}

// Digest returns the digest of an image by its content, which is its name.
func Digest(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// copyFromDisk copies a file of a disk, and no more than limit bytes of it.
func copyFromDisk(ctx context.Context, disk, name string, to io.Writer, limit int64) error {
	var said strings.Builder
	cmd := programs.Command(ctx, "unsquashfs", "-cat", disk, name)
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("disks are read by unsquashfs (%w): on Debian, apt-get install %s", err, SquashPackage)
	}
	_, err = io.Copy(to, io.LimitReader(out, limit))
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
