package certificate

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"podium/examinations/formula"
	"podium/internal/witness"
)

// Below are the markings that hold less than the initial one in some place.
func Below(initial []uint64) Bad {
	b := Bad{part{kind: some}}
	for p, n := range initial {
		if n > 0 {
			b.is.parts = append(b.is.parts, part{kind: few, places: []uint32{uint32(p)}, n: n - 1})
		}
	}
	return b
}

// Return is a part of a formula of CTL that a way back decides: E F f, or A G of the negation
// of f, where f is about one marking.
type Return struct {
	Part  formula.Formula
	To    formula.Formula // f
	Value bool            // of the part, where there always is a way to a marking with f
}

// Returns returns the parts of a formula that ways back decide, by their numbers in
// [formula.Quantified].
func Returns(f formula.Formula) map[int]Return {
	list := map[int]Return{}
	for number, part := range formula.Quantified(f) {
		switch part := part.(type) {
		case *formula.ExistsPath:
			if finally, ok := part.F.(*formula.Finally); ok && formula.IsState(finally.F) {
				list[number] = Return{part, finally.F, true}
			}
		case *formula.AllPaths:
			if globally, ok := part.F.(*formula.Globally); ok && formula.IsState(globally.F) {
				list[number] = Return{part, &formula.Not{F: globally.F}, false}
			}
		}
	}
	return list
}

// Moves goes on with a tree about a way back, behind [Walk.Show]. A move is some transitions
// that fire one after the other. Each has to make the rank smaller, which is a sum over places
// without negative factors, so that moves come to an end. Assumed is that none is enabled: what
// then contradicts the facts is a marking that is bad and has no move.
func (w *Walk) Moves(rank []witness.Term, moves [][]uint32) error {
	if err := w.net.known(rank); err != nil {
		return err
	}
	weight := map[uint32]*big.Rat{}
	for _, t := range rank {
		if t.Factor.Sign() < 0 {
			return errors.New("the rank has a negative factor")
		}
		if weight[t.Place] == nil {
			weight[t.Place] = new(big.Rat)
		}
		if err := add(w.net.clock, weight[t.Place], t.Factor); err != nil {
			return err
		}
	}
	for i, move := range moves {
		needs, change, err := w.net.move(move)
		if err != nil {
			return fmt.Errorf("move %d: %w", i, err)
		}
		less, x := new(big.Rat), new(big.Rat)
		for place, by := range change {
			if weight[place] == nil {
				continue
			}
			if err := add(w.net.clock, less, x.Mul(x.SetInt(by), weight[place])); err != nil {
				return err
			}
		}
		if less.Sign() >= 0 {
			return fmt.Errorf("move %d does not make the rank smaller", i)
		}
		disabled := make([]part, 0, len(needs))
		for _, place := range slices.Sorted(maps.Keys(needs)) {
			most := new(big.Rat).SetInt(needs[place])
			disabled = append(disabled, part{kind: atMost, xs: []witness.AtMost{{Terms: tokens([]uint32{place}, 1), Bound: most.Sub(most, whole(1))}}})
		}
		if w.size += len(disabled); w.size > maxAssumed {
			return fmt.Errorf("the moves take from more than %d places", maxAssumed)
		}
		if err := w.any(disabled); err != nil {
			return err
		}
	}
	return nil
}

// move returns how many tokens a sequence of transitions needs in places before its first firing,
// where it needs any, and what it adds to places.
func (a *arcs) move(fire []uint32) (needs, change map[uint32]*big.Int, err error) {
	needs, change = map[uint32]*big.Int{}, map[uint32]*big.Int{}
	of := func(place uint32) *big.Int {
		if change[place] == nil {
			change[place] = new(big.Int)
		}
		return change[place]
	}
	n := new(big.Int)
	for _, t := range fire {
		if int(t) >= a.net.Transitions.Len() {
			return nil, nil, fmt.Errorf("there is no transition %d", t)
		}
		takes, weights := a.net.Pre.Row(int(t))
		a.clock.Work(64 * (1 + len(takes)))
		for k, place := range takes {
			by := of(place)
			by.Sub(by, n.SetUint64(weights.At(k)))
			if least := new(big.Int).Neg(by); least.Sign() > 0 && (needs[place] == nil || least.Cmp(needs[place]) > 0) {
				needs[place] = least
			}
		}
		gives, weights := a.net.Post.Row(int(t))
		a.clock.Work(64 * len(gives))
		for k, place := range gives {
			by := of(place)
			by.Add(by, n.SetUint64(weights.At(k)))
		}
	}
	return needs, change, nil
}
