package check

import (
	"slices"

	"podium/internal/explorer/memory"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
)

// Product is the search for an accepted run in the product of the space and an
// automaton: Couvreur's depth-first search, which unites the components that it
// has open as it finds cycles, with the conditions met on them. In a dead
// marking the run stays where it is.
type Product struct {
	s      *space.Space
	a      *temporal.Automaton
	atoms  [][]uint64 // per atom: the markings where it holds
	states uint64     // of the automaton
	rank   []uint32   // per node: order of visit, 0 when unvisited, gone when it leads nowhere

	live  *memory.Stack[uint64] // visited nodes that are not gone
	path  *memory.Stack[uint64] // per node of the path: itself, then how many of todo are its own
	todo  *memory.Stack[uint64] // edges that the path has not followed, see pack
	roots []root
	next  uint32
	Open  bool // Accepted met a marking that is not expanded
	row   []uint32
	edges []uint64
}

// root is an open component: the rank of its first node, the conditions met
// inside, and those of the edge that led to it.
type root struct {
	rank            uint32
	inside, leading uint32
}

const (
	nodeBits = 64 - temporal.MaxConditions
	maxNodes = 1<<32 - 2 // ranks
)

// A node is marking*states + state. An edge is packed with its conditions above
// its target.
func packEdge(node uint64, accepts uint32) uint64 { return uint64(accepts)<<nodeBits | node }

