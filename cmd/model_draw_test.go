package cmd

import (
	"bytes"
	"strings"
	"testing"
)

// TestDrawWithoutGraphviz: where dot is missing, draw says what to install.
func TestDrawWithoutGraphviz(t *testing.T) {
	dir := t.TempDir()
	var out, complaints bytes.Buffer
	run := func(args ...string) int {
		return Main(t.Context(), args, strings.NewReader(""), &out, &complaints)
	}
	if code := run("model", "generate", "DiningPhilosophers", "002", "--out", dir); code != 0 {
		t.Fatal(code, &complaints)
	}
	t.Setenv("PATH", dir)
	out.Reset()
	if code := run("model", "draw", dir+"/DiningPhilosophers-PT-002"); code != ExitHost || !strings.Contains(complaints.String(), "install the package graphviz") || out.Len() > 0 {
		t.Errorf("exit code %d: %s", code, &complaints)
	}
}
