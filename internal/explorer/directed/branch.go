package directed

import (
	"cmp"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// Branch decides a CTL formula by what can be shown near some markings: that a path exists
// by walking it, and that all paths have something by visiting the few markings up to
// where they have it. It tries to show each of some values of the formula in turns, with
// more effort each time, until the clock ends; ok is false when it cannot understand the
// formula. Markings are told apart by hashes: a value counts only when a replay accepts the
// branches that show it.
func Branch(c *clock.Clock, view unfold.View, f formula.Formula, values ...bool) (holds bool, show *witness.Branches, ok bool) {
	b, ok := newBranches(c, view, f)
	if !ok {
		return false, nil, false
	}
	b.plan = newPlanner(b.walker)
	nodes := make([]*node, len(values))
	for i, value := range values {
		var err error
		if nodes[i], err = b.node(f, !value); err != nil {
			return false, nil, false
		}
	}
	for effort := firstEffort; ; effort = min(2*effort, mostEffort) {
		for i, n := range nodes {
			b.undo(0)
			if b.begin(); b.shown(n, effort) {
				b.begin()
				return values[i], b.written(), true
			}
		}
	}
}

// How many markings are visited for an operator, at first and at last.
const (
	firstEffort = 1 << 6
	mostEffort  = 1 << 20
)

// mostDepth bounds how many firings lie within each other, which take stack.
const mostDepth = 1 << 17

// node is a formula, or its negation.
type node struct {
	kind   branchKind
	parts  []*node      // of until: before and reach, where it is negated their negations
	target *tokens.Goal // of a formula of one marking; else one that is near to the formula
	part   int          // the number of the part of the formula, -1 without a path quantifier
	holds  bool         // not negated
	cost   int          // about what it takes to show it, 0 for a formula of one marking
}

type branchKind uint8

const (
	marking  branchKind = iota // a formula of one marking
	both                       // all parts
	either                     // one of the parts
	someNext                   // EX
	allNext                    // AX: true in a dead marking
	someWay                    // E (first part U second part)
	allMeet                    // A (first part U second part)
	someStay                   // on some path the second part holds up to a marking with both, or for ever
	allStay                    // the same on all paths
)

// branches shows formulas in the marking of its walker.
type branches struct {
	*walker
	plan    *planner
	numbers map[formula.Formula]int // of parts with a path quantifier
	log     []event
	known   map[held]bool // what the log says
	depth   int           // firings within each other
}

// newBranches returns branches for a formula, of which nothing is shown; false where the net has too many tokens.
func newBranches(c *clock.Clock, view unfold.View, f formula.Formula) (*branches, bool) {
	w, ok := newWalker(c, view)
	b := &branches{walker: w, numbers: map[formula.Formula]int{}, known: map[held]bool{}}
	for k, g := range formula.Quantified(f) {
		b.numbers[g] = k
	}
	return b, ok
}

// node returns the node of a formula, or of its negation.
func (b *branches) node(f formula.Formula, not bool) (*node, error) {
	if formula.IsState(f) {
		t, err := b.Goal(f, not)
		return &node{kind: marking, target: t, part: -1}, err
	}
	join := map[bool]branchKind{false: both, true: either}
	switch f := f.(type) {
	case *formula.Not:
		return b.node(f.F, !not)
	case *formula.And:
		return b.nodes(f, join[not], not, not, f.Fs...)
	case *formula.Or:
		return b.nodes(f, join[!not], not, not, f.Fs...)
	case *formula.ExistsPath:
		return b.path(f, f.F, false, not)
	case *formula.AllPaths:
		return b.path(f, f.F, true, not)
	}
	return nil, tokens.ErrGoal
}

// path returns the node of a part with a path quantifier.
func (b *branches) path(part, op formula.Formula, all, not bool) (*node, error) {
	kind := func(all, least bool) branchKind {
		switch {
		case all && least:
			return allMeet
		case all:
			return allStay
		case least:
			return someWay
		}
		return someStay
	}
	always := formula.Formula(&formula.Constant{Value: true})
	switch op := op.(type) {
	case *formula.Next:
		next := map[bool]branchKind{false: someNext, true: allNext}
		return b.nodes(part, next[all != not], not, not, op.F)
	case *formula.Finally:
		return b.nodes(part, kind(all != not, !not), not, not, always, op.F)
	case *formula.Until:
		return b.nodes(part, kind(all != not, !not), not, not, op.Before, op.Reach)
	case *formula.Globally: // E G f is not A F not f
		return b.nodes(part, kind(all != not, not), not, !not, always, &formula.Not{F: op.F})
	}
	return nil, tokens.ErrGoal
}

// nodes returns the node of a formula, negated with not, whose parts are negated with negated.
func (b *branches) nodes(f formula.Formula, k branchKind, not, negated bool, list ...formula.Formula) (*node, error) {
	n := &node{kind: k, part: -1, holds: !not}
	if number, ok := b.numbers[f]; ok {
		n.part = number
	}
	for _, f := range list {
		part, err := b.node(f, negated)
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
	}
	switch n.kind {
	case both, either: // what takes little comes first
		slices.SortStableFunc(n.parts, func(a, b *node) int { return cmp.Compare(a.cost, b.cost) })
	}
	for _, part := range n.parts {
		n.cost += part.cost
	}
	if n.part >= 0 {
		n.cost = min(4*(1+n.cost), mostEffort)
	}
	n.target = n.near()
	return n, nil
}

// near is a target on the way to a formula.
func (n *node) near() *tokens.Goal {
	switch n.kind {
	case both, either:
		t := &tokens.Goal{Kind: tokens.All}
		if n.kind == either {
			t.Kind = tokens.One
		}
		for _, part := range n.parts {
			t.Parts = append(t.Parts, part.target)
		}
		return t
	case someWay, allStay:
		return n.parts[1].target
	}
	return n.parts[0].target
}

// shown reports whether a formula is shown to hold in the marking at hand, which it leaves
// as it was.
func (b *branches) shown(n *node, effort int) bool {
	b.Clock.Work(16)
	if effort < 2 || len(b.log) > mostEvents || !b.plausible(n) {
		return false
	}
	if b.known[b.here(n)] {
		return true
	}
	before := len(b.log)
	if b.tried(n, effort) {
		return true
	}
	b.undo(before)
	return false
}

func (b *branches) tried(n *node, effort int) bool {
	show := func(part *node) bool { return b.shown(part, effort) }
	switch n.kind {
	case marking:
		return true
	case both:
		return !slices.ContainsFunc(n.parts, func(part *node) bool { return !show(part) })
	case either:
		return slices.ContainsFunc(n.parts, show)
	case someNext:
		return b.next(n, effort, false)
	case allNext:
		return b.next(n, effort, true)
	case someWay:
		return b.way(n, effort)
	case someStay:
		return b.stay(n, effort)
	case allMeet:
		return b.meet(n, effort)
	}
	return b.remain(n, effort)
}

// plausible reports whether nothing in the marking itself speaks against a formula.
func (b *branches) plausible(n *node) bool {
	switch n.kind {
	case marking:
		return b.Distance(n.target) == 0
	case both:
		return !slices.ContainsFunc(n.parts, func(part *node) bool { return !b.plausible(part) })
	case either:
		return slices.ContainsFunc(n.parts, b.plausible)
	case someNext:
		return len(b.Enabled) > 0
	case someStay, allStay:
		return b.plausible(n.parts[1])
	case allMeet:
		return b.plausible(n.parts[1]) || len(b.Enabled) > 0 && b.plausible(n.parts[0])
	case someWay:
		return b.plausible(n.parts[1]) || b.plausible(n.parts[0])
	}
	return true
}

// next shows a formula in some successor, or in all.
func (b *branches) next(n *node, effort int, every bool) bool {
	for _, t := range slices.Clone(b.Enabled) {
		if b.after(t, func() bool { return b.shown(n.parts[0], effort-1) }) != every {
			if !every {
				b.claim(n)
			}
			return !every
		}
	}
	if every {
		b.claim(n)
	}
	return every
}

// way shows that some path has a formula up to a marking with another one: it walks.
func (b *branches) way(n *node, effort int) bool {
	along, to := n.parts[0], n.parts[1]
	if b.shown(to, effort/4) {
		b.claim(n)
		return true
	}
	if !b.shown(along, effort/4) {
		return false
	}
	before := len(b.log)
	var path []uint32
	reached := func() bool { return b.known[b.here(n)] || b.shown(to, effort/8) }
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
			found := false
			for len(path) < limit && len(b.Enabled) > 0 {
				steps++
				t, ok := way()
				if !ok {
					break
				}
				from := b.Hash
				small := b.Fire(t)
				path = append(path, t)
				b.fires(from, t)
				if !small {
					break
				}
				if found = reached(); found || !b.shown(along, effort/8) {
					break
				}
			}
			if !found {
				b.undo(before)
			}
			for i := len(path); i >= 0; i-- { // each marking relies on the one behind it
				if found {
					b.claim(n)
				}
				if i > 0 {
					b.Unfire(path[i-1])
				}
			}
			if path = path[:0]; found {
				return true
			}
		}
	}
	return false
}

