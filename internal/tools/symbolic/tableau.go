package symbolic

import (
	"fmt"
	"podium/examinations/formula"
)

// maxElementary limits the temporal operators of one LTL formula.
const maxElementary = 20

// tableau decides LTL on the product of the state space with guesses (Clarke,
// Grumberg, Hamaguchi 1994): beside its places, a product marking has a level for
// every X and U of the formula that guesses whether the operand of the X, or the
// U itself, will hold in the next marking. A product marking is left only for
// those that keep its guesses, and a run counts when no U is guessed for ever
// without being fulfilled. F f is true U f, G f is not F not f; dead markings
// stutter.
//
// The guesses stand on the free levels of the diagram: the i-th one on the first
// level of pair i; on the second stands the guess of the next marking, for a
// moment.
type tableau struct {
	*space
	guess map[formula.Formula]int // X, F, G or U -> pair of levels
	sets  map[formula.Formula]node
	keeps []node            // by pair: the guess is that of the operand after the step
	fair  []node            // by U: fulfilled, or not guessed
	start node              // where a run may begin
	asked []formula.Formula // by pair
}

// temporalOperators counts the X, F, G and U of a formula.
func temporalOperators(f formula.Formula) (n int) {
	formula.Walk(f, func(g formula.Formula) {
		switch g.(type) {
		case *formula.Next, *formula.Finally, *formula.Globally, *formula.Until:
			n++
		}
	})
	return n
}

// guesses is the number of pairs of levels that the formulas need.
func guesses(properties []formula.Property) int {
	most := 0
	for _, p := range properties {
		if n := temporalOperators(p.Formula); n <= maxElementary {
			most = max(most, n)
		}
	}
	return most
}

// linearTime decides A path, E path and their boolean combinations in the initial
// marking.
func (s *space) linearTime(f formula.Formula) (bool, error) {
	switch f := f.(type) {
	case *formula.Not:
		b, err := s.linearTime(f.F)
		return !b, err
	case *formula.AllPaths:
		b, err := s.someRun(f.F, true)
		return !b, err
	case *formula.ExistsPath:
		return s.someRun(f.F, false)
	}
	return false, fmt.Errorf("%T stands where an LTL formula has a path quantifier", f)
}

// someRun tells whether a run from the initial marking meets a path formula, or
// its negation.
func (s *space) someRun(f formula.Formula, negated bool) (bool, error) {
	if 2*temporalOperators(f) > int(s.free) {
		return false, errTooLarge
	}
	t := &tableau{space: s, guess: map[formula.Formula]int{}, sets: map[formula.Formula]node{}}
	wanted, err := t.set(f)
	if err != nil {
		return false, err
	}
	if negated {
		wanted = t.diff(t.states, wanted)
	}
	if t.start = t.and(wanted, t.initial); t.start == none {
		return false, nil
	}
	t.keepGuesses()
	runs := t.fairRuns()
	return t.and(t.start, runs) != none, nil
}

// set gives the product markings in which a path formula holds, if their guesses
// come true.
func (t *tableau) set(f formula.Formula) (node, error) {
	if set, ok := t.sets[f]; ok {
		return set, nil
	}
	set, err := t.newSet(f)
	t.sets[f] = set
	return set, err
}

func (t *tableau) newSet(f formula.Formula) (node, error) {
	if temporalOperators(f) == 0 {
		return t.satisfying(f)
	}
	switch f := f.(type) {
	case *formula.Not:
		set, err := t.set(f.F)
		return t.diff(t.states, set), err
	case *formula.And:
		return t.fold(f.Fs, t.states, t.and)
	case *formula.Or:
		return t.fold(f.Fs, none, t.or)
	case *formula.Next:
		_, err := t.set(f.F)
		return t.and(t.states, t.guessed(f)), err
	case *formula.Finally:
		reach, err := t.set(f.F)
		return t.or(reach, t.and(t.states, t.guessed(f))), err
	case *formula.Globally:
		// Not F not f; what is guessed is F not f.
		stay, err := t.set(f.F)
		return t.diff(stay, t.guessed(f)), err
	case *formula.Until:
		before, err := t.set(f.Before)
		if err != nil {
			return none, err
		}
		reach, err := t.set(f.Reach)
		return t.or(reach, t.and(before, t.guessed(f))), err
	}
	return none, fmt.Errorf("%T inside a path is no LTL formula", f)
}

