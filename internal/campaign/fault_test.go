package campaign

import (
	"strings"
	"testing"

	"podium/vm"
)

// TestRunsThatFailInsidePodium: a run whose driver fails by a panic, in its own goroutine or while
// its output is read, is void after three attempts; all others are done.
func TestRunsThatFailInsidePodium(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := small(t)
	d := &machines{runs: map[string]int{}, exec: func(run string, job vm.Job) (vm.Outcome, error) {
		if strings.HasPrefix(run, "ant Ring-PT-1 ") {
			var nobody []int
			nobody[len(run)]++
		}
		return answering(run, job)
	}}
	var reasons []string
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0, 1), Observe: func(e Event) {
		if e.Voided != nil {
			reasons = append(reasons, e.Voided.Reason)
		}
	}})
	must(t, err)
	if s.Done != 14 || s.Void != 2 || len(reasons) != 6 {
		t.Errorf("summary %+v with %d void attempts", s, len(reasons))
	}
	for _, reason := range reasons {
		if !strings.HasPrefix(reason, "ant Ring-PT-1 ") || !strings.Contains(reason, "a failure of podium itself (runtime error: index out of range") || !strings.Contains(reason, "failure-") {
			t.Errorf("a run is void, because %s", reason)
		}
	}
}
