package certificate

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"podium/internal/witness"
)

// keep is what has to be shown of a clause: that firing a transition does not break it.
type keep struct {
	clause     int
	transition uint32
}

// maxKeeps bounds what has to be shown of all clauses: as many trees as a proof may have.
const maxKeeps = 1 << 20

// Clause adds a clause, or says why it does not hold in the initial marking. For each
// transition that [Walk.Breaking] gives for it a tree has to follow.
func (w *Walk) Clause(c witness.Clause) error {
	holds := false
	breaking := map[uint32]bool{}
	for _, alternative := range c {
		all := true
		for _, x := range alternative {
			w.clock.Work(16 + 8*len(x.Terms))
			if err := w.net.known(x.Terms); err != nil {
				return err
			}
			if !x.Bound.IsInt() || slices.ContainsFunc(x.Terms, func(t witness.Term) bool { return !t.Factor.IsInt() }) {
				return errors.New("a clause has whole numbers only")
			}
			initial, change, err := w.net.sum(x.Terms)
			if err != nil {
				return err
			}
			all = all && initial.Cmp(x.Bound) <= 0
			for t, by := range change {
				if by.Sign() > 0 {
					breaking[t] = true
				}
			}
		}
		holds = holds || all
	}
	if !holds {
		return errors.New("no alternative of the clause holds in the initial marking")
	}
	if len(w.missing)+len(breaking) > maxKeeps {
		return fmt.Errorf("transitions could break the clauses in more than %d ways, and a proof has no more trees", maxKeeps)
	}
	for t := range breaking {
		w.missing[keep{len(w.clauses), t}] = true
	}
	w.clauses = append(w.clauses, c)
	cases := make([]part, len(c))
	for i, alternative := range c {
		cases[i] = part{kind: atMost, xs: alternative}
	}
	w.cases = append(w.cases, cases)
	w.breaking = append(w.breaking, slices.Sorted(maps.Keys(breaking)))
	return nil
}

// Breaking returns the transitions that could break a clause: those that make the sum of one
// of its inequalities larger.
func (w *Walk) Breaking(clause int) []uint32 { return w.breaking[clause] }

// Keep begins a tree: it is to show that a transition does not break a clause. Assumed is
// a marking in which the transition is enabled, and that after its firing no alternative of
// the clause holds.
func (w *Walk) Keep(clause int, transition uint32) error {
	k := keep{clause, transition}
	if !w.missing[k] {
		return errors.New("the transition cannot break the clause, or this was shown before, or one of them does not exist")
	}
	delete(w.missing, k)
	w.begin()
	err := w.assume(part{kind: enabled, t: transition})
	for _, alternative := range w.clauses[clause] {
		if err != nil {
			return err
		}
		w.clock.Work(32 * (1 + len(alternative)))
		parts := make([]part, len(alternative))
		for i, x := range alternative {
			parts[i] = part{kind: atMost, xs: []witness.AtMost{w.net.above(x, transition)}}
		}
		err = w.any(parts)
	}
	return err
}

// above says of a marking that after the firing of a transition a sum is above its bound.
func (a *arcs) above(x witness.AtMost, transition uint32) witness.AtMost {
	y := witness.AtMost{Bound: new(big.Rat).Neg(x.Bound)}
	y.Bound.Sub(y.Bound, whole(1))
	a.clock.Work(16 + 64*len(x.Terms))
	for _, t := range x.Terms {
		y.Terms = append(y.Terms, witness.Term{Factor: new(big.Rat).Neg(t.Factor), Place: t.Place})
		y.Bound.Add(y.Bound, new(big.Rat).Mul(t.Factor, a.change(transition, t.Place)))
	}
	return y
}

// change is what a transition adds to a place.
func (a *arcs) change(transition, place uint32) *big.Rat {
	list := a.at[place]
	i, ok := slices.BinarySearchFunc(list, transition, func(f flow, t uint32) int { return int(f.transition) - int(t) })
	if !ok {
		return new(big.Rat)
	}
	return new(big.Rat).Sub(natural(list[i].out), natural(list[i].in))
}

// Done says which transition is not yet shown to keep a clause.
func (w *Walk) Done() error {
	for c, list := range w.breaking {
		for _, t := range list {
			if w.missing[keep{c, t}] {
				return fmt.Errorf("nothing shows that transition %q keeps clause %d", w.net.net.Transitions.At(int(t)), c)
			}
		}
	}
	return nil
}
