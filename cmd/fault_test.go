package cmd

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"podium/internal/fault"
)

// TestFailuresInsidePodium plants a failure into a command, a run that is tried, and the reading
// of a journal: it is said with what it was about, and with the file that has the stack; what has
// nothing to do with it goes on.
func TestFailuresInsidePodium(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	plant := func(at string) {
		fail := func(about string) {
			if strings.HasPrefix(about, at) {
				panic("planted")
			}
		}
		fault.Plant.Store(&fail)
	}
	defer fault.Plant.Store(nil)
	failed := func(args ...string) string {
		t.Helper()
		out, code := said(t, args...)
		if code != ExitInternal || strings.Count(out, "a failure of podium itself (planted); please report it, with the file ") != 1 {
			t.Errorf("podium %s: exit code %d\n%s", strings.Join(args, " "), code, out)
		}
		if _, file, _ := strings.Cut(out, "with the file "); file != "" {
			if text, err := os.ReadFile(strings.TrimSpace(file)); err != nil || !strings.Contains(string(text), "fault_test.go") {
				t.Errorf("the file of the failure: %v\n%s", err, text)
			}
		}
		return out
	}
	run(t, 0, "model", "generate", "DiningPhilosophers", "002", "003", "--out", "models")
	run(t, 0, "plan", "--models", "models", "--tools", "explicit", "-x", "OneSafe", "--out", "campaign")
	run(t, 0, "run", "campaign", "--quiet")

	plant("podium model")
	failed("model", "info", "models")
	run(t, 0, "version")

	plant("DiningPhilosophers-PT-002 OneSafe")
	out := failed("try", "explicit", "models", "-x", "OneSafe,StateSpace")
	if !strings.Contains(out, "DiningPhilosophers-PT-002 OneSafe is left out, as the end says") || strings.Count(out, "explicit DiningPhilosophers-PT-00") != 3 {
		t.Errorf("the other three runs are not all tried:\n%s", out)
	}

	var records atomic.Int64
	second := func(about string) {
		if about == "a record of a journal" && records.Add(1) == 2 {
			panic("planted")
		}
	}
	fault.Plant.Store(&second)
	if out, _ := said(t, "status", "campaign"); !strings.Contains(out, ".jsonl:2: a record of a journal: a failure of podium itself (planted)") || !strings.Contains(out, "finished") {
		t.Errorf("a record fails:\n%s", out)
	}
	fault.Plant.Store(nil)
	run(t, 0, "status", "campaign")
}
