package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
	"podium/vm"
)

// TestRemarks: what is to be said of a run is read from where its outputs are kept: errors
// first, like ones once, then how it ended, then the end of standard error. An output that
// is not here is an error.
func TestRemarks(t *testing.T) {
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: func(run string, job vm.Job) (vm.Outcome, error) {
		if strings.HasSuffix(run, "ReachabilityDeadlock") {
			fmt.Fprint(job.Stdout, "FORMULA ReachabilityDeadlock TRUE\n", strings.Repeat("FORMULA Other TRUE TECHNIQUES BMC\n", 9))
		}
		if strings.HasSuffix(run, "Tree-PT-2 StateSpace") {
			fmt.Fprint(job.Stdout, "states: 3\n")
			return vm.Outcome{Termination: vm.Exited}, nil
		}
		o, err := answering(run, job)
		if strings.HasSuffix(run, "StateSpace") {
			o.Termination = vm.OutOfCPU
		}
		return o, err
	}, runs: map[string]int{}}, Cores: cores(0)})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		lines, err := c.Remarks(f)
		must(t, err)
		text := strings.Join(lines, "\n")
		if run.Exam == "StateSpace" && run.Instance == "Tree-PT-2" {
			if !strings.Contains(lines[0], "[answer-none]") || lines[1] != "stdout: states: 3" {
				t.Errorf("%s: %s", run, text)
			}
			continue
		}
		if run.Exam == "StateSpace" {
			if !f.Remarkable() || text != "hint: the run had 1s of CPU time; what was printed before counts" {
				t.Errorf("%s: %s", run, text)
			}
			continue
		}
		if lines[len(lines)-1] != "stderr: complaint" {
			t.Errorf("%s: %s", run, text)
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
		if lines, err := c.Remarks(f); err == nil && f.Findings > 0 {
			t.Errorf("%s: %q of an output that is not here", run, lines)
		}
	}
}

// TestUnadvise: only a run that ended by itself and well is told to say that it has no answer.
func TestUnadvise(t *testing.T) {
	for _, c := range []struct {
		o    vm.Outcome
		want string
	}{{vm.Outcome{Termination: vm.Exited}, "say so"}, {vm.Outcome{Termination: vm.Exited, ExitCode: 1}, ""}, {vm.Outcome{Termination: vm.OutOfTime}, ""}} {
		list := diagnostic.List{{Code: "answer-none", Hint: "say so"}, {Code: "answer-cut", Hint: "flush"}}
		if Unadvise(list, c.o); list[0].Hint != c.want || list[1].Hint != "flush" {
			t.Errorf("%+v: %v", c.o, list)
		}
	}
}
