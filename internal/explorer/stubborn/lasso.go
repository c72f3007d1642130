package stubborn

import (
	"slices"

	"podium/internal/explorer/components"
	"podium/internal/explorer/memory"
)

// lasso is a run: a stem, and a cycle, which is empty where the stem ends in a dead marking or
// decides the formula.
type lasso struct{ stem, cycle []uint32 }

// stutter stands for the transition of a dead marking to itself.
const stutter = ^uint32(0)

// product is a layer with its part of the automaton: a place is a node times the number of
// states, plus the state counted in the layer.
func (s *linear) product(l *layer) components.Graph {
	return func(place uint64, list []components.Edge) []components.Edge {
		n, q := &l.nodes[place/uint64(len(l.states))], l.states[place%uint64(len(l.states))]
		truth := s.truth[n.marking]
		for k := range s.edges[q] {
			e := &s.edges[q][k]
			if s.layers[s.layerOf[e.to]] != l || !e.meets(truth) {
				continue
			}
			state := uint64(slices.Index(l.states, e.to))
			s.Clock.Work(4 + len(n.row))
			if n.dead {
				list = append(list, components.To(place-place%uint64(len(l.states))+state, e.accepts))
			}
			for _, x := range n.row {
				list = append(list, components.To(uint64(x.to)*uint64(len(l.states))+state, e.accepts))
			}
		}
		return list
	}
}

// leave enters other layers from a place: where the layer is closed under stuttering, the run
// stands still.
func (s *linear) leave(l *layer, place uint64) *lasso {
	n, q := l.nodes[place/uint64(len(l.states))], l.states[place%uint64(len(l.states))]
	for _, e := range s.edges[q] {
		if s.layers[s.layerOf[e.to]] == l || !e.meets(s.truth[n.marking]) {
			continue
		}
		if l.closed || n.dead {
			if end := s.enter(e.to, n.marking, root{from: l, place: place, by: stutter}); end != nil {
				return end
			}
			continue
		}
		for _, x := range n.row {
			if end := s.enter(e.to, l.nodes[x.to].marking, root{from: l, place: place, by: x.transition}); end != nil {
				return end
			}
		}
	}
	return nil
}

// place is that of a root in the product of its layer.
func (l *layer) place(r *root) uint64 { return uint64(r.node)*uint64(len(l.states)) + uint64(r.state) }

// accepted looks for a run that stays in a layer and meets all conditions again and again, in
// what is visited by now, and enters the layers that come after it. The error says that memory is
// short.
func (s *linear) accepted(l *layer) (end *lasso, err error) {
	if !l.more {
		return nil, nil
	}
	l.more = false
	var search *components.Search
	product := s.product(l)
	if search, err = components.New(s.Clock, memory.NewBudget(int64(s.memory-s.bytes())), uint64(len(l.nodes)*len(l.states)), func(place uint64, list []components.Edge) []components.Edge {
		if end == nil {
			end = s.leave(l, place)
			search.Stop = end != nil
		}
		return product(place, list)
	}); err != nil {
		return nil, err
	}
	defer search.Close()
	search.All = s.automaton.All
	for k := range l.roots {
		found, err := search.From(l.place(&l.roots[k]))
		if end != nil || err != nil {
			return end, err
		}
		if found {
			_, round := search.Cycle()
			return &lasso{s.runTo(l, round[0]), l.firings(round)}, nil
		}
	}
	return nil, nil
}

// firings are the transitions that lead from place to place.
func (l *layer) firings(places []uint64) (run []uint32) {
	states := uint64(len(l.states))
	for k, place := range places[1:] {
		n := &l.nodes[places[k]/states]
		if at := slices.IndexFunc(n.row, func(x step) bool { return uint64(x.to) == place/states }); at >= 0 {
			run = append(run, n.row[at].transition)
		}
	}
	return run
}

// runTo is a run to a place of a layer.
func (s *linear) runTo(l *layer, place uint64) []uint32 {
	roots := map[uint64]*root{}
	var from []uint64
	for k := range l.roots {
		if at := l.place(&l.roots[k]); roots[at] == nil {
			roots[at], from = &l.roots[k], append(from, at)
		}
	}
	if r := roots[place]; r != nil {
		return s.runToRoot(r)
	}
	var places []uint64
	for _, e := range components.Way(s.Clock, s.product(l), from, func(uint64) bool { return true }, func(e components.Edge) bool { return e.Node() == place }) {
		places = append(places, e.Node())
	}
	return append(s.runToRoot(roots[places[0]]), l.firings(places)...)
}

// runToRoot is a run to where a layer is entered.
func (s *linear) runToRoot(r *root) []uint32 {
	if r.from == nil {
		return nil
	}
	run := s.runTo(r.from, r.place)
	if r.by != stutter {
		run = append(run, r.by)
	}
	return run
}