// NewProduct evaluates the atoms of the automaton, in the order of their numbers, in all
// markings. Its error says that
// memory is short. The caller closes the product.
func NewProduct(s *space.Space, a *temporal.Automaton, atoms []state.Formula) (*Product, error) {
	p := &Product{s: s, a: a, states: uint64(len(a.Edges)), next: 1,
		live: memory.NewStack[uint64](s.Budget()), path: memory.NewStack[uint64](s.Budget()), todo: memory.NewStack[uint64](s.Budget())}
	if err := p.allocate(atoms); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// allocate makes the table of ranks and the sets of the atoms.
func (p *Product) allocate(atoms []state.Formula) error {
	nodes := p.s.States() * max(p.states, 1)
	if nodes > maxNodes {
		return errNoMemory
	}
	if p.rank = memory.Allocate[uint32](p.s.Budget(), int(nodes)); p.rank == nil {
		return errNoMemory
	}
	l := &Labels{s: p.s, n: uint32(p.s.States())}
	for _, f := range atoms {
		set, err := l.atom(f)
		if err != nil {
			return err
		}
		p.atoms = append(p.atoms, set.low)
	}
	return nil
}

// Close gives the memory back.
func (p *Product) Close() {
	memory.Release(p.s.Budget(), p.rank)
	for _, set := range p.atoms {
		memory.Release(p.s.Budget(), set)
	}
	p.live.Close()
	p.path.Close()
	p.todo.Close()
}

// Accepted reports whether the automaton accepts some run. When it finds none but sets
// Open, such a run may lead through markings that are not expanded. The error says that
// memory is short.
func (p *Product) Accepted() (bool, error) {
	if p.states == 0 || len(p.a.Edges[0]) == 0 {
		return false, nil
	}
	if !p.enter(0) {
		return false, errNoMemory
	}
	for p.path.Len() > 0 {
		p.s.Clock.Work(2)
		left := p.path.At(p.path.Len() - 1)
		if *left == 0 {
			p.leave()
			continue
		}
		*left--
		e := p.todo.Pop()
		node, accepts := e&(1<<nodeBits-1), uint32(e>>nodeBits)
		switch r := p.rank[node]; {
		case r == gone:
		case r != 0:
			if p.unite(r, accepts) {
				return true, nil
			}
		default:
			if !p.enter(node) {
				return false, errNoMemory
			}
			p.roots[len(p.roots)-1].leading = accepts
		}
	}
	return false, nil
}

func (p *Product) enter(node uint64) bool {
	p.rank[node] = p.next
	p.roots = append(p.roots, root{rank: p.next})
	p.next++
	p.edges = p.successors(node, p.edges[:0])
	for _, e := range p.edges {
		if !p.todo.Push(e) {
			return false
		}
	}
	return p.live.Push(node) && p.path.Push(node) && p.path.Push(uint64(len(p.edges)))
}

// successors returns the edges of a node.
func (p *Product) successors(node uint64, edges []uint64) []uint64 {
	i, q := uint32(node/p.states), node%p.states
	fetched := false
	for k := range p.a.Edges[q] {
		e := &p.a.Edges[q][k]
		if !p.meets(i, e.Literals) {
			continue
		}
		if i >= p.s.Expanded() {
			p.Open = true
			return edges
		}
		if !fetched {
			p.row = p.s.Successors(i, p.row)
			if len(p.row) == 0 {
				p.row = append(p.row, i)
			}
			fetched = true
		}
		p.s.Clock.Work(len(p.row))
		for _, j := range p.row {
			edges = append(edges, packEdge(uint64(j)*p.states+uint64(e.To), e.Accepts))
		}
	}
	return edges
}

func (p *Product) meets(i uint32, literals []temporal.Literal) bool {
	for _, l := range literals {
		if memory.Has(p.atoms[l.Atom], i) == l.Negated {
			return false
		}
	}
	return true
}

// unite closes a cycle back to the node of rank r: the components from there on
// become one. It reports whether that one meets all conditions.
func (p *Product) unite(r, accepts uint32) bool {
	top := len(p.roots) - 1
	for p.roots[top].rank > r {
		accepts |= p.roots[top].inside | p.roots[top].leading
		top--
	}
	p.roots = p.roots[:top+1]
	p.roots[top].inside |= accepts
	return p.roots[top].inside == p.a.All
}

// leave ends the last node of the path; when it is the first of its component,
// no node of that is on an accepted cycle.
func (p *Product) leave() {
	p.path.Pop()
	node := p.path.Pop()
	r := p.rank[node]
	if p.roots[len(p.roots)-1].rank != r {
		return
	}
	p.roots = p.roots[:len(p.roots)-1]
	for p.live.Len() > 0 {
		top := *p.live.At(p.live.Len() - 1)
		if p.rank[top] < r {
			return
		}
		p.rank[top] = gone
		p.live.Pop()
	}
}

// Lasso returns the run that Accepted found, as transitions: a stem, and a cycle that is repeated for
// ever. The cycle of a run that ends in a dead marking is empty.
func (p *Product) Lasso() (stem, cycle []uint32) {
	first := p.roots[len(p.roots)-1].rank
	var path []uint32
	base := uint64(0)
	for k := 0; k < p.path.Len(); k += 2 {
		base = *p.path.At(k)
		path = append(path, uint32(base/p.states))
		if p.rank[base] == first {
			break
		}
	}
	loop := []uint32{uint32(base / p.states)}
	at, missing := base, p.a.All
	for missing != 0 {
		nodes, accepts := p.shortest(at, first, func(_ uint64, accepts uint32) bool { return accepts&missing != 0 })
		missing &^= accepts
		at, loop = nodes[len(nodes)-1], p.extend(loop, nodes)
	}
	if at != base || len(loop) == 1 {
		nodes, _ := p.shortest(at, first, func(node uint64, _ uint32) bool { return node == base })
		loop = p.extend(loop, nodes)
	}
	return p.transitions(path), p.transitions(loop)
}

func (p *Product) extend(cycle []uint32, nodes []uint64) []uint32 {
	for _, node := range nodes {
		cycle = append(cycle, uint32(node/p.states))
	}
	return cycle
}

// shortest returns the nodes after from on a shortest way, inside the open
// component whose first rank is given, whose last edge is wanted, and the
// conditions of all its edges.
func (p *Product) shortest(from uint64, first uint32, wanted func(node uint64, accepts uint32) bool) ([]uint64, uint32) {
	type step struct {
		node    uint64
		back    int
		accepts uint32
	}
	queue, seen := []step{{node: from, back: -1}}, map[uint64]bool{}
	for k := 0; k < len(queue); k++ {
		p.s.Clock.Work(10)
		for _, e := range p.successors(queue[k].node, nil) {
			node, accepts := e&(1<<nodeBits-1), uint32(e>>nodeBits)
			if r := p.rank[node]; r < first || r == gone {
				continue
			}
			if wanted(node, accepts) {
				nodes := []uint64{node}
				for b := k; b > 0; b = queue[b].back {
					nodes = append(nodes, queue[b].node)
					accepts |= queue[b].accepts
				}
				slices.Reverse(nodes)
				return nodes, accepts
			}
			if !seen[node] {
				seen[node] = true
				queue = append(queue, step{node, k, accepts})
			}
		}
	}
	panic("check: an accepted component lacks an edge")
}

// transitions turns a path of markings into what is fired between them; a dead
// marking that stutters fires nothing.
func (p *Product) transitions(path []uint32) []uint32 {
	var run []uint32
	for k := 1; k < len(path); k++ {
		if path[k] == path[k-1] && p.s.Degree(path[k]) == 0 {
			continue
		}
		run = append(run, p.s.Firing(path[k-1], path[k]))
	}
	return run
}
