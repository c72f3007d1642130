package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
	"podium/vm"
)

// toolAt makes a tool of a manifest, a head and a program.
func toolAt(t *testing.T, dir string) Tool {
	t.Helper()
	for name, text := range map[string]string{ManifestFile: "format: " + Format + "\nname: ant\n", "BenchKit_head.sh": "#!/bin/sh\n", "bin/answer": "7"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func digestOf(t *testing.T, tool Tool) string {
	t.Helper()
	digest, err := tool.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// TestLinksStayInside: links to what is in the tool, or to nothing, stay links. Others are
// refused, and those that nobody can follow.
func TestLinksStayInside(t *testing.T) {
	for _, c := range []struct {
		name, target string
		out          bool
	}{
		{"bin/head", "../BenchKit_head.sh", false},
		{"whole", "bin", false},
		{"nothing", "bin/nothing", false},
		{"itself", "itself", true},
		{"file", "bin/answer/below", true},
		{"bytes", "bin/\xff", true},
		{"bin/here", "..", false},
		{"absolute", "/usr/bin/true", true},
		{"bin/up", "../..", true},
		{"up", "bin/../../ant/bin", true},
		{"through", "whole/../../x", true}, // whole is a link to bin: /x of the parent
	} {
		tool := toolAt(t, filepath.Join(t.TempDir(), "ant"))
		if err := errors.Join(os.WriteFile(filepath.Join(tool.Dir, "..", "x"), nil, 0o644), os.Symlink(c.target, filepath.Join(tool.Dir, c.name))); err != nil {
			t.Fatal(err)
		}
		if c.name == "through" {
			if err := os.Symlink("bin", filepath.Join(tool.Dir, "whole")); err != nil {
				t.Fatal(err)
			}
		}
		_, err := tool.Files()
		var list diagnostic.List
		if out := errors.As(err, &list) && list[0].Code == "tool-link"; out != c.out || err != nil && !out {
			t.Errorf("%s to %s: %v", c.name, c.target, err)
		}
	}
}

func TestDigestOfTools(t *testing.T) {
	dir := t.TempDir()
	tool := toolAt(t, filepath.Join(dir, "ant"))
	before := digestOf(t, tool)
	change := func(what string, same bool, do func(path string) error) {
		t.Helper()
		if err := do(filepath.Join(tool.Dir, "bin", "answer")); err != nil {
			t.Fatal(err)
		}
		if now := digestOf(t, tool); (now == before) != same {
			t.Errorf("%s: %s, then %s", what, before, now)
		}
	}
	change("others may write", true, func(path string) error { return os.Chmod(path, 0o777) })
	change("nobody may write", true, func(path string) error { return os.Chmod(path, 0o555) })
	change("nobody may execute", false, func(path string) error { return os.Chmod(path, 0o644) })
	change("as it was", true, func(path string) error { return os.Chmod(path, 0o755) })
	change("another text", false, func(path string) error { return os.WriteFile(path, []byte("8"), 0o755) })

	// The directory may be reached by a link: the digest is that of what it holds.
	link := filepath.Join(dir, "link")
	if err := os.Symlink("ant", link); err != nil {
		t.Fatal(err)
	}
	linked, err := Open(link)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := digestOf(t, linked), digestOf(t, tool); a != b {
		t.Errorf("by a link %s, else %s", a, b)
	}
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	if _, err := tool.Digest(interrupted); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted digest: %v", err)
	}
}

// TestNamesOfFiles: a name that no archive can hold is refused when the tool is planned or
// qualified, not when the contest is archived.
func TestNamesOfFiles(t *testing.T) {
	for name, fits := range map[string]bool{"bin/two words": true, "bin/é": true, "bin/-": true, "bin/a\nb": false, "bin/a\rb": false, `bin/a\b`: false, "bin/\xff": false, "a\nb/file": false} {
		for _, kind := range []string{"file", "link", "directory"} {
			tool := toolAt(t, t.TempDir())
			path := filepath.Join(tool.Dir, name)
			err := os.MkdirAll(filepath.Dir(path), 0o755)
			switch kind {
			case "file":
				err = errors.Join(err, os.WriteFile(path, nil, 0o644))
			case "link":
				err = errors.Join(err, os.Symlink("answer", path))
			default:
				err = errors.Join(err, os.Mkdir(path, 0o755))
			}
			if err != nil {
				t.Fatal(err)
			}
			var list diagnostic.List
			if _, err := tool.Files(); (err == nil) != fits || err != nil && (!errors.As(err, &list) || list[0].Code != "tool-file-name") {
				t.Errorf("%q as %s: %v", name, kind, err)
			}
		}
	}
}

// TestDigestsOfOldCampaigns: all bits of modes counted once.
func TestDigestsOfOldCampaigns(t *testing.T) {
	tool := toolAt(t, t.TempDir())
	h := sha256.New()
	names := []string{"BenchKit_head.sh", "bin/answer", ManifestFile}
	if !slices.IsSorted(names) {
		t.Fatal("files are taken by name")
	}
	for _, name := range names {
		path := filepath.Join(tool.Dir, name)
		if err := os.Chmod(path, 0o775); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%q %o %d\n%s", name, 0o775, len(text), text)
	}
	old := hex.EncodeToString(h.Sum(nil))
	for digest, want := range map[string]bool{old: true, digestOf(t, tool): true, strings.Repeat("0", 64): false} {
		if has, err := tool.Has(t.Context(), digest); err != nil || has != want {
			t.Errorf("digest %s: %v, %v", digest, has, err)
		}
	}
	if old == digestOf(t, tool) {
		t.Error("the old digest is the new one: nothing was tested")
	}
}

// TestPrograms: which program starts the head, and whether only this host may have it.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"py", "python3"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for head, want := range map[string][2]string{
		"#!/bin/sh\n":                    {"/bin/sh", ""},
		"#! /usr/bin/env -S A=1 py -u\n": {"/usr/bin/env", "py"},
		"#!/usr/bin/env python3\nx\n":    {"/usr/bin/env", "python3"},
		"#!" + dir + "/py -e\n":          {dir + "/py", dir + "/py"},
		"echo\n":                         {"", ""},
		"#!\n":                           {"", ""},
		"#!" + strings.Repeat("x", 1000): {strings.Repeat("x", longestLine-2), ""},
		"#!/usr/bin/pyhton3\n":           {"/usr/bin/pyhton3", ""}, // nowhere
	} {
		if err := os.WriteFile(filepath.Join(dir, "head"), []byte(head), 0o755); err != nil {
			t.Fatal(err)
		}
		tool := Tool{Manifest{Head: "head"}, dir}
		if got := [2]string{tool.interpreter(), tool.OfHost()}; got != want {
			t.Errorf("%.50q: %q, not %q", head, got, want)
		}
		tool.System = "x.img"
		if got := tool.OfHost(); got != "" {
			t.Errorf("%.50q with an image: %q", head, got)
		}
		unfound := vm.Outcome{ExitCode: 127, Warnings: []string{"The command " + vm.CannotExecute + "no such file."}}
		if got := tool.Unstarted(unfound, "libvirt"); tool.interpreter() != "" && !strings.Contains(got, "its image has to bring it") {
			t.Errorf("%.50q with an image: %q", head, got)
		}
		tool.System = ""
		if got := tool.Unstarted(unfound, "libvirt"); strings.Contains(got, "PODIUM_SHOW") || tool.interpreter() != "" && !strings.Contains(got, "sh and busybox only") {
			t.Errorf("%.50q in a virtual machine: %q", head, got)
		}
	}
}
