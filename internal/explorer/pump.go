package explorer

import "slices"

// A node of a coverability graph is no marking, but markings come as near to it
// as one likes: the way to the node is fired, and wherever an ancestor was covered,
// what lies between is repeated. What is repeated first must make the tokens that
// all repetitions behind it may take, so the numbers of repetitions grow from the
// end of the way to its beginning, as powers.

// Limits of pumping.
const (
	pumpedFirings = 1 << 20 // of one run
	pumpedNodes   = 32      // nodes that are tried for one predicate
)

// way gives the nodes from the first to node n.
func (c *coverability) way(n int) []int {
	var nodes []int
	for ; n >= 0; n = c.parents[n] {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return nodes
}

// between gives the transitions on a way after the node from.
func (c *coverability) between(way []int, from int) []uint32 {
	var run []uint32
	for _, n := range way[slices.Index(way, from)+1:] {
		run = append(run, c.via[n])
	}
	return run
}

// pump gives a run along the way to node n, whose repetitions are powers of base,
// and the marking at its end, nil when it cannot be fired. The repetitions at the
// node itself are left out when last is false.
func (c *coverability) pump(n int, base uint64, last bool) (run []uint32, m []uint64) {
	way := c.way(n)
	loops := 0
	for _, node := range way {
		loops += len(c.loops[node])
	}
	m = slices.Clone(c.net.Initial)
	fire := func(transitions []uint32) bool {
		for _, t := range transitions {
			if len(run) == pumpedFirings || !enabledIn(c.net, int(t), m) || !fireIn(c.net, int(t), m) {
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
			if node == n && !last {
				continue
			}
			times := uint64(1)
			for range loops {
				times = min(times*base, pumpedFirings)
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

// witness gives a run to a marking with a predicate for which upward is true, nil
// when none was found.
func (c *coverability) witness(f predicate) *Witness {
	tried := 0
	for n, m := range c.nodes {
		if !c.holds(f, m) {
			continue
		}
		for _, base := range bases {
			if run, m := c.pump(n, base, true); m != nil && c.holds(f, m) {
				return &Witness{Stem: run}
			}
		}
		if tried++; tried == pumpedNodes {
			break
		}
	}
	return nil
}

// covering gives a run that ends in a cycle which adds tokens to the places, nil
// when none was found: there may be none where the sum is not bounded all the
// same, as places may grow only while others, filled before, are emptied.
func (c *coverability) covering(places []uint32) *Witness {
	tried := 0
	for n := range c.nodes {
		for _, from := range c.loops[n] {
			cycle := c.between(c.way(n), from)
			if !c.adds(cycle, places) {
				continue
			}
			for _, base := range bases {
				run, m := c.pump(n, base, false)
				if m == nil {
					continue
				}
				w := &Witness{Stem: run, Cycle: cycle}
				if (&Covering{Run: slices.Concat(run, cycle), From: len(run)}).Check(c.net) == nil {
					return w
				}
			}
			if tried++; tried == pumpedNodes {
				return nil
			}
		}
	}
	return nil
}

// adds tells whether a cycle adds tokens to the sum of places, and takes none away
// from any place.
func (c *coverability) adds(cycle, places []uint32) bool {
	more, less := map[uint32]uint64{}, map[uint32]uint64{}
	for _, t := range cycle {
		for e := range effects(c.net, int(t)) {
			more[e.place] += e.post
			less[e.place] += e.pre
		}
	}
	for p, n := range less {
		if more[p] < n {
			return false
		}
	}
	return slices.ContainsFunc(places, func(p uint32) bool { return more[p] > less[p] })
}
