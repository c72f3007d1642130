//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox"
)

// TestTreeOfImage: a machine sees the file system of its image instead of the host's,
// with the image's variables, and nothing of the host by links that an image holds.
func TestTreeOfImage(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // the tool is another user
		t.Fatal(err)
	}
	busybox, err := os.ReadFile("/bin/busybox")
	if err != nil {
		t.Skip("SKIPPED, the tree has no shell: ", err)
	}
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("tree/bin/sh", string(busybox))
	write("tree/app/data", "own\n")
	write("tree/root/secret", "no\n")
	write("tree/home/mcc/BenchKit/head", "echo the tool in the image")
	write("tree/"+vm.EnvironmentFile, "MINE=1\x00PATH=/app:/bin\x00BK_TOOL=image\x00\x00=x\x00HOME=/app\x00")
	write("tool/head", "echo the tool beside the image")
	link("/etc", "tree/app/etc")
	// What leads out of an image.
	write("out/bin/sh", string(busybox))
	write("secret", "SECRET=1\x00")
	if err := os.MkdirAll(filepath.Join(dir, "out/boot/podium"), 0o755); err != nil {
		t.Fatal(err)
	}
	link("../../../secret", "out/"+vm.EnvironmentFile)
	link(dir, "out/home")
	// A pipe to wait at.
	write("pipe/bin/sh", string(busybox))
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "pipe/boot/podium"), 0o755), unix.Mkfifo(filepath.Join(dir, "pipe", vm.EnvironmentFile), 0o644)); err != nil {
		t.Fatal(err)
	}

	d, err := sandbox.Open(sandbox.Options{Tree: func(_ context.Context, image string) (string, error) { return filepath.Join(dir, image), nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	run := func(spec vm.Spec, command ...string) (string, error) {
		t.Helper()
		spec.Name, spec.Cores = "tree", 1
		m, err := d.Boot(t.Context(), spec)
		if err != nil {
			return "", err
		}
		defer m.Close()
		var out bytes.Buffer
		_, err = m.Exec(t.Context(), vm.Job{Command: command, Env: []string{"BK_TOOL=job"}, Stdout: &out, Stderr: &out})
		return out.String(), err
	}
	const look = `echo $MINE $PATH $BK_TOOL $HOME; for f in /*; do echo -n "$f "; done; read x </app/data && echo $x; [ -e /app/etc/hostname ] || echo closed`
	if got, err := run(vm.Spec{Image: "tree"}, "/bin/sh", "-c", look); err != nil || strings.Replace(got, " /sys ", " ", 1) != "1 "+vm.ToolPath+":/app:/bin job /home/mcc\n/app /bin /dev /home /proc /tmp /var own\nclosed\n" {
		t.Errorf("%q, %v", got, err)
	}
	able, err := d.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(able.Unenforced, " "), "through locks") {
		// Inodes of the machine's own: no run notices locks of another one's.
		const mounts = `while read what where kind rest; do case $where in /app|/bin|/home/mcc/BenchKit) echo $where $kind ${rest%%,*};; esac; done </proc/mounts`
		if got, err := run(vm.Spec{Image: "tree"}, "/bin/sh", "-c", mounts); err != nil || got != "/app overlay ro\n/bin overlay ro\n/home/mcc/BenchKit overlay ro\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if got, err := run(vm.Spec{Image: "tree"}, "head"); err != nil || got != "the tool in the image\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := run(vm.Spec{Image: "tree", Tool: filepath.Join(dir, "tool")}, "head"); err != nil || got != "the tool beside the image\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := run(vm.Spec{Image: "out"}, "/bin/sh"); err == nil {
		t.Errorf("a link out of the image is followed: %q", got)
	}
	if got, err := run(vm.Spec{Image: "pipe", Tool: filepath.Join(dir, "tool")}, "head"); err != nil || got != "the tool beside the image\n" {
		t.Errorf("%q, %v", got, err)
	}
	write("mcc/BenchKit/head", "echo the host")
	if got, err := run(vm.Spec{Image: "out"}, "head"); err == nil || !strings.Contains(err.Error(), "leads out of it") {
		t.Errorf("a link out of the image is followed: %q, %v", got, err)
	}
	if got, err := run(vm.Spec{Image: "out", Tool: filepath.Join(dir, "tool")}, "/bin/sh", "-c", "echo $SECRET."); err != nil || got != ".\n" {
		t.Errorf("%q, %v", got, err)
	}
}
