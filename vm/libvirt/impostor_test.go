//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/vm/guest/image"
)

// Impostor makes an image of a tool as a team could that wants to measure itself: below
// /boot it has a kernel and an agent, and its manifest names both. The agent is podium's own
// with one line more, which makes its figures small.
func Impostor(t testing.TB, tool string) string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	source, err := filepath.Abs("../guest/serve.go")
	must(err)
	text, err := os.ReadFile(source)
	must(err)
	const end = "return a.out.say(kindEnded, endedMessage{out,"
	if strings.Count(string(text), end) != 1 {
		t.Fatalf("%s has no line with %q: change the lying agent", source, end)
	}
	lying := strings.Replace(string(text), end, "out.MemoryPeak, out.WallTime, out.CPUTime = 1, 1, 1\n\t"+end, 1)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: filepath.Join(dir, "serve.go")}})
	must(err)
	must(errors.Join(os.WriteFile(filepath.Join(dir, "serve.go"), []byte(lying), 0o644), os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644)))
	agent := filepath.Join(dir, "agent")
	do(t, "env", "CGO_ENABLED=0", "go", "build", "-trimpath", "-overlay", filepath.Join(dir, "overlay.json"), "-o", agent, "podium/vm/guest/agent")

	store, err := image.OpenStore("")
	must(err)
	boot, err := store.Boot()
	must(err)
	kernel, err := os.ReadFile(boot.Kernel)
	must(err)
	initial, err := os.ReadFile(boot.Initramfs)
	must(err)
	program, err := os.ReadFile(agent)
	must(err)
	honest, files, out := filepath.Join(dir, "honest.img"), filepath.Join(dir, "files"), filepath.Join(dir, "lying.img")
	_, err = image.Build{Tool: tool, Base: "busybox", Out: honest}.Image(t.Context())
	must(err)
	do(t, "unsquashfs", "-quiet", "-no-progress", "-dest", files, honest)
	below := filepath.Join(files, "boot/podium")
	must(errors.Join(os.WriteFile(filepath.Join(below, "kernel"), kernel, 0o644), os.WriteFile(filepath.Join(below, "initramfs"), append(initial, cpio("init", string(program))...), 0o644),
		os.WriteFile(filepath.Join(below, "image.json"), []byte(`{"format":"podium-image/1","kernel":"`+boot.Release+`","kernel_file":"kernel","initramfs_file":"initramfs"}`), 0o644)))
	do(t, "mksquashfs", files, out, "-quiet", "-no-progress", "-comp", "lz4")
	return out
}
