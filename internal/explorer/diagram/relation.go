package diagram

import (
	"cmp"
	"slices"
)

// step is what a transition needs and does at one level.
type step struct {
	level      uint32
	takes, has uint32 // as many tokens are taken, and as many given
}

// tail is the steps of a transition from one of them on. Equal tails have one number, so
// that transitions share what is known of them. Tail 0 has no step.
type tail struct {
	step
	next uint32
}

// tails numbers the tails of transitions.
type tails struct {
	list  []tail
	index map[tail]uint32
}

// add returns the number of a list of steps.
func (t *tails) add(steps []step) uint32 {
	if t.index == nil {
		t.list, t.index = make([]tail, 1), map[tail]uint32{}
	}
	next := uint32(0)
	for _, st := range slices.Backward(steps) {
		x := tail{st, next}
		number, ok := t.index[x]
		if !ok {
			number = uint32(len(t.list))
			t.index[x] = number
			t.list = append(t.list, x)
		}
		next = number
	}
	return next
}

// relation is the firing of the transitions of a net, forwards or backwards.
type relation struct {
	*store
	tails  *tails
	number uint32
	at     [][]uint32 // by level: the transitions whose first step is there, without those that change nothing
	idle   []uint32   // transitions that change nothing, with at least one step
	always bool       // a transition without steps
}

func (s *Space) newRelation(number uint32, steps [][]step) *relation {
	r := &relation{store: s.store, tails: &s.tails, number: number, at: make([][]uint32, len(s.order))}
	for _, list := range steps {
		number := s.tails.add(list)
		switch {
		case number == 0:
			r.always = true
		case !slices.ContainsFunc(list, func(x step) bool { return x.takes != x.has }):
			r.idle = append(r.idle, number)
		default:
			r.at[list[0].level] = append(r.at[list[0].level], number)
		}
	}
	for _, list := range r.at {
		slices.SortFunc(list, func(a, b uint32) int { return cmp.Compare(a, b) })
	}
	for level, list := range r.at {
		r.at[level] = slices.Compact(list)
	}
	return r
}

func (r *relation) op(code uint32) uint32 { return code | r.number<<opBits }

// closure is the least set that holds a set and is closed under firing, as long as this
// stays within a bound that holds the set; every is no bound.
func (r *relation) closure(n, bound Node) Node {
	if n <= end || n == bound {
		return n
	}
	if found, ok := r.find(r.op(opSaturate), uint32(n), uint32(bound), 0); ok {
		return found
	}
	start, w := len(r.edges), r.words(n)
	for i := 2; i < len(w); i += 2 {
		r.push(w[i], r.closure(Node(w[i+1]), r.under(bound, w[i])))
	}
	return r.keep(r.op(opSaturate), uint32(n), uint32(bound), 0, r.settle(w[0], start, bound))
}

// settle makes a closed node of the edges on the stack from start on, which lead to
// closed nodes. Unions of closed sets are closed.
func (r *relation) settle(level uint32, start int, bound Node) Node {
	if len(r.at[level]) > 0 {
		for changed := true; changed; {
			changed = false
			for i := start; i < len(r.edges); i++ {
				if e := r.edges[i]; e.fired != e.to {
					r.fireFrom(level, start, i, bound)
					changed = true
				}
			}
		}
	}
	return r.pop(level, start)
}

// fireFrom fires all transitions of a level from an edge on the stack.
func (r *relation) fireFrom(level uint32, start, i int, bound Node) {
	tokens := r.edges[i].tokens
	r.edges[i].fired = r.edges[i].to
	for _, number := range r.at[level] {
		t := r.tails.list[number]
		if tokens < t.takes {
			continue
		}
		after := tokens - t.takes + t.has
		if after > maxTokens {
			r.fail()
		}
		below := r.under(bound, after)
		if below == empty {
			continue
		}
		fired := r.fire(t.next, r.edges[i].to, below)
		if fired == empty {
			continue
		}
		at, found := slices.BinarySearchFunc(r.edges[start:], after, func(e edge, n uint32) int { return cmp.Compare(e.tokens, n) })
		at += start
		if found {
			r.edges[at].to = r.union(r.edges[at].to, fired)
			continue
		}
		r.edges = slices.Insert(r.edges, at, edge{tokens: after, to: fired})
		if at <= i {
			i++
		}
	}
}

