package state

import (
	"slices"

	"podium/examinations/formula"
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

// OnNodes evaluates a formula on the nodes of a coverability graph. ok is false unless
// the formula stays true when tokens are added, that is, unless the set of its markings
// is upward-closed: the nodes say nothing of other formulas.
func OnNodes(clock *clock.Clock, net *pnml.Net, f Formula) (holds func(node []uint64) bool, ok bool) {
	c := &nodes{net, clock}
	return func(node []uint64) bool { return c.holds(f, node) }, upwardClosed(f, false)
}

// In reports whether a formula holds in a marking of the net that places and transitions are those of.
func (l *Lookup) In(marking []uint64, f formula.Formula) (bool, error) {
	x, err := l.Formula(f)
	return err == nil && (&nodes{l.View.Net, l.Clock}).holds(x, marking), err
}

// upwardClosed reports whether a formula, or its negation, stays true when tokens are
// added.
func upwardClosed(f Formula, negated bool) bool {
	all := func(fs []Formula) bool {
		return !slices.ContainsFunc(fs, func(g Formula) bool { return !upwardClosed(g, negated) })
	}
	switch f := f.(type) {
	case Truth:
		return true
	case Not:
		return upwardClosed(f.F, !negated)
	case And:
		return all(f)
	case Or:
		return all(f)
	case Fireable:
		return !negated
	case Dead:
		return negated
	case *AtMost:
		if negated {
			return len(f.Right.Places) == 0
		}
		return len(f.Left.Places) == 0
	}
	return false
}

// holds evaluates a formula for which upwardClosed is true on a node, where a sum
// with cover.Omega exceeds every constant.
func (c *nodes) holds(f Formula, m []uint64) bool {
	switch f := f.(type) {
	case Not:
		return !c.holds(f.F, m)
	case And:
		return !slices.ContainsFunc(f, func(g Formula) bool { return !c.holds(g, m) })
	case Or:
		return slices.ContainsFunc(f, func(g Formula) bool { return c.holds(g, m) })
	case Fireable:
		c.clock.Work(4 * len(f))
		return slices.ContainsFunc(f, func(t uint32) bool { return tokens.Enabled(c.net, int(t), m) })
	case Dead:
		return c.dead(m)
	case *AtMost:
		left, right := c.sum(&f.Left, m), c.sum(&f.Right, m)
		return !right.Less(left)
	}
	v, _ := f.(Truth)
	return bool(v)
}

// sum adds up a side of an inequality, the other one of which is a constant
// below 2^96; cover.Omega makes it larger than that.
func (c *nodes) sum(s *Sum, m []uint64) pnml.Total {
	c.clock.Work(1 + len(s.Places))
	sum := s.Constant
	for _, p := range s.Places {
		if m[p] == cover.Omega {
			return pnml.Total{Hi: cover.Omega}
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
