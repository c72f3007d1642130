// Package components finds the strongly connected components of a graph that is known node by
// node, and cycles in them that have all of some marks, by the depth-first search of J.-M. Couvreur
// ("On-the-fly verification of linear temporal logic", 1999): it unites the components that it
// has open as it finds cycles, with the marks that it meets on them.
package components

import (
	"errors"
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
)

// Edge leads to a node and has marks, which are a set of bits. The marks stand above the node.
type Edge uint64

// MaxMarks is the number of different marks.
const MaxMarks = 16

const (
	nodeBits = 64 - MaxMarks
	maxNodes = 1<<32 - 2 // ranks
	gone     = 1<<32 - 1 // the rank of nodes whose component is closed
)

// To returns an edge.
func To(node uint64, marks uint32) Edge { return Edge(uint64(marks)<<nodeBits | node) }

// Node is where an edge leads.
func (e Edge) Node() uint64 { return uint64(e) & (1<<nodeBits - 1) }

// Marks are those of an edge.
func (e Edge) Marks() uint32 { return uint32(e >> nodeBits) }

// Graph appends the edges of a node to a list.
type Graph func(node uint64, list []Edge) []Edge

// ErrMemory says that the budget has no room.
var ErrMemory = errors.New("the components do not fit the memory")

// Search is a search in a graph.
type Search struct {
	All uint32 // the marks of a cycle that ends the search
	// Component gets the nodes of each component, those that edges lead to first, and whether an edge
	// leaves it. False ends the search. It may be nil; else cycles do not end the search.
	Component func(members []uint32, leaves bool) bool
	Stop      bool // the graph may set it, to end the search

	clock  *clock.Clock
	budget *memory.Budget
	graph  Graph
	rank   []uint32              // by node: in the order of the search, 0 where it was not met
	live   *memory.Stack[uint64] // nodes of open components
	path   *memory.Stack[uint64] // by node of the path: itself, and how many of todo are its own
	todo   *memory.Stack[Edge]   // edges that are not followed
	roots  *memory.Stack[uint64] // the open components before the last one
	last   uint64
	next   uint32
	edges  []Edge
	nodes  []uint32
}

// An open component is packed: the rank of its first node, above it the marks met inside, and above
// these those of the edge that led to it. Where [Search.Component] is called edges have no marks, and one
// says that an edge leaves the component.
const (
	inside  = 32
	leading = inside + MaxMarks
	leaving = 1 << inside
)

// New begins a search among some nodes. Its error says that the budget has no room. The caller
// closes the search.
func New(c *clock.Clock, budget *memory.Budget, nodes uint64, graph Graph) (*Search, error) {
	if nodes > maxNodes {
		return nil, ErrMemory
	}
	s := &Search{clock: c, budget: budget, graph: graph, next: 1, rank: memory.Allocate[uint32](budget, int(max(nodes, 1)))}
	if s.rank == nil {
		return nil, ErrMemory
	}
	s.live, s.path, s.todo, s.roots = memory.NewStack[uint64](budget), memory.NewStack[uint64](budget), memory.NewStack[Edge](budget), memory.NewStack[uint64](budget)
	return s, nil
}

// Close gives the memory back.
func (s *Search) Close() {
	memory.Release(s.budget, s.rank)
	s.todo.Close()
	for _, stack := range []*memory.Stack[uint64]{s.live, s.path, s.roots} {
		stack.Close()
	}
}

// From searches from a node, unless it was met. It reports whether it found a cycle with all
// marks. The error says that the budget has no room.
func (s *Search) From(node uint64) (found bool, err error) {
	if s.rank[node] != 0 {
		return false, nil
	}
	fits := s.enter(node, 0)
	for fits && !s.Stop && s.path.Len() > 0 {
		s.clock.Work(2)
		left := s.path.At(s.path.Len() - 1)
		if *left == 0 {
			if !s.leave() {
				return false, nil
			}
			continue
		}
		*left--
		e := s.todo.Pop()
		switch r := s.rank[e.Node()]; r {
		case 0:
			fits = s.enter(e.Node(), e.Marks())
		case gone:
			s.leaves()
		default:
			if s.unite(r, e.Marks()) && s.Component == nil {
				return true, nil
			}
		}
	}
	if !fits {
		return false, ErrMemory
	}
	return false, nil
}

