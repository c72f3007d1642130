package unfold

import (
	"math/rand/v2"
	"testing"

	"podium/internal/realdata"
	"podium/pnml"
)

// TestColouredProperties: what a coloured net decides of its unfolding is what the exact
// unfolding says.
func TestColouredProperties(t *testing.T) {
	decided := map[string]map[bool]int{}
	compare := func(name string, s *pnml.Symmetric, most uint64) {
		u, err := Unfold(t.Context(), s, Limits{Exact: true, Places: most, Transitions: most, Arcs: 10 * most, Steps: 100 * most})
		if err != nil {
			return
		}
		holds := map[string]pnml.Property{}
		for _, p := range u.Net.Properties() {
			holds[p.Name] = p
		}
		for _, p := range s.Properties() {
			if holds[p.Name].Holds != p.Holds {
				t.Errorf("%s %s: %t (%s), the unfolding says %+v", name, p.Name, p.Holds, p.Witness, holds[p.Name])
			}
			if decided[p.Name] == nil {
				decided[p.Name] = map[bool]int{}
			}
			decided[p.Name][p.Holds]++
		}
	}
	realModels(t, "instances", func(name string, s *pnml.Symmetric) { compare(name, s, 100_000) })
	real := 0
	for _, n := range decided {
		real += n[true] + n[false]
	}
	for seed := range uint64(2000) {
		d := &drawing{rand.New(rand.NewPCG(seed, 1))}
		compare("drawn", symmetric(t, drawnSorts, d.page()), 2000)
	}
	t.Log(real, decided)
	if real < realdata.Least(40, 6) {
		t.Errorf("only %d properties of real nets were decided", real)
	}
	for _, name := range []string{"ORDINARY", "STATE_MACHINE", "SOURCE_TRANSITION", "SINK_TRANSITION", "LOOP_FREE", "CONSERVATIVE", "SUBCONSERVATIVE"} {
		if decided[name][true] == 0 || decided[name][false] == 0 {
			t.Errorf("%s is decided one way only: %v", name, decided[name])
		}
	}
}
