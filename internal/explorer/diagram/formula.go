package diagram

import (
	"errors"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
)

// errFormula says that a formula has too large numbers, or no place where it stands.
var errFormula = errors.New("the formula cannot be evaluated on decision diagrams")

// formula returns the value of a bound or of a CTL formula.
func (s *Space) formula(f formula.Formula) (v examinations.Value, ok bool) {
	if bound, is := f.(*formula.Bound); is {
		places, err := s.view.PlacesOf(bound.Places)
		if err != nil {
			return v, false
		}
		return natural(s.bound(places, false)), true
	}
	a := &temporal.Atoms{}
	g, err := temporal.NewCTL(a, f)
	if err != nil {
		return v, false
	}
	holds, err := s.initially(a, g)
	return examinations.Truth(holds), err == nil
}

// initially reports whether a formula holds in the initial marking. Every marking of the
// space is reached from there, so EF f holds where f holds somewhere.
func (s *Space) initially(a *temporal.Atoms, f temporal.CTL) (bool, error) {
	switch f := f.(type) {
	case temporal.Not:
		holds, err := s.initially(a, f.F)
		return !holds, err
	case temporal.And:
		for _, g := range f.Fs {
			if holds, err := s.initially(a, g); err != nil || !holds {
				return false, err
			}
		}
		return true, nil
	case temporal.Or:
		for _, g := range f.Fs {
			if holds, err := s.initially(a, g); err != nil || holds {
				return true, err
			}
		}
		return false, nil
	case temporal.EU:
		if f.F == temporal.CTL(temporal.True) {
			set, err := s.satisfying(a, f.G)
			return set != empty, err
		}
	}
	set, err := s.satisfying(a, f)
	return err == nil && s.holds(set, s.first), err
}

// satisfying is the reachable markings in which a formula holds.
func (s *Space) satisfying(a *temporal.Atoms, f temporal.CTL) (Node, error) {
	switch f := f.(type) {
	case temporal.Atom:
		switch f {
		case temporal.True:
			return s.states, nil
		case temporal.False:
			return empty, nil
		}
		return s.where((*a)[f])
	case temporal.Not:
		set, err := s.satisfying(a, f.F)
		return s.minus(s.states, set), err
	case temporal.And:
		all := s.states
		for _, g := range f.Fs {
			set, err := s.satisfying(a, g)
			if err != nil {
				return empty, err
			}
			all = s.both(all, set)
		}
		return all, nil
	case temporal.Or:
		all := empty
		for _, g := range f.Fs {
			set, err := s.satisfying(a, g)
			if err != nil {
				return empty, err
			}
			all = s.union(all, set)
		}
		return all, nil
	case temporal.EX:
		set, err := s.satisfying(a, f.F)
		if err != nil {
			return empty, err
		}
		return s.before(set, s.states), nil
	case temporal.EU:
		set, err := s.satisfying(a, f.G)
		if err != nil || set == empty {
			return empty, err
		}
		way, err := s.satisfying(a, f.F)
		if err != nil {
			return empty, err
		}
		return s.reaching(set, s.union(way, set)), nil
	case temporal.EG:
		set, err := s.satisfying(a, f.F)
		if err != nil {
			return empty, err
		}
		return s.staying(set), nil
	}
	return empty, errFormula
}

// staying is the markings of a set from which a maximal path stays in it: the greatest
// part in which every marking is dead or has a successor in the part.
func (s *Space) staying(set Node) Node {
	if set == s.states {
		return set
	}
	ends := s.both(set, s.deadlocks())
	for {
		next := s.union(ends, s.before(set, set))
		if next == set {
			return set
		}
		set = next
	}
}

// where is the reachable markings that satisfy a formula of one marking.
func (s *Space) where(f formula.Formula) (Node, error) {
	x, err := (&state.Lookup{View: s.view, Clock: s.clock}).Formula(f)
	if err != nil {
		return empty, err
	}
	return s.within(s.states, x)
}

