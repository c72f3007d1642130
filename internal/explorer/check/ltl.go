package check

import (
	"podium/internal/explorer/components"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
)

// Product is the search for an accepted run in the product of the space and an
// automaton. In a dead marking the run stays where it is. A node is
// marking*states + state; the marks of an edge are its conditions.
type Product struct {
	s      *space.Space
	a      *temporal.Automaton
	atoms  [][]uint64 // per atom: the markings where it holds
	states uint64     // of the automaton
	search *components.Search
	Open   bool // Accepted met a marking that is not expanded
	row    []uint32
}

// NewProduct evaluates the atoms of the automaton, in the order of their numbers, in all
// markings. Its error says that
// memory is short. The caller closes the product.
func NewProduct(s *space.Space, a *temporal.Automaton, atoms []state.Formula) (*Product, error) {
	p := &Product{s: s, a: a, states: uint64(len(a.Edges))}
	var err error
	if p.search, err = components.New(s.Clock, s.Budget(), s.States()*p.states, p.successors); err != nil {
		return nil, err
	}
	p.search.All = a.All
	l := &Labels{s: s, n: uint32(s.States())}
	for _, f := range atoms {
		set, err := l.atom(f)
		if err != nil {
			p.Close()
			return nil, err
		}
		p.atoms = append(p.atoms, set.low)
	}
	return p, nil
}

// Close gives the memory back.
func (p *Product) Close() {
	for _, set := range p.atoms {
		memory.Release(p.s.Budget(), set)
	}
	p.search.Close()
}

// Accepted reports whether the automaton accepts some run. When it finds none but sets
// Open, such a run may lead through markings that are not expanded. The error says that
// memory is short.
func (p *Product) Accepted() (bool, error) {
	if p.states == 0 || len(p.a.Edges[0]) == 0 {
		return false, nil
	}
	return p.search.From(0)
}

// successors appends the edges of a node.
func (p *Product) successors(node uint64, edges []components.Edge) []components.Edge {
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
			edges = append(edges, components.To(uint64(j)*p.states+uint64(e.To), e.Accepts))
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

// Lasso returns the run that Accepted found, as transitions: a stem, and a cycle that is repeated for
// ever. The cycle of a run that ends in a dead marking is empty.
func (p *Product) Lasso() (stem, cycle []uint32) {
	way, round := p.search.Cycle()
	return p.transitions(way), p.transitions(round)
}

// transitions turns a path of nodes into what is fired between them; a dead
// marking that stutters fires nothing.
func (p *Product) transitions(path []uint64) []uint32 {
	var run []uint32
	for k := 1; k < len(path); k++ {
		from, to := uint32(path[k-1]/p.states), uint32(path[k]/p.states)
		if from != to || p.s.Degree(from) > 0 {
			run = append(run, p.s.Firing(from, to))
		}
	}
	return run
}
