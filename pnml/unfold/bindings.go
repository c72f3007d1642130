package unfold

import (
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// plan finds the bindings of one coloured transition.
type plan struct {
	variables []int      // of the net, by slot, in the order of declaration
	domains   [][]uint32 // by slot: the values to try, ascending
	inDomain  []*colourSet
	tests     []*test
	pre, post []arcPlan
	levels    []level
	product   uint64 // combinations of values
	weight    int    // values that one look at the domains costs
	never     bool   // a test without variables fails
}

// arcPlan is all that is known of the inscription between a transition and a place.
type arcPlan struct {
	place int
	bag   *bag
}

// level binds one variable: to what an equation says, or to each of its values.
type level struct {
	slot   int
	solved *solution
	tests  []*test // those whose last variable this is
	work   int     // that one value costs
}

// take adds a test.
func (l *level) take(t *test) {
	l.tests = append(l.tests, t)
	l.work += t.work
}

// order chooses the order of the variables. What an equation determines comes as
// soon as it can; then variables that complete many tests, so that most partial
// bindings fail early; variables that no test looks at come last.
func (p *plan) order(clock *clock.Clock) {
	p.levels = nil
	bound := make([]bool, len(p.variables))
	done := make([]bool, len(p.tests))
	for range p.variables {
		best, bestScore := -1, [3]int{}
		var solved *solution
		for slot := range p.variables {
			if bound[slot] {
				continue
			}
			clock.Work(4 * len(p.tests))
			score, s := p.score(slot, bound, done)
			if best < 0 || slices.Compare(score[:], bestScore[:]) > 0 {
				best, bestScore, solved = slot, score, s
			}
		}
		bound[best] = true
		l := level{slot: best, solved: solved, work: 1}
		for i, t := range p.tests {
			if !done[i] && t.bound(bound) {
				done[i] = true
				l.take(t)
			}
		}
		p.levels = append(p.levels, l)
	}
}

// score tells how good it is to bind a variable next; the first difference decides.
func (p *plan) score(slot int, bound, done []bool) (score [3]int, solved *solution) {
	bound[slot] = true
	defer func() { bound[slot] = false }()
	for i, t := range p.tests {
		if done[i] || !slices.Contains(t.slots, slot) {
			continue
		}
		score[1]++
		if !t.bound(bound) {
			continue
		}
		if s, ok := t.solves(slot); ok {
			solved = &s
			score[0] = max(score[0], 3)
		}
		switch t.op {
		case opMember, pnml.OpEqual:
			score[0] = max(score[0], 2)
		default:
			score[0] = max(score[0], 1)
		}
	}
	score[2] = -len(p.domains[slot])
	return score, solved
}

func (t *test) bound(bound []bool) bool {
	for _, s := range t.slots {
		if !bound[s] {
			return false
		}
	}
	return true
}

// effort is what searches share.
type effort struct {
	clock  *clock.Clock
	steps  uint64 // that are left
	values []uint32
}

// search walks through the bindings of a plan.
type search struct {
	p       *plan
	binding []uint32
	values  []uint32 // scratch: what an equation says by level, then values that pass
	effort  *effort
	sums    *sums // nil when only bindings are asked for
	found   func(binding, last []uint32) bool
}

// each calls found with every binding of all variables but the last, and the
// values of the last that go with it, until it says false, or until the steps
// are used up; it reports whether all bindings were seen. Sums, unless nil, are
// kept up to date but for the last variable. Without variables there is one
// binding, found with one value that means nothing.
func (p *plan) each(effort *effort, sums *sums, found func(binding, last []uint32) bool) bool {
	if p.never {
		return true
	}
	if len(p.levels) == 0 {
		return found(nil, []uint32{0})
	}
	values := slices.Grow(effort.values[:0], len(p.levels))[:len(p.levels)]
	s := &search{p: p, binding: make([]uint32, len(p.variables)), values: values, effort: effort, sums: sums, found: found}
	complete := s.level(0)
	effort.values = s.values
	return complete
}

func (s *search) level(k int) bool {
	l := &s.p.levels[k]
	values := s.p.domains[l.slot]
	if l.solved != nil {
		values = s.values[k : k+1]
		if values[0] = l.solved.value(s.binding); !s.p.inDomain[l.slot].has(uint64(values[0])) {
			return true
		}
	} else if uint64(len(values)) > s.effort.steps {
		return false
	} else {
		s.effort.steps -= uint64(len(values))
	}
	s.effort.clock.Work(len(values) * l.work)
	if k+1 == len(s.p.levels) {
		values = s.passing(l, values)
		return len(values) == 0 || s.found(s.binding, values)
	}
	for _, v := range values {
		if !s.passes(l, v) {
			continue
		}
		if s.sums != nil {
			s.sums.add(k, v)
		}
		if !s.level(k + 1) {
			return false
		}
	}
	return true
}

// passes gives the variable of a level a value and reports whether the tests hold.
func (s *search) passes(l *level, v uint32) bool {
	s.binding[l.slot] = v
	for _, t := range l.tests {
		if !t.holds(s.binding) {
			return false
		}
	}
	return true
}

// passing returns those values of the last variable with which its tests hold.
func (s *search) passing(l *level, values []uint32) []uint32 {
	for _, t := range l.tests {
		values = s.filter(t, l.slot, values)
	}
	return values
}

// filter returns the values of a variable with which a test holds, in the scratch
// space, where they may have been before. All that the other variables decide is
// computed once.
func (s *search) filter(t *test, slot int, values []uint32) []uint32 {
	before := len(s.p.levels)
	s.values = slices.Grow(s.values[:before], len(values))
	passed := s.values[before : before+len(values)]
	n := 0
	keep := func(v uint32, holds bool) {
		passed[n] = v
		if holds {
			n++
		}
	}
	left, whole := t.left.given(slot, s.binding)
	right, wholeRight := t.right.given(slot, s.binding)
	switch {
	case len(t.args) > 0 || !whole || !wholeRight:
		for _, v := range values {
			s.binding[slot] = v
			keep(v, t.holds(s.binding))
		}
	case t.op == opMember:
		for _, v := range values {
			keep(v, t.colours.has(left.at(v)))
		}
	default:
		for _, v := range values {
			keep(v, t.compare(left.at(v), right.at(v)))
		}
	}
	return passed[:n]
}

// count returns the number of bindings, up to a bound; false when the steps or the
// bound were used up. Variables without tests are not walked through.
func (p *plan) count(effort *effort, most uint64) (n uint64, ok bool) {
	if p.never {
		return 0, true
	}
	free := len(p.levels)
	block := uint64(1)
	for free > 0 && len(p.levels[free-1].tests) == 0 && p.levels[free-1].solved == nil {
		free--
		size := uint64(len(p.domains[p.levels[free].slot]))
		if size > 0 && block > most/size {
			block = most + 1
			continue
		}
		block *= size
	}
	short := *p
	short.levels = p.levels[:free]
	complete := short.each(effort, nil, func(_, last []uint32) bool {
		n += block * uint64(len(last))
		return n <= most
	})
	return n, complete && n <= most
}

// bindings are the numbers of bindings, in mixed radix.
type bindings struct {
	short []uint32
	long  []uint64 // instead, when some need it
}

func newBindings(space uint64, long bool) bindings {
	if long {
		return bindings{long: make([]uint64, 0, space)}
	}
	return bindings{short: make([]uint32, 0, space)}
}

func (b *bindings) len() int { return len(b.short) + len(b.long) }

func (b *bindings) at(i int) uint64 {
	if b.long != nil {
		return b.long[i]
	}
	return uint64(b.short[i])
}

// add adds the numbers of bindings that differ in the last variable.
func (b *bindings) add(number, radix uint64, values []uint32) {
	if b.long != nil {
		for _, v := range values {
			b.long = append(b.long, number+uint64(v)*radix)
		}
		return
	}
	for _, v := range values {
		b.short = append(b.short, uint32(number+uint64(v)*radix))
	}
}

// keep removes those that are not in a set.
func (b *bindings) keep(set bitset) {
	b.short, b.long = kept(b.short, set), kept(b.long, set)
}

func kept[T any](list []T, set bitset) []T {
	out := list[:0]
	for from, to := range set.runs(0, len(list)) {
		out = append(out, list[from:to]...)
	}
	return out
}
