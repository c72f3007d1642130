package campaign

import (
	"strings"
	"testing"
)

// TestReplayIsNeeded: a worker that cannot replay witnesses refuses a plan that
// asks for them.
func TestReplayIsNeeded(t *testing.T) {
	c := small(t)
	c.Plan.Witnesses = true
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
	if err == nil || !strings.Contains(err.Error(), "witnesses") {
		t.Errorf("%v", err)
	}
}
