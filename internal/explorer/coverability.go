package explorer

import (
	"encoding/binary"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// coverability is the graph of R. M. Karp and R. E. Miller ("Parallel program
// schemata", 1969): finitely many markings, some counts of which are omega, such
// that a vector is covered by a reachable marking iff a node covers it. It tells,
// also where the net is unbounded, which transitions can fire and how large the
// sum of some places gets. Nodes with the same marking are one.
type coverability struct {
	net     *pnml.Net
	clock   *clock.Clock
	nodes   [][]uint64
	parents []int
	via     []uint32 // per node: the transition that leads to it from its parent
	loops   [][]int  // per node: the ancestors from which on the way to it can be repeated
	index   map[string]bool
	fired   []bool
	work    int64 // numbers that may still be compared
}

// omega stands for any number of tokens.
const omega = ^uint64(0)

const coverabilityWork = 1 << 30

// newCoverability builds the graph within a number of bytes; it gives nil when
// there is not enough of them, when it takes too long, or when a count exceeds 2^64-2.
func newCoverability(clock *clock.Clock, net *pnml.Net, memory int64) *coverability {
	c := &coverability{net: net, clock: clock, index: map[string]bool{}, fired: make([]bool, net.Transitions.Len()), work: coverabilityWork}
	most := int(memory / int64(24*len(net.Initial)+200))
	if slices.Contains(net.Initial, omega) {
		return nil
	}
	c.add(slices.Clone(net.Initial), -1, 0, nil)
	for i := 0; i < len(c.nodes); i++ {
		if len(c.nodes) > most || c.work < 0 {
			return nil
		}
		if !c.expand(i) {
			return nil
		}
	}
	return c
}

func (c *coverability) spend(work int) {
	c.work -= int64(work)
	c.clock.Work(work)
}

func (c *coverability) expand(i int) bool {
	c.spend(c.net.Pre.Len())
	for t := range c.fired {
		if !enabledIn(c.net, t, c.nodes[i]) {
			continue
		}
		c.fired[t] = true
		c.clock.Work(4 * len(c.nodes[i]))
		m := slices.Clone(c.nodes[i])
		for e := range effects(c.net, t) {
			if m[e.place] == omega {
				continue
			}
			if e.post > e.pre && omega-m[e.place] <= e.post-e.pre {
				return false
			}
			m[e.place] += e.post - e.pre
		}
		c.add(m, i, uint32(t), c.accelerate(i, m))
	}
	return true
}

// accelerate puts omega where m, a successor of node i, holds more than an
// ancestor that it covers: what lies between can be repeated. It gives those
// ancestors.
func (c *coverability) accelerate(i int, m []uint64) (loops []int) {
	for ; i >= 0; i = c.parents[i] {
		c.spend(len(m))
		if !strictlyCovers(m, c.nodes[i]) {
			continue
		}
		for p, n := range c.nodes[i] {
			if m[p] > n {
				m[p] = omega
			}
		}
		loops = append(loops, i)
	}
	return loops
}

func (c *coverability) add(m []uint64, parent int, via uint32, loops []int) {
	key := make([]byte, 0, 8*len(m))
	for _, n := range m {
		key = binary.LittleEndian.AppendUint64(key, n)
	}
	if c.index[string(key)] {
		return
	}
	c.index[string(key)] = true
	c.nodes, c.parents, c.via, c.loops = append(c.nodes, m), append(c.parents, parent), append(c.via, via), append(c.loops, loops)
}

// bound gives the largest sum of the places, or that there is none.
func (c *coverability) bound(places []uint32) (most total, infinite bool) {
	for _, m := range c.nodes {
		c.clock.Work(1 + len(places))
		sum := total{}
		for _, p := range places {
			if m[p] == omega {
				return total{}, true
			}
			sum.add(m[p])
		}
		if most.less(sum) {
			most = sum
		}
	}
	return most, false
}

// reaches decides whether a reachable marking satisfies a predicate that stays
// true when tokens are added; ok is false for other predicates.
func (c *coverability) reaches(f predicate) (found, ok bool) {
	if !upward(f, false) {
		return false, false
	}
	for _, m := range c.nodes {
		if c.holds(f, m) {
			return true, true
		}
	}
	return false, true
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

// holds evaluates a predicate for which upward is true on a node, where a sum
// with omega exceeds every constant.
func (c *coverability) holds(f predicate, m []uint64) bool {
	switch f := f.(type) {
	case notP:
		return !c.holds(f.f, m)
	case andP:
		return !slices.ContainsFunc(f, func(g predicate) bool { return !c.holds(g, m) })
	case orP:
		return slices.ContainsFunc(f, func(g predicate) bool { return c.holds(g, m) })
	case fireableP:
		c.clock.Work(4 * len(f))
		return slices.ContainsFunc(f, func(t uint32) bool { return enabledIn(c.net, int(t), m) })
	case deadP:
		return c.dead(m)
	case *atMostP:
		left, right := c.sum(&f.left, m), c.sum(&f.right, m)
		return !right.less(left)
	}
	v, _ := f.(truthP)
	return bool(v)
}

// sum adds up a side of an inequality, the other one of which is a constant
// below 2^96; omega makes it larger than that.
func (c *coverability) sum(s *side, m []uint64) total {
	c.clock.Work(1 + len(s.places))
	sum := s.constant
	for _, p := range s.places {
		if m[p] == omega {
			return total{hi: omega}
		}
		sum.add(m[p])
	}
	return sum
}

func (c *coverability) dead(m []uint64) bool {
	c.clock.Work(c.net.Pre.Len())
	for t := range c.fired {
		if enabledIn(c.net, t, m) {
			return false
		}
	}
	return true
}

// constant tells whether the sum over a group of places never changes, given
// the transitions that can fire.
func (c *coverability) constant(places []uint32) bool {
	in := make(map[uint32]bool, len(places))
	for _, p := range places {
		in[p] = true
	}
	for t, fires := range c.fired {
		c.clock.Work(4)
		if !fires {
			continue
		}
		var pre, post total
		for e := range effects(c.net, t) {
			if in[e.place] {
				pre.add(e.pre)
				post.add(e.post)
			}
		}
		if pre != post {
			return false
		}
	}
	return true
}