// enter goes on to a node; it reports whether the budget has room.
func (s *Search) enter(node uint64, marks uint32) bool {
	s.rank[node] = s.next
	if !s.roots.Push(s.last) {
		return false
	}
	s.last = uint64(s.next) | uint64(marks)<<leading
	s.next++
	s.edges = s.graph(node, s.edges[:0])
	return s.todo.Append(s.edges) && s.live.Push(node) && s.path.Push(node) && s.path.Push(uint64(len(s.edges)))
}

// leaves notes that an edge leaves the last component.
func (s *Search) leaves() {
	if s.Component != nil {
		s.last |= leaving
	}
}

// unite closes a cycle back to the node of a rank: the components from there on become one. It
// reports whether that one has all marks.
func (s *Search) unite(rank, marks uint32) bool {
	for uint32(s.last) > rank {
		marks |= uint32(s.last>>inside) | uint32(s.last>>leading)
		s.last = s.roots.Pop()
	}
	s.last |= uint64(marks&(1<<MaxMarks-1)) << inside
	return uint32(s.last>>inside)&(1<<MaxMarks-1) == s.All
}

// leave ends the last node of the path, and closes its component if it is the first one of it. It
// reports whether the search goes on.
func (s *Search) leave() bool {
	s.path.Pop()
	first := s.rank[s.path.Pop()]
	if uint32(s.last) != first {
		return true
	}
	leaves := s.last&leaving != 0
	s.last = s.roots.Pop()
	s.leaves()
	s.nodes = s.nodes[:0]
	for s.live.Len() > 0 {
		top := *s.live.At(s.live.Len() - 1)
		if s.rank[top] < first {
			break
		}
		s.rank[top] = gone
		s.live.Pop()
		if s.Component != nil {
			s.nodes = append(s.nodes, uint32(top))
		}
	}
	return s.Component == nil || s.Component(s.nodes, leaves)
}

// Cycle returns the way of the search to a node of the component that was found, and one from
// there, over nodes of the component, back to it that has all marks.
func (s *Search) Cycle() (way, cycle []uint64) {
	first := uint32(s.last)
	for k := 0; len(way) == 0 || s.rank[way[len(way)-1]] != first; k += 2 {
		way = append(way, *s.path.At(k))
	}
	base := way[len(way)-1]
	within := func(node uint64) bool { return s.rank[node] >= first && s.rank[node] != gone }
	cycle = []uint64{base}
	on := func(wanted func(e Edge) bool) (marks uint32) {
		more := Way(s.clock, s.graph, cycle[len(cycle)-1:], within, wanted)[1:]
		for _, e := range more {
			cycle, marks = append(cycle, e.Node()), marks|e.Marks()
		}
		return marks
	}
	for missing := s.All; missing != 0; {
		missing &^= on(func(e Edge) bool { return e.Marks()&missing != 0 })
	}
	if len(cycle) == 1 || cycle[len(cycle)-1] != base {
		on(func(e Edge) bool { return e.Node() == base })
	}
	return way, cycle
}

// Way returns a shortest way from one of some nodes over others that are allowed, whose last edge is wanted. The
// first element leads to where it begins.
func Way(c *clock.Clock, graph Graph, from []uint64, allowed func(node uint64) bool, wanted func(e Edge) bool) (way []Edge) {
	type link struct {
		Edge
		back int
	}
	var queue []link
	seen := map[uint64]bool{}
	for _, node := range from {
		queue = append(queue, link{To(node, 0), -1})
	}
	for k := 0; k < len(queue); k++ {
		c.Work(16)
		for _, e := range graph(queue[k].Node(), nil) {
			switch {
			case !allowed(e.Node()):
			case wanted(e):
				for b := k; b >= 0; b = queue[b].back {
					way = append(way, queue[b].Edge)
				}
				slices.Reverse(way)
				return append(way, e)
			case !seen[e.Node()]:
				seen[e.Node()] = true
				queue = append(queue, link{e, k})
			}
		}
	}
	panic("components: a node that was reached is not reached")
}
