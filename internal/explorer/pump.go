package explorer

import (
	"slices"

	"podium/examinations"
	"podium/internal/explorer/reduce"
	"podium/internal/witness"
)

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
// and the marking at its end, nil when it cannot be fired.
func (c *coverability) pump(n int, base uint64) (run []uint32, m []uint64) {
	way := c.way(n)
	loops := 0
	for _, node := range way {
		loops += len(c.loops[node])
	}
	m = slices.Clone(c.net.Initial)
	fire := func(transitions []uint32) bool {
		c.clock.Work(4 * len(transitions))
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
			if run, m := c.pump(n, base); m != nil && c.holds(f, m) {
				return &Witness{Stem: run}
			}
		}
		if tried++; tried == pumpedNodes {
			break
		}
	}
	return nil
}

// filling gives a run that shows the sum of places unbounded: along the way to a
// node where one of them is omega, with what can be repeated on it; nil when there
// is no such node.
func (c *coverability) filling(places []uint32) *Witness {
	for n, m := range c.nodes {
		if !slices.ContainsFunc(places, func(p uint32) bool { return m[p] == omega }) {
			continue
		}
		w, way := &Witness{}, c.way(n)
		for k, node := range way[1:] {
			w.Stem = append(w.Stem, c.via[node])
			for _, from := range c.loops[node] {
				begin := len(w.Stem)
				w.Stem = append(w.Stem, c.between(way[:k+2], from)...)
				w.Inner = append(w.Inner, witness.Span{From: begin, To: len(w.Stem)})
			}
		}
		return w
	}
	return nil
}

// liftFilling lifts a run with inner cycles; nil when it fills nothing any more.
func (d *decision) liftFilling(r *reduce.Reduction, w *Witness) *Witness {
	lifted := &Witness{}
	after := func(steps int) int {
		stem, _, err := r.Lift(w.Stem[:steps], nil, false)
		if err != nil {
			return 0
		}
		lifted.Stem = stem
		return len(stem)
	}
	for _, inner := range w.Inner {
		from := after(inner.From)
		lifted.Inner = append(lifted.Inner, witness.Span{From: from, To: after(inner.To)})
	}
	after(len(w.Stem))
	if lifted.Prove(d.ctx, d.view, examinations.StateSpace, nil, examinations.Infinite) != nil {
		return nil
	}
	return lifted
}
