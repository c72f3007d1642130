package explorer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
)

// TestLTLReduced compares the answers on reduced nets, and on the nets as they are, with
// enumeration.
func TestLTLReduced(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	var answered [2]int // by value
	for seed := range uint64(2500 * rounds) {
		rng := rand.New(rand.NewPCG(13, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 60)
		if g == nil {
			continue
		}
		f := &formula.ExistsPath{F: nettest.NewFormulas(rng, net).LTL(1 + rng.IntN(4))}
		props := []formula.Property{{ID: "f", Formula: f}}
		whole, _ := decideAll(t, net, examinations.LTLFireability, props, Options{Unreduced: true})
		reduced, _ := decideAll(t, net, examinations.LTLFireability, props, Options{})
		if want := g.Value(examinations.LTLFireability, "f", f); whole["f"] != want || reduced["f"] != want {
			t.Fatalf("seed %d: %q, on the reduced net %q, and not %s", seed, whole["f"], reduced["f"], want)
		}
		if whole["f"] == examinations.True.Text {
			answered[1]++
		} else {
			answered[0]++
		}
	}
	if min(answered[0], answered[1]) < 300*rounds {
		t.Errorf("only %d times false and %d times true", answered[0], answered[1])
	}
}

// TestLTLKnown decides formulas whose answer is plain to see on the dining
// philosophers.
func TestLTLKnown(t *testing.T) {
	net := nettest.Philosophers(3)
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
