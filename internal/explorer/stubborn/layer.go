package stubborn

import (
	"slices"
)

// node is a marking in a layer.
type node struct {
	marking int32
	state   visit
	dead    bool   // nothing is enabled
	row     []step // firings of the stubborn set
}

type visit uint8

const (
	fresh  visit = iota
	onPath       // of the depth-first search
	left
)

// step is a firing, and the node it leads to.
type step struct{ transition, to uint32 }

type frame struct{ node, next uint32 }

// root is a node at which a layer is entered, in one of its states.
type root struct {
	node, state uint32 // the state counted in the layer
	from        *layer // nil at the beginning
	place       uint64 // in the product of from
	by          uint32 // the firing from there, or stutter
}

// node returns the number of a marking in a layer.
func (s *linear) node(l *layer, marking int32) uint32 {
	i, ok := l.number[marking]
	if !ok {
		i = uint32(len(l.nodes))
		l.number[marking] = i
		l.nodes = append(l.nodes, node{marking: marking})
		s.used += 72
	}
	return i
}

// enter enters a layer by one of the states of the automaton, from where r says. It returns the
// run to there, if the state accepts everything.
func (s *linear) enter(state uint32, marking int32, r root) *lasso {
	l := s.layers[s.layerOf[state]]
	key := uint64(marking)<<32 | uint64(state)
	if l.rooted[key] {
		return nil
	}
	l.rooted[key], l.more = true, true
	r.node, r.state = s.node(l, marking), uint32(slices.Index(l.states, state))
	l.roots = append(l.roots, r)
	s.used += 64
	if s.everything(state) {
		return &lasso{stem: s.runToRoot(&r)}
	}
	return nil
}

// visit goes on with the depth-first search of a layer, until it has some markings.
func (s *linear) visit(l *layer, most int) error {
	for len(l.nodes) < most {
		if len(l.path) == 0 {
			if l.begun == len(l.roots) {
				return nil
			}
			i := l.roots[l.begun].node
			l.begun++
			if l.nodes[i].state == fresh {
				if err := s.expand(l, i); err != nil {
					return err
				}
			}
			continue
		}
		f := &l.path[len(l.path)-1]
		n := &l.nodes[f.node]
		s.Clock.Work(4)
		if int(f.next) == len(n.row) {
			n.state = left
			l.path = l.path[:len(l.path)-1]
			continue
		}
		f.next++
		if to := n.row[f.next-1].to; l.nodes[to].state == fresh {
			if err := s.expand(l, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// expand fires the stubborn set of a node and puts it on the path.
func (s *linear) expand(l *layer, i uint32) error {
	if s.bytes() > s.memory {
		return ErrMemory
	}
	l.more = true
	l.nodes[i].state = onPath
	l.path = append(l.path, frame{node: i})
	truth := s.truth[l.nodes[i].marking]
	goesOn, leaves := false, false
	for _, q := range l.states {
		for k := range s.edges[q] {
			e := &s.edges[q][k]
			inside := s.layers[s.layerOf[e.to]] == l
			goesOn = goesOn || inside && e.meets(truth)
			leaves = leaves || !inside && e.meets(truth)
		}
	}
	if !goesOn && (l.closed || !leaves) {
		return nil
	}
	s.look(l.nodes[i].marking)
	if l.nodes[i].dead = len(s.enabled) == 0; l.nodes[i].dead {
		return nil
	}
	if l.waiting && !leaves {
		if set, ok := s.toGoal(l.leaving, l.breaks); ok {
			_, err := s.fireSet(l, i, set)
			return err
		}
	}
	if !l.closed {
		_, err := s.fireSet(l, i, s.enabled)
		return err
	}
	set := s.quiet(&l.visible)
	back, err := s.fireSet(l, i, set)
	if err != nil || !back || len(set) == len(s.enabled) {
		return err
	}
	s.empty()
	s.take(set)
	s.take(l.visible.all)
	s.close(len(s.in)+1, nil)
	_, err = s.fireSet(l, i, s.ofSet())
	return err
}

// fireSet makes the row of a node at the marking at hand; back reports whether a firing leads to
// the path.
func (s *linear) fireSet(l *layer, i uint32, set []uint32) (back bool, err error) {
	row := make([]step, 0, len(set))
	for _, t := range set {
		fits := s.Shift(t, 1)
		if fits {
			to := s.node(l, s.add())
			row = append(row, step{t, to})
			back = back || l.nodes[to].state == onPath
		}
		s.Shift(t, -1)
		if !fits {
			return false, ErrMemory
		}
	}
	s.used += 8 * (len(row) - len(l.nodes[i].row))
	l.nodes[i].row = row
	return back, nil
}

// quiet returns the enabled transitions of a stubborn set of the marking at hand that keeps all
// runs up to stuttering, but for cycles: of several sets, one with the fewest.
func (s *search) quiet(visible *group) (best []uint32) {
	best = slices.Clone(s.enabled)
	tries := 0
	for _, t := range s.enabled {
		if visible.has[t] {
			continue
		}
		if tries++; tries > mostTries || len(best) == 1 {
			break
		}
		s.empty()
		s.take([]uint32{t})
		if s.close(len(best), visible) {
			best = s.ofSet()
		}
	}
	return best
}
