package certificate

import (
	"errors"
	"fmt"
	"math/big"
	"sync/atomic"

	"podium/internal/clock"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// Limits of a check, far beyond what honest proofs need.
const (
	maxAssumed = 1 << 20 // pieces of inequalities and disjunctions that the steps above a case assume
	maxBits    = 1 << 14 // of the numerator and the denominator of a sum
)

// Check tells whether a proof holds that is about the net of a walk, which may be under way:
// whether no marking that its trees are about is reachable. markings gives these for each head
// of a tree that is not about a clause. The error says what is wrong. The clock may end the
// check early.
func (w *Walk) Check(c *clock.Clock, p *witness.Proof, markings func(witness.Head) (Bad, error)) error {
	w = w.Again(c)
	for i, f := range p.Facts {
		if err := w.Add(f); err != nil {
			return fmt.Errorf("fact %d: %w", i, err)
		}
	}
	for i, x := range p.Clauses {
		if err := w.Clause(x); err != nil {
			return fmt.Errorf("clause %d: %w", i, err)
		}
	}
	for i, x := range p.Diagrams {
		if err := w.Draw(x); err != nil {
			return fmt.Errorf("diagram %d: %w", i, err)
		}
	}
	shows := false
	for i, tree := range p.Trees {
		shows = shows || tree.Head.Kind != witness.Keep
		if err := w.tree(tree, markings); err != nil && len(p.Trees) > 1 {
			return fmt.Errorf("tree %d: %w", i, err)
		} else if err != nil {
			return err
		}
	}
	if !shows {
		return errors.New("it has no cases that show the value")
	}
	return w.Done()
}

// tree checks a whole tree.
func (w *Walk) tree(tree witness.Tree, markings func(witness.Head) (Bad, error)) error {
	var err error
	if tree.Head.Kind == witness.Keep {
		err = w.Keep(tree.Head.Number, tree.Head.At)
	} else {
		var bad Bad
		if bad, err = markings(tree.Head); err == nil {
			err = w.Show(bad)
		}
		if err == nil && tree.Head.Back() {
			err = w.Moves(tree.Rank, tree.Moves)
		} else if err == nil && len(tree.Moves) > 0 {
			err = errors.New("a tree that is not about a way back has moves")
		}
	}
	if err != nil {
		return err
	}
	for i, step := range tree.Steps {
		if w.closed {
			return fmt.Errorf("step %d: all cases are closed before it", i)
		}
		if err := w.Step(step); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	if !w.closed {
		return errors.New("not all cases are closed")
	}
	return nil
}

// Walk goes through a proof.
type Walk struct {
	assumed
	net      *arcs
	facts    []witness.AtMost
	clauses  []witness.Clause
	cases    [][]part      // the alternatives of each clause
	breaking [][]uint32    // by clause
	missing  map[keep]bool // what is still to be shown of clauses
	diagrams []*diagram
	drawn    *atomic.Pointer[diagram] // of the last check

	// of the tree at hand
	open   []branching
	size   int  // how many pieces the steps above the case at hand assume
	closed bool // there is no further case
}

// branching are the cases of a step that are still to come.
type branching struct {
	left                   []part // in their order
	atoms, disjuncts, size int    // how much was assumed before
}

// Begin begins a proof about a net.
func Begin(c *clock.Clock, view unfold.View) *Walk {
	return (&Walk{net: arcsOf(c, view.Net), assumed: assumed{view: view}, drawn: &atomic.Pointer[diagram]{}}).Again(c)
}

// Again begins another proof about the same net. What the two know of the net they share, also
// where they go on at the same time.
func (w *Walk) Again(c *clock.Clock) *Walk {
	net := *w.net
	net.clock = c
	return &Walk{net: &net, assumed: assumed{view: w.view, clock: c}, missing: map[keep]bool{}, drawn: w.drawn}
}

// Show begins a tree: it is to show that no reachable marking is bad.
func (w *Walk) Show(bad Bad) error {
	w.begin()
	return w.assume(bad.is)
}

// begin forgets the tree before.
func (w *Walk) begin() {
	w.atoms, w.disjunct, w.open, w.size, w.closed = nil, nil, nil, 0, false
}

// Add adds a fact, or says why it need not hold.
func (w *Walk) Add(f witness.Fact) error {
	x, err := w.net.check(f)
	if err == nil {
		w.facts = append(w.facts, x)
	}
	return err
}

// Case returns what is assumed in the case at hand: inequalities, and how many parts each
// disjunction has.
func (w *Walk) Case() (inequalities []witness.AtMost, disjunctions []int) {
	for _, parts := range w.disjunct {
		disjunctions = append(disjunctions, len(parts))
	}
	return w.atoms, disjunctions
}

// Alternatives returns the inequalities that each part of a disjunction of the case at hand
// would add.
func (w *Walk) Alternatives(disjunction int) (list [][]witness.AtMost) {
	for _, p := range w.disjunct[disjunction] {
		with := assumed{view: w.view, clock: w.clock}
		if with.assume(p) != nil {
			with.atoms = nil
		}
		list = append(list, with.atoms)
	}
	return list
}

// Facts returns the inequalities of the facts.
func (w *Walk) Facts() []witness.AtMost { return w.facts }

// Step takes a step of a tree, or says why it is none.
func (w *Walk) Step(s witness.Step) error {
	switch s.Kind {
	case witness.Split:
		if s.Split < 0 || s.Split >= len(w.disjunct) {
			return fmt.Errorf("there is no disjunction %d here, but %d of them, from 0", s.Split, len(w.disjunct))
		}
		return w.branch(w.disjunct[s.Split])
	case witness.SplitClause:
		if s.Split < 0 || s.Split >= len(w.clauses) {
			return fmt.Errorf("there is no clause %d, but %d of them, from 0", s.Split, len(w.clauses))
		}
		return w.branch(w.cases[s.Split])
	case witness.Cut:
		return w.cut(s)
	case witness.Outside:
		return w.outside(s.Split)
	}
	return w.leaf(s)
}

// branch begins the first of several cases.
func (w *Walk) branch(cases []part) error {
	w.open = append(w.open, branching{cases, len(w.atoms), len(w.disjunct), w.size})
	return w.next()
}

// next goes on with the next case, of the innermost step that has one.
func (w *Walk) next() error {
	for n := len(w.open) - 1; n >= 0; n-- {
		b := &w.open[n]
		w.atoms, w.disjunct, w.size = w.atoms[:b.atoms], w.disjunct[:b.disjuncts], b.size
		if len(b.left) > 0 {
			p := b.left[0]
			b.left = b.left[1:]
			if err := w.assume(p); err != nil {
				return err
			}
			return w.weigh(b)
		}
		w.open = w.open[:n]
	}
	w.closed = true
	return nil
}

// weigh counts what a case has added to what was assumed before.
func (w *Walk) weigh(b *branching) error {
	for _, x := range w.atoms[b.atoms:] {
		w.size += 1 + len(x.Terms)
	}
	for _, parts := range w.disjunct[b.disjuncts:] {
		w.size += len(parts)
	}
	w.clock.Work(16 + w.size - b.size)
	if w.size > maxAssumed {
		return fmt.Errorf("the cases above it assume more than %d pieces", maxAssumed)
	}
	return nil
}

// cut makes two cases: a sum of whole multiples is at most a bound, or at least one
// more.
func (w *Walk) cut(s witness.Step) error {
	low := witness.AtMost{Terms: s.Terms, Bound: new(big.Rat).SetInt(s.Bound)}
	high := witness.AtMost{Bound: new(big.Rat).SetInt(s.Bound)}
	for _, t := range s.Terms {
		if !t.Factor.IsInt() || int(t.Place) >= len(w.net.at) {
			return errors.New("a cut takes whole multiples of the tokens of places")
		}
		high.Terms = append(high.Terms, witness.Term{Factor: new(big.Rat).Neg(t.Factor), Place: t.Place})
	}
	high.Bound.Neg(high.Bound.Add(high.Bound, whole(1)))
	return w.branch([]part{{kind: atMost, xs: []witness.AtMost{low}}, {kind: atMost, xs: []witness.AtMost{high}}})
}

// leaf closes a case.
func (w *Walk) leaf(s witness.Step) error {
	if err := w.Contradiction(w.atoms, s.Sum); err != nil {
		return err
	}
	return w.next()
}

// Contradiction tells whether no marking satisfies a sum of multiples of assumed
// inequalities and facts; the error says why it does not show that.
func (w *Walk) Contradiction(assumed []witness.AtMost, of []witness.Part) error {
	total := newSum()
	for _, p := range of {
		from, what := assumed, "inequality"
		if p.Fact {
			from, what = w.facts, "fact"
		}
		if p.Number < 0 || p.Number >= len(from) {
			return fmt.Errorf("there is no %s %d here, but %d of them, from 0", what, p.Number, len(from))
		}
		if p.Factor.Sign() <= 0 {
			return errors.New("a factor is not positive")
		}
		if err := total.add(w.clock, from[p.Number], p.Factor); err != nil {
			return err
		}
	}
	if !total.absurd() {
		return errors.New("the sum is no contradiction")
	}
	return nil
}
