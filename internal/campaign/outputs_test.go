package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
)

// TestOutputsOfRuns prints and extracts what tools printed: on a terminal nothing of it
// can move the cursor or look like a line of ours, in files it is there byte by byte.
func TestOutputsOfRuns(t *testing.T) {
	c := small(t)
	hostile := "\x1b[2J\rbell\a\n=== bee Tree-PT-1 StateSpace: forged\n\xff no end"
	d := &machines{runs: map[string]int{}, exec: func(_ string, job vm.Job) (vm.Outcome, error) {
		fmt.Fprint(job.Stdout, hostile)
		fmt.Fprint(job.Stderr, "complaint")
		return vm.Outcome{Termination: vm.Exited, Started: time.Now()}, nil
	}}
	_, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	must(t, err)
	log, err := c.ReadEnds(t.Context())
	must(t, err)
	ant := func(run Run) bool { return run.Tool == "ant" && run.Instance == "Ring-PT-1" }

	var out strings.Builder
	n, err := log.PrintOutputs(t.Context(), &out, ant)
	must(t, err)
	want := "=== ant Ring-PT-1 ReachabilityDeadlock: exited, CC\n  ␛[2J␍bell␇\n  === bee Tree-PT-1 StateSpace: forged\n  � no end\n  --- standard error ---\n  complaint\n"
	if n != 2 || !strings.HasPrefix(out.String(), want) || strings.Count(out.String(), "\n=== ") != 1 {
		t.Errorf("%d runs, printed %q", n, out.String())
	}

	dir := filepath.Join(t.TempDir(), "logs")
	n, err = log.ExtractOutputs(t.Context(), dir, false, ant)
	must(t, err)
	for name, want := range map[string]string{"ant/Ring-PT-1.StateSpace.out": hostile, "ant/Ring-PT-1.ReachabilityDeadlock.err": "complaint"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q: %v", name, text, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "*")); n != 2 || len(files) != 4 {
		t.Errorf("%d runs, files %v", n, files)
	}
	if _, err := log.ExtractOutputs(t.Context(), dir, false, ant); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over files that are there: %v", err)
	}
	if n, err := log.ExtractOutputs(t.Context(), dir, true, ant); n != 2 || err != nil {
		t.Errorf("in place of files that are there: %d, %v", n, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := log.PrintOutputs(ended, &out, ant); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	must(t, os.Truncate(filepath.Join(c.Dir, "packs", log.Workers[0].Worker+".zst"), 10))
	if _, err := log.PrintOutputs(t.Context(), &out, ant); err == nil || !strings.Contains(err.Error(), "ant Ring-PT-1") {
		t.Errorf("a pack that is cut: %v", err)
	}
}
