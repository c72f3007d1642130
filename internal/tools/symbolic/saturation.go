package symbolic

import (
	"cmp"
	"errors"
	"slices"
)

// step is what an event asks and does at one level.
type step struct {
	level    uint32
	from, to uint8 // 0 or 1
}

// event is the effect of one transition: its steps by ascending level. An event
// without steps is possible everywhere and changes nothing.
type event struct {
	steps      []step
	transition int
}

func newEvent(transition int, steps []step) event {
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.level, b.level) })
	return event{steps, transition}
}

// inverse is the event backwards in time.
func (e event) inverse() event {
	steps := slices.Clone(e.steps)
	for i := range steps {
		steps[i].from, steps[i].to = steps[i].to, steps[i].from
	}
	return event{steps, e.transition}
}

// idle tells that the event changes no marking.
func (e event) idle() bool {
	return !slices.ContainsFunc(e.steps, func(s step) bool { return s.from != s.to })
}

// relation is a set of events, by the level at which they begin.
type relation struct {
	*diagram
	events []event
	at     [][]int // level -> events that begin there
	always bool    // an event without steps is among them
	base   uint32  // number of the first event among those of all relations of the diagram
}

func newRelation(d *diagram, events []event) *relation {
	r := &relation{diagram: d, events: events, at: make([][]int, d.levels), base: d.numbered}
	d.numbered += uint32(len(events)) + 1
	if d.numbered >= 1<<(32-opBits) {
		panic(giveUp{errors.New("too many events")})
	}
	for i, e := range events {
		if len(e.steps) == 0 {
			r.always = true
			continue
		}
		r.at[e.steps[0].level] = append(r.at[e.steps[0].level], i)
	}
	return r
}

// number is the number of event i among those of all relations of the diagram.
func (r *relation) number(i int) uint32 { return r.base + uint32(i) }

// changing is the relation without the events that change no marking.
func (r *relation) changing() *relation {
	return newRelation(r.diagram, slices.DeleteFunc(slices.Clone(r.events), event.idle))
}

// inverse is the relation backwards in time.
func (r *relation) inverse() *relation {
	back := make([]event, len(r.events))
	for i, e := range r.events {
		back[i] = e.inverse()
	}
	return newRelation(r.diagram, back)
}

// closure is the least set that holds start and is closed under the events as
// long as they stay within bound; start must lie within bound.
func (r *relation) closure(start, bound node) node { return r.saturate(0, start, bound) }

func (r *relation) saturate(k uint32, n, bound node) node {
	if n == none || n == bound || k == r.levels {
		return n
	}
	if res, ok := r.cache.find(opSaturate|r.base<<opBits, k, uint32(n), uint32(bound)); ok {
		return res
	}
	lo, hi := r.sides(n, k)
	boundLo, boundHi := r.sides(bound, k)
	lo = r.saturate(k+1, lo, boundLo)
	hi = r.saturate(k+1, hi, boundHi)
	return r.cache.put(opSaturate|r.base<<opBits, k, uint32(n), uint32(bound), r.settle(k, lo, hi, boundLo, boundHi))
}

// settle fires the events that begin at level k on two sides that are closed
// under all events below, until the node is closed too. Unions of closed sets
// are closed.
func (r *relation) settle(k uint32, lo, hi, boundLo, boundHi node) node {
	side, bound := [2]node{lo, hi}, [2]node{boundLo, boundHi}
	for changed := true; changed; {
		changed = false
		for _, i := range r.at[k] {
			s := r.events[i].steps[0]
			fired := r.fire(i, 1, k+1, side[s.from], bound[s.to])
			if grown := r.or(side[s.to], fired); grown != side[s.to] {
				side[s.to], changed = grown, true
			}
		}
	}
	return r.node(k, side[0], side[1])
}

