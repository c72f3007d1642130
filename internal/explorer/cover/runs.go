package cover

import (
	"slices"

	"podium/internal/explorer/tokens"
	"podium/internal/witness"
)

// A node of a coverability graph is no marking, but markings come as near to it
// as one likes: the way to the node is fired, and wherever an ancestor was covered,
// what lies between is repeated. What is repeated first must make the tokens that
// all repetitions behind it may take, so the numbers of repetitions grow from the
// end of the way to its beginning, as powers.

// Limits of the runs that are tried.
const (
	maxFirings = 1 << 20 // of one run
	maxNodes   = 32      // nodes that are tried for one condition
)

// way returns the nodes from the first to node n.
func (c *Graph) way(n int) []int {
	var nodes []int
	for ; n >= 0; n = c.parents[n] {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return nodes
}

// between returns the transitions on a way after the node from.
func (c *Graph) between(way []int, from int) []uint32 {
	var run []uint32
	for _, n := range way[slices.Index(way, from)+1:] {
		run = append(run, c.via[n])
	}
	return run
}

// repeat returns a run along the way to node n, whose repetitions are powers of base,
// and the marking at its end, nil when it cannot be fired.
func (c *Graph) repeat(n int, base uint64) (run []uint32, m []uint64) {
	way := c.way(n)
	loops := 0
	for _, node := range way {
		loops += len(c.loops[node])
	}
	m = slices.Clone(c.net.Initial)
	fire := func(transitions []uint32) bool {
		c.clock.Work(4 * len(transitions))
		for _, t := range transitions {
			if len(run) == maxFirings || !tokens.Enabled(c.net, int(t), m) || !tokens.Fire(c.net, int(t), m) {
				return false
			}
			run = append(run, t)
		}
		return true
	}
	for k, node := range way[1:] {
		if !fire([]uint32{c.via[node]}) {
			return nil, nil
		}
		for _, from := range c.loops[node] {
			times := uint64(1)
			for range loops {
				times = min(times*base, maxFirings)
			}
			loops--
			loop := c.between(way[:k+2], from)
			for range times {
				if !fire(loop) {
					return nil, nil
				}
			}
		}
	}
	return run, m
}

// bases are the powers that are tried.
var bases = []uint64{1, 2, 3, 5, 9, 17, 33, 65, 257, 1025}

// Run finds a run from the initial marking to one that satisfies a condition, which
// adding tokens must never make false. ok is false when none was found, which does not
// mean that there is none.
func (c *Graph) Run(holds func(marking []uint64) bool) (run []uint32, ok bool) {
	tried := 0
	for n, m := range c.nodes {
		if !holds(m) {
			continue
		}
		for _, base := range bases {
			if run, m := c.repeat(n, base); m != nil && holds(m) {
				return run, true
			}
		}
		if tried++; tried == maxNodes {
			break
		}
	}
	return nil, false
}

// Unbounded finds a run that shows that the places hold any number of tokens together:
// its transitions, to a node where one of the places has [Omega], and the parts of it
// that can be repeated. ok is false when there is no such node.
func (c *Graph) Unbounded(places []uint32) (run []uint32, cycles []witness.Span, ok bool) {
	for n, m := range c.nodes {
		if !slices.ContainsFunc(places, func(p uint32) bool { return m[p] == Omega }) {
			continue
		}
		way := c.way(n)
		for k, node := range way[1:] {
			run = append(run, c.via[node])
			for _, from := range c.loops[node] {
				begin := len(run)
				run = append(run, c.between(way[:k+2], from)...)
				cycles = append(cycles, witness.Span{From: begin, To: len(run)})
			}
		}
		return run, cycles, true
	}
	return nil, nil, false
}
