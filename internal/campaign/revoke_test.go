package campaign

import (
	"strings"
	"sync"
	"testing"

	"podium/vm"
)

// TestModels: a worker works on no other models than it was given.
func TestModels(t *testing.T) {
	c := small(t)
	work := func(models ...string) Summary {
		s, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0), Models: models})
		must(t, err)
		return s
	}
	if s := work("Ring"); s.Done != 8 || s.Left != 0 {
		t.Errorf("%+v", s)
	}
	log, err := c.Read(t.Context())
	must(t, err)
	if open := log.Open(); len(open) != 1 || open["Ring"] != 0 || len(log.Homes()) != 1 || log.Homes()["Ring"] == "" {
		t.Errorf("open: %v, pinned: %v", open, log.Homes())
	}
	if s := work(); s.Done != 16 || s.Left != 0 {
		t.Errorf("%+v", s)
	}
}

// TestRevoke: what was made of a model before does not count, nor what the worker that
// holds it meanwhile makes; everything is done again once and kept.
func TestRevoke(t *testing.T) {
	c := small(t)
	var once sync.Once
	fired := false
	held := func(run string, job vm.Job) (vm.Outcome, error) {
		if strings.Contains(run, "Ring") {
			once.Do(func() { fired = true; must(t, c.Revoke(t.Context(), "Ring", "test")) })
		}
		return answering(run, job)
	}
	work := func(exec func(string, vm.Job) (vm.Outcome, error)) (Summary, error) {
		return c.Work(t.Context(), Options{Driver: &machines{exec: exec, runs: map[string]int{}}, Cores: cores(0)})
	}
	for range 2 { // the first worker loses the model in the middle
		if _, err := work(held); err != nil {
			t.Fatal(err)
		}
	}
	before, err := c.Read(t.Context())
	must(t, err)
	if len(before.Finished) != 16 || !fired {
		t.Fatalf("%d of 16 runs are done; the model was taken from its holder: %v", len(before.Finished), fired)
	}
	must(t, c.Revoke(t.Context(), "Ring", "test"))
	revoked, err := c.Read(t.Context())
	must(t, err)
	if open := revoked.Open(); len(revoked.Finished) != 8 || open["Ring"] != 8 {
		t.Errorf("%d runs count, open: %v", len(revoked.Finished), open)
	}
	if len(revoked.Workers) != len(before.Workers) {
		t.Errorf("who revokes is taken for a worker")
	}
	if s, err := work(answering); err != nil || s.Done != 16 {
		t.Errorf("%+v, %v", s, err)
	}
	after, err := c.Read(t.Context())
	must(t, err)
	for run, list := range after.Further {
		for _, f := range list {
			if !strings.HasPrefix(run.Instance, "Ring") || after.Standing(f) != Redone {
				t.Errorf("%s: standing %d", run, after.Standing(f))
			}
		}
	}
}
