package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/naive"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestProductOfRandomNets replays each run that an automaton accepts and evaluates its
// formula in the plain way. Where there is none, no short run may have the formula.
func TestProductOfRandomNets(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	nets := naive.Cases(2500)
	accepted, refuted, partial := 0, 0, 0
	for seed := range uint64(nets) {
		rng := rand.New(rand.NewPCG(13, seed))
		net := naive.RandomNet(rng)
		g := naive.Explore(net, 60)
		if g == nil {
			continue
		}
		r := naive.NewFormulas(rng, g)
		f := r.LTL(1 + rng.IntN(4))
		atoms := &state.Atoms{Lookup: &state.Lookup{View: unfold.Plain(net)}}
		path, _, err := temporal.NewLTL(atoms, &formula.ExistsPath{F: f})
		if err != nil {
			t.Fatal(err)
		}
		a, err := temporal.NewAutomaton(nil, path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		limit := uint64(0)
		if rng.IntN(3) == 0 {
			limit = uint64(1 + rng.IntN(len(g.Markings)))
		}
		s := space.Explore(t.Context(), net, space.Options{Edges: true, MaxStates: limit})
		p, err := NewProduct(s, a, atoms.Formulas)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.Accepted()
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case found:
			accepted++
			if w := wordOf(t, g, net, p); !w.Holds(g, f)[0] {
				t.Fatalf("seed %d: the lasso %v does not have the path", seed, w)
			}
		case p.Open && limit == 0:
			t.Fatalf("seed %d: not decided", seed)
		case p.Open:
			partial++
		default:
			refuted++
			g.Words(7, 500, func(w naive.Word) bool {
				if w.Holds(g, f)[0] {
					t.Fatalf("seed %d: the word %v has the path, but none was found", seed, w)
				}
				return true
			})
		}
		p.Close()
		s.Close()
	}
	if accepted < nets/4 || refuted < nets/8 || partial == 0 {
		t.Errorf("only %d accepted, %d refuted and %d open", accepted, refuted, partial)
	}
}

// wordOf replays the run that was accepted as a word of the graph.
func wordOf(t *testing.T, g *naive.Graph, net *pnml.Net, p *Product) naive.Word {
	t.Helper()
	stem, cycle := p.Lasso()
	index := map[string]int{}
	for i, m := range g.Markings {
		index[fmt.Sprint(m)] = i
	}
	run := slices.Concat(stem, cycle)
	w := naive.Word{Loop: len(stem)}
	for k := range len(run) + 1 {
		m, err := tokens.Replay(net, run[:k])
		if err != nil {
			t.Fatal(err)
		}
		w.At = append(w.At, index[fmt.Sprint(m)])
	}
	last := w.At[len(w.At)-1]
	switch {
	case len(cycle) == 0 && len(g.Next[last]) > 0:
		t.Fatal("a marking stutters that is not dead")
	case len(cycle) > 0 && last != w.At[w.Loop]:
		t.Fatal("the cycle is not closed")
	case len(cycle) > 0:
		w.At = w.At[:len(w.At)-1]
	}
	return w
}
