package components

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/internal/explorer/memory"
)

// drawn is a graph at random, whose edges have some of the marks that are asked for, and what leads where in one step or more.
type drawn struct {
	edges [][]Edge
	reach [][]bool
}

func draw(rng *rand.Rand, marks uint32) drawn {
	n := 1 + rng.IntN(9)
	g := drawn{make([][]Edge, n), make([][]bool, n)}
	for i := range n {
		g.reach[i] = make([]bool, n)
		for range rng.IntN(4) {
			to := rng.IntN(n)
			g.edges[i], g.reach[i][to] = append(g.edges[i], To(uint64(to), rng.Uint32()&rng.Uint32()&marks)), true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				g.reach[i][j] = g.reach[i][j] || g.reach[i][k] && g.reach[k][j]
			}
		}
	}
	return g
}

func (g drawn) graph(node uint64, list []Edge) []Edge { return append(list, g.edges[node]...) }

// component returns the nodes that lead to a node and are reached from it, with the marks of the edges
// between them.
func (g drawn) component(i int) (nodes []uint32, marks uint32, cycle, leaves bool) {
	for j := range g.edges {
		if i == j || g.reach[i][j] && g.reach[j][i] {
			nodes = append(nodes, uint32(j))
		}
	}
	for _, j := range nodes {
		for _, e := range g.edges[j] {
			if slices.Contains(nodes, uint32(e.Node())) {
				cycle, marks = true, marks|e.Marks()
			} else {
				leaves = true
			}
		}
	}
	return nodes, marks, cycle, leaves
}

func begin(t *testing.T, g drawn) *Search {
	s, err := New(nil, memory.NewBudget(1<<24), uint64(len(g.edges)), g.graph)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestComponents: each node that is reached is in one component, after those that edges lead to.
func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 2000 {
		g, met := draw(rng, 0), map[uint32]bool{}
		s := begin(t, g)
		s.Component = func(members []uint32, leaves bool) bool {
			want, _, _, goes := g.component(int(members[0]))
			if got := slices.Sorted(slices.Values(members)); !slices.Equal(got, want) || leaves != goes {
				t.Fatalf("%v: %v, leaves: %v; not %v, %v", g.edges, got, leaves, want, goes)
			}
			for _, i := range members {
				if met[i] {
					t.Fatalf("%v: node %d stands in two components", g.edges, i)
				}
				met[i] = true
			}
			for _, i := range members {
				for _, e := range g.edges[i] {
					if !met[uint32(e.Node())] {
						t.Fatalf("%v: node %d comes before node %d", g.edges, i, e.Node())
					}
				}
			}
			return true
		}
		for from := range g.edges {
			if found, err := s.From(uint64(from)); found || err != nil {
				t.Fatal(found, err)
			}
		}
		if len(met) != len(g.edges) {
			t.Fatalf("%v: only %d nodes are in components", g.edges, len(met))
		}
	}
}

// TestCycles: a cycle with all marks is found if there is one, and is one.
func TestCycles(t *testing.T) {
	rng, count := rand.New(rand.NewPCG(5, 7)), map[bool]int{}
	for range 4000 {
		all := rng.Uint32N(8)
		g := draw(rng, all)
		want := false
		for i := range g.edges {
			if _, marks, cycle, _ := g.component(i); (i == 0 || g.reach[0][i]) && cycle && marks&all == all {
				want = true
			}
		}
		s := begin(t, g)
		s.All = all
		found, err := s.From(0)
		if found != want || err != nil {
			t.Fatalf("%v, %b: found: %v, %v", g.edges, all, found, err)
		}
		if count[want]++; !found {
			continue
		}
		way, cycle := s.Cycle()
		if way[0] != 0 || len(cycle) < 2 || cycle[0] != way[len(way)-1] || cycle[len(cycle)-1] != cycle[0] {
			t.Fatalf("%v: the way %v and the cycle %v", g.edges, way, cycle)
		}
		marks := uint32(0)
		for _, path := range [][]uint64{way, cycle} {
			marks = 0
			for k, to := range path[1:] {
				before := len(g.edges[path[k]])
				for _, e := range g.edges[path[k]] {
					if e.Node() == to {
						marks, before = marks|e.Marks(), -1
					}
				}
				if before >= 0 {
					t.Fatalf("%v: no edge leads from node %d to node %d", g.edges, path[k], to)
				}
			}
		}
		if marks != all {
			t.Fatalf("%v: the cycle %v has the marks %b, not %b", g.edges, cycle, marks, all)
		}
	}
	if count[true] < 500 || count[false] < 500 {
		t.Errorf("cycles: %v", count)
	}
}

// TestShortOfMemory: a search says so.
func TestShortOfMemory(t *testing.T) {
	line := func(node uint64, list []Edge) []Edge { return append(list, To(node+1, 0)) }
	for _, size := range []int64{100, 1 << 19} {
		s, err := New(nil, memory.NewBudget(size), 1<<16, line)
		if err == nil {
			_, err = s.From(0)
			s.Close()
		}
		if !errors.Is(err, ErrMemory) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
