package symbolic

import (
	"errors"
	"slices"

	"podium/pnml"
	"podium/pnml/unfold"
)

// errNotSafe says that the net is proved not to be one-safe.
var errNotSafe = errors.New("the net is not one-safe")

// space is the state space of a net that is proved one-safe.
type space struct {
	*diagram
	net     *pnml.Net
	view    unfold.View // of the net
	order   ordering
	initial node
	states  node      // all reachable markings
	firing  *relation // firing of the transitions that one-safe markings can enable
	forward *relation // the same without those that change nothing
	before  *relation // firing, backwards
	back    *relation // forward, backwards
	enabled *relation // what these transitions ask of their inputs
	event   []int     // transition -> its event in enabled, -1 when it can never fire
	dead    node      // reachable dead markings, once known
	deadSet bool
}

// explore computes the reachable markings. The error is errNotSafe, or wraps
// errGiveUp.
func explore(d *diagram, view unfold.View, order ordering) (*space, error) {
	net := view.Net
	if slices.ContainsFunc(net.Initial, func(tokens uint64) bool { return tokens > 1 }) {
		return nil, errNotSafe
	}
	s := &space{diagram: d, net: net, view: view, order: order}
	safe := false
	err := d.guard(func() {
		d.check()
		firing, conflicts, enabled := s.events()
		s.firing = newRelation(d, firing)
		s.forward = s.firing.changing()
		s.before = s.firing.inverse()
		s.back = s.forward.inverse()
		s.enabled = newRelation(d, enabled)
		s.initial = s.marking(net.Initial)
		s.states = s.forward.closure(s.initial, full)
		safe = s.unmet(newRelation(d, conflicts))
	})
	switch {
	case err != nil:
		return nil, err
	case !safe:
		return nil, errNotSafe
	}
	return s, s.tidy()
}

// tidy drops every node that is no longer needed.
func (s *space) tidy() error {
	return s.guard(func() {
		if err := s.compact(&s.initial, &s.states, &s.dead); err != nil {
			panic(giveUp{err})
		}
	})
}

// events gives for every transition the event of its firing in a one-safe
// marking with empty outputs, the events that meet a marking in which it is
// enabled and breaks one-safety, and the event that asks for its inputs.
func (s *space) events() (firing, conflicts, enabled []event) {
	s.event = make([]int, s.net.Transitions.Len())
	for t := range s.event {
		s.event[t] = -1
		var inputs []step
		effect := map[uint32]step{}
		pre, weights := s.net.Pre.Row(t)
		heavy := false
		for i := range pre {
			heavy = heavy || weights.At(i) > 1
		}
		if heavy {
			continue // no one-safe marking enables it
		}
		for _, p := range pre {
			k := s.order.level[p]
			inputs = append(inputs, step{k, 1, 1})
			effect[k] = step{k, 1, 0}
		}
		post, weights := s.net.Post.Row(t)
		breaks := false
		for i, p := range post {
			k := s.order.level[p]
			_, input := effect[k]
			switch {
			case weights.At(i) > 1:
				breaks = true
			case input:
				effect[k] = step{k, 1, 1}
			default:
				effect[k] = step{k, 0, 1}
				conflicts = append(conflicts, newEvent(t, append(slices.Clone(inputs), step{k, 1, 1})))
			}
		}
		if breaks {
			conflicts = append(conflicts, newEvent(t, slices.Clone(inputs)))
			continue
		}
		var steps []step
		for _, st := range effect {
			steps = append(steps, st)
		}
		s.event[t] = len(enabled)
		firing = append(firing, newEvent(t, steps))
		enabled = append(enabled, newEvent(t, inputs))
	}
	return firing, conflicts, enabled
}

// marking is the set of one marking. A level without place is empty, unless it
// is free.
func (s *space) marking(tokens []uint64) node {
	n := full
	for k := int(s.levels-s.free) - 1; k >= 0; k-- {
		if k < len(tokens) && tokens[s.order.place[k]] == 1 {
			n = s.node(uint32(k), none, n)
			continue
		}
		n = s.node(uint32(k), n, none)
	}
	return n
}

// cube is the set of the markings that have what the steps of an event ask.
func (s *space) cube(e event) node {
	n := full
	for _, st := range slices.Backward(e.steps) {
		if st.from == 1 {
			n = s.node(st.level, none, n)
			continue
		}
		n = s.node(st.level, n, none)
	}
	return n
}

// unmet tells that no reachable marking meets an event of the relation.
func (s *space) unmet(r *relation) bool {
	if r.always {
		return false
	}
	met := false
	s.sweep(func(k uint32, n node) bool {
		for _, i := range r.at[k] {
			met = met || r.meets(i, 0, n)
		}
		return !met
	})
	return !met
}

// sweep calls visit for every level and every set of continuations of a
// reachable marking from that level on, by ascending level, until visit gives
// false.
func (s *space) sweep(visit func(k uint32, n node) bool) {
	current := []node{s.states}
	for k := range s.levels {
		var next []node
		met := map[node]bool{none: true}
		for _, n := range current {
			if !visit(k, n) {
				return
			}
			lo, hi := s.sides(n, k)
			for _, c := range [2]node{lo, hi} {
				if !met[c] {
					met[c] = true
					next = append(next, c)
				}
			}
		}
		current = next
		if s.calls += uint(len(current)); s.calls >= checkEvery {
			s.check()
		}
	}
}

// fireable is the set of reachable markings that enable transition t.
func (s *space) fireable(t uint32) node {
	if s.event[t] < 0 {
		return none
	}
	return s.and(s.states, s.cube(s.enabled.events[s.event[t]]))
}

// deadMarkings is the set of reachable markings that enable nothing.
func (s *space) deadMarkings() node {
	if s.deadSet {
		return s.dead
	}
	rest := s.states
	for _, e := range s.enabled.events {
		if rest == none {
			break
		}
		rest = s.diff(rest, s.cube(e))
	}
	s.dead, s.deadSet = rest, true
	return rest
}
