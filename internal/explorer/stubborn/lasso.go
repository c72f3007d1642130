package stubborn

import "slices"

// lasso is a run: a stem, and a cycle, which is empty where the stem ends in a dead marking or
// decides the formula.
type lasso struct{ stem, cycle []uint32 }

// arc is an edge of the product of a layer, in which a place is a node times the number of
// states, plus the state counted in the layer.
type arc struct {
	to         uint64
	accepts    uint32
	transition uint32
}

// stutter stands for the transition of a dead marking to itself.
const stutter = ^uint32(0)

// arcs appends the arcs of a place of a layer.
func (s *linear) arcs(l *layer, place uint64, list []arc) []arc {
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
			list = append(list, arc{place - place%uint64(len(l.states)) + state, e.accepts, stutter})
		}
		for _, x := range n.row {
			list = append(list, arc{uint64(x.to)*uint64(len(l.states)) + state, e.accepts, x.transition})
		}
	}
	return list
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

// open is a component of places that the search has not left: the rank of its first place, the
// conditions met inside, and those of the arc that led to it.
type open struct{ rank, inside, leading uint32 }

// gone is the rank of places from which no run is accepted.
const gone = ^uint32(0)

// accepted looks for a run that stays in a layer and meets all conditions again and again, in
// what is visited by now, and enters the layers that come after it (J.-M. Couvreur, "On-the-fly
// verification of linear temporal logic", 1999). The error says that memory is short.
func (s *linear) accepted(l *layer) (*lasso, error) {
	if !l.more {
		return nil, nil
	}
	l.more = false
	size := len(l.nodes) * len(l.states)
	if size > (s.memory-s.bytes())/16 || size > 1<<31 {
		return nil, ErrMemory
	}
	rank := make([]uint32, size)
	next := uint32(1)
	var parts []open
	var live, path []uint64
	var todo []arc
	var lefts []int // by place of the path: its arcs that are still to do
	begin := func(place uint64, leading uint32) *lasso {
		rank[place] = next
		parts = append(parts, open{rank: next, leading: leading})
		next++
		before := len(todo)
		todo = s.arcs(l, place, todo)
		live, path, lefts = append(live, place), append(path, place), append(lefts, len(todo)-before)
		return s.leave(l, place)
	}
	for k := 0; k < len(l.roots); k++ {
		place := uint64(l.roots[k].node)*uint64(len(l.states)) + uint64(l.roots[k].state)
		if rank[place] != 0 {
			continue
		}
		if end := begin(place, 0); end != nil {
			return end, nil
		}
		for len(path) > 0 {
			s.Clock.Work(4)
			top := len(path) - 1
			if lefts[top] == 0 {
				place := path[top]
				path, lefts = path[:top], lefts[:top]
				if parts[len(parts)-1].rank == rank[place] {
					parts = parts[:len(parts)-1]
					for first := rank[place]; len(live) > 0 && rank[live[len(live)-1]] >= first; live = live[:len(live)-1] {
						rank[live[len(live)-1]] = gone
					}
				}
				continue
			}
			lefts[top]--
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			switch r := rank[x.to]; r {
			case gone:
			case 0:
				if end := begin(x.to, x.accepts); end != nil {
					return end, nil
				}
			default:
				accepts := x.accepts
				at := len(parts) - 1
				for ; parts[at].rank > r; at-- {
					accepts |= parts[at].inside | parts[at].leading
				}
				parts = parts[:at+1]
				if parts[at].inside |= accepts; parts[at].inside == s.automaton.All {
					return s.lasso(l, rank, parts[at].rank), nil
				}
			}
		}
	}
	return nil, nil
}

// lasso returns a run to the component of the places from a rank on, and round it.
func (s *linear) lasso(l *layer, rank []uint32, first uint32) *lasso {
	base := uint64(slices.Index(rank, first))
	inside := func(place uint64) bool { return rank[place] >= first && rank[place] != gone }
	at, missing, moved := base, s.automaton.All, false
	var cycle []uint32
	on := func(wanted func(arc) bool) {
		way := s.way(l, []uint64{at}, inside, wanted)
		for _, x := range way[1:] {
			at, moved = x.to, true
			missing &^= x.accepts
			if x.transition != stutter {
				cycle = append(cycle, x.transition)
			}
		}
	}
	for missing != 0 {
		on(func(x arc) bool { return x.accepts&missing != 0 })
	}
	if at != base || !moved {
		on(func(x arc) bool { return x.to == base })
	}
	return &lasso{s.runTo(l, base), cycle}
}

// way is a shortest way from one of some places over others that are allowed, whose last arc is
// wanted. The first element leads to where it begins.
func (s *linear) way(l *layer, from []uint64, allowed func(uint64) bool, wanted func(arc) bool) []arc {
	type link struct {
		arc
		back int
	}
	var queue []link
	seen := map[uint64]bool{}
	for _, place := range from {
		queue = append(queue, link{arc{to: place}, -1})
		seen[place] = true
	}
	for k := 0; k < len(queue); k++ {
		s.Clock.Work(16)
		for _, x := range s.arcs(l, queue[k].to, nil) {
			if !allowed(x.to) {
				continue
			}
			if wanted(x) {
				way := []arc{x}
				for b := k; b >= 0; b = queue[b].back {
					way = append(way, queue[b].arc)
				}
				slices.Reverse(way)
				return way
			}
			if !seen[x.to] {
				seen[x.to] = true
				queue = append(queue, link{x, k})
			}
		}
	}
	panic("stubborn: a place that was reached is not reached")
}

// runTo is a run to a place of a layer.
func (s *linear) runTo(l *layer, place uint64) []uint32 {
	roots := map[uint64]*root{}
	var from []uint64
	for k := range l.roots {
		at := uint64(l.roots[k].node)*uint64(len(l.states)) + uint64(l.roots[k].state)
		if roots[at] == nil {
			roots[at], from = &l.roots[k], append(from, at)
		}
	}
	if r := roots[place]; r != nil {
		return s.runToRoot(r)
	}
	way := s.way(l, from, func(uint64) bool { return true }, func(x arc) bool { return x.to == place })
	run := s.runToRoot(roots[way[0].to])
	for _, x := range way[1:] {
		if x.transition != stutter {
			run = append(run, x.transition)
		}
	}
	return run
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
