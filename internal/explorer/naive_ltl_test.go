package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/pnml"
	"podium/pnml/unfold"
)

// word is an infinite run of a naive graph: its markings, and the position to
// which the last one leads back.
type word struct {
	at   []int
	loop int
}

// holds gives the positions of a word where an LTL formula holds.
func (w word) holds(g *naive, f formula.Formula) []bool {
	out := make([]bool, len(w.at))
	next := func(k int) int {
		if k+1 < len(w.at) {
			return k + 1
		}
		return w.loop
	}
	fix := func(start bool, rule func(k int) bool) []bool {
		for k := range out {
			out[k] = start
		}
		for range len(out) + 1 {
			for k := len(out) - 1; k >= 0; k-- {
				out[k] = rule(k)
			}
		}
		return out
	}
	switch f := f.(type) {
	case *formula.Not:
		for k, v := range w.holds(g, f.F) {
			out[k] = !v
		}
	case *formula.And:
		a, b := w.holds(g, f.Fs[0]), w.holds(g, f.Fs[1])
		for k := range out {
			out[k] = a[k] && b[k]
		}
	case *formula.Or:
		a, b := w.holds(g, f.Fs[0]), w.holds(g, f.Fs[1])
		for k := range out {
			out[k] = a[k] || b[k]
		}
	case *formula.Next:
		a := w.holds(g, f.F)
		for k := range out {
			out[k] = a[next(k)]
		}
	case *formula.Finally:
		a := w.holds(g, f.F)
		return fix(false, func(k int) bool { return a[k] || out[next(k)] })
	case *formula.Globally:
		a := w.holds(g, f.F)
		return fix(true, func(k int) bool { return a[k] && out[next(k)] })
	case *formula.Until:
		a, b := w.holds(g, f.Before), w.holds(g, f.Reach)
		return fix(false, func(k int) bool { return b[k] || a[k] && out[next(k)] })
	default:
		for k := range out {
			out[k] = g.atom(f, w.at[k])
		}
	}
	return out
}

// words calls visit with the lassos of at most length markings, up to a number,
// until visit gives false.
func (g *naive) words(length, number int, visit func(word) bool) {
	var walk func(path []int) bool
	walk = func(path []int) bool {
		last := path[len(path)-1]
		if len(g.next[last]) == 0 {
			number--
			return number > 0 && visit(word{path, len(path) - 1})
		}
		for _, e := range g.next[last] {
			for loop, i := range path {
				if i != e.to {
					continue
				}
				if number--; number <= 0 || !visit(word{path, loop}) {
					return false
				}
			}
			if len(path) < length && !walk(append(slices.Clone(path), e.to)) {
				return false
			}
		}
		return true
	}
	walk([]int{0})
}

func (r *randomFormula) ltl(depth int) formula.Formula {
	if depth == 0 {
		return r.state(1)
	}
	sub := func() formula.Formula { return r.ltl(depth - 1) }
	if r.rng.IntN(3) == 0 {
		return r.connect(sub)
	}
	return r.temporal(sub)
}

// wordOf replays a lasso as a word of the graph.
func (g *naive) wordOf(t *testing.T, net *pnml.Net, l Witness) word {
	t.Helper()
	index := map[string]int{}
	for i, m := range g.markings {
		index[fmt.Sprint(m)] = i
	}
	run := slices.Concat(l.Stem, l.Cycle)
	w := word{loop: len(l.Stem)}
	for k := range len(run) + 1 {
		m, err := Replay(net, run[:k])
		if err != nil {
			t.Fatal(err)
		}
		w.at = append(w.at, index[fmt.Sprint(m)])
	}
	last := w.at[len(w.at)-1]
	switch {
	case len(l.Cycle) == 0 && len(g.next[last]) > 0:
		t.Fatal("a marking stutters that is not dead")
	case len(l.Cycle) > 0 && last != w.at[w.loop]:
		t.Fatal("the cycle is not closed")
	case len(l.Cycle) > 0:
		w.at = w.at[:len(w.at)-1]
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
	nets := 2500 * *rounds
	accepted, refuted, partial := 0, 0, 0
	for seed := range uint64(nets) {
		rng := rand.New(rand.NewPCG(13, seed))
		net := randomNet(rng)
		g := explorePlainly(net, 60)
		if g == nil {
			continue
		}
		r := newRandomFormula(rng, g)
		f := r.ltl(1 + rng.IntN(4))
		q, err := (&lookup{view: unfold.Plain(net)}).ltlQuestion(formula.Property{ID: "f", Formula: &formula.ExistsPath{F: f}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := newAutomaton(q.table, q.path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		limit := uint64(0)
		if rng.IntN(3) == 0 {
			limit = uint64(1 + rng.IntN(len(g.markings)))
		}
		s := explore(t, net, Options{Edges: true, MaxStates: limit})
		p, err := newProduct(s, a)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.accepted()
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case found:
			accepted++
			if w := g.wordOf(t, net, p.lasso()); !w.holds(g, f)[0] {
				t.Fatalf("seed %d: the lasso %v does not have the path", seed, w)
			}
		case p.open && limit == 0:
			t.Fatalf("seed %d: not decided", seed)
		case p.open:
			partial++
		default:
			refuted++
			g.words(7, 500, func(w word) bool {
				if w.holds(g, f)[0] {
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
		p.close()
		s.Close()
	}
	if accepted < nets/4 || refuted < nets/8 || partial == 0 {
		t.Errorf("only %d accepted, %d refuted and %d open", accepted, refuted, partial)
	}
}

// TestLTLKnown decides formulas whose answer is plain to see on the dining
// philosophers.
func TestLTLKnown(t *testing.T) {
	net := philosophers(3)
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
