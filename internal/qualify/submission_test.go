//go:build unix

package qualify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSubmissions: what is wrong with a tool is found, and keeps no other from being tried.
// Nothing of the host's files is in what the team is told.
func TestSubmissions(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("root:hash: of the host\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tools := filepath.Join(dir, "tools")
	at := func(name string) string { return filepath.Join(tools, name) }
	submit := func(name, manifest string) {
		for file, text := range map[string]string{"tool.yaml": "format: podium-tool/1\n" + manifest, "BenchKit_head.sh": "#!/bin/sh\n"} {
			if err := errors.Join(os.MkdirAll(at(name), 0o755), os.WriteFile(filepath.Join(at(name), file), []byte(text), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
	}
	hostile := map[string]func() error{
		"link":      func() error { return os.Symlink(secret, at("link/tool.yaml")) },
		"pipe":      func() error { return syscall.Mkfifo(at("pipe/tool.yaml"), 0o644) },
		"directory": func() error { return os.Mkdir(at("directory/tool.yaml"), 0o755) },
		"nothing":   func() error { return os.Symlink("none", at("nothing/tool.yaml")) },
		"out":       func() error { return os.Symlink(secret, at("out/file")) },
		"loop":      func() error { return os.Symlink("loop", at("loop/loop")) },
		"name":      func() error { return os.WriteFile(at("name/a\nb"), nil, 0o644) },
		"device":    func() error { return syscall.Mkfifo(at("device/file"), 0o644) },
		"twice":     func() error { return nil },
	}
	submit("fit", "name: fit\n")
	for name, do := range hostile {
		submit(name, "name: "+map[bool]string{true: "fit", false: name}[name == "twice"]+"\n")
		if name == "link" || name == "pipe" || name == "directory" || name == "nothing" {
			os.Remove(filepath.Join(at(name), "tool.yaml"))
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Submissions(t.Context(), []string{tools, at("fit")})
	if err != nil || len(list) != len(hostile)+1 {
		t.Fatalf("%d submissions, %v", len(list), err)
	}
	names := map[string]bool{}
	opened := 0
	for _, s := range list {
		names[s.Name] = true
		if s.opens() {
			opened++
			continue
		}
		if s.Found.Err() == nil || !strings.Contains(s.Found.Error(), filepath.Base(s.Dir)) || strings.Contains(s.Found.Error(), "root:") {
			t.Errorf("%s: %v", s.Dir, s.Found)
		}
	}
	if opened != 1 || len(names) != len(list) {
		t.Errorf("%d tools can be opened, and have %d names", opened, len(names))
	}
}
