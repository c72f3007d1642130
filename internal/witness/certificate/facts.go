package certificate

import (
	"fmt"
	"math/big"

	"podium/internal/clock"
	"podium/internal/witness"
	"podium/pnml"
)

// arcs are the arcs of a net by place.
type arcs struct {
	net   *pnml.Net
	at    [][]flow
	clock *clock.Clock
}

// flow is what a transition takes from a place and puts into it.
type flow struct {
	transition uint32
	in, out    uint64 // out of the place into the transition, and back
}

func arcsOf(c *clock.Clock, net *pnml.Net) *arcs {
	a := &arcs{net, make([][]flow, net.Places.Len()), c}
	for t := range net.Transitions.Len() {
		takes, weights := net.Pre.Row(t)
		for k, p := range takes {
			a.at[p] = append(a.at[p], flow{uint32(t), weights.At(k), 0})
		}
		gives, weights := net.Post.Row(t)
		c.Work(8 + 32*(len(takes)+len(gives)))
		for k, p := range gives {
			if n := len(a.at[p]); n > 0 && a.at[p][n-1].transition == uint32(t) {
				a.at[p][n-1].out = weights.At(k)
			} else {
				a.at[p] = append(a.at[p], flow{uint32(t), 0, weights.At(k)})
			}
		}
	}
	return a
}

// check returns the inequality that a fact states, or why it need not hold.
func (a *arcs) check(f witness.Fact) (witness.AtMost, error) {
	if err := a.known(f.Terms); err != nil {
		return witness.AtMost{}, err
	}
	if f.Kind == witness.Invariant {
		return a.invariant(f)
	}
	return a.set(f)
}

// known checks that there are the places of some terms.
func (a *arcs) known(terms []witness.Term) error {
	for _, t := range terms {
		if int(t.Place) >= len(a.at) {
			return fmt.Errorf("there is no place %d", t.Place)
		}
	}
	return nil
}

// invariant checks that no transition makes the sum larger.
func (a *arcs) invariant(f witness.Fact) (witness.AtMost, error) {
	initial, change, err := a.sum(f.Terms)
	if err != nil {
		return witness.AtMost{}, err
	}
	for t, c := range change {
		if c.Sign() > 0 {
			return witness.AtMost{}, fmt.Errorf("transition %q adds %s to the sum", a.net.Transitions.At(int(t)), c.RatString())
		}
	}
	return witness.AtMost{Terms: f.Terms, Bound: initial}, nil
}

// sum returns what a sum over places is in the initial marking, and what each transition
// that touches them adds to it.
func (a *arcs) sum(terms []witness.Term) (initial *big.Rat, change map[uint32]*big.Rat, err error) {
	initial, change = new(big.Rat), map[uint32]*big.Rat{}
	x := new(big.Rat)
	for _, term := range terms {
		if err := add(a.clock, initial, x.Mul(term.Factor, natural(a.net.Initial[term.Place]))); err != nil {
			return nil, nil, err
		}
		for _, w := range a.at[term.Place] {
			c := change[w.transition]
			if c == nil {
				c = new(big.Rat)
				change[w.transition] = c
			}
			if err := add(a.clock, c, x.Mul(term.Factor, x.Sub(natural(w.out), natural(w.in)))); err != nil {
				return nil, nil, err
			}
		}
	}
	return initial, change, nil
}

// set checks that every transition that could break a trap, or fill a siphon, does not.
func (a *arcs) set(f witness.Fact) (witness.AtMost, error) {
	takes, gives := map[uint32]bool{}, map[uint32]bool{}
	marked := false
	places := make([]uint32, len(f.Terms))
	for i, term := range f.Terms {
		places[i] = term.Place
		marked = marked || a.net.Initial[term.Place] > 0
		a.clock.Work(8 + 16*len(a.at[term.Place]))
		for _, w := range a.at[term.Place] {
			takes[w.transition] = takes[w.transition] || w.in > 0
			gives[w.transition] = gives[w.transition] || w.out > 0
		}
	}
	for t := range takes {
		if f.Kind == witness.Trap && takes[t] && !gives[t] {
			return witness.AtMost{}, fmt.Errorf("transition %q takes tokens from the trap and gives none back", a.net.Transitions.At(int(t)))
		}
		if f.Kind == witness.Siphon && gives[t] && !takes[t] {
			return witness.AtMost{}, fmt.Errorf("transition %q puts tokens into the siphon and needs none of it", a.net.Transitions.At(int(t)))
		}
	}
	switch {
	case f.Kind == witness.Trap && !marked:
		return witness.AtMost{}, fmt.Errorf("the trap is empty in the initial marking")
	case f.Kind == witness.Siphon && marked:
		return witness.AtMost{}, fmt.Errorf("the siphon is marked in the initial marking")
	case f.Kind == witness.Trap:
		return witness.AtMost{Terms: tokens(places, -1), Bound: whole(-1)}, nil
	}
	return witness.AtMost{Terms: tokens(places, 1), Bound: new(big.Rat)}, nil
}
