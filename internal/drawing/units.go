package drawing

import (
	"fmt"
	"strings"

	"podium/pnml"
)

// deepest bounds the boxes inside one another; those further in are left out.
const deepest = 20

// boxes are what is drawn of nested units: a box for each unit that holds two places or
// more, but not for one around all. Transitions whose places are all in a box are in it,
// too.
type boxes struct {
	drawing
	n           *pnml.NUPN
	parent      []int // of each unit, -1 of the root
	depth       []int
	held        []int   // places in each unit and in the units in it
	transitions [][]int // by the innermost unit around all their places
}

// units draws the boxes of a net that has units.
func (d drawing) units(net *pnml.Net) {
	if net.NUPN == nil {
		return
	}
	n := net.NUPN
	b := boxes{drawing: d, n: n, parent: make([]int, len(n.Units)), depth: make([]int, len(n.Units)), held: make([]int, len(n.Units)), transitions: make([][]int, len(n.Units))}
	order := []int{n.Root}
	b.parent[n.Root] = -1
	unit := make([]int, net.Places.Len())
	for k := 0; k < len(order); k++ {
		u := order[k]
		for _, s := range n.Units[u].Subunits {
			b.parent[s], b.depth[s] = u, b.depth[u]+1
		}
		for _, p := range n.Units[u].Places {
			unit[p] = u
		}
		order = append(order, n.Units[u].Subunits...)
	}
	for k := len(order) - 1; k >= 0; k-- {
		u := order[k]
		if b.held[u] += len(n.Units[u].Places); b.parent[u] >= 0 {
			b.held[b.parent[u]] += b.held[u]
		}
	}
	for t := range net.Transitions.Len() {
		around := -1
		for _, arcs := range []*pnml.Arcs{&net.Pre, &net.Post} {
			places, _ := arcs.Row(t)
			for _, p := range places {
				around = b.common(around, unit[p])
			}
		}
		if around >= 0 {
			b.transitions[around] = append(b.transitions[around], t)
		}
	}
	b.draw(n.Root, 1)
}

// common returns the innermost unit around two; one may be none, -1.
func (b *boxes) common(u, v int) int {
	if u < 0 {
		return v
	}
	for u != v {
		if b.depth[u] < b.depth[v] {
			u, v = v, u
		}
		u = b.parent[u]
	}
	return u
}

// draw draws the box of a unit and those in it.
func (b *boxes) draw(u, depth int) {
	boxed := b.held[u] > 1 && b.held[u] < b.held[b.n.Root]
	indent := strings.Repeat("  ", depth)
	if boxed {
		fmt.Fprintf(b, "%ssubgraph cluster%d {\n%s  graph [label=%s labeljust=l fontsize=9 color=gray50 style=\"rounded,dashed\"]\n", indent, u, indent, quoted(clipped(b.n.Units[u].ID)))
		for _, p := range b.n.Units[u].Places {
			fmt.Fprintf(b, "%s  p%d\n", indent, p)
		}
		for _, t := range b.transitions[u] {
			fmt.Fprintf(b, "%s  t%d\n", indent, t)
		}
	}
	for _, s := range b.n.Units[u].Subunits {
		if b.held[s] > 1 && depth < deepest {
			b.draw(s, depth+1)
		}
	}
	if boxed {
		fmt.Fprintf(b, "%s}\n", indent)
	}
}
