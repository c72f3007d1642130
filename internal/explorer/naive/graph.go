package naive

import (
	"fmt"
	"slices"

	"podium/pnml"
)

// Graph is the reachability graph of a net, made in the plainest way. Its markings
// stand in the order of a breadth-first search, the initial one first.
type Graph struct {
	net      *pnml.Net
	Markings [][]uint64
	Next     [][]Edge
}

// Edge is a transition that fires, and the number of the marking after it.
type Edge struct{ Transition, To int }

// Explore enumerates the markings of a net. It returns nil when there are more than
// limit, or more tokens than 2^64-1 in a place.
func Explore(net *pnml.Net, limit int) *Graph {
	g := &Graph{net: net}
	index := map[string]int{}
	add := func(m []uint64) int {
		key := fmt.Sprint(m)
		if i, ok := index[key]; ok {
			return i
		}
		index[key] = len(g.Markings)
		g.Markings = append(g.Markings, m)
		return len(g.Markings) - 1
	}
	add(append([]uint64(nil), net.Initial...))
	for i := 0; i < len(g.Markings); i++ {
		if len(g.Markings) > limit {
			return nil
		}
		var row []Edge
		for t := range net.Transitions.Len() {
			m := append([]uint64(nil), g.Markings[i]...)
			fires, beyond := fire(net, t, m)
			if beyond {
				return nil
			}
			if fires {
				row = append(row, Edge{t, add(m)})
			}
		}
		g.Next = append(g.Next, row)
	}
	return g
}

// fire fires a transition, if it is enabled; beyond says that a place gets more tokens
// than 2^64-1.
func fire(net *pnml.Net, t int, m []uint64) (fires, beyond bool) {
	places, weights := net.Pre.Row(t)
	for k, p := range places {
		w := weights.At(k)
		if m[p] < w {
			return false, false
		}
		m[p] -= w
	}
	places, weights = net.Post.Row(t)
	for k, p := range places {
		if m[p] += weights.At(k); m[p] < weights.At(k) {
			return false, true
		}
	}
	return true, false
}

// RunTo is a shortest run from the initial marking to one with a property; false where no
// marking has it. Holds has an element for each marking.
func (g *Graph) RunTo(holds []bool) (run []uint32, ok bool) {
	to := slices.Index(holds, true)
	if to < 0 {
		return nil, false
	}
	from := make([]int, len(g.Markings)) // the first marking that leads there: an earlier one
	by := make([]uint32, len(g.Markings))
	for i := len(g.Markings) - 1; i >= 0; i-- {
		for _, e := range g.Next[i] {
			if e.To > i {
				from[e.To], by[e.To] = i, uint32(e.Transition)
			}
		}
	}
	for ; to > 0; to = from[to] {
		run = append(run, by[to])
	}
	slices.Reverse(run)
	return run, true
}

// Distances says of each marking how many firings it is away from the initial one.
func (g *Graph) Distances() []int {
	d := make([]int, len(g.Markings))
	for i := range g.Markings {
		for _, e := range g.Next[i] {
			if e.To > i && (d[e.To] == 0 || d[e.To] > d[i]+1) {
				d[e.To] = d[i] + 1
			}
		}
	}
	return d
}

// Firings is the number of edges.
func (g *Graph) Firings() (n uint64) {
	for _, row := range g.Next {
		n += uint64(len(row))
	}
	return n
}

// Tokens is the largest number of tokens in one place, and in one marking.
func (g *Graph) Tokens() (most, sum uint64) {
	for _, m := range g.Markings {
		total := uint64(0)
		for _, n := range m {
			most = max(most, n)
			total += n
		}
		sum = max(sum, total)
	}
	return most, sum
}
