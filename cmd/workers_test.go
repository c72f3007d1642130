package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeTool writes a tool of one shell script.
func writeTool(t *testing.T, dir, name, script string) string {
	t.Helper()
	home := filepath.Join(dir, name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"tool.yaml": "format: podium-tool/1\nname: " + name + "\n", "BenchKit_head.sh": "#!/bin/sh\n" + script} {
		if err := os.WriteFile(filepath.Join(home, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// TestRunsThatAreLeft wants `podium run` to say that runs are left: a worker loses
// its lease to one that dies at once.
func TestRunsThatAreLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	models, out := filepath.Join(dir, "models"), filepath.Join(dir, "c")
	run(t, 0, "model", "generate", "--out", models, "DiningPhilosophers", "002")
	tool := writeTool(t, dir, "slow", "sleep 5\necho CANNOT_COMPUTE\n")
	run(t, 0, "plan", "--models", models, "--tools", tool, "--out", out, "--examination", "StateSpace", "--cpu", "20s", "--memory", "200MB")
	claims := filepath.Join(out, "claims", "DiningPhilosophers@")
	robbed := make(chan error)
	go func() {
		for {
			if _, err := os.Stat(claims + "1"); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		lease := fmt.Sprintf(`{"format":"podium-lease/1","model":"DiningPhilosophers","number":2,"worker":"dead","expiry_us":%d}`, time.Second.Microseconds())
		err := os.WriteFile(claims+"2", []byte(lease), 0o644)
		if err == nil {
			then := time.Now().Add(-time.Hour)
			err = os.Chtimes(claims+"2", then, then)
		}
		robbed <- err
	}()
	var talk strings.Builder
	code := Main(t.Context(), []string{"run", "--lease", "200ms", out}, strings.NewReader(""), &strings.Builder{}, &talk)
	if err := <-robbed; err != nil {
		t.Fatal(err)
	}
	if code != ExitIncomplete || !strings.Contains(talk.String(), "1 run is left; `podium run "+out+"` goes on") ||
		!strings.Contains(talk.String(), "model DiningPhilosophers was taken over by another worker") {
		t.Errorf("exit code %d\n%s", code, talk.String())
	}
	run(t, 0, "run", "--quiet", out)
}
