package unfold

import (
	"math/rand/v2"
	"testing"

	"podium/pnml"
)

// TestSkeleton: every binding of a transition takes, and puts, as many tokens of a coloured
// place as the transition of the skeleton does, and the initial markings have as many.
func TestSkeleton(t *testing.T) {
	some := 0
	compare := func(name string, s *pnml.Symmetric, most uint64) {
		skeleton, ok := Skeleton(s)
		if !ok {
			return
		}
		u, err := Unfold(t.Context(), s, Limits{Exact: true, Places: most, Transitions: most, Arcs: 10 * most, Steps: 100 * most})
		if err != nil {
			return
		}
		some++
		view := u.View()
		placeOf, transitionOf := GroupOf(view.PlaceGroups(), u.Net.Places.Len()), GroupOf(view.TransitionGroups(), u.Net.Transitions.Len())
		initial := make([]uint64, s.Places.Len())
		for p, tokens := range u.Net.Initial {
			initial[placeOf[p]] += tokens
		}
		for p, tokens := range initial {
			if skeleton.Net.Initial[p] != tokens {
				t.Errorf("%s: place %s has %d tokens, the skeleton %d", name, s.Places.At(p), tokens, skeleton.Net.Initial[p])
			}
		}
		for i := range u.Net.Transitions.Len() {
			for _, side := range [][2]*pnml.Arcs{{&u.Net.Pre, &skeleton.Net.Pre}, {&u.Net.Post, &skeleton.Net.Post}} {
				moved := make([]uint64, s.Places.Len())
				places, weights := side[0].Row(i)
				for k, p := range places {
					moved[placeOf[p]] += weights.At(k)
				}
				places, weights = side[1].Row(int(transitionOf[i]))
				for k, p := range places {
					moved[p] -= weights.At(k)
				}
				for p, left := range moved {
					if left != 0 {
						t.Errorf("%s: a binding of %s moves %d more tokens of %s than the skeleton does", name, s.Transitions.At(int(transitionOf[i])), int64(left), s.Places.At(p))
					}
				}
			}
		}
	}
	realModels(t, "instances", func(name string, s *pnml.Symmetric) { compare(name, s, 100_000) })
	for seed := range uint64(2000) {
		d := &drawing{rand.New(rand.NewPCG(seed, 5))}
		compare("drawn", symmetric(t, drawnSorts, d.page()), 2000)
	}
	if some < 500 {
		t.Errorf("only %d nets had a skeleton", some)
	}
}
