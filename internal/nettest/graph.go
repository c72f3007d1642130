package nettest

import (
	"fmt"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Graph is the reachability graph of a net. Its markings stand in the order of a
// breadth-first search, the initial one first.
type Graph struct {
	checker  *enumeration.Graph
	Markings [][]uint64
	Next     [][]Edge
	last     []step // of a shortest run to each marking
}

// Edge is a transition that fires, and the number of the marking after it.
type Edge struct{ Transition, To int }

// step is a firing in a marking.
type step struct {
	from       int
	transition uint32
}

// Explore enumerates the markings of a net. It returns nil when there are more than
// limit, or more tokens than 2^64-1 in a place.
func Explore(net *pnml.Net, limit int) *Graph {
	checker, err := enumeration.Explore(nil, unfold.Plain(net), enumeration.Limits{Markings: limit, Memory: 1 << 30})
	if err != nil {
		return nil
	}
	g := &Graph{checker: checker, Next: make([][]Edge, checker.Markings()), last: make([]step, checker.Markings())}
	index := map[string]int{}
	for i := range checker.Markings() {
		g.Markings = append(g.Markings, checker.Marking(i))
		index[fmt.Sprint(g.Markings[i])] = i
	}
	for t := range net.Transitions.Len() {
		for i, fires := range g.Sat(&formula.Fireable{Transitions: []string{net.Transitions.At(t)}}) {
			if !fires {
				continue
			}
			m := slices.Clone(g.Markings[i])
			places, weights := net.Pre.Row(t)
			for k, p := range places {
				m[p] -= weights.At(k)
			}
			places, weights = net.Post.Row(t)
			for k, p := range places {
				m[p] += weights.At(k)
			}
			to, met := index[fmt.Sprint(m)]
			if !met {
				panic(fmt.Sprintf("%v is not enumerated", m))
			}
			g.Next[i] = append(g.Next[i], Edge{t, to})
		}
	}
	for i := len(g.Next) - 1; i >= 0; i-- { // the first marking that leads to another is the last one here
		for _, e := range g.Next[i] {
			if e.To > i {
				g.last[e.To] = step{i, uint32(e.Transition)}
			}
		}
	}
	return g
}

// Sat returns the markings where a CTL formula holds.
func (g *Graph) Sat(f formula.Formula) []bool {
	set, err := g.checker.Sat(f)
	if err != nil {
		panic(err)
	}
	return set
}

// Value is the value of an item of an examination; f is its formula, where it has one.
func (g *Graph) Value(exam examinations.ID, item string, f formula.Formula) string {
	v, err := g.checker.Value(nil, exam, item, f)
	if err != nil {
		panic(err)
	}
	return v.Text
}

// UpperBound is the largest sum over the places of a net with small numbers.
func (g *Graph) UpperBound(places []string) int {
	n, err := strconv.Atoi(g.Value(examinations.UpperBounds, "", &formula.Bound{Places: places}))
	if err != nil {
		panic(err)
	}
	return n
}

// Run is a shortest run from the initial marking to marking i.
func (g *Graph) Run(i int) (run []uint32) {
	for ; i > 0; i = g.last[i].from {
		run = append(run, g.last[i].transition)
	}
	slices.Reverse(run)
	return run
}

// RunTo is a shortest run from the initial marking to one of a set; false where it is empty.
func (g *Graph) RunTo(set []bool) (run []uint32, ok bool) {
	i := slices.Index(set, true)
	return g.Run(max(i, 0)), i >= 0
}

// Along returns the markings that a run meets, as far as it fires.
func (g *Graph) Along(run []uint32) (at []int, fires bool) {
	at = []int{0}
	for _, t := range run {
		next := g.Next[at[len(at)-1]]
		k := slices.IndexFunc(next, func(e Edge) bool { return e.Transition == int(t) })
		if k < 0 {
			return at, false
		}
		at = append(at, next[k].To)
	}
	return at, true
}

// Reaches reports whether a run fires and meets a marking where a formula holds.
func (g *Graph) Reaches(run []uint32, f formula.Formula) bool {
	at, fires := g.Along(run)
	set := g.Sat(f)
	return fires && slices.ContainsFunc(at, func(i int) bool { return set[i] })
}
