package directed

import (
	"encoding/binary"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/temporal"
	"podium/pnml/unfold"
)

// Branch decides a CTL formula by what can be shown near some markings: that a path exists
// by walking it, and that all paths have something by visiting the few markings up to
// where they have it. It tries to show the formula and its negation in turns, with more
// effort each time, until the clock ends; ok is false when it cannot understand the
// formula.
func Branch(c *clock.Clock, view unfold.View, f formula.Formula) (holds, ok bool) {
	if tooLarge(view) {
		return false, false
	}
	w := newWalker(c, view)
	b := &branches{walker: w, plan: newPlanner(w)}
	g, err := temporal.NewCTL(&b.atoms, f)
	if err != nil {
		return false, false
	}
	yes, err := b.node(g, false)
	if err != nil {
		return false, false
	}
	no, err := b.node(g, true)
	if err != nil {
		return false, false
	}
	for effort := firstEffort; ; effort = min(2*effort, mostEffort) {
		for _, n := range []*node{yes, no} {
			if b.begin(); b.shown(n, effort) {
				return n == yes, true
			}
		}
	}
}

// How many markings are visited for an operator, at first and at last.
const (
	firstEffort = 1 << 6
	mostEffort  = 1 << 20
)

// node is a formula without negations of temporal operators.
type node struct {
	kind   branchKind
	parts  []*node
	target *target // of a formula of one marking; else one that is near to the formula
}

type branchKind uint8

const (
	marking  branchKind = iota // a formula of one marking
	both                       // all parts
	either                     // one of the parts
	someNext                   // EX
	allNext                    // AX: true in a dead marking
	someWay                    // E (first part U second part)
	someStay                   // EG
	allMeet                    // AF
	allStay                    // on all paths the second part holds up to a marking with both, or for ever
)

// branches shows formulas in the marking of its walker.
type branches struct {
	*walker
	atoms temporal.List
	plan  *planner
}

// node gives the node of a formula, or of its negation.
func (b *branches) node(f temporal.CTL, not bool) (*node, error) {
	pick := func(plain, negated branchKind) branchKind {
		if not {
			return negated
		}
		return plain
	}
	switch f := f.(type) {
	case temporal.Atom:
		switch f {
		case temporal.True, temporal.False:
			if (f == temporal.True) != not {
				return &node{kind: both, target: &target{kind: all}}, nil
			}
			return &node{kind: either, target: &target{kind: one}}, nil
		}
		t, err := b.goal(b.atoms[f], not)
		return &node{kind: marking, target: t}, err
	case temporal.Not:
		return b.node(f.F, !not)
	case temporal.And:
		return b.nodes(pick(both, either), not, f.Fs...)
	case temporal.Or:
		return b.nodes(pick(either, both), not, f.Fs...)
	case temporal.EX:
		return b.nodes(pick(someNext, allNext), not, f.F)
	case temporal.EU:
		return b.nodes(pick(someWay, allStay), not, f.F, f.G)
	case temporal.EG:
		return b.nodes(pick(someStay, allMeet), not, f.F)
	}
	return nil, errFormula
}

func (b *branches) nodes(k branchKind, not bool, list ...temporal.CTL) (*node, error) {
	n := &node{kind: k}
	for _, f := range list {
		part, err := b.node(f, not)
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
	}
	n.target = n.near()
	return n, nil
}

// near is a target on the way to a formula.
func (n *node) near() *target {
	switch n.kind {
	case both, either:
		t := &target{kind: all}
		if n.kind == either {
			t.kind = one
		}
		for _, part := range n.parts {
			t.parts = append(t.parts, part.target)
		}
		return t
	case someWay, allStay:
		return n.parts[1].target
	}
	return n.parts[0].target
}

// shown tells whether a formula is shown to hold in the marking at hand, which it leaves
// as it was.
func (b *branches) shown(n *node, effort int) bool {
	b.clock.Work(16)
	if effort < 2 || !b.plausible(n) {
		return false
	}
	show := func(part *node) bool { return b.shown(part, effort) }
	switch n.kind {
	case marking:
		return true
	case both:
		return !slices.ContainsFunc(n.parts, func(part *node) bool { return !show(part) })
	case either:
		return slices.ContainsFunc(n.parts, show)
	case someNext:
		return b.next(n.parts[0], effort, false)
	case allNext:
		return b.next(n.parts[0], effort, true)
	case someWay:
		return b.way(n.parts[0], n.parts[1], effort)
	case someStay:
		return b.stay(n.parts[0], effort)
	case allMeet:
		return b.meet(n.parts[0], effort)
	}
	return b.remain(n.parts[0], n.parts[1], effort)
}

