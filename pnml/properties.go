package pnml

import (
	"fmt"
	"math/bits"
	"slices"
)

// Property is one structural property of the model form (M-4,
// GenericPropertiesDefinition.xml). Witness names the nodes that decide it; it
// is empty when the whole net decides.
type Property struct {
	Name    string
	Holds   bool
	Witness string
}

// StructuralProperties and BehaviouralProperties are the names of the model
// form, in its order. The behavioural ones need the reachable markings.
var (
	StructuralProperties = []string{"ORDINARY", "SIMPLE_FREE_CHOICE", "EXTENDED_FREE_CHOICE", "STATE_MACHINE", "MARKED_GRAPH",
		"CONNECTED", "STRONGLY_CONNECTED", "SOURCE_PLACE", "SINK_PLACE", "SOURCE_TRANSITION", "SINK_TRANSITION", "LOOP_FREE",
		"CONSERVATIVE", "SUBCONSERVATIVE", "NESTED_UNITS"}
	BehaviouralProperties = []string{"SAFE", "DEAD_PLACES", "DEAD_TRANSITIONS", "DEADLOCK", "REVERSIBLE", "LIVE"}
)

// Properties decides the structural properties, in the order of
// [StructuralProperties]. Those of a coloured net are, as in the contest's own
// tables, those of its P/T twin: of its unfolding.
func (n *Net) Properties() []Property {
	g := newGraph(n)
	list := []Property{n.ordinary(), g.simpleFreeChoice(), g.extendedFreeChoice(), n.stateMachine(), g.markedGraph(),
		g.connected(), g.stronglyConnected(), g.emptyPlace(&g.in, true), g.emptyPlace(&g.out, false),
		n.emptyTransition(&n.Pre, true), n.emptyTransition(&n.Post, false), n.loopFree(), n.conservative(), n.subconservative(),
		{Holds: n.NUPN != nil}}
	for i := range list {
		list[i].Name = StructuralProperties[i]
	}
	return list
}

// graph is a net with its arcs by place as well: the transitions that put tokens
// into a place (in), and those that take from it (out).
type graph struct {
	n       *Net
	in, out transposed
}

// transposed is a sparse matrix of arcs with one row per place.
type transposed struct{ start, transition []uint32 }

func (x *transposed) row(p int) []uint32 { return x.transition[x.start[p]:x.start[p+1]] }

func newGraph(n *Net) *graph {
	return &graph{n, transpose(&n.Post, n.Places.Len()), transpose(&n.Pre, n.Places.Len())}
}

func transpose(a *Arcs, places int) transposed {
	x := transposed{make([]uint32, places+1), make([]uint32, a.Len())}
	for _, p := range a.Place {
		x.start[p+1]++
	}
	for p := range places {
		x.start[p+1] += x.start[p]
	}
	next := slices.Clone(x.start)
	for t := range len(a.Start) - 1 {
		places, _ := a.Row(t)
		for _, p := range places {
			x.transition[next[p]] = uint32(t)
			next[p]++
		}
	}
	return x
}

func (n *Net) place(p int) string      { return "place " + n.Places.At(p) }
func (n *Net) transition(t int) string { return "transition " + n.Transitions.At(t) }

func (n *Net) ordinary() Property {
	for _, a := range []*Arcs{&n.Pre, &n.Post} {
		for t := range n.Transitions.Len() {
			places, weights := a.Row(t)
			for k, p := range places {
				if w := weights.At(k); w != 1 {
					return Property{Witness: fmt.Sprintf("an arc of weight %d between %s and %s", w, n.place(int(p)), n.transition(t))}
				}
			}
		}
	}
	return Property{Holds: true}
}

// simpleFreeChoice: transitions that share an input place have no other one.
func (g *graph) simpleFreeChoice() Property {
	for p := range g.n.Places.Len() {
		readers := g.out.row(p)
		if len(readers) < 2 {
			continue
		}
		for _, t := range readers {
			if pre, _ := g.n.Pre.Row(int(t)); len(pre) > 1 {
				return Property{Witness: g.n.transition(int(t)) + " shares " + g.n.place(p) + " and has another input place"}
			}
		}
	}
	return Property{Holds: true}
}

// extendedFreeChoice: transitions that share an input place have the same ones.
func (g *graph) extendedFreeChoice() Property {
	for p := range g.n.Places.Len() {
		readers := g.out.row(p)
		for _, t := range readers {
			first, _ := g.n.Pre.Row(int(readers[0]))
			if pre, _ := g.n.Pre.Row(int(t)); !slices.Equal(first, pre) {
				return Property{Witness: g.n.transition(int(readers[0])) + " and " + g.n.transition(int(t)) + " share " + g.n.place(p) + " but not all input places"}
			}
		}
	}
	return Property{Holds: true}
}

func (n *Net) stateMachine() Property {
	for t := range n.Transitions.Len() {
		pre, _ := n.Pre.Row(t)
		post, _ := n.Post.Row(t)
		if len(pre) != 1 || len(post) != 1 {
			return Property{Witness: fmt.Sprintf("%s has %d input and %d output places", n.transition(t), len(pre), len(post))}
		}
	}
	return Property{Holds: true}
}

