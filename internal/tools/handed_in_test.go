//go:build unix

package tools

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"podium/pnml/diagnostic"
)

// TestHostileTools: what a team may put in the place of a file of its tool. Each is named,
// nothing waits, and no word of a file of the host is in what is said.
func TestHostileTools(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("root:hash: of the host\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	put := map[string]func(path string) error{
		"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o755) },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"link":      func(path string) error { return os.Symlink(secret, path) },
		"climbing":  func(path string) error { return os.Symlink(strings.Repeat("../", 20)+secret[1:], path) },
		"loop":      func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"nothing":   func(path string) error { return os.Symlink(secret+"-none", path) },
		"device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for _, c := range []struct {
		file, manifest string
	}{
		{ManifestFile, ""},
		{"BenchKit_head.sh", ""},
		{"head.sh", "head: head.sh\n"},
		{"t.img", "image: t.img\n"},
		{"s.img", "system: s.img\n"},
		{"prog", "command: prog {input}\n"},
	} {
		for what, do := range put {
			dir := t.TempDir()
			tool := toolAt(t, dir)
			path := filepath.Join(dir, c.file)
			os.Remove(path)
			manifest := "format: " + Format + "\nname: ant\n" + c.manifest
			if err := do(path); err != nil {
				t.Fatal(err)
			}
			if c.file != ManifestFile {
				if err := os.WriteFile(filepath.Join(dir, ManifestFile), []byte(manifest), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Open(dir)
			var list diagnostic.List
			if !errors.As(err, &list) {
				t.Errorf("%s as %s: %v", what, c.file, err)
				continue
			}
			if err == nil || !strings.Contains(err.Error(), c.file) || strings.Contains(err.Error(), "root:") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s as %s: %v", what, c.file, err)
			}
			tool.Head = c.file
			if got := tool.interpreter(); got != "" {
				t.Errorf("%s as %s: %q", what, c.file, got)
			}
		}
	}
}

// TestHeadBehindLink: a head may be a link to another file of the tool.
func TestHeadBehindLink(t *testing.T) {
	dir := t.TempDir()
	tool := toolAt(t, dir)
	head := filepath.Join(dir, tool.Head)
	if err := errors.Join(os.Rename(head, filepath.Join(dir, "bin", "run")), os.Symlink("bin/run", head)); err != nil {
		t.Fatal(err)
	}
	if tool, err := Open(dir); err != nil || tool.interpreter() != "/bin/sh" {
		t.Errorf("%v, %q", err, tool.interpreter())
	}
}
