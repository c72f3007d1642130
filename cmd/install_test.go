package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoInstall: the podium of `go install` runs from any directory, and what the README
// says that it lacks fails with the way out.
func TestGoInstall(t *testing.T) {
	dir := t.TempDir()
	env := append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0") // without cgo, to be built once for all tests
	run := func(at, name string, args ...string) (said string, code int) {
		c := exec.CommandContext(t.Context(), name, args...)
		c.Dir, c.Env = at, env
		out, err := c.CombinedOutput()
		if c.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), c.ProcessState.ExitCode()
	}
	if said, code := run("..", "go", "install", "./cmd/podium"); code != 0 {
		t.Fatal(said)
	}
	podium := filepath.Join(dir, "podium")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"version", ExitDone, "without the programs for virtual machines"},
		{"model generate KanbanCells 0001", ExitDone, ""},
		{"check model KanbanCells-PT-0001", ExitDone, ""},
		{"publish --workbench bench", ExitHost, "build podium by `make build`"},
		{"machine probe --runs 1", ExitHost, "`make build`"},
	} {
		if said, code := run(dir, podium, strings.Fields(c.args)...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("podium %s: exit code %d: %s", c.args, code, said)
		}
	}
}
