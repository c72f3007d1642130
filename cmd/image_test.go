package cmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
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
	said := do(ExitDone, "image", "build", tool, "--out", out)
	digest, err := image.Digest(out)
	if err != nil || said != digest+"  "+out+"\n" {
		t.Errorf("it says %q; the digest is %s, %v", said, digest, err)
	}
	do(ExitUsage, "image", "build", tool, "--out", out)
	do(ExitUsage, "image", "build", tool)
	do(ExitUsage, "image", "build", "--out", out+"2")
	do(ExitInvalid, "image", "build", filepath.Join(dir, "missing"), "--out", out+"2")

	// A tool that is an image: the sandbox sees the image's file system, too.
	imaged := filepath.Join(dir, "imaged")
	manifest, err := os.ReadFile(filepath.Join(tool, "tool.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	writeMode(t, filepath.Join(imaged, "tool.yaml"), string(manifest)+"\nimage: tool.img\n", 0o644)
	if said := do(ExitInvalid, "tool", "list", imaged); !strings.Contains(said, "tool.img does not exist") {
		t.Error(said)
	}
	if err := os.Rename(out, filepath.Join(imaged, "tool.img")); err != nil {
		t.Fatal(err)
	}
	do(ExitDone, "tool", "list", imaged)
	instance := filepath.Join(dir, "DiningPhilosophers-PT-002")
	do(ExitDone, "model", "generate", "DiningPhilosophers", "002", "--out", dir)
	if said := do(ExitDone, "try", imaged, instance, "-x", "StateSpace"); !strings.Contains(said, "CANNOT_COMPUTE; exited with code 0") {
		t.Error(said)
	}
	writeMode(t, filepath.Join(imaged, "tool.yaml"), string(manifest)+"\nimage: tool.yaml\n", 0o644)
	if said := do(ExitHost, "try", imaged, instance, "-x", "StateSpace"); !strings.Contains(said, "tool.yaml: it is no image for machines; `podium image build` makes them") {
		t.Error(said)
	}

	// A file system from a container image, and its variables; the tool stays a directory.
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	archive := dockerArchive(t, busybox, []string{"PATH=/opt/mine:/bin", "MINE=TRUE"})
	env := filepath.Join(tool, "env.img")
	said = do(ExitDone, "image", "build", "--oci", archive, "--out", env, "--json")
	checkReply(t, "image build", []byte(said))
	var made imageReply
	if digest, err = image.Digest(env); errors.Join(err, json.Unmarshal([]byte(said), &made)) != nil || made.File != env || "sha256:"+made.Digest != digest {
		t.Errorf("it says %q; the digest is %s, %v", said, digest, err)
	}
	do(ExitUsage, "image", "build", "--oci", archive, "--base", "none", "--out", out)
	do(ExitInvalid, "image", "build", "--oci", busybox, "--out", out)
	writeMode(t, filepath.Join(tool, "tool.yaml"), string(manifest)+"\nsystem: env.img\n", 0o644)
	writeMode(t, filepath.Join(tool, "BenchKit_head.sh"), "#!/bin/sh\n[ -e /usr ] || answer $BK_EXAMINATION\n", 0o755)
	if said := do(ExitDone, "try", tool, instance, "-x", "OneSafe"); !strings.Contains(said, "OneSafe is TRUE") {
		t.Error(said)
	}
	do(ExitDone, "contest", "--tools", tool, "--models", instance, "--examination", "OneSafe", "--out", filepath.Join(dir, "contest"))
	if said := do(ExitDone, "logs", filepath.Join(dir, "contest")); !strings.Contains(said, "FORMULA OneSafe TRUE") {
		t.Error(said)
	}
}

// TestImageWithoutMeans: where there is no program that packs images, the exit code is that
// of the host, and the next step is said.
func TestImageWithoutMeans(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	run(t, ExitDone, "tool", "init", tool)
	t.Setenv("PATH", dir)
	var said bytes.Buffer
	code := Main(t.Context(), []string{"image", "build", tool, "--base", "none", "--out", filepath.Join(dir, "tool.img"), "--kernel", "/boot/vmlinuz-1"}, strings.NewReader(""), &said, &said)
	if code != ExitHost || !strings.Contains(said.String(), "apt-get install "+image.SquashPackage) || !strings.Contains(said.String(), "images have no kernel any more") {
		t.Errorf("exit code %d: %s", code, &said)
	}
}

func writeMode(t *testing.T, path, text string, perm os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), perm)); err != nil {
		t.Fatal(err)
	}
}

// dockerArchive writes a container image as `docker save` does: a shell and a program
// that answers with the variable MINE.
func dockerArchive(t *testing.T, shell string, env []string) string {
	t.Helper()
	program, err := os.ReadFile(shell)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(dir string) string {
		var b strings.Builder
		if err := image.WriteTree(&b, dir); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	files, parts := t.TempDir(), t.TempDir()
	writeMode(t, filepath.Join(files, "bin/sh"), string(program), 0o755)
	writeMode(t, filepath.Join(files, "opt/mine/answer"), "#!/bin/sh\necho FORMULA $1 $MINE TECHNIQUES EXPLICIT\n", 0o755)
	layer := pack(files)
	config, err := json.Marshal(map[string]any{"os": "linux", "architecture": "amd64", "config": map[string]any{"Env": env},
		"rootfs": map[string]any{"diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(layer)))}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"manifest.json": `[{"Config":"config.json","Layers":["layer.tar"]}]`, "config.json": string(config), "layer.tar": layer} {
		writeMode(t, filepath.Join(parts, name), text, 0o644)
	}
	archive := filepath.Join(t.TempDir(), "container.tar")
	writeMode(t, archive, pack(parts), 0o644)
	return archive
}
