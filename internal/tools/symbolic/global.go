package symbolic

import "slices"

// hasDeadlock tells whether a dead marking is reachable.
func (s *space) hasDeadlock() bool { return s.deadMarkings() != none }

// quasiLive tells whether every transition, on a coloured net some binding of it,
// fires in some marking of a set; the set is the state space or a part of it.
func (s *space) quasiLive(set node) bool {
	fires := func(t uint32) bool { return s.event[t] >= 0 && s.enabled.meets(s.event[t], 0, set) }
	return !slices.ContainsFunc(s.view.TransitionGroups(), func(g []uint32) bool { return !slices.ContainsFunc(g, fires) })
}

// oneSafe tells whether no place of the view ever holds two tokens; the net is
// one-safe.
func (s *space) oneSafe() bool {
	for _, g := range s.view.PlaceGroups() {
		if len(g) > 1 && s.largest(s.weights(g...)) > 1 {
			return false
		}
	}
	return true
}

// hasStablePlace tells whether some place of the view has as many tokens in all
// reachable markings.
func (s *space) hasStablePlace() bool {
	empty, marked := make([]bool, s.levels), make([]bool, s.levels)
	s.sweep(func(k uint32, n node) bool {
		lo, hi := s.sides(n, k)
		empty[k] = empty[k] || lo != none
		marked[k] = marked[k] || hi != none
		return true
	})
	for _, g := range s.view.PlaceGroups() {
		switch len(g) {
		case 0:
			return true // no colour is ever there
		case 1:
			if k := s.order.level[g[0]]; empty[k] != marked[k] {
				return true
			}
		default:
			if weights := s.weights(g...); s.largest(weights) == s.smallest(weights) {
				return true
			}
		}
	}
	return false
}

// live tells whether every transition stays fireable from every reachable
// marking: it is so when every bottom component fires all transitions. The
// components are found one at a time, from a marking of the rest, by forward
// and backward closure.
func (s *space) live() bool {
	if s.view.Transitions().Len() == 0 {
		return true
	}
	if !s.quasiLive(s.states) || s.hasDeadlock() {
		return false
	}
	for rest := s.states; rest != none; {
		bottom := s.bottom(s.initialOrAny(rest))
		if !s.quasiLive(bottom) {
			return false
		}
		rest = s.diff(rest, s.back.closure(bottom, s.states))
	}
	return true
}

// bottom is a bottom component that is reachable from a set of one marking.
func (s *space) bottom(start node) node {
	for {
		reach := s.forward.closure(start, full)
		returning := s.back.closure(start, reach)
		leaving := s.diff(reach, returning)
		if leaving == none {
			return reach
		}
		start = s.any(leaving)
	}
}

func (s *space) initialOrAny(set node) node {
	if s.and(set, s.initial) != none {
		return s.initial
	}
	return s.any(set)
}

// any is the set of one marking of a set that is not empty.
func (s *space) any(set node) node {
	path := make([]uint64, s.levels)
	n := set
	for k := range s.levels {
		lo, hi := s.sides(n, k)
		if n = lo; lo == none {
			n, path[k] = hi, 1
		}
	}
	res := full
	for k := int(s.levels) - 1; k >= 0; k-- {
		if path[k] == 1 {
			res = s.node(uint32(k), none, res)
			continue
		}
		res = s.node(uint32(k), res, none)
	}
	return res
}
