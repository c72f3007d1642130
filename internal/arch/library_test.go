package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibrary builds and runs a program of another module that uses the public
// rooms, as CONTRIBUTING.md says: `require podium v0.0.0` and `replace`. It needs
// no network, only the modules that this one needs.
func TestLibrary(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for to, from := range map[string]string{"main.go": "testdata/guest/main.go", "go.sum": filepath.Join(root, "go.sum")} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); to == "main.go" && lines > 40 {
			t.Errorf("%s has %d lines: 40 are to be enough", from, lines)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := strings.TrimSuffix(module, "/")
	needs := "module example.org/guest\n\ngo 1.26\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(needs), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOWORK=off")
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	const want = "places: 1 all sure: true\n1 ant true\n1 bee true\n1 cat true\n4 dog false\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s%s\nwant %s", err, errors.String(), out, want)
	}
}
