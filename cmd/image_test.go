package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"podium/vm/guest/image"
)

// TestImageBuild makes an image of a tool, and says what is wrong with what is
// none.
func TestImageBuild(t *testing.T) {
	for _, program := range []string{"sqfstar", "unsquashfs", "busybox"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("SKIPPED, no image is made: ", err)
		}
	}
	kernel, err := image.FindKernel("")
	if err != nil {
		t.Skip("SKIPPED, no image is made: ", err)
	}
	dir := t.TempDir()
	// The compiler's cache stays where it is: what it holds need not be built again.
	compiled, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(compiled)))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	tool, out := filepath.Join(dir, "tool"), filepath.Join(dir, "tool.img")
	do := func(want int, args ...string) string {
		t.Helper()
		var said bytes.Buffer
		if code := Main(t.Context(), args, strings.NewReader(""), &said, &said); code != want {
			t.Errorf("podium %v: exit code %d, not %d: %s", args, code, want, &said)
		}
		return said.String()
	}
	do(ExitDone, "tool", "init", tool)
	said := do(ExitDone, "image", "build", tool, "--out", out, "--kernel", kernel.Image)
	digest, err := image.Digest(out)
	if err != nil || said != digest+"  "+out+"\n" {
		t.Errorf("it says %q; the digest is %s, %v", said, digest, err)
	}
	do(ExitUsage, "image", "build", tool, "--out", out, "--kernel", kernel.Image)
	do(ExitUsage, "image", "build", tool)
	do(ExitUsage, "image", "build", "--out", out+"2")
	do(ExitInvalid, "image", "build", filepath.Join(dir, "missing"), "--out", out+"2", "--kernel", kernel.Image)
	do(ExitInvalid, "image", "build", tool, "--out", out+"2", "--kernel", filepath.Join(dir, "vmlinuz-1"))

	// A tool that is an image: only a virtual machine can run it.
	imaged := filepath.Join(dir, "imaged")
	manifest, err := os.ReadFile(filepath.Join(tool, "tool.yaml"))
	if err == nil {
		err = os.Mkdir(imaged, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(imaged, "tool.yaml"), append(manifest, "\nimage: tool.img\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if said := do(ExitInvalid, "tool", "list", imaged); !strings.Contains(said, "tool-image-missing") && !strings.Contains(said, "tool.img does not exist") {
		t.Error(said)
	}
	if err := os.Rename(out, filepath.Join(imaged, "tool.img")); err != nil {
		t.Fatal(err)
	}
	do(ExitDone, "tool", "list", imaged)
	if said := do(ExitHost, "try", imaged, "-x", "StateSpace"); !strings.Contains(said, "libvirt") {
		t.Error(said)
	}
}
