package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/check"
	"podium/internal/explorer/naive"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml"
	"podium/pnml/unfold"
)

// wordOf replays a lasso as a word of the graph.
func wordOf(t *testing.T, g *naive.Graph, net *pnml.Net, l Witness) naive.Word {
	t.Helper()
	index := map[string]int{}
	for i, m := range g.Markings {
		index[fmt.Sprint(m)] = i
	}
	run := slices.Concat(l.Stem, l.Cycle)
	w := naive.Word{Loop: len(l.Stem)}
	for k := range len(run) + 1 {
		m, err := tokens.Replay(net, run[:k])
		if err != nil {
			t.Fatal(err)
		}
		w.At = append(w.At, index[fmt.Sprint(m)])
	}
	last := w.At[len(w.At)-1]
	switch {
	case len(l.Cycle) == 0 && len(g.Next[last]) > 0:
		t.Fatal("a marking stutters that is not dead")
	case len(l.Cycle) > 0 && last != w.At[w.Loop]:
		t.Fatal("the cycle is not closed")
	case len(l.Cycle) > 0:
		w.At = w.At[:len(w.At)-1]
	}
	return w
}

// TestLTLRandom compares with a brute-force evaluation on lassos: every accepted
// run is replayed and evaluated, and where there is none, no short lasso may
// have the path.
func TestLTLRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	nets := 2500 * *Rounds
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
		path, _, err := temporal.NewLTL(&state.Lookup{View: unfold.Plain(net)}, &formula.ExistsPath{F: f})
		if err != nil {
			t.Fatal(err)
		}
		a, err := temporal.NewAutomaton(path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		limit := uint64(0)
		if rng.IntN(3) == 0 {
			limit = uint64(1 + rng.IntN(len(g.Markings)))
		}
		s := explored(t, net, space.Options{Edges: true, MaxStates: limit})
		p, err := check.NewProduct(s, a)
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
			if w := wordOf(t, g, net, lassoOf(p)); !w.Holds(g, f)[0] {
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
		if limit == 0 {
			props := []formula.Property{{ID: "f", Formula: &formula.ExistsPath{F: f}}}
			if reduced, _ := decideAll(t, net, examinations.LTLFireability, props, Options{}); reduced["f"] != examinations.Truth(found).Text {
				t.Fatalf("seed %d: found %v, on the reduced net %v", seed, found, reduced)
			}
		}
		p.Close()
		s.Close()
	}
	if accepted < nets/4 || refuted < nets/8 || partial == 0 {
		t.Errorf("only %d accepted, %d refuted and %d open", accepted, refuted, partial)
	}
}

// TestLTLKnown decides formulas whose answer is plain to see on the dining
// philosophers.
func TestLTLKnown(t *testing.T) {
	net := naive.Philosophers(3)
	eats := &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"eat0"}}}
	dead := &formula.Deadlock{}
	f := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	g := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	not := func(f formula.Formula) formula.Formula { return &formula.Not{F: f} }
	for k, c := range []struct {
		f    formula.Formula
		all  bool
		some bool
	}{
		{f(eats), false, true},
		{g(f(eats)), false, true},
		{f(g(dead)), false, true},
		{&formula.Or{Fs: []formula.Formula{not(f(dead)), f(g(dead))}}, true, true},
		{&formula.Next{F: eats}, false, false},
		{&formula.Until{Before: not(eats), Reach: eats}, false, true},
		{not(eats), true, true},
		{g(&formula.Or{Fs: []formula.Formula{not(dead), &formula.Next{F: dead}}}), true, true},
	} {
		props := []formula.Property{{ID: "all", Formula: &formula.AllPaths{F: c.f}}, {ID: "some", Formula: &formula.ExistsPath{F: c.f}},
			{ID: "not all", Formula: &formula.Not{F: &formula.AllPaths{F: c.f}}}}
		answers, _ := decideAll(t, net, examinations.LTLFireability, props, Options{})
		got, want := fmt.Sprint(answers["all"], answers["some"], answers["not all"]), fmt.Sprint(examinations.Truth(c.all).Text, examinations.Truth(c.some).Text, examinations.Truth(!c.all).Text)
		if got != want {
			t.Errorf("formula %d: got %s, want %s", k, got, want)
		}
	}
}

func lassoOf(p *check.Product) Witness {
	stem, cycle := p.Lasso()
	return Witness{Stem: stem, Cycle: cycle}
}

func explored(t testing.TB, net *pnml.Net, opt space.Options) *space.Space {
	t.Helper()
	s := space.Explore(t.Context(), net, opt)
	t.Cleanup(s.Close)
	return s
}
