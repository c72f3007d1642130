package diagram

import (
	"math/big"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
)

// Decide returns the value of an item of an examination on a space that is known; f is the
// formula of the item, where it has one. ok is false when the item makes no sense, or the
// memory does not suffice.
func (s *Space) Decide(c *clock.Clock, exam examinations.ID, item string, f formula.Formula) (v examinations.Value, ok bool) {
	s.clock = c
	err := s.catch(func() {
		s.tidy()
		switch {
		case exam == examinations.StateSpace:
			v, ok = s.stateSpace(item)
		case exam == examinations.LTLCardinality || exam == examinations.LTLFireability:
			v, ok = s.linear(f)
		case exam.HasFormulas():
			v, ok = s.formula(f)
		default:
			holds, known := s.global(exam)
			v, ok = examinations.Truth(holds), known
		}
	})
	return v, ok && err == nil
}

func number(n *big.Int) examinations.Value {
	return examinations.Value{Kind: examinations.Nat, Text: n.String()}
}

func natural(n uint64) examinations.Value {
	return examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(n, 10)}
}

func (s *Space) stateSpace(item string) (v examinations.Value, ok bool) {
	switch item {
	case "STATES":
		return number(s.flat().below[0]), true
	case "TRANSITIONS":
		return number(s.countFirings()), true
	case "MAX_TOKEN_IN_PLACE":
		most := uint64(0)
		for _, n := range s.flat().nodes {
			w := s.words(n)
			most = max(most, uint64(w[len(w)-2]))
		}
		return natural(most), true
	case "MAX_TOKEN_PER_MARKING":
		return natural(s.bound(s.order, false)), true
	}
	return v, false
}

func (s *Space) global(exam examinations.ID) (holds, ok bool) {
	switch exam {
	case examinations.ReachabilityDeadlock:
		return s.deadlocks() != empty, true
	case examinations.OneSafe:
		return !slices.ContainsFunc(s.view.PlaceGroups(), func(g []uint32) bool { return s.bound(g, false) > 1 }), true
	case examinations.StableMarking:
		return slices.ContainsFunc(s.view.PlaceGroups(), func(g []uint32) bool { return s.bound(g, false) == s.bound(g, true) }), true
	case examinations.QuasiLiveness:
		return s.quasiLive(s.states), true
	case examinations.Liveness:
		return s.live(), true
	}
	return false, false
}

// quasiLive reports whether every transition, of a coloured net some binding of it, is
// enabled somewhere in a set.
func (s *Space) quasiLive(set Node) bool {
	return !slices.ContainsFunc(s.view.TransitionGroups(), func(g []uint32) bool {
		return !slices.ContainsFunc(g, func(t uint32) bool { return s.forward.enabled(s.takes[t], set) != empty })
	})
}

// live reports whether every transition can fire again from everywhere: whether all of them
// fire in every component that no firing leaves. These are looked for one by one.
func (s *Space) live() bool {
	if s.view.Transitions().Len() == 0 {
		return true
	}
	if !s.quasiLive(s.states) || s.deadlocks() != empty {
		return false
	}
	rest, from := s.states, s.marking(s.first)
	for {
		bottom := s.bottom(from)
		if !s.quasiLive(bottom) {
			return false
		}
		if rest = s.minus(rest, s.reaching(bottom, s.states)); rest == empty {
			return true
		}
		from = s.some(rest)
	}
}

// bottom is a component that no firing leaves and that is reached from a marking.
func (s *Space) bottom(from Node) Node {
	for {
		reached := s.forward.closure(from, s.states)
		leaving := s.minus(reached, s.reaching(from, reached))
		if leaving == empty {
			return reached
		}
		from = s.some(leaving)
	}
}

// some is the set of one marking of a set that is not empty.
func (s *Space) some(n Node) Node {
	tokens := make([]uint32, len(s.order))
	for level := range tokens {
		w := s.words(n)
		tokens[level], n = w[2], Node(w[3])
	}
	return s.marking(tokens)
}
