package check

import (
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/nettest"
	"podium/pnml/unfold"
)

// TestLabelsOfRandomNets compares CTL formulas with the plain evaluation: on a whole
// space all are decided, on a part of one only rightly.
func TestLabelsOfRandomNets(t *testing.T) {
	whole, part := 0, 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(29, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 200)
		if g == nil {
			continue
		}
		r := nettest.NewFormulas(rng, net)
		limit := uint64(rng.IntN(2) * (1 + rng.IntN(len(g.Markings))))
		s := space.Explore(t.Context(), net, space.Options{Edges: true, MaxStates: limit})
		l, err := NewLabels(s)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			var source formula.Formula = r.CTL(3)
			var list temporal.Atoms
			f, err := temporal.NewCTL(&list, source)
			if err != nil {
				t.Fatal(err)
			}
			atoms, err := (&state.Lookup{View: unfold.Plain(net)}).Formulas(list)
			if err != nil {
				t.Fatal(err)
			}
			holds, known, err := l.Decide(f, atoms)
			switch {
			case err != nil:
				t.Fatal(err)
			case known && holds != g.Sat(source)[0]:
				t.Fatalf("seed %d, %d of %d markings: %v", seed, s.States(), len(g.Markings), holds)
			case !known && s.Complete():
				t.Fatalf("seed %d: not decided", seed)
			case s.Complete():
				whole++
			case known:
				part++
			}
		}
		l.Close()
		s.Close()
	}
	if whole < 800 || part < 50 {
		t.Errorf("only %d formulas are decided on whole spaces, %d on parts", whole, part)
	}
}
