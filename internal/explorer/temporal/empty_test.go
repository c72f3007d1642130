package temporal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/naive"
)

// TestEmpty: where an automaton has no run along literals that hold together somewhere, no
// word of the net is accepted; and that is seen often enough.
func TestEmpty(t *testing.T) {
	empty, asked := 0, 0
	for seed := range uint64(naive.Cases(400)) {
		rng := rand.New(rand.NewPCG(53, seed))
		g := naive.Explore(naive.RandomNet(rng), 30)
		if g == nil {
			continue
		}
		f := naive.NewFormulas(rng, g).LTL(1 + rng.IntN(3))
		var atoms List
		path, _, err := NewLTL(&atoms, &formula.ExistsPath{F: f})
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewAutomaton(nil, path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		asked++
		if !a.Empty(func(list []Literal, first bool) bool {
			sat := slices.Repeat([]bool{true}, len(g.Markings))
			for _, x := range list {
				for i, holds := range g.Sat(atoms[x.Atom]) {
					sat[i] = sat[i] && holds != x.Negated
				}
			}
			return first && sat[0] || !first && slices.Contains(sat, true)
		}) {
			continue
		}
		empty++
		g.Words(5, 50, func(w naive.Word) bool {
			if w.Holds(g, f)[0] {
				t.Fatalf("seed %d: the word %v has %#v", seed, w, f)
			}
			return true
		})
	}
	if empty*5 < asked {
		t.Errorf("%d automata of %d are empty", empty, asked)
	}
}