// plausible tells whether nothing in the marking itself speaks against a formula.
func (b *branches) plausible(n *node) bool {
	switch n.kind {
	case marking:
		return n.target.distance(b.walker) == 0
	case both:
		return !slices.ContainsFunc(n.parts, func(part *node) bool { return !b.plausible(part) })
	case either:
		return slices.ContainsFunc(n.parts, b.plausible)
	case someNext:
		return len(b.enabled) > 0
	case someStay:
		return b.plausible(n.parts[0])
	case allStay:
		return b.plausible(n.parts[1])
	case allMeet:
		return len(b.enabled) > 0 || b.plausible(n.parts[0])
	}
	return true
}

// next shows a formula in some successor, or in all.
func (b *branches) next(n *node, effort int, every bool) bool {
	for _, t := range slices.Clone(b.enabled) {
		shown := b.move(t, 1) && b.shown(n, effort-1)
		b.move(t, -1)
		if shown != every {
			return shown
		}
	}
	return every
}

// way shows that some path has a formula up to a marking with another one: it walks.
func (b *branches) way(along, to *node, effort int) bool {
	if b.shown(to, effort/4) {
		return true
	}
	if !b.shown(along, effort/4) {
		return false
	}
	var path []uint32
	back := func() {
		for _, t := range slices.Backward(path) {
			b.move(t, -1)
		}
		path = path[:0]
	}
	defer back()
	for length, steps := 8, 0; steps < effort; length = min(2*length, effort) {
		for turn := range 3 {
			steps++
			way, limit := b.atRandom, length
			switch turn {
			case 0:
				way, limit = b.plan.course(to.target, length).next, effort
			case 1:
				way = func() (uint32, bool) { return b.nearer(to.target) }
			}
			for len(path) < limit && len(b.enabled) > 0 {
				steps++
				t, ok := way()
				if !ok {
					break
				}
				small := b.move(t, 1)
				path = append(path, t)
				if !small {
					break
				}
				if b.shown(to, effort/8) {
					return true
				}
				if !b.shown(along, effort/8) {
					break
				}
			}
			back()
		}
	}
	return false
}

// key is the marking at hand as text.
func (b *branches) key() string {
	var text []byte
	last := 0
	b.clock.Work(len(b.at))
	for p, n := range b.at {
		if n != 0 {
			text = binary.AppendUvarint(binary.AppendUvarint(text, uint64(p-last)), uint64(n))
			last = p
		}
	}
	return string(text)
}

// stay shows that on some maximal path a formula holds: up to a dead marking, or round a
// cycle.
func (b *branches) stay(n *node, effort int) bool {
	on, left := map[string]bool{}, effort
	var visit func() bool
	visit = func() bool {
		if !b.shown(n, effort/8) {
			return false
		}
		key := b.key()
		if here, met := on[key]; met {
			return here
		}
		if len(b.enabled) == 0 {
			return true
		}
		if left--; left < 0 {
			return false
		}
		on[key] = true
		for _, t := range slices.Clone(b.enabled) {
			found := b.move(t, 1) && visit()
			b.move(t, -1)
			if found {
				return true
			}
		}
		on[key] = false
		return false
	}
	return visit()
}

// meet shows that a formula comes to hold on all paths: before a dead marking, and on no
// cycle for ever without it.
func (b *branches) meet(n *node, effort int) bool {
	done, left := map[string]bool{}, effort
	var visit func() bool
	visit = func() bool {
		if b.shown(n, effort/8) {
			return true
		}
		key := b.key()
		if left, met := done[key]; met {
			return left // on the way to here: a cycle
		}
		if left--; left < 0 || len(b.enabled) == 0 {
			return false
		}
		done[key] = false
		for _, t := range slices.Clone(b.enabled) {
			shown := b.move(t, 1) && visit()
			b.move(t, -1)
			if !shown {
				return false
			}
		}
		done[key] = true
		return true
	}
	return visit()
}

// remain shows that on all paths a formula holds up to a marking where another one holds
// beside it, or for ever.
func (b *branches) remain(until, n *node, effort int) bool {
	seen, left := map[string]bool{}, effort
	var visit func() bool
	visit = func() bool {
		key := b.key()
		if seen[key] {
			return true
		}
		if left--; left < 0 || !b.shown(n, effort/8) {
			return false
		}
		seen[key] = true
		if b.shown(until, effort/8) {
			return true
		}
		for _, t := range slices.Clone(b.enabled) {
			shown := b.move(t, 1) && visit()
			b.move(t, -1)
			if !shown {
				return false
			}
		}
		return true
	}
	return visit()
}