// within is the markings of a set that satisfy a formula of one marking.
func (s *Space) within(set Node, f state.Formula) (Node, error) {
	switch f := f.(type) {
	case state.Dead:
		return s.both(set, s.deadlocks()), nil
	case state.Fireable:
		all := empty
		for _, t := range f {
			all = s.union(all, s.forward.enabled(s.takes[t], set))
		}
		return all, nil
	case *state.AtMost:
		return s.atMost(set, f)
	case state.Not:
		part, err := s.within(set, f.F)
		return s.minus(set, part), err
	case state.And:
		for _, g := range f {
			var err error
			if set, err = s.within(set, g); err != nil {
				return empty, err
			}
		}
		return set, nil
	case state.Or:
		all := empty
		for _, g := range f {
			part, err := s.within(set, g)
			if err != nil {
				return empty, err
			}
			all = s.union(all, part)
		}
		return all, nil
	}
	if f == state.Formula(state.Truth(true)) {
		return set, nil
	}
	return empty, nil
}

// Bounds of the numbers and the factors of comparisons.
const (
	largest = 1 << 52
	most    = 1 << 20
)

// atMost is the markings of a set where the left side is at most the right one.
func (s *Space) atMost(set Node, f *state.AtMost) (Node, error) {
	factors, constant := make([]int64, len(s.order)), int64(0)
	for sign, side := range map[int64]*state.Sum{1: &f.Left, -1: &f.Right} {
		if side.Constant.Hi > 0 || side.Constant.Lo > largest {
			return empty, errFormula
		}
		constant += sign * int64(side.Constant.Lo)
		for _, p := range side.Places {
			factors[s.levelOf[p]] += sign
		}
	}
	if slices.ContainsFunc(factors, func(factor int64) bool { return max(factor, -factor) > most }) {
		return empty, errFormula
	}
	return s.sum(factors).atMost(set, -constant), nil
}

// sum is a weighted sum over places, by levels, and what is known of it.
type sum struct {
	*Space
	factors []int64
	last    uint32 // no factor below this level
	ranges  map[Node][2]int64
	parts   map[partial]Node
}

// partial is a node and what the sum from its level on may be at most.
type partial struct {
	n    Node
	most int64
}

func (s *Space) sum(factors []int64) *sum {
	x := &sum{Space: s, factors: factors, ranges: map[Node][2]int64{}, parts: map[partial]Node{}}
	for level, factor := range factors {
		if factor != 0 {
			x.last = uint32(level)
		}
	}
	return x
}

// values returns the least and the largest value of the sum from a node on.
func (x *sum) values(n Node) [2]int64 {
	if n <= end || x.level(n) > x.last {
		return [2]int64{}
	}
	if r, ok := x.ranges[n]; ok {
		return r
	}
	w := x.words(n)
	x.clock.Work(64 + 16*len(w))
	var r [2]int64
	for k := 2; k < len(w); k += 2 {
		below, here := x.values(Node(w[k+1])), x.factors[w[0]]*int64(w[k])
		if below[0] += here; k == 2 || below[0] < r[0] {
			r[0] = below[0]
		}
		if below[1] += here; k == 2 || below[1] > r[1] {
			r[1] = below[1]
		}
	}
	x.ranges[n] = r
	return r
}

// atMost is the markings of a set in which the sum from its level on is at most a number.
func (x *sum) atMost(n Node, most int64) Node {
	switch r := x.values(n); {
	case n == empty || r[1] <= most:
		return n
	case r[0] > most:
		return empty
	}
	key := partial{n, most}
	if part, ok := x.parts[key]; ok {
		return part
	}
	w, start := x.words(n), len(x.edges)
	for k := 2; k < len(w); k += 2 {
		x.push(w[k], x.atMost(Node(w[k+1]), most-x.factors[w[0]]*int64(w[k])))
	}
	part := x.pop(w[0], start)
	x.parts[key] = part
	return part
}