// fire gives the closure of what event i, from its step at on, makes of n.
func (r *relation) fire(i, at int, k uint32, n, bound node) node {
	if n == none || bound == none {
		return none
	}
	steps := r.events[i].steps
	if at == len(steps) {
		if bound == full {
			return n // closed already
		}
		return r.saturate(k, r.and(n, bound), bound)
	}
	code := opFire | r.number(i)<<opBits
	if res, ok := r.cache.find(code, k, uint32(n), uint32(bound)); ok {
		return res
	}
	lo, hi := r.sides(n, k)
	boundLo, boundHi := r.sides(bound, k)
	if s := steps[at]; s.level == k {
		side, limit, out := [2]node{lo, hi}, [2]node{boundLo, boundHi}, [2]node{}
		out[s.to] = r.fire(i, at+1, k+1, side[s.from], limit[s.to])
		lo, hi = out[0], out[1]
	} else {
		lo, hi = r.fire(i, at, k+1, lo, boundLo), r.fire(i, at, k+1, hi, boundHi)
	}
	return r.cache.put(code, k, uint32(n), uint32(bound), r.settle(k, lo, hi, boundLo, boundHi))
}

// image is the set of markings within bound that one event makes of a marking
// of n.
func (r *relation) image(n, bound node) node {
	res := r.step(0, n, bound)
	if r.always {
		res = r.or(res, r.and(n, bound))
	}
	return res
}

// step is the image under the events that begin at level k or below.
func (r *relation) step(k uint32, n, bound node) node {
	if n == none || bound == none || k == r.levels {
		return none
	}
	if res, ok := r.cache.find(opStep|r.base<<opBits, k, uint32(n), uint32(bound)); ok {
		return res
	}
	lo, hi := r.sides(n, k)
	boundLo, boundHi := r.sides(bound, k)
	side, limit := [2]node{lo, hi}, [2]node{boundLo, boundHi}
	out := [2]node{r.step(k+1, lo, boundLo), r.step(k+1, hi, boundHi)}
	for _, i := range r.at[k] {
		s := r.events[i].steps[0]
		out[s.to] = r.or(out[s.to], r.once(i, 1, side[s.from], limit[s.to]))
	}
	return r.cache.put(opStep|r.base<<opBits, k, uint32(n), uint32(bound), r.node(k, out[0], out[1]))
}

// once is the image under event i from its step at on.
func (r *relation) once(i, at int, n, bound node) node {
	if n == none || bound == none {
		return none
	}
	steps := r.events[i].steps
	if at == len(steps) {
		return r.and(n, bound)
	}
	k := min(steps[at].level, r.branch(n).level, r.branch(bound).level)
	code := opOnce | r.number(i)<<opBits
	if res, ok := r.cache.find(code, k, uint32(n), uint32(bound)); ok {
		return res
	}
	lo, hi := r.sides(n, k)
	boundLo, boundHi := r.sides(bound, k)
	if s := steps[at]; s.level == k {
		side, limit, out := [2]node{lo, hi}, [2]node{boundLo, boundHi}, [2]node{}
		out[s.to] = r.once(i, at+1, side[s.from], limit[s.to])
		lo, hi = out[0], out[1]
	} else {
		lo, hi = r.once(i, at, lo, boundLo), r.once(i, at, hi, boundHi)
	}
	return r.cache.put(code, k, uint32(n), uint32(bound), r.node(k, lo, hi))
}

// meets tells whether a marking of n (seen from level k) has the values that
// the steps of event i ask, from its step at on.
func (r *relation) meets(i, at int, n node) bool {
	if n == none {
		return false
	}
	steps := r.events[i].steps
	if at == len(steps) {
		return true
	}
	s := steps[at]
	if b := r.branch(n); b.level < s.level {
		code := opMeets | r.number(i)<<opBits
		if res, ok := r.cache.find(code, uint32(at), uint32(n), 0); ok {
			return res == full
		}
		if r.meets(i, at, b.lo) || r.meets(i, at, b.hi) {
			r.cache.put(code, uint32(at), uint32(n), 0, full)
			return true
		}
		r.cache.put(code, uint32(at), uint32(n), 0, none)
		return false
	}
	lo, hi := r.sides(n, s.level)
	return r.meets(i, at+1, [2]node{lo, hi}[s.from])
}