func (g *graph) markedGraph() Property {
	for p := range g.n.Places.Len() {
		if in, out := len(g.in.row(p)), len(g.out.row(p)); in != 1 || out != 1 {
			return Property{Witness: fmt.Sprintf("%s has %d input and %d output transitions", g.n.place(p), in, out)}
		}
	}
	return Property{Holds: true}
}

func (g *graph) emptyPlace(arcs *transposed, source bool) Property {
	word := map[bool]string{true: "input", false: "output"}[source]
	for p := range g.n.Places.Len() {
		if len(arcs.row(p)) == 0 {
			return Property{Holds: true, Witness: g.n.place(p) + " has no " + word + " transition"}
		}
	}
	return Property{}
}

func (n *Net) emptyTransition(arcs *Arcs, source bool) Property {
	word := map[bool]string{true: "input", false: "output"}[source]
	for t := range n.Transitions.Len() {
		if places, _ := arcs.Row(t); len(places) == 0 {
			return Property{Holds: true, Witness: n.transition(t) + " has no " + word + " place"}
		}
	}
	return Property{}
}

func (n *Net) loopFree() Property {
	for t := range n.Transitions.Len() {
		pre, _ := n.Pre.Row(t)
		post, _ := n.Post.Row(t)
		for i, k := 0, 0; i < len(pre) && k < len(post); {
			switch {
			case pre[i] < post[k]:
				i++
			case pre[i] > post[k]:
				k++
			default:
				return Property{Witness: n.place(int(pre[i])) + " is an input and an output place of " + n.transition(t)}
			}
		}
	}
	return Property{Holds: true}
}

// compareWeights compares the sums of the weights into and out of a transition,
// which may exceed 2^64.
func (n *Net) compareWeights(t int) int {
	preHigh, preLow := n.Pre.sum(t)
	postHigh, postLow := n.Post.sum(t)
	switch {
	case preHigh != postHigh:
		return int(preHigh) - int(postHigh)
	case preLow < postLow:
		return -1
	case preLow > postLow:
		return 1
	}
	return 0
}

func (a *Arcs) sum(t int) (high, low uint64) {
	places, weights := a.Row(t)
	for k := range places {
		var carry uint64
		low, carry = bits.Add64(low, weights.At(k), 0)
		high += carry
	}
	return high, low
}

func (n *Net) conservative() Property {
	for t := range n.Transitions.Len() {
		if n.compareWeights(t) != 0 {
			return Property{Witness: n.transition(t) + " changes the number of tokens"}
		}
	}
	return Property{Holds: true}
}

func (n *Net) subconservative() Property {
	for t := range n.Transitions.Len() {
		if n.compareWeights(t) < 0 {
			return Property{Witness: n.transition(t) + " makes tokens"}
		}
	}
	return Property{Holds: true}
}

// Directions of a walk through the graph.
const (
	forward = 1 << iota
	backward
)

// unreached returns a node that a walk from the first node does not come to.
func (g *graph) unreached(directions int) (witness string, found bool) {
	places, transitions := g.n.Places.Len(), g.n.Transitions.Len()
	if places+transitions == 0 {
		return "", false
	}
	seen := make([]bool, places+transitions)
	seen[0] = true
	stack := []uint32{0}
	visit := func(nodes []uint32, shift int) {
		for _, x := range nodes {
			if k := int(x) + shift; !seen[k] {
				seen[k] = true
				stack = append(stack, uint32(k))
			}
		}
	}
	for len(stack) > 0 {
		k := int(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		isPlace := k < places
		if directions&forward != 0 {
			if isPlace {
				visit(g.out.row(k), places)
			} else {
				post, _ := g.n.Post.Row(k - places)
				visit(post, 0)
			}
		}
		if directions&backward != 0 {
			if isPlace {
				visit(g.in.row(k), places)
			} else {
				pre, _ := g.n.Pre.Row(k - places)
				visit(pre, 0)
			}
		}
	}
	k := slices.Index(seen, false)
	switch {
	case k < 0:
		return "", false
	case k < places:
		return g.n.place(k), true
	}
	return g.n.transition(k - places), true
}

// first names the node that walks begin at.
func (g *graph) first() string {
	if g.n.Places.Len() > 0 {
		return g.n.place(0)
	}
	return g.n.transition(0)
}

func (g *graph) connected() Property {
	if w, found := g.unreached(forward | backward); found {
		return Property{Witness: "no path between " + g.first() + " and " + w}
	}
	return Property{Holds: true}
}

func (g *graph) stronglyConnected() Property {
	if w, found := g.unreached(forward); found {
		return Property{Witness: "no path from " + g.first() + " to " + w}
	}
	if w, found := g.unreached(backward); found {
		return Property{Witness: "no path from " + w + " to " + g.first()}
	}
	return Property{Holds: true}
}
