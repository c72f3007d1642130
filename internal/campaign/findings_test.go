package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/vm"
)

// TestOutputFindings: what is to be said of an output is read from where it is kept:
// errors first, like ones once. An output that is not here is an error.
func TestOutputFindings(t *testing.T) {
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: func(run string, job vm.Job) (vm.Outcome, error) {
		if strings.HasSuffix(run, "ReachabilityDeadlock") {
			fmt.Fprint(job.Stdout, "FORMULA ReachabilityDeadlock TRUE\n", strings.Repeat("FORMULA Other TRUE TECHNIQUES BMC\n", 9))
		}
		return answering(run, job)
	}, runs: map[string]int{}}, Cores: []int{0}})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		lines, err := c.OutputFindings(f)
		must(t, err)
		if run.Exam == "StateSpace" {
			continue
		}
		if f.Findings == 0 || len(lines) < 4 || !strings.HasPrefix(lines[0], `output:2:9: "Other" is none of the items`) ||
			!strings.HasSuffix(lines[2], "(and 6 more like this)") || !strings.Contains(strings.Join(lines[3:], "\n"), "output:1:34: warning: the line has no list of techniques") {
			t.Errorf("%s: %d findings, %q", run, f.Findings, lines)
		}
	}
	packs, err := filepath.Glob(filepath.Join(c.Dir, "packs", "*"))
	must(t, err)
	for _, pack := range packs {
		must(t, os.Remove(pack))
	}
	for run, f := range log.Finished {
		if lines, err := c.OutputFindings(f); err == nil {
			t.Errorf("%s: %q of an output that is not here", run, lines)
		}
		break
	}
}