func (t *tableau) fold(fs []formula.Formula, all node, join func(a, b node) node) (node, error) {
	for _, g := range fs {
		set, err := t.set(g)
		if err != nil {
			return none, err
		}
		all = join(all, set)
	}
	return all, nil
}

// guessed is the set whose guess of an operator is yes.
func (t *tableau) guessed(f formula.Formula) node {
	if _, ok := t.guess[f]; !ok {
		t.guess[f] = len(t.guess)
		t.asked = append(t.asked, f)
	}
	return t.node(t.pair(t.guess[f]), none, full)
}

// pair is the first level of a pair of guesses.
func (t *tableau) pair(i int) uint32 { return t.levels - t.free + 2*uint32(i) }

// keepGuesses makes what a step keeps, and the conditions of fairness.
func (t *tableau) keepGuesses() {
	t.keeps = make([]node, len(t.asked))
	for i, f := range t.asked {
		var later, reach node // what is guessed of the next marking; what fulfils it
		switch f := f.(type) {
		case *formula.Next:
			later = t.sets[f.F]
		case *formula.Finally:
			later, reach = t.sets[f], t.sets[f.F]
		case *formula.Globally:
			later, reach = t.diff(t.states, t.sets[f]), t.diff(t.states, t.sets[f.F])
		case *formula.Until:
			later, reach = t.sets[f], t.sets[f.Reach]
		}
		yes, after := t.node(t.pair(i), none, full), t.shift(later)
		t.keeps[i] = t.or(t.and(yes, after), t.diff(t.diff(full, yes), after))
		if _, next := f.(*formula.Next); !next {
			t.fair = append(t.fair, t.or(reach, t.diff(t.states, later)))
		}
	}
}

// before gives the product markings from which a step leads into the set.
func (t *tableau) before(set node) node {
	set = t.shift(set)
	for _, k := range t.keeps {
		set = t.and(set, k)
	}
	set = t.forget(set)
	return t.or(t.space.before.image(set, t.states), t.and(set, t.deadMarkings()))
}

// shift moves the guesses of a set to the second level of their pairs.
func (t *tableau) shift(n node) node {
	if n <= full {
		return n
	}
	if res, ok := t.cache.find(opShift, uint32(n), 0, 0); ok {
		return res
	}
	b := t.branch(n)
	level := b.level
	if level >= t.levels-t.free {
		level++
	}
	return t.cache.put(opShift, uint32(n), 0, 0, t.node(level, t.shift(b.lo), t.shift(b.hi)))
}

// forget leaves the second levels of the pairs open.
func (t *tableau) forget(n node) node {
	if n <= full {
		return n
	}
	if res, ok := t.cache.find(opQuantify, uint32(n), 0, 0); ok {
		return res
	}
	b := t.branch(n)
	lo, hi := t.forget(b.lo), t.forget(b.hi)
	first := t.levels - t.free
	res := none
	if b.level >= first && (b.level-first)%2 == 1 {
		res = t.or(lo, hi)
	} else {
		res = t.node(b.level, lo, hi)
	}
	return t.cache.put(opQuantify, uint32(n), 0, 0, res)
}

// fairRuns is the set of product markings from which a run goes on for ever and
// meets every condition of fairness again and again: the greatest set from which
// a step leads back into the set by way of each condition (Emerson, Lei 1986).
func (t *tableau) fairRuns() node {
	for current := t.states; ; {
		next := t.and(current, t.before(current))
		for i := range t.fair {
			next = t.and(next, t.before(t.leading(t.and(next, t.fair[i]), next)))
		}
		if next == current {
			return current
		}
		current = next
		t.compactAt(&current)
	}
}

// leading is the set from which target is reached inside bound, which holds it.
func (t *tableau) leading(target, bound node) node {
	all := target
	for fresh := target; fresh != none; {
		fresh = t.diff(t.and(bound, t.before(fresh)), all)
		all = t.or(all, fresh)
	}
	return all
}

// compactAt makes room when many nodes were given out, keeping what is needed.
func (t *tableau) compactAt(current *node) {
	if t.taken < 1<<22 {
		return
	}
	roots := []*node{&t.initial, &t.states, &t.dead, &t.start, current}
	for i := range t.keeps {
		roots = append(roots, &t.keeps[i])
	}
	for i := range t.fair {
		roots = append(roots, &t.fair[i])
	}
	if err := t.compact(roots...); err != nil {
		panic(giveUp{err})
	}
}
