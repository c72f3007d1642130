package campaign

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCopiesKeepHoles: disks of machines are mostly holes.
func TestCopiesKeepHoles(t *testing.T) {
	dir := t.TempDir()
	in, err := os.Create(filepath.Join(dir, "from"))
	must(t, err)
	defer in.Close()
	for _, at := range []int64{0, 3 << 20, 9 << 20} {
		_, err := in.WriteAt(bytes.Repeat([]byte{1}, 5000), at)
		must(t, err)
	}
	const size = 1 << 30
	must(t, in.Truncate(size))
	out, err := os.Create(filepath.Join(dir, "to"))
	must(t, err)
	defer out.Close()
	must(t, copyData(t.Context(), out, in, size))
	if !sameBytes(t.Context(), in, filepath.Join(dir, "to"), 16<<20) {
		t.Error("the copy differs")
	}
	var a, b unix.Stat_t
	must(t, errors.Join(unix.Fstat(int(in.Fd()), &a), unix.Fstat(int(out.Fd()), &b)))
	if b.Size != size || b.Blocks > a.Blocks+64 {
		t.Errorf("%d bytes in %d blocks were copied to %d bytes in %d blocks", a.Size, a.Blocks, b.Size, b.Blocks)
	}
}

// TestCopiesShareBlocks makes copies on a file system that can.
func TestCopiesShareBlocks(t *testing.T) {
	mkfs, err := exec.LookPath("mkfs.btrfs")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("a file system whose files share blocks takes root and mkfs.btrfs (package btrfs-progs)")
	}
	image, disk := filepath.Join(t.TempDir(), "image"), t.TempDir()
	writeMode(t, image, "", 0o600)
	must(t, os.Truncate(image, 256<<20))
	if out, err := exec.Command(mkfs, "-q", image).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, disk).CombinedOutput(); err != nil {
		t.Skipf("the kernel mounts no btrfs here: %s", out)
	}
	defer unix.Unmount(disk, unix.MNT_DETACH)
	const size = 40 << 20
	source, copied := filepath.Join(disk, "from"), filepath.Join(disk, "to")
	text := make([]byte, size)
	rand.NewChaCha8([32]byte{}).Read(text) // does not compress
	must(t, os.WriteFile(source, text, 0o644))
	free := func() int64 {
		t.Helper()
		must(t, syncFileSystem(disk))
		var st unix.Statfs_t
		must(t, unix.Statfs(disk, &st))
		return int64(st.Bfree) * st.Bsize
	}
	before := free()
	c := &copier{made: map[fileKind][]string{}}
	must(t, c.file(t.Context(), source, copied, 0o444))
	if taken := before - free(); taken > size/4 {
		t.Errorf("the copy of %d bytes takes %d", size, taken)
	}
	writeMode(t, source, "edited in place", 0o644)
	if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, text) {
		t.Errorf("an edit of the source changes the copy: %v", err)
	}
}

// TestPipesAreNoPins: a named pipe among the pins is refused; opening it would wait
// for a writer for ever.
func TestPipesAreNoPins(t *testing.T) {
	c := small(t)
	must(t, os.MkdirAll(filepath.Join(c.Dir, "pins"), 0o755))
	must(t, unix.Mkfifo(filepath.Join(c.Dir, "pins", "Ring@1"), 0o600))
	if _, err := c.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "Ring@1: this is a pipe, and no regular file") {
		t.Errorf("read: %v", err)
	}
}
