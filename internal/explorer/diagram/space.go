package diagram

import (
	"slices"

	"podium/internal/clock"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Space is the set of reachable markings of a net, or is on the way to it.
type Space struct {
	*store
	view    unfold.View
	net     *pnml.Net
	order   []uint32 // level to place
	levelOf []uint32 // place to level
	tails   tails
	takes   []uint32 // by transition: the tail of what it takes
	first   []uint32 // the initial marking, by levels
	states  Node     // empty as long as it is not known

	forward, backward *relation

	dead    Node
	hasDead bool
	all     *flat
}

// newSpace prepares the exploration of a net under an order of its places, in some bytes
// of memory. It returns false when numbers of the net are too large.
func newSpace(c *clock.Clock, view unfold.View, memory int, order []uint32) (s *Space, ok bool) {
	net := view.Net
	if slices.ContainsFunc(net.Initial, func(n uint64) bool { return n > maxTokens }) {
		return nil, false
	}
	s = &Space{store: newStore(memory), view: view, net: net, order: order, levelOf: levels(order)}
	s.clock = c
	var steps, back [][]step
	for t := range net.Transitions.Len() {
		list, ok := s.steps(t)
		if !ok {
			return nil, false
		}
		c.Work(64 + 16*len(list))
		var inverse, takes []step
		for _, x := range list {
			inverse = append(inverse, step{x.level, x.has, x.takes})
			if x.takes > 0 {
				takes = append(takes, x)
			}
		}
		steps, back = append(steps, list), append(back, inverse)
		for i := range takes {
			takes[i].has = takes[i].takes
		}
		s.takes = append(s.takes, s.tails.add(takes))
	}
	s.forward, s.backward = s.newRelation(1, steps), s.newRelation(2, back)
	s.first = make([]uint32, len(s.order))
	for level, p := range s.order {
		s.first[level] = uint32(net.Initial[p])
	}
	return s, true
}

// steps returns what a transition does, by ascending level.
func (s *Space) steps(t int) (list []step, ok bool) {
	at := func(p uint32) *step {
		level := s.levelOf[p]
		i, found := slices.BinarySearchFunc(list, level, func(x step, level uint32) int { return int(x.level) - int(level) })
		if !found {
			list = slices.Insert(list, i, step{level: level})
		}
		return &list[i]
	}
	places, weights := s.net.Pre.Row(t)
	for k, p := range places {
		if weights.At(k) > maxTokens {
			return nil, false
		}
		at(p).takes = uint32(weights.At(k))
	}
	places, weights = s.net.Post.Row(t)
	for k, p := range places {
		if weights.At(k) > maxTokens {
			return nil, false
		}
		at(p).has = uint32(weights.At(k))
	}
	return list, true
}

// Explore computes the reachable markings. When its clock ends, another call goes on with
// what is known by then. The error is [ErrTooLarge].
func (s *Space) Explore(c *clock.Clock) error {
	s.clock = c
	if s.Known() {
		return nil
	}
	return s.catch(func() { s.states = s.forward.closure(s.marking(s.first), every) })
}

// Known reports whether the reachable markings are known.
func (s *Space) Known() bool { return s.states != empty }

// tidy makes room: all nodes but those of the space are given up, unless there is room.
func (s *Space) tidy() {
	if 2*s.bytes() < s.memory {
		return
	}
	fresh := newStore(s.memory)
	fresh.clock = s.clock
	moved := map[Node]Node{empty: empty, end: end}
	var move func(n Node) Node
	move = func(n Node) Node {
		if to, ok := moved[n]; ok {
			return to
		}
		w := s.words(n)
		edges := make([]edge, 0, len(w)/2)
		for i := 2; i < len(w); i += 2 {
			edges = append(edges, edge{tokens: w[i], to: move(Node(w[i+1]))})
		}
		moved[n] = fresh.node(w[0], edges)
		return moved[n]
	}
	states := move(s.states)
	s.states, s.hasDead, s.all = states, false, nil
	*s.store = *fresh
}

// deadlocks is the reachable markings in which nothing can fire.
func (s *Space) deadlocks() Node {
	if !s.hasDead {
		rest := s.states
		for _, number := range s.takes {
			rest = s.minus(rest, s.forward.enabled(number, rest))
		}
		s.dead, s.hasDead = rest, true
	}
	return s.dead
}

// before is the reachable markings with a successor in a set.
func (s *Space) before(n, bound Node) Node { return s.backward.image(n, bound) }

// reaching is the markings of a bound from which a set, which is part of the bound, is
// reached inside the bound.
func (s *Space) reaching(n, bound Node) Node { return s.backward.closure(n, bound) }
