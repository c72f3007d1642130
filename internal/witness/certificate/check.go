package certificate

import (
	"errors"
	"fmt"
	"math/big"

	"podium/internal/clock"
	"podium/internal/witness"
)

// Limits of a check, far beyond what honest proofs need.
const (
	maxAssumed = 1 << 20 // pieces of inequalities and disjunctions that the steps above a case assume
	maxBits    = 1 << 14 // of the numerator and the denominator of a sum
)

// Check tells whether a proof shows that no reachable marking is bad; the error says
// what is wrong with it. The clock may end the check early.
func Check(c *clock.Clock, bad Bad, p *witness.Proof) error {
	w, err := Begin(c, bad)
	if err != nil {
		return err
	}
	for i, f := range p.Facts {
		if err := w.Add(f); err != nil {
			return fmt.Errorf("fact %d: %w", i, err)
		}
	}
	for i, step := range p.Steps {
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

// Walk goes through the tree of cases of a proof.
type Walk struct {
	assumed
	net    *arcs
	facts  []AtMost
	open   []branching
	size   int  // how many pieces the steps above the case at hand assume
	closed bool // there is no further case
}

// branching are the cases of a step that are still to come.
type branching struct {
	left                   []part // in their order
	atoms, disjuncts, size int    // how much was assumed before
}

// Begin begins a proof that no reachable marking is bad.
func Begin(c *clock.Clock, bad Bad) (*Walk, error) {
	w := &Walk{net: arcsOf(c, bad.view.Net), assumed: assumed{view: bad.view}}
	return w, w.assume(bad.is)
}

// Add adds a fact, or says why it need not hold.
func (w *Walk) Add(f witness.Fact) error {
	x, err := w.net.check(f)
	if err == nil {
		w.facts = append(w.facts, x)
	}
	return err
}

// Case gives what is assumed in the case at hand: inequalities, and how many parts each
// disjunction has.
func (w *Walk) Case() (inequalities []AtMost, disjunctions []int) {
	for _, parts := range w.disjunct {
		disjunctions = append(disjunctions, len(parts))
	}
	return w.atoms, disjunctions
}

// Facts gives the inequalities of the facts.
func (w *Walk) Facts() []AtMost { return w.facts }

// Step takes a step of the proof, or says why it is none.
func (w *Walk) Step(s witness.Step) error {
	switch s.Kind {
	case witness.Split:
		if s.Split < 0 || s.Split >= len(w.disjunct) {
			return fmt.Errorf("there is no disjunction %d here, but %d of them, from 0", s.Split, len(w.disjunct))
		}
		return w.branch(w.disjunct[s.Split])
	case witness.Cut:
		return w.cut(s)
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
	w.net.clock.Work(16 + w.size - b.size)
	if w.size > maxAssumed {
		return fmt.Errorf("the cases above it assume more than %d pieces", maxAssumed)
	}
	return nil
}

// cut makes two cases: a sum of whole multiples is at most a bound, or at least one
// more.
func (w *Walk) cut(s witness.Step) error {
	low, high := AtMost{s.Terms, new(big.Rat).SetInt(s.Bound)}, AtMost{nil, new(big.Rat).SetInt(s.Bound)}
	for _, t := range s.Terms {
		if !t.Factor.IsInt() || int(t.Place) >= len(w.net.at) {
			return errors.New("a cut takes whole multiples of the tokens of places")
		}
		high.Terms = append(high.Terms, witness.Term{Factor: new(big.Rat).Neg(t.Factor), Place: t.Place})
	}
	high.Bound.Neg(high.Bound.Add(high.Bound, whole(1)))
	return w.branch([]part{{kind: atMost, x: &low}, {kind: atMost, x: &high}})
}

// leaf closes a case by a sum that no marking satisfies.
func (w *Walk) leaf(s witness.Step) error {
	total := newSum()
	for _, p := range s.Sum {
		from, what := w.atoms, "inequality"
		if p.Fact {
			from, what = w.facts, "fact"
		}
		if p.Number < 0 || p.Number >= len(from) {
			return fmt.Errorf("there is no %s %d here, but %d of them, from 0", what, p.Number, len(from))
		}
		if p.Factor.Sign() <= 0 {
			return errors.New("a factor is not positive")
		}
		if err := total.add(w.net.clock, from[p.Number], p.Factor); err != nil {
			return err
		}
	}
	if !total.absurd() {
		return errors.New("the sum is no contradiction")
	}
	return w.next()
}
