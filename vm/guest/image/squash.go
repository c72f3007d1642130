package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"podium/internal/programs"
)

// SquashPackage is the Debian package with the program that makes disks.
const SquashPackage = "squashfs-tools"

// writeDisk makes a squashfs file of entries; the root directory has the
// permissions of the entry ".", if there is one, and everything its owner, if
// that is not root.
func writeDisk(ctx context.Context, file string, entries []entry) error {
	program, err := exec.LookPath("sqfstar")
	if err != nil {
		return fmt.Errorf("disks for guests are made by sqfstar (%w): on Debian, apt-get install %s", err, SquashPackage)
	}
	root := entry{mode: fs.ModeDir | 0o755}
	if len(entries) > 0 && entries[0].name == "." {
		root, entries = entries[0], entries[1:]
	}
	args := []string{"-quiet", "-no-progress", "-comp", "lz4", "-mkfs-time", "0", "-all-time", "0", "-no-xattrs", "-exit-on-error",
		"-root-mode", strconv.FormatUint(uint64(root.mode.Perm()), 8)}
	if root.owner != 0 {
		// The options for the owner of the root alone are without effect here.
		args = append(args, "-force-uid", strconv.Itoa(root.owner), "-force-gid", strconv.Itoa(root.owner))
	}
	args = append(args, file)
	cmd := programs.Command(ctx, program, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	err = writeTar(in, entries)
	err = errors.Join(err, in.Close(), cmd.Wait())
	if err == nil {
		return nil
	}
	// The program says only in words that there is no room.
	if words := said.String(); strings.Contains(words, "No space left") || strings.Contains(words, "out of space") {
		err = errors.Join(syscall.ENOSPC, err)
	}
	return fmt.Errorf("make disk %s: %w: %s", file, err, strings.TrimSpace(said.String()))
}
