package temporal

import (
	"errors"
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/nettest"
)

// TestAutomataOfRandomFormulas compares the words that an automaton accepts with those
// that have the formula.
func TestAutomataOfRandomFormulas(t *testing.T) {
	words := map[bool]int{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(47, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 30)
		if g == nil {
			continue
		}
		f := nettest.NewFormulas(rng, net).LTL(1 + rng.IntN(3))
		var atoms Atoms
		path, holds, err := NewLTL(&atoms, &formula.ExistsPath{F: f})
		if err != nil || !holds {
			t.Fatal(holds, err)
		}
		a, err := NewAutomaton(nil, path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sat := make([][]bool, len(atoms))
		for k, atom := range atoms {
			sat[k] = g.Sat(atom)
		}
		g.Words(5, 50, func(w nettest.Word) bool {
			want := w.Holds(g, f)
			words[want]++
			if got := accepts(a, w, sat); got != want {
				t.Fatalf("seed %d: the word %v is accepted: %v", seed, w, got)
			}
			return true
		})
	}
	if words[true] < 1000 || words[false] < 1000 {
		t.Errorf("only %v words", words)
	}
}

// node is a position of a word and a state of an automaton.
type node struct {
	at    int
	state uint32
}

// accepts reports whether an automaton accepts a word: whether from some node that it
// comes to, a way back to it meets all conditions, on however many rounds.
func accepts(a *Automaton, w nettest.Word, sat [][]bool) bool {
	starts := reached(a, w, sat, node{})
	starts[node{}] = true
	for from := range starts {
		met := uint32(0)
		inside := map[node]bool{}
		for n := range reached(a, w, sat, from) {
			inside[n] = reached(a, w, sat, n)[from]
		}
		for n, back := range inside {
			for _, e := range a.Edges[n.state] {
				if next := (node{w.After(n.at), e.To}); back && inside[next] && meets(e, w.At[n.at], sat) {
					met |= e.Accepts
				}
			}
		}
		if inside[from] && met == a.All {
			return true
		}
	}
	return false
}

// reached returns the nodes that one or more edges lead to.
func reached(a *Automaton, w nettest.Word, sat [][]bool, from node) map[node]bool {
	seen, todo := map[node]bool{}, []node{from}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range a.Edges[n.state] {
			if next := (node{w.After(n.at), e.To}); meets(e, w.At[n.at], sat) && !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return seen
}

func meets(e Edge, marking int, sat [][]bool) bool {
	for _, l := range e.Literals {
		if sat[l.Atom][marking] == l.Negated {
			return false
		}
	}
	return true
}

// TestTooLarge: a formula with more untils than there are conditions is refused.
func TestTooLarge(t *testing.T) {
	all := &formula.And{}
	for range MaxConditions + 1 {
		all.Fs = append(all.Fs, &formula.Until{Before: &formula.Deadlock{}, Reach: &formula.Deadlock{}})
	}
	path, _, err := NewLTL(&Atoms{}, &formula.ExistsPath{F: all})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewAutomaton(nil, path); !errors.Is(err, errTooLarge) {
		t.Errorf("%v", err)
	}
}

// TestNextThatSaysNothing: X is left only where it says something, and what an automaton has
// left to meet after it is closed under stuttering.
func TestNextThatSaysNothing(t *testing.T) {
	p, q := &formula.Deadlock{}, &formula.Fireable{Transitions: []string{"t"}}
	next := func(f formula.Formula) formula.Formula { return &formula.Next{F: f} }
	after, always := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }, func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	for _, c := range []struct {
		f      formula.Formula
		next   bool
		closed int // states
	}{
		{always(after(next(p))), false, 1},
		{next(after(always(next(next(p))))), false, 2},
		{&formula.Or{Fs: []formula.Formula{next(always(after(p))), after(next(always(q)))}}, false, 4},
		{next(after(p)), true, 2},
		{&formula.Until{Before: next(p), Reach: next(always(q))}, true, 2},
		{&formula.And{Fs: []formula.Formula{p, next(q)}}, true, 2},
		{always(&formula.Or{Fs: []formula.Formula{p, next(q)}}), true, 0},
	} {
		path, _, err := NewLTL(&Atoms{}, &formula.ExistsPath{F: c.f})
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewAutomaton(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		closed := 0
		for _, is := range a.Closed {
			if is {
				closed++
			}
		}
		if path.HasNext() != c.next || closed != c.closed || len(a.Closed) != len(a.Edges) {
			t.Errorf("%s: X is left: %v; %d of %d states are closed, not %d", formula.Print(c.f), path.HasNext(), closed, len(a.Edges), c.closed)
		}
	}
}

// TestOperators: path formulas of LTL are no CTL, and a formula without a path
// quantifier is neither.
func TestOperators(t *testing.T) {
	dead := &formula.Deadlock{}
	twice := &formula.ExistsPath{F: &formula.Finally{F: &formula.Globally{F: dead}}}
	if _, err := NewCTL(&Atoms{}, twice); err == nil {
		t.Error("E F G is taken for CTL")
	}
	next, holds, err := NewLTL(&Atoms{}, &formula.Not{F: &formula.AllPaths{F: &formula.Next{F: dead}}})
	if err != nil || !holds || !next.HasNext() {
		t.Errorf("not A X: %v, %v", holds, err)
	}
	if _, _, err := NewLTL(&Atoms{}, &formula.Finally{F: dead}); err == nil {
		t.Error("F without a quantifier is taken for LTL")
	}
}
