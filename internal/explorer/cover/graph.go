package cover

import (
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Graph is the coverability graph of R. M. Karp and R. E. Miller ("Parallel program
// schemata", 1969): finitely many markings, some counts of which are [Omega], such
// that a vector is covered by a reachable marking iff a node covers it. It tells,
// also where the net is unbounded, which transitions can fire and how large the
// sum of some places gets. Nodes with the same marking are one.
type Graph struct {
	net     *pnml.Net
	clock   *clock.Clock
	nodes   [][]uint64
	parents []int
	via     []uint32        // per node: the transition that leads to it from its parent
	loops   [][]int         // per node: the ancestors from which on the way to it can be repeated
	met     tokens.Markings // the nodes
	Fired   []bool          // per transition: whether it can fire
	work    int64           // numbers that may still be compared
}

// Omega stands for any number of tokens.
const Omega = ^uint64(0)

const maxWork = 1 << 30 // numbers that are compared

// New builds the graph within that many bytes of memory. It returns nil when they are
// too few, when it takes too long, or when a place would hold more than 2^64-2 tokens.
func New(clock *clock.Clock, net *pnml.Net, memory int64) *Graph {
	c := &Graph{net: net, clock: clock, Fired: make([]bool, net.Transitions.Len()), work: maxWork}
	most := int(memory / int64(24*len(net.Initial)+200))
	if slices.Contains(net.Initial, Omega) {
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

func (c *Graph) spend(work int) {
	c.work -= int64(work)
	c.clock.Work(work)
}

func (c *Graph) expand(i int) bool {
	c.spend(c.net.Pre.Len())
	for t := range c.Fired {
		if !tokens.Enabled(c.net, t, c.nodes[i]) {
			continue
		}
		c.Fired[t] = true
		c.clock.Work(4 * len(c.nodes[i]))
		m := slices.Clone(c.nodes[i])
		for e := range tokens.Effects(c.net, t) {
			if m[e.Place] == Omega {
				continue
			}
			if e.Post > e.Pre && Omega-m[e.Place] <= e.Post-e.Pre {
				return false
			}
			m[e.Place] += e.Post - e.Pre
		}
		c.add(m, i, uint32(t), c.accelerate(i, m))
	}
	return true
}

// accelerate puts Omega where m, a successor of node i, holds more than an
// ancestor that it covers: what lies between can be repeated. It returns those
// ancestors, but for those whose repetition adds no further Omega.
func (c *Graph) accelerate(i int, m []uint64) (loops []int) {
	for ; i >= 0; i = c.parents[i] {
		c.spend(len(m))
		if !tokens.StrictlyCovers(m, c.nodes[i]) {
			continue
		}
		more := false
		for p, n := range c.nodes[i] {
			if m[p] > n && m[p] != Omega {
				m[p], more = Omega, true
			}
		}
		if more {
			loops = append(loops, i)
		}
	}
	return loops
}

func (c *Graph) add(m []uint64, parent int, via uint32, loops []int) {
	if _, fresh := c.met.Add(m); !fresh {
		return
	}
	c.nodes, c.parents, c.via, c.loops = append(c.nodes, m), append(c.parents, parent), append(c.via, via), append(c.loops, loops)
}

// Bound is the largest number of tokens that the places hold together. infinite tells
// that there is none.
func (c *Graph) Bound(places []uint32) (most pnml.Total, infinite bool) {
	for _, m := range c.nodes {
		c.clock.Work(1 + len(places))
		sum := pnml.Total{}
		for _, p := range places {
			if m[p] == Omega {
				return pnml.Total{}, true
			}
			sum.Add(m[p])
		}
		if most.Less(sum) {
			most = sum
		}
	}
	return most, false
}

// Reaches reports whether some node satisfies a condition. When adding tokens never makes
// the condition false, that is whether some reachable marking satisfies it.
func (c *Graph) Reaches(holds func(node []uint64) bool) bool {
	return slices.ContainsFunc(c.nodes, holds)
}