// stay shows that on some maximal path a formula holds, up to a marking where another one
// holds beside it, a dead one, or round a cycle.
func (b *branches) stay(n *node, effort int) bool {
	on, left := map[[2]uint64]bool{}, effort
	var visit func() bool
	visit = func() bool {
		switch found, met := on[b.Hash]; {
		case b.known[b.here(n)] || found:
			return true
		case met || !b.shown(n.parts[1], effort/8):
			return false
		case len(b.Enabled) == 0 || b.shown(n.parts[0], effort/8):
			b.claim(n)
			return true
		}
		if left--; left < 0 {
			return false
		}
		on[b.Hash] = true
		for _, t := range slices.Clone(b.Enabled) {
			if b.after(t, visit) {
				b.claim(n)
				return true
			}
		}
		on[b.Hash] = false
		return false
	}
	return visit()
}

// meet shows that on all paths a formula holds up to a marking with another one: before a
// dead marking, and on no cycle for ever without it.
func (b *branches) meet(n *node, effort int) bool {
	on, left := map[[2]uint64]bool{}, effort
	var visit func() bool
	visit = func() bool {
		if b.known[b.here(n)] {
			return true
		}
		if !b.shown(n.parts[1], effort/8) {
			if left--; left < 0 || len(b.Enabled) == 0 || on[b.Hash] || !b.shown(n.parts[0], effort/8) {
				return false
			}
			on[b.Hash] = true
			if !b.every(visit) {
				return false
			}
		}
		b.claim(n)
		return true
	}
	return visit()
}

// remain shows that on all paths a formula holds up to a marking where another one holds
// beside it, or for ever.
func (b *branches) remain(n *node, effort int) bool {
	left := effort
	var visit func() bool
	visit = func() bool {
		if b.known[b.here(n)] {
			return true
		}
		if left--; left < 0 || !b.shown(n.parts[1], effort/8) {
			return false
		}
		b.claim(n)
		return b.shown(n.parts[0], effort/8) || b.every(visit)
	}
	return visit()
}

// every shows something in all markings that follow.
func (b *branches) every(show func() bool) bool {
	for _, t := range slices.Clone(b.Enabled) {
		if !b.after(t, show) {
			return false
		}
	}
	return true
}

// after shows something in the marking behind a firing.
func (b *branches) after(t uint32, show func() bool) bool {
	if b.depth == mostDepth {
		return false
	}
	b.depth++
	from, before := b.Hash, len(b.log)
	shown := b.Fire(t)
	if shown {
		b.fires(from, t)
		shown = show()
	}
	b.Unfire(t)
	b.depth--
	if !shown {
		b.undo(before)
	}
	return shown
}
