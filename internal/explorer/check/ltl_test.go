package check

import (
	"math/rand/v2"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestProductOfRandomNets compares whether there is a run that an automaton accepts with what
// enumeration says. Each such run is replayed, and has the formula.
func TestProductOfRandomNets(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	nets := nettest.Cases(2500)
	accepted, refuted, partial := 0, 0, 0
	for seed := range uint64(nets) {
		rng := rand.New(rand.NewPCG(13, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 60)
		if g == nil {
			continue
		}
		r := nettest.NewFormulas(rng, net)
		f := r.LTL(1 + rng.IntN(4))
		a, atoms := someRun(t, net, f)
		limit := uint64(0)
		if rng.IntN(3) == 0 {
			limit = uint64(1 + rng.IntN(len(g.Markings)))
		}
		s := space.Explore(t.Context(), net, space.Options{Edges: true, MaxStates: limit})
		p, err := NewProduct(s, a, atoms)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.Accepted()
		if err != nil {
			t.Fatal(err)
		}
		if want := g.Value(examinations.LTLCardinality, "f", &formula.ExistsPath{F: f}) == "TRUE"; found && !want || !found && !p.Open && want {
			t.Fatalf("seed %d: there is a path: %v", seed, want)
		}
		switch {
		case found:
			accepted++
			stem, cycle := p.Lasso()
			if w, ok, open := g.Word(stem, cycle); !ok || open || !w.Holds(g, f) {
				t.Fatalf("seed %d: the lasso %v does not have the path", seed, w)
			}
		case p.Open && limit == 0:
			t.Fatalf("seed %d: not decided", seed)
		case p.Open:
			partial++
		default:
			refuted++
		}
		p.Close()
		s.Close()
	}
	if accepted < nets/4 || refuted < nets/8 || partial == 0 {
		t.Errorf("only %d accepted, %d refuted and %d open", accepted, refuted, partial)
	}
}

// someRun returns the automaton of the runs that a path formula wants, and its atoms.
func someRun(tb testing.TB, net *pnml.Net, f formula.Formula) (*temporal.Automaton, []state.Formula) {
	tb.Helper()
	var list temporal.Atoms
	path, _, err := temporal.NewLTL(&list, &formula.ExistsPath{F: f})
	if err != nil {
		tb.Fatal(err)
	}
	atoms, err := (&state.Lookup{View: unfold.Plain(net)}).Formulas(list)
	if err != nil {
		tb.Fatal(err)
	}
	a, err := temporal.NewAutomaton(nil, path)
	if err != nil {
		tb.Fatal(err)
	}
	return a, atoms
}
