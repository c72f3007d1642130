package directed

import (
	"cmp"
	"math/bits"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Lasso looks for a run that decides a formula A f or E f of LTL: a stem and a cycle,
// which is empty when the run ends in a dead marking. It walks depth first through the
// product of the net with the automaton of the formula, again and again and farther each
// time, with other transitions first, until the clock ends, and gives up at once where it
// cannot understand the formula; also, if reduced says so, in a net that is reduced for the formula. Every
// second time, what comes nearer to acceptance comes first. holds is the value of the formula when a run is
// found.
//
// Markings are remembered by 128 bits of a hash, so that now and then one may be taken for
// another: a run that is found is to be replayed, and that none is found says nothing.
func Lasso(c *clock.Clock, view unfold.View, f formula.Formula, reduced bool) (stem, cycle []uint32, holds, found bool) {
	w, ok := newWalker(c, view)
	if !ok {
		return nil, nil, false, false
	}
	a := &literals{walker: w}
	automaton, holds, err := a.automaton(f)
	if err != nil {
		return nil, nil, false, false
	}
	r := reduce.None(w.Net)
	if reduced {
		keep := reduce.Linear
		if automaton.HasNext {
			keep = reduce.Steps
		}
		r = w.reduced(keep, automaton.Atoms)
		if a.make(automaton.Atoms) != nil {
			return nil, nil, false, false
		}
	}
	s := &lassoSearch{literals: a, automaton: automaton, aims: a.aims(automaton)}
	if !s.repeat() {
		return nil, nil, false, false
	}
	stem, cycle = s.lasso()
	stem, cycle, err = r.Lift(stem, cycle, len(cycle) == 0)
	return stem, cycle, holds, err == nil
}

// repeat searches again and again, and farther each time, until a run is found or all is visited.
func (s *lassoSearch) repeat() (found bool) {
	for _, aim := range s.aims {
		s.sizes = append(s.sizes, aim.Size())
	}
	for turn, limit := 0, firstStates; ; turn, limit = turn+1, min(limit+limit/2, mostStates) {
		s.rank(turn)
		if found = s.search(limit); found || s.whole {
			return found
		}
	}
}

// aims returns for each state of the automaton what brings a run nearer to acceptance: the literals of the
// edges to states that are nearer to one which may accept for ever and, of such a state, those of its own
// loops.
func (a *literals) aims(automaton *temporal.Automaton) []*tokens.Goal {
	edges := automaton.Edges
	accepts := func(q int, e temporal.Edge) bool { return int(e.To) == q && e.Accepts == automaton.All }
	steps := slices.Repeat([]int{len(edges)}, len(edges))
	for changed := true; changed; {
		changed = false
		for q := range edges {
			a.Clock.Work(8 * len(edges[q]))
			for _, e := range edges[q] {
				n := steps[e.To] + 1
				if accepts(q, e) {
					n = 0
				}
				if n < steps[q] {
					steps[q], changed = n, true
				}
			}
		}
	}
	aims := make([]*tokens.Goal, len(edges))
	for q := range edges {
		aims[q] = &tokens.Goal{Kind: tokens.One}
		for _, e := range edges[q] {
			if steps[e.To] < steps[q] || steps[q] == 0 && accepts(q, e) {
				all := &tokens.Goal{Kind: tokens.All}
				for _, x := range e.Literals {
					all.Parts = append(all.Parts, a.goals[boolean(x.Negated)][x.Atom])
				}
				aims[q].Parts = append(aims[q].Parts, all)
			}
		}
	}
	return aims
}

// Limits of one walk: product states, and the effort in each of them.
const (
	firstStates = 1 << 12
	mostStates  = 1 << 22
	mostAimed   = 1 << 16 // parts of the aim, over all firings that are compared in a marking
)

// literals are the formulas of one marking in a formula, by number.
type literals struct {
	*walker
	goals [2][]*tokens.Goal // by literal; and of their negations
	known []int8            // by literal, of the marking at hand: 0 where it is not known
}

// automaton returns that of a formula, with its literals.
func (a *literals) automaton(f formula.Formula) (automaton *temporal.Automaton, holds bool, err error) {
	if automaton, holds, err = temporal.Linear(a.Clock, f); err == nil {
		err = a.make(automaton.Atoms)
	}
	return automaton, holds, err
}

// make makes the goals of literals.
func (a *literals) make(list []formula.Formula) error {
	a.goals = [2][]*tokens.Goal{}
	for _, f := range list {
		for negated := range a.goals {
			goal, err := a.Goal(f, negated == 1)
			if err != nil {
				return err
			}
			a.goals[negated] = append(a.goals[negated], goal)
		}
	}
	return nil
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
	goal      *tokens.Goal   // a marking that ends the search; nil: a cycle does
	aims      []*tokens.Goal // by state of the automaton
	sizes     []int          // of the aims
	aiming    bool           // what comes nearer to the aim comes first
	distances []int64        // from it, by transition, of the marking at hand
	ranks     []uint32       // by transition: those with low numbers first
	frames    []frame
	held      int           // transitions in the orders of all frames
	seen      map[visit]int // where on the way, -1 where it was left
	met       [temporal.MaxConditions][]int
	from      int    // where the cycle begins on the way
	last      uint32 // the transition that closes it
	whole     bool   // everything was visited
}

// rank says which transitions come first.
func (s *lassoSearch) rank(turn int) {
	s.ranks, s.distances, s.aiming = s.All(), make([]int64, s.Net.Transitions.Len()), turn%2 == 0
	switch turn / 2 {
	case 0:
	case 1:
		slices.Reverse(s.ranks)
	default:
		s.rng.Shuffle(len(s.ranks), func(i, j int) { s.ranks[i], s.ranks[j] = s.ranks[j], s.ranks[i] })
	}
}

// search walks through at most a number of product states.
func (s *lassoSearch) search(limit int) bool {
	s.begin()
	s.frames, s.held, s.seen, s.whole = s.frames[:0], 0, map[visit]int{}, false
	for i := range s.met {
		s.met[i] = s.met[i][:0]
	}
	s.enter(visit{s.Hash, 0}, stutter, 0)
	for len(s.frames) > 0 {
		s.Clock.Work(64)
		if s.goal != nil && s.Distance(s.goal) == 0 {
			s.from, s.last = len(s.frames)-1, stutter
			return true
		}
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
		case !seen && (len(s.seen) >= limit || s.held >= 16*limit):
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
	s.held += len(f.order)
	s.Clock.Work(16 * len(f.order))
	aim := s.aims[v.state]
	aiming := s.aiming && len(f.order)*s.sizes[v.state] <= mostAimed
	for _, t := range f.order {
		if s.distances[t] = 0; aiming {
			s.Shift(t, 1)
			s.distances[t] = s.Distance(aim)
			s.Shift(t, -1)
		}
	}
	slices.SortFunc(f.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.distances[a], s.distances[b]), cmp.Compare(s.ranks[a], s.ranks[b]))
	})
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
func (a *literals) forget() { a.known = append(a.known[:0], make([]int8, len(a.goals[0]))...) }

func (a *literals) satisfied(list []temporal.Literal) bool {
	for _, x := range list {
		if a.known[x.Atom] == 0 {
			a.known[x.Atom] = -1
			if a.Distance(a.goals[0][x.Atom]) == 0 {
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
	s.held -= len(f.order)
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
