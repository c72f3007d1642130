package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"podium/internal/campaign"
)

// TestFullDisk fills the disk of a campaign: it is not planned where its inputs
// find no room; the worker stops with a message
// that says what to do, and after room is made every run is done once.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	models, tool, disk := filepath.Join(dir, "models"), filepath.Join(dir, "noisy"), filepath.Join(dir, "disk")
	run(t, 0, "model", "generate", "DiningPhilosophers", "002", "003", "--out", models)
	for _, d := range []string{tool, disk} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(tool, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("tool.yaml", "format: podium-tool/1\nname: noisy\n", 0o644)
	write("BenchKit_head.sh", "#!/bin/sh\nhead -c 300000 /dev/urandom\necho\necho CANNOT_COMPUTE\n", 0o755)
	if err := syscall.Mount("podium-test", disk, "tmpfs", 0, "size=2500k"); err != nil {
		t.Skipf("no small file system can be mounted here: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)

	out := filepath.Join(disk, "campaign")
	write("large", strings.Repeat("large", 1<<20), 0o644)
	var talk strings.Builder
	if code := Main(t.Context(), []string{"plan", "--models", models, "--tools", tool, "--out", out}, strings.NewReader(""), &strings.Builder{}, &talk); code != ExitHost ||
		!strings.Contains(talk.String(), "copy of tool noisy") || !strings.Contains(talk.String(), "no space left on device: a campaign keeps copies of its tools and instances; nothing was planned, make room") {
		t.Fatalf("exit code %d:\n%s", code, talk.String())
	}
	if left, err := filepath.Glob(filepath.Join(disk, "*")); err != nil || len(left) > 0 {
		t.Errorf("where nothing was planned there are %v, %v", left, err)
	}
	if err := os.Remove(filepath.Join(tool, "large")); err != nil {
		t.Fatal(err)
	}
	talk.Reset()
	run(t, 0, "plan", "--models", models, "--tools", tool, "--out", out, "--cpu", "5s", "--wall", "60s", "--memory", "200MB")
	code := Main(t.Context(), []string{"run", out}, strings.NewReader(""), &strings.Builder{}, &talk)
	if code != ExitHost || !strings.Contains(talk.String(), "no space left on device") || !strings.Contains(talk.String(), "nothing recorded is lost; make room, then `podium run") {
		t.Fatalf("exit code %d:\n%s", code, talk.String())
	}
	talk.Reset()
	if code := Main(t.Context(), []string{"publish", out}, strings.NewReader(""), &strings.Builder{}, &talk); code != ExitHost || !strings.Contains(talk.String(), "no space left on device: make room, or name a place on another disk") {
		t.Errorf("publish: exit code %d:\n%s", code, talk.String())
	}
	c, err := campaign.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	before, err := c.Read(t.Context())
	if err != nil || len(before.Finished) == 0 || len(before.Finished) == c.Plan.Count() || len(before.Void)+len(before.Damage) > 0 {
		t.Fatalf("%d finished, %d void, damage %v, %v", len(before.Finished), len(before.Void), before.Damage, err)
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=100m"); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "run", out)
	answersOf(t, c)
}
