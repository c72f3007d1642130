package explorer

import (
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// nodes looks at the nodes of a coverability graph.
type nodes struct {
	net   *pnml.Net
	clock *clock.Clock
}

// onNodes evaluates a predicate on the nodes of a coverability graph; ok is false
// unless it stays true when tokens are added, since other predicates say nothing
// there.
func onNodes(clock *clock.Clock, net *pnml.Net, f predicate) (holds func(node []uint64) bool, ok bool) {
	c := &nodes{net, clock}
	return func(node []uint64) bool { return c.Holds(f, node) }, upward(f, false)
}

// upward tells whether a predicate, or its negation, stays true when tokens are
// added.
func upward(f predicate, negated bool) bool {
	all := func(fs []predicate) bool {
		return !slices.ContainsFunc(fs, func(g predicate) bool { return !upward(g, negated) })
	}
	switch f := f.(type) {
	case truthP:
		return true
	case notP:
		return upward(f.f, !negated)
	case andP:
		return all(f)
	case orP:
		return all(f)
	case fireableP:
		return !negated
	case deadP:
		return negated
	case *atMostP:
		if negated {
			return len(f.right.places) == 0
		}
		return len(f.left.places) == 0
	}
	return false
}

// Holds evaluates a predicate for which upward is true on a node, where a sum
// with cover.Omega exceeds every constant.
func (c *nodes) Holds(f predicate, m []uint64) bool {
	switch f := f.(type) {
	case notP:
		return !c.Holds(f.f, m)
	case andP:
		return !slices.ContainsFunc(f, func(g predicate) bool { return !c.Holds(g, m) })
	case orP:
		return slices.ContainsFunc(f, func(g predicate) bool { return c.Holds(g, m) })
	case fireableP:
		c.clock.Work(4 * len(f))
		return slices.ContainsFunc(f, func(t uint32) bool { return tokens.Enabled(c.net, int(t), m) })
	case deadP:
		return c.dead(m)
	case *atMostP:
		left, right := c.sum(&f.left, m), c.sum(&f.right, m)
		return !right.Less(left)
	}
	v, _ := f.(truthP)
	return bool(v)
}

// sum adds up a side of an inequality, the other one of which is a constant
// below 2^96; cover.Omega makes it larger than that.
func (c *nodes) sum(s *side, m []uint64) tokens.Total {
	c.clock.Work(1 + len(s.places))
	sum := s.constant
	for _, p := range s.places {
		if m[p] == cover.Omega {
			return tokens.Total{Hi: cover.Omega}
		}
		sum.Add(m[p])
	}
	return sum
}

func (c *nodes) dead(m []uint64) bool {
	c.clock.Work(c.net.Pre.Len())
	for t := range c.net.Transitions.Len() {
		if tokens.Enabled(c.net, t, m) {
			return false
		}
	}
	return true
}
