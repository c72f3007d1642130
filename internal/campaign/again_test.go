package campaign

import (
	"errors"
	"testing"
)

// TestRunsDoneAgain does some runs of a campaign again that is done. Each old end counts
// until there is a new one: also when the worker is stopped in between, when the next
// one goes on without being asked, and when the new attempts are void.
func TestRunsDoneAgain(t *testing.T) {
	c := small(t)
	do := func(d *machines, o Options) (Summary, error) {
		o.Driver, o.Cores = d, cores(0)
		return c.Work(t.Context(), o)
	}
	fresh := func() *machines { return &machines{exec: answering, runs: map[string]int{}} }
	ends := func() (map[Run]*Finished, *Log) {
		log, err := c.Read(t.Context())
		must(t, err)
		if len(log.Finished) != 16 || len(log.Void) != 0 {
			t.Fatalf("%d runs have an end, %d are void", len(log.Finished), len(log.Void))
		}
		return log.Finished, log
	}
	if _, err := do(fresh(), Options{}); err != nil {
		t.Fatal(err)
	}
	before, _ := ends()
	chosen := func(_ *Log, run Run) bool { return run.Tool == "ant" && run.Instance != "Tree-PT-2" }

	// Nothing is chosen: nothing is done.
	d := fresh()
	_, err := do(d, Options{Redo: func(*Log, Run) bool { return false }})
	must(t, err)
	if len(d.runs) != 0 {
		t.Errorf("done: %v", d.runs)
	}

	d = fresh()
	if s, err := do(d, Options{Redo: chosen, Observe: stopAt(d, 2)}); err == nil || s.Done != 16 {
		t.Fatalf("stopped: %+v, %v", s, err)
	}
	after, log := ends()
	changed, wanted := 0, 0
	for run, f := range after {
		if f.Worker != before[run].Worker {
			changed++
		}
		if log.Wanted(run) {
			wanted++
		}
	}
	if changed != 2 || wanted != 2 { // of the model Ring; Tree was not begun
		t.Errorf("%d runs have a new end, %d are wanted", changed, wanted)
	}

	// The next worker goes on, and then nothing is left.
	d = fresh()
	_, err = do(d, Options{})
	must(t, err)
	if len(d.runs) != 2 {
		t.Errorf("the next worker did %v", d.runs)
	}
	d = fresh()
	_, err = do(d, Options{})
	must(t, err)
	if len(d.runs) != 0 {
		t.Errorf("done once more: %v", d.runs)
	}

	// All of them, the ones that were done again once more.
	d = fresh()
	_, err = do(d, Options{Redo: chosen})
	must(t, err)
	if len(d.runs) != 6 {
		t.Errorf("done again: %v", d.runs)
	}
	after, log = ends()
	for run, f := range after {
		if chosen(log, run) == (f.Worker == before[run].Worker) {
			t.Errorf("%s counts as worker %s did it", run, f.Worker)
		}
		for _, old := range log.Further[run] {
			if log.Standing(old) != Redone {
				t.Errorf("an old end of %s: %s", run, log.Standing(old))
			}
		}
	}

	// A new attempt that fails by our fault leaves the old end.
	broken := fresh()
	broken.boot = func(int) error { return errors.New("no machine") }
	_, err = do(broken, Options{Redo: func(_ *Log, run Run) bool { return run.Instance == "Tree-PT-2" }, Attempts: 1})
	must(t, err)
	kept, log := ends()
	for run := range kept {
		if log.Wanted(run) || kept[run].Worker != after[run].Worker {
			t.Errorf("%s: wanted %v, by worker %s", run, log.Wanted(run), kept[run].Worker)
		}
	}
}

// TestVoidRunsDoneAgain: a run that is void gets an end when it is asked for again.
func TestVoidRunsDoneAgain(t *testing.T) {
	c := small(t)
	broken := &machines{exec: answering, runs: map[string]int{}, boot: func(int) error { return errors.New("no machine") }}
	s, err := c.Work(t.Context(), Options{Driver: broken, Cores: cores(0), Attempts: 1})
	must(t, err)
	if s.Void != 16 {
		t.Fatalf("%+v", s)
	}
	d := &machines{exec: answering, runs: map[string]int{}}
	s, err = c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Redo: func(log *Log, run Run) bool { _, void := log.Void[run]; return void && run.Tool == "bee" }})
	must(t, err)
	if s.Void != 8 || s.Done != 8 {
		t.Errorf("%+v", s)
	}
}