// fire returns the closure of what the steps of a tail make of a closed set.
func (r *relation) fire(number uint32, n, bound Node) Node {
	if n == empty || bound == empty {
		return empty
	}
	if number == 0 {
		if bound == every {
			return n
		}
		return r.closure(r.both(n, bound), bound)
	}
	if found, ok := r.find(r.op(opFire), number, uint32(n), uint32(bound)); ok {
		return found
	}
	start, w := len(r.edges), r.words(n)
	for i := 2; i < len(w); i += 2 {
		tokens, next, ok := r.after(number, w[0], w[i])
		switch {
		case !ok:
			continue
		case tokens > maxTokens:
			r.fail()
		}
		r.push(tokens, r.fire(next, Node(w[i+1]), r.under(bound, tokens)))
	}
	return r.keep(r.op(opFire), number, uint32(n), uint32(bound), r.settle(w[0], start, bound))
}

// after returns the tokens at a level when a tail has fired there, and the tail that is left;
// ok is false where tokens are missing.
func (r *relation) after(number, level, tokens uint32) (after, next uint32, ok bool) {
	t := r.tails.list[number]
	switch {
	case t.level != level:
		return tokens, number, true
	case tokens < t.takes:
		return 0, 0, false
	}
	return tokens - t.takes + t.has, t.next, true
}

// image is what one firing makes of the markings of a set, as far as it is within a
// bound.
func (r *relation) image(n, bound Node) Node {
	all := r.step(n, bound)
	if r.always {
		all = r.union(all, r.both(n, bound))
	}
	for _, number := range r.idle {
		all = r.union(all, r.both(r.enabled(number, n), bound))
	}
	return all
}

// step is image for the transitions that begin at the level of a node, or below.
func (r *relation) step(n, bound Node) Node {
	if n <= end || bound <= end {
		return empty
	}
	if found, ok := r.find(r.op(opStep), uint32(n), uint32(bound), 0); ok {
		return found
	}
	w := r.words(n)
	all := empty
	start := len(r.edges)
	for i := 2; i < len(w); i += 2 {
		r.push(w[i], r.step(Node(w[i+1]), r.child(bound, w[i])))
	}
	all = r.pop(w[0], start)
	for _, number := range r.at[w[0]] {
		all = r.union(all, r.once(number, n, bound))
	}
	return r.keep(r.op(opStep), uint32(n), uint32(bound), 0, all)
}

// once is what the steps of a tail make of a set, as far as it is within a bound.
func (r *relation) once(number uint32, n, bound Node) Node {
	switch {
	case n == empty || bound == empty:
		return empty
	case number == 0:
		return r.both(n, bound)
	}
	if found, ok := r.find(r.op(opOnce), number, uint32(n), uint32(bound)); ok {
		return found
	}
	start, w := len(r.edges), r.words(n)
	for i := 2; i < len(w); i += 2 {
		if tokens, next, ok := r.after(number, w[0], w[i]); ok {
			r.push(tokens, r.once(next, Node(w[i+1]), r.child(bound, tokens)))
		}
	}
	return r.keep(r.op(opOnce), number, uint32(n), uint32(bound), r.pop(w[0], start))
}

// enabled is the markings that have what the steps of a tail take.
func (r *relation) enabled(number uint32, n Node) Node {
	if number == 0 || n == empty {
		return n
	}
	if found, ok := r.find(opSelect, number, uint32(n), 0); ok {
		return found
	}
	t, start, w := r.tails.list[number], len(r.edges), r.words(n)
	for i := 2; i < len(w); i += 2 {
		switch {
		case t.level != w[0]:
			r.push(w[i], r.enabled(number, Node(w[i+1])))
		case w[i] >= t.takes:
			r.push(w[i], r.enabled(t.next, Node(w[i+1])))
		}
	}
	return r.keep(opSelect, number, uint32(n), 0, r.pop(w[0], start))
}
