package stubborn

import (
	"errors"
	"maps"
	"slices"

	"podium/examinations/formula"
	"podium/pnml/unfold"
)

// goal is a condition on markings: all of some goals or one of them, transitions of which
// one is enabled or none is, or a weighted sum that is at most zero.
type goal struct {
	kind        kind
	parts       []*goal
	transitions []uint32
	places      []uint32 // of the sum, and their factors
	factors     []int64
	constant    int64
	lowering    []uint32 // transitions that make the sum smaller
	raising     []uint32 // those that make it larger
}

type kind uint8

const (
	all kind = iota
	one
	some // transitions
	none // of them
	sum
)

var errFormula = errors.New("the formula is about more than one marking, or about too large numbers")

// newGoal returns the goal of a formula, or of its negation.
func newGoal(s *search, view unfold.View, f formula.Formula, not bool) (*goal, error) {
	switch f := f.(type) {
	case *formula.Not:
		return newGoal(s, view, f.F, !not)
	case *formula.Constant:
		if f.Value == not {
			return &goal{kind: one}, nil
		}
		return &goal{kind: all}, nil
	case *formula.And:
		return several(s, view, f.Fs, not, map[bool]kind{false: all, true: one}[not])
	case *formula.Or:
		return several(s, view, f.Fs, not, map[bool]kind{false: one, true: all}[not])
	case *formula.Fireable:
		list, err := view.TransitionsOf(f.Transitions)
		return &goal{kind: map[bool]kind{false: some, true: none}[not], transitions: list}, err
	case *formula.Deadlock:
		list := make([]uint32, view.Net.Transitions.Len())
		for t := range list {
			list[t] = uint32(t)
		}
		return &goal{kind: map[bool]kind{false: none, true: some}[not], transitions: list}, nil
	case *formula.LessEqual:
		return comparison(s, view, f, not)
	}
	return nil, errFormula
}

func several(s *search, view unfold.View, list []formula.Formula, not bool, k kind) (*goal, error) {
	g := &goal{kind: k}
	for _, f := range list {
		part, err := newGoal(s, view, f, not)
		if err != nil {
			return nil, err
		}
		g.parts = append(g.parts, part)
	}
	return g, nil
}

// maxNumber bounds the numbers of a comparison and of arcs, so that sums fit 64 bits.
const maxNumber = 1 << 20

// comparison is left - right <= 0, or with not right - left + 1 <= 0.
func comparison(s *search, view unfold.View, f *formula.LessEqual, not bool) (*goal, error) {
	g := &goal{kind: sum}
	factors := map[uint32]int64{}
	sign := int64(1)
	if not {
		sign, g.constant = -1, 1
	}
	for term, factor := range f.Terms() {
		switch x := term.(type) {
		case *formula.Number:
			if x.N > maxTokens || factor > maxNumber || factor < -maxNumber {
				return nil, errFormula
			}
			if g.constant += sign * factor * int64(x.N); g.constant > 1<<60 || g.constant < -1<<60 {
				return nil, errFormula
			}
		case *formula.TokensCount:
			places, err := view.PlacesOf(x.Places)
			if err != nil {
				return nil, err
			}
			for _, p := range places {
				factors[p] += sign * factor
			}
		default:
			return nil, errFormula
		}
	}
	if len(factors) > maxNumber/16 {
		return nil, errFormula
	}
	for _, p := range slices.Sorted(maps.Keys(factors)) {
		factor := factors[p]
		if factor > 1<<10 || factor < -1<<10 {
			return nil, errFormula
		}
		g.places, g.factors = append(g.places, p), append(g.factors, factor)
	}
	for t := range uint32(s.net.Transitions.Len()) {
		change := int64(0)
		for p, by := range effect(s.net, t) {
			if by > maxNumber || by < -maxNumber {
				return nil, errFormula
			}
			change += factors[p] * by
		}
		if change < 0 {
			g.lowering = append(g.lowering, t)
		} else if change > 0 {
			g.raising = append(g.raising, t)
		}
	}
	return g, nil
}

// holds reports whether the goal holds in the marking at hand.
func (g *goal) holds(s *search) bool {
	holds := func(part *goal) bool { return part.holds(s) }
	switch g.kind {
	case all:
		return !slices.ContainsFunc(g.parts, func(part *goal) bool { return !holds(part) })
	case one:
		return slices.ContainsFunc(g.parts, holds)
	case some, none:
		return slices.ContainsFunc(g.transitions, s.fireable) == (g.kind == some)
	}
	total := g.constant
	for k, p := range g.places {
		total += g.factors[k] * int64(s.at[p])
	}
	return total <= 0
}

// missing puts transitions into the set of which one has to fire before the goal, which
// does not hold, can hold. Where it can do so in several ways it does so in the given one,
// from 0; false says that there are fewer.
func (g *goal) missing(s *search, choice int) bool {
	switch g.kind {
	case all:
		for _, part := range g.parts {
			if part.holds(s) {
				continue
			}
			if choice == 0 {
				return part.missing(s, 0)
			}
			choice--
		}
		return false
	case none:
		for _, t := range g.transitions {
			if !s.fireable(t) {
				continue
			}
			if choice == 0 {
				places, _ := s.net.Pre.Row(int(t))
				for _, p := range places {
					s.take(s.takers[p])
				}
				return true
			}
			choice--
		}
		return false
	case one:
		enough := choice == 0
		for _, part := range g.parts {
			if part.missing(s, choice) {
				enough = true
			} else {
				part.missing(s, 0)
			}
		}
		return enough
	case some:
		for _, t := range g.transitions {
			if p, lacks := s.lack(t); lacks {
				s.take(s.adders[p])
			}
		}
	default:
		s.take(g.lowering)
	}
	return choice == 0
}

// changers marks the transitions that may make the goal true, or those that may break it.
func (g *goal) changers(s *search, breaks bool, mark []bool) {
	lists, rows := [][]uint32{g.lowering}, s.adders
	if breaks {
		lists[0] = g.raising
	}
	if breaks == (g.kind == some) {
		rows = s.takers
	}
	for _, part := range g.parts {
		part.changers(s, breaks, mark)
	}
	for _, t := range g.transitions {
		places, _ := s.net.Pre.Row(int(t))
		for _, p := range places {
			lists = append(lists, rows[p])
		}
	}
	for _, list := range lists {
		s.clock.Work(8 + len(list))
		for _, t := range list {
			mark[t] = true
		}
	}
}
