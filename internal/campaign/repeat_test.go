package campaign

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestRepeat: a plan may make each run several times. The first times are the runs of
// the plan without repetitions, in their order; all tools are run once before any is
// run again.
func TestRepeat(t *testing.T) {
	c := small(t)
	p := c.Plan
	once := slices.Collect(p.RunsOf("Ring"))
	p.Repeat = 3
	all := slices.Collect(p.RunsOf("Ring"))
	if p.Count() != 3*c.Plan.Count() || len(all) != 3*len(once) {
		t.Errorf("%d runs, %d of the model", p.Count(), len(all))
	}
	firsts := slices.DeleteFunc(slices.Clone(all), func(run Run) bool { return run.Repetition != 0 })
	if !slices.Equal(firsts, once) {
		t.Errorf("the first times are %v, without repetitions %v", firsts, once)
	}
	seen := map[Run]bool{}
	for i := 0; i < len(all); i += len(p.Tools) {
		for _, run := range all[i : i+len(p.Tools)] {
			seen[run] = true
			if first := all[i]; run.Instance != first.Instance || run.Exam != first.Exam || run.Repetition != first.Repetition {
				t.Errorf("%s stands between the tools of %s", run, first)
			}
		}
	}
	if len(seen) != len(all) {
		t.Errorf("of %d runs %d differ", len(all), len(seen))
	}
	for n, planned := range map[int]bool{-1: false, 0: true, 1: false, 2: true, 3: true, 4: false} {
		run := once[0]
		run.Repetition = n
		if _, err := p.model(run); (err == nil) != planned {
			t.Errorf("a run of number %d: %v", n, err)
		}
	}
	if d := c.Plan.Differences(&p); len(d) != 1 || d[0] != "times that each run is made: 1 there, 3 now" {
		t.Errorf("they differ by %q", d)
	}
	p.Repeat = MaxRepeat + 1
	if err := p.validate(); err == nil || !strings.Contains(err.Error(), "1 to 1000") {
		t.Errorf("1001 times: %v", err)
	}
}

// TestRepeatInTheJournal: each repetition has an end of its own, and a plan without
// repetitions is written as it was before there were any.
func TestRepeatInTheJournal(t *testing.T) {
	once := small(t)
	if text, err := json.Marshal(once.Plan); err != nil || strings.Contains(string(text), "repe") {
		t.Errorf("a plan without repetitions is %s, %v", text, err)
	}
	p := once.Plan
	p.Repeat = 2
	c, err := Create(t.TempDir(), &p)
	must(t, err)
	first := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}
	second := first
	second.Repetition = 2
	write(t, c, "w", firstRecord(c, "w", Node{}), end(second, 5, 0), end(first, 7, 0))
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 2 || len(log.Further) != 0 || log.Finished[second].Outcome.Started.Unix() != 5 {
		t.Errorf("ends %v, further %v", log.Finished, log.Further)
	}
	write(t, once, "w", firstRecord(once, "w", Node{}), end(second, 5, 0))
	if _, err := once.Read(t.Context()); err == nil || !strings.Contains(err.Error(), `the run "ant Ring-PT-1 StateSpace #2" is not in the plan`) {
		t.Errorf("a repetition that was not planned: %v", err)
	}
}
