package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/realdata"
)

// TestDialects converts files as editors write them, asks the grammar about what was written, and runs
// a contest on it.
func TestDialects(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../pnml/testdata/dialects/*.pnml")
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	var written []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pnml")
		out := filepath.Join(dir, "models", name+"-PT-1", "model.pnml")
		if said, code := said(t, "model", "convert", file, "--out", out, "--drop", "final"); code != 0 || !strings.Contains(said, file+":") {
			t.Errorf("%s: exit code %d: %s", name, code, said)
		}
		if said, code := said(t, "check", "model", out); code != 0 || !strings.Contains(said, "0 errors, 0 warnings") {
			t.Errorf("%s: exit code %d: %s", name, code, said)
		}
		if said, code := said(t, "check", "model", file); code == 3 && !strings.Contains(said, "podium model convert") {
			t.Errorf("%s: no next step: %s", name, said)
		}
		written = append(written, out)
	}
	results := filepath.Join(dir, "contest")
	if said, code := said(t, "contest", "--models", filepath.Join(dir, "models"), "--tools", "explicit", "-x", "StateSpace", "--out", results, "--cpu", "20s", "--memory", "1GB", "--quiet"); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	if said, code := said(t, "export", results, "--format", "raw", "--out", filepath.Join(dir, "raw.csv")); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	csv, err := os.ReadFile(filepath.Join(dir, "raw.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range written {
		if name := filepath.Base(filepath.Dir(path)); strings.Count(string(csv), name) < 1 {
			t.Errorf("no result of %s", name)
		}
	}
	t.Run("grammar", func(t *testing.T) {
		schema := filepath.Join(realdata.Contest(t), "pnml-grammar", "ptnet.pntd")
		if _, err := exec.LookPath("jing"); err != nil {
			t.Skip("the program jing is not here: make test installs it")
		}
		if out, err := exec.Command("jing", append([]string{"-i", schema}, written...)...).Output(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
