package image

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"podium/internal/programs"
)

// treePrefix begins the names of directories of the store that hold the files of images.
const treePrefix = "tree-"

// Tree returns a directory with the files of an image, for machines that share the kernel
// of the host. It is made again only when the image has changed.
func (s *Store) Tree(ctx context.Context, file string) (string, error) {
	switch sys, err := SystemOf(ctx, file); {
	case err != nil:
		return "", fmt.Errorf("%s: %w", file, err)
	case sys != nil:
		return "", fmt.Errorf("%s boots a system of its own, which only virtual machines can: choose the driver libvirt", file)
	}
	key, err := treeKey(file)
	if err != nil {
		return "", err
	}
	return s.file(treePrefix+key, func(dir string) error {
		if err := checkListing(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		said, err := programs.Command(ctx, "unsquashfs", "-quiet", "-no-progress", "-no-xattrs", "-dest", dir, file).CombinedOutput()
		if err != nil {
			return fmt.Errorf("unpack %s: %w: %s", file, err, strings.TrimSpace(string(said[:min(len(said), 2000)])))
		}
		now := time.Now()
		return errors.Join(os.Chmod(dir, 0o755), os.Chtimes(dir, now, now)) // it will be renamed
	})
}

// checkListing reads what an image holds before it is unpacked: only files, directories
// and symbolic links, of names inside of it, and no more of them than an image may have.
func checkListing(ctx context.Context, file string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := programs.Command(ctx, "unsquashfs", "-lln", "-dest", "", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("images are read by unsquashfs (%w): on Debian, apt-get install %s", err, SquashPackage)
	}
	if err := checkLines(out); err != nil {
		stop() // the rest of the list is not read
		cmd.Wait()
		return err
	}
	return cmd.Wait()
}

// checkLines checks lines such as "-rw-r--r-- 0/0 12 1970-01-01 00:00 /name".
func checkLines(list io.Reader) error {
	var n, size int64
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		fields := strings.SplitN(strings.Join(strings.Fields(lines.Text()), " "), " ", 6)
		if len(fields) < 5 {
			return fmt.Errorf("%.200q is no line of its list", lines.Text())
		}
		if n++; n > maxEntries {
			return fmt.Errorf("it holds more than %d files", maxEntries)
		}
		switch fields[0][0] {
		case 'd', 'l':
		case '-':
			bytes, err := strconv.ParseInt(fields[2], 10, 64)
			if size += bytes; err != nil || bytes < 0 || size > maxBytes {
				return fmt.Errorf("its files have more than %d bytes", int64(maxBytes))
			}
		default:
			return fmt.Errorf("%.200q is no file, directory or symbolic link", lines.Text())
		}
		name, _, _ := strings.Cut(strings.Join(fields[5:], ""), " -> ")
		if name = strings.TrimPrefix(name, "/"); name != "" && !filepath.IsLocal(name) {
			return fmt.Errorf("%.200q is outside of it", name)
		}
	}
	return lines.Err()
}
