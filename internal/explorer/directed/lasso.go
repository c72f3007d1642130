package directed

import (
	"cmp"
	"math/bits"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Lasso looks for a run that decides a formula A f or E f of LTL: a stem and a cycle,
// which is empty when the run ends in a dead marking. It walks depth first through the
// product of the net with the automaton of the formula, again and again and farther each
// time, with other transitions first, until the clock ends, and gives up at once where it
// cannot understand the formula. holds is the value of the formula when a run is found.
//
// Markings are remembered by 128 bits of a hash, so that now and then one may be taken for
// another: a run that is found is to be replayed, and that none is found says nothing.
func Lasso(c *clock.Clock, view unfold.View, f formula.Formula) (stem, cycle []uint32, holds, found bool) {
	w, ok := newWalker(c, view)
	if !ok {
		return nil, nil, false, false
	}
	a := &literals{walker: w}
	path, holds, err := temporal.NewLTL(a, f)
	if err != nil {
		return nil, nil, false, false
	}
	automaton, err := temporal.NewAutomaton(c, path)
	if err != nil {
		return nil, nil, false, false
	}
	s := &lassoSearch{literals: a, automaton: automaton}
	for turn, limit := 0, firstStates; ; turn, limit = turn+1, min(limit+limit/2, mostStates) {
		s.rank(turn)
		if s.search(limit) {
			stem, cycle = s.lasso()
			return stem, cycle, holds, true
		}
		if s.whole {
			return nil, nil, false, false
		}
	}
}

// Limits of one walk: product states.
const (
	firstStates = 1 << 12
	mostStates  = 1 << 22
)

// literals are the formulas of one marking in a formula, by number.
type literals struct {
	*walker
	targets []*tokens.Goal
	known   []int8 // by literal, of the marking at hand: 0 where it is not known
}

// Atom numbers a formula of one marking.
func (a *literals) Atom(f formula.Formula) (temporal.Atom, error) {
	if constant, is := f.(*formula.Constant); is {
		if constant.Value {
			return temporal.True, nil
		}
		return temporal.False, nil
	}
	t, err := a.Goal(f, false)
	if err != nil {
		return temporal.False, err
	}
	a.targets = append(a.targets, t)
	return temporal.Atom(len(a.targets) - 1), nil
}

// stutter stands for the transition of a dead marking to itself.
const stutter = ^uint32(0)

// visit is a product state: a marking, by its hash, and a state of the automaton.
type visit struct {
	hash  [2]uint64
	state uint32
}

// frame is a product state on the way at hand.
type frame struct {
	visit
	by    uint32 // the transition by which it was entered
	edges []temporal.Edge
	order []uint32
	next  int // of the pairs of an edge and a transition
}

type lassoSearch struct {
	*literals
	automaton *temporal.Automaton
	ranks     []uint32 // by transition: those with low numbers first
	frames    []frame
	seen      map[visit]int // where on the way, -1 where it was left
	met       [temporal.MaxConditions][]int
	from      int    // where the cycle begins on the way
	last      uint32 // the transition that closes it
	whole     bool   // everything was visited
}

// rank says which transitions come first.
func (s *lassoSearch) rank(turn int) {
	n := s.Net.Transitions.Len()
	s.ranks = make([]uint32, n)
	for t := range s.ranks {
		s.ranks[t] = uint32(t)
	}
	switch turn {
	case 0:
	case 1:
		slices.Reverse(s.ranks)
	default:
		s.rng.Shuffle(n, func(i, j int) { s.ranks[i], s.ranks[j] = s.ranks[j], s.ranks[i] })
	}
}

// search walks through at most a number of product states.
func (s *lassoSearch) search(limit int) bool {
	s.begin()
	s.frames, s.seen, s.whole = s.frames[:0], map[visit]int{}, false
	for i := range s.met {
		s.met[i] = s.met[i][:0]
	}
	s.enter(visit{s.Hash, 0}, stutter, 0)
	for len(s.frames) > 0 {
		s.Clock.Work(64)
		f := &s.frames[len(s.frames)-1]
		ways := max(len(f.order), 1)
		if f.next == ways*len(f.edges) {
			s.leave()
			continue
		}
		e, t := f.edges[f.next/ways], stutter
		if len(f.order) > 0 {
			t = f.order[f.next%ways]
		}
		f.next++
		if t != stutter && !s.Fire(t) {
			s.Unfire(t)
			continue
		}
		v := visit{s.Hash, e.To}
		at, seen := s.seen[v]
		switch {
		case !seen && len(s.seen) >= limit:
			return false
		case !seen:
			s.enter(v, t, e.Accepts)
			continue
		case at >= 0 && s.accepted(at, e.Accepts):
			s.from, s.last = at, t
			return true
		}
		if t != stutter {
			s.Unfire(t)
		}
	}
	s.whole = true
	return false
}

// enter goes on to the marking at hand.
func (s *lassoSearch) enter(v visit, by uint32, accepts uint32) {
	here := len(s.frames)
	for ; accepts != 0; accepts &= accepts - 1 {
		i := bits.TrailingZeros32(accepts)
		s.met[i] = append(s.met[i], here)
	}
	s.seen[v] = here
	f := frame{visit: v, by: by, order: slices.Clone(s.Enabled)}
	s.Clock.Work(16 * len(f.order))
	slices.SortFunc(f.order, func(a, b uint32) int { return cmp.Compare(s.ranks[a], s.ranks[b]) })
	s.forget()
	for _, e := range s.automaton.Edges[v.state] {
		if s.satisfied(e.Literals) {
			f.edges = append(f.edges, e)
		}
	}
	// What meets most conditions, and what changes the state, comes first.
	slices.SortStableFunc(f.edges, func(a, b temporal.Edge) int {
		return cmp.Or(-cmp.Compare(bits.OnesCount32(a.Accepts), bits.OnesCount32(b.Accepts)), boolean(a.To == v.state)-boolean(b.To == v.state))
	})
	s.frames = append(s.frames, f)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// forget begins a marking.
func (a *literals) forget() { a.known = append(a.known[:0], make([]int8, len(a.targets))...) }

func (a *literals) satisfied(list []temporal.Literal) bool {
	for _, x := range list {
		if a.known[x.Atom] == 0 {
			a.known[x.Atom] = -1
			if a.Distance(a.targets[x.Atom]) == 0 {
				a.known[x.Atom] = 1
			}
		}
		if a.known[x.Atom] > 0 == x.Negated {
			return false
		}
	}
	return true
}

// leave goes back to the marking before.
func (s *lassoSearch) leave() {
	here := len(s.frames) - 1
	f := &s.frames[here]
	s.seen[f.visit] = -1
	if f.by != stutter {
		s.Unfire(f.by)
	}
	for i := range s.met {
		if k := len(s.met[i]); k > 0 && s.met[i][k-1] == here {
			s.met[i] = s.met[i][:k-1]
		}
	}
	s.frames = s.frames[:here]
}

// accepted reports whether the way from a frame on, closed by an edge, meets every
// condition.
func (s *lassoSearch) accepted(at int, accepts uint32) bool {
	for missing := s.automaton.All &^ accepts; missing != 0; missing &= missing - 1 {
		list := s.met[bits.TrailingZeros32(missing)]
		if len(list) == 0 || list[len(list)-1] <= at {
			return false
		}
	}
	return true
}

// lasso returns the run that was found.
func (s *lassoSearch) lasso() (stem, cycle []uint32) {
	for i, f := range s.frames {
		switch {
		case f.by == stutter:
		case i <= s.from:
			stem = append(stem, f.by)
		default:
			cycle = append(cycle, f.by)
		}
	}
	if s.last != stutter {
		cycle = append(cycle, s.last)
	}
	return stem, cycle
}
