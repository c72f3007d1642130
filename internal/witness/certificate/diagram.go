package certificate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"podium/internal/witness"
)

// Limits of diagrams. With them no sum over a diagram overflows.
const (
	maxPlaces = 1 << 16
	maxNodes  = 1 << 20
	maxEdges  = 1 << 21
	maxTokens = 1 << 20 // on an edge
	maxLooks  = 1 << 30 // at edges, for a claim
	maxKept   = 1 << 22 // results that are remembered, and half of the edges of results
)

// empty is a result without markings. Node 0 is the end, below the last level.
const empty = ^uint32(0)

// diagram is a set of markings. Its nodes have numbers from 1 on.
type diagram struct {
	of    *witness.Diagram
	net   *arcs
	level map[uint32]int // of a place
	at    []int          // level of a node; of the end, how many levels there are
	nodes [][]witness.Edge
	given int // nodes, with the end; those of results stand behind them
	looks int // at edges
	made  int // edges and nodes of results
	fault error
	index map[string]uint32    // of results
	both  map[[2]uint32]uint32 // unions
	steps []step               // of the transition that fires
	count int                  // of the steps of those before it
	seen  map[[3]uint32]bool   // where stays is true: the step, from 1 on, or 0 behind the last one, and two nodes
}

// Draw adds a diagram that holds the initial marking, and that no firing leaves. The one that was
// drawn last is taken as it is: the next claim often has the same proof.
func (w *Walk) Draw(x *witness.Diagram) error {
	d := w.drawn.Load()
	if d == nil || d.of != x {
		d = &diagram{of: x, net: w.net, level: map[uint32]int{}, at: []int{len(x.Places)}, nodes: [][]witness.Edge{nil}}
		if err := d.read(); err != nil {
			return err
		}
		d.seen = nil
		w.drawn.Store(d)
	}
	mine := *d
	mine.net, mine.looks = w.net, 0
	w.diagrams = append(w.diagrams, &mine)
	return nil
}

// read takes the places and nodes, and checks them.
func (d *diagram) read() error {
	if len(d.of.Places) > maxPlaces || len(d.of.Nodes) == 0 || len(d.of.Nodes) > maxNodes {
		return fmt.Errorf("it has no node, or more than %d nodes or %d places", maxNodes, maxPlaces)
	}
	for level, p := range d.of.Places {
		if _, twice := d.level[p]; twice || int(p) >= len(d.net.at) {
			return errors.New("a place has two levels, or does not exist")
		}
		d.level[p] = level
	}
	edges := 0
	for i, list := range d.of.Nodes {
		d.net.clock.Work(16 + 8*len(list))
		if edges += len(list); len(list) == 0 || edges > maxEdges {
			return fmt.Errorf("node %d has no edge, or there are more than %d edges", i+1, maxEdges)
		}
		for k, e := range list {
			if int(e.To) > i || d.at[e.To] == 0 || d.at[e.To] != d.at[list[0].To] || e.Tokens > maxTokens || k > 0 && e.Tokens <= list[k-1].Tokens {
				return fmt.Errorf("node %d: its edges do not ascend, have more than %d tokens, or do not lead to earlier nodes of one level", i+1, maxTokens)
			}
		}
		d.at, d.nodes = append(d.at, d.at[list[0].To]-1), append(d.nodes, list)
	}
	if d.given = len(d.nodes); d.at[d.given-1] != 0 {
		return errors.New("the last node does not stand at the first place")
	}
	return d.closed()
}

// edge finds the edge with some tokens.
func edge(list []witness.Edge, tokens uint64) (i int, ok bool) {
	return slices.BinarySearchFunc(list, tokens, func(e witness.Edge, n uint64) int { return cmp.Compare(e.Tokens, n) })
}

// child returns where the edge with some tokens leads.
func (d *diagram) child(n uint32, tokens uint64) uint32 {
	if n == empty {
		return n
	} else if i, ok := edge(d.nodes[n], tokens); ok {
		return d.nodes[n][i].To
	}
	return empty
}

// look counts the edges of a node that is looked at; what comes after the last one does not count.
func (d *diagram) look(n uint32) bool {
	d.net.clock.Work(32 + 16*len(d.nodes[n]))
	if d.looks += 1 + len(d.nodes[n]); d.looks > maxLooks || d.made > 2*maxKept {
		d.fault = errors.New("to walk the diagram takes too many steps")
	}
	return d.fault == nil
}

// remember keeps a result; when there are too many, the others are forgotten.
func remember[K comparable, V any](known map[K]V, key K, value V) V {
	if len(known) >= maxKept {
		clear(known)
	}
	known[key] = value
	return value
}

// closed checks that the set holds the initial marking, and that no firing leaves it.
func (d *diagram) closed() error {
	n := uint32(d.given - 1)
	steps, nodes := make([][]step, d.net.net.Transitions.Len()), make([][]uint32, len(d.of.Places))
	for level, p := range d.of.Places {
		if n = d.child(n, d.net.net.Initial[p]); n == empty {
			return errors.New("the initial marking is not in it")
		}
		d.net.clock.Work(32 * len(d.net.at[p]))
		for _, w := range d.net.at[p] {
			steps[w.transition] = append(steps[w.transition], step{level, w.in, min(w.out, 2*maxTokens)})
		}
	}
	for n := uint32(1); int(n) < d.given; n++ {
		nodes[d.at[n]] = append(nodes[d.at[n]], n)
	}
	d.seen = map[[3]uint32]bool{}
	for t, list := range steps {
		if !slices.ContainsFunc(list, func(x step) bool { return x.in != x.out }) {
			continue // it changes no place that has a level
		}
		d.steps, d.count = list, d.count+len(d.steps)
		for _, n := range nodes[list[0].level] {
			if ok := d.stays(0, n, n); d.fault != nil {
				return d.fault
			} else if !ok {
				return fmt.Errorf("transition %q leads out of it", d.net.net.Transitions.At(t))
			}
		}
	}
	return nil
}

// step is what a transition takes from the place of a level, and puts into it.
type step struct {
	level   int
	in, out uint64 // as in flow
}

// stays reports whether the steps from one on lead from all that is below a node to what is below
// another one of the same level; nothing is below the empty set, where they may lack tokens.
func (d *diagram) stays(k int, from, into uint32) bool {
	x, key := step{level: -1}, [3]uint32{0, from, into}
	if k < len(d.steps) {
		x, key[0] = d.steps[k], uint32(d.count+k+1)
	} else if from == into || into == empty {
		return into != empty
	}
	if d.seen[key] {
		return true
	} else if !d.look(from) {
		return false
	}
	if x.level == d.at[from] {
		k++
	} else {
		x = step{}
	}
	for _, e := range d.nodes[from] {
		if e.Tokens >= x.in && !d.stays(k, e.To, d.child(into, e.Tokens-x.in+x.out)) {
			return false
		}
	}
	return remember(d.seen, key, true)
}
