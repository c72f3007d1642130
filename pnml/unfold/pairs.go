package unfold

import "slices"

// Limits of the search for pairs: the size of a component that is too large for
// relations, and the words that are looked at.
const (
	maxLarge    = 1 << 14
	maxPairWork = 1 << 22
)

// pair is two components of a place, a small and a large one, such as the kind of
// a counter and its count: which values go together.
type pair struct {
	small, large component
	rows         []bitset // by value of the small component: values of the large one
}

// shown is a pattern as a pair shows it: its variables, or constants.
type shown struct {
	*pair
	one, many           *part // of the small component and of the large one
	constOne, constMany uint64
}

// pairs restricts the bindings by what pairs of components say that domains of one
// component each do not tell.
func (b *builder) pairs(small, large uint64) {
	if b.base[len(b.base)-1] > maxRelated {
		return
	}
	list, some := b.pairsOf(small, large)
	if !some || !b.spreadPairs(list) {
		return
	}
	tables := map[*pair]*colourSet{} // nil for pairs that say nothing
	for _, p := range b.plans {
		for _, a := range p.pre {
			if len(a.bag.minus) > 0 {
				continue // it may take nothing
			}
			for _, x := range list[a.place] {
				table, ok := tables[x]
				if !ok {
					table = x.table(b.base[a.place+1] - b.base[a.place])
					tables[x] = table
				}
				if table == nil {
					continue
				}
				for k := range a.bag.flat {
					if y := a.bag.flat[k].within([]component{x.small, x.large}); len(y.parts) > 0 {
						p.add(member(y, table))
					}
				}
			}
		}
	}
}

// add adds a test to the level that completes it: the order stays, in which the
// last variable mostly has many values.
func (p *plan) add(t *test) {
	for k := len(p.levels) - 1; k >= 0; k-- {
		if slices.Contains(t.slots, p.levels[k].slot) {
			p.levels[k].take(t)
			return
		}
	}
}

// pairsOf returns, by place, the pairs that all patterns of the place show, with the
// values of the initial marking. It reports whether there are some.
func (b *builder) pairsOf(small, large uint64) (list [][]*pair, some bool) {
	bags := make([][]*bag, len(b.net.PlaceSort)) // by place
	for _, p := range b.plans {
		for _, arcs := range [2][]arcPlan{p.pre, p.post} {
			for _, a := range arcs {
				bags[a.place] = append(bags[a.place], a.bag)
			}
		}
	}
	list = make([][]*pair, len(bags))
	for p, sort := range b.net.PlaceSort {
		all := components(b.net, sort, 1, nil)
		for _, s := range all {
			for _, l := range all {
				hidden := func(b *bag) bool { return !b.splits([]component{s, l}) }
				if s.size < 2 || s.size > small || l.size <= small || l.size > large || slices.ContainsFunc(bags[p], hidden) {
					continue
				}
				x := &pair{small: s, large: l}
				for range s.size {
					x.rows = append(x.rows, newBitset(int(l.size)))
				}
				for _, e := range b.marked[p] {
					x.rows[e.colour/s.stride%s.size].add(uint32(e.colour / l.stride % l.size))
				}
				list[p], some = append(list[p], x), true
			}
		}
	}
	return list, some
}

// spreadPairs computes the fix point. It reports false when that takes too long.
func (b *builder) spreadPairs(list [][]*pair) bool {
	inputs, outputs := make([][]shown, len(b.plans)), make([][]shown, len(b.plans))
	words := 0
	for t, p := range b.plans {
		if p.never {
			continue
		}
		if outputs[t] = shows(p.post, list, false); len(outputs[t]) > 0 {
			inputs[t] = shows(p.pre, list, true)
		}
		for _, x := range outputs[t] {
			words = max(words, len(x.rows[0]))
		}
	}
	row, other := make(bitset, words), make(bitset, words) // scratch
	constant := [1]uint32{}                                // no value of a variable
	work := 0                                              // in all
	for changed := true; changed; {
		changed = false
		for t, p := range b.plans {
			for k := range outputs[t] {
				x := &outputs[t][k]
				values := constant[:]
				if x.one != nil {
					values = p.domains[x.one.slot]
				}
				for _, u := range values {
					value := x.constOne
					if x.one != nil {
						value = uint64(u+x.one.add) % x.small.size
					}
					changed = x.rows[value].addAll(p.together(x, u, inputs[t], row, other)) || changed
				}
				each := int(x.small.size) * len(x.rows[0]) * (len(inputs[t]) + 1)
				b.clock.Work(each)
				if work += each; work > maxPairWork {
					return false
				}
			}
		}
	}
	return true
}

// shows returns the patterns of places with pairs. Of inputs with a difference
// nothing is known.
func shows(arcs []arcPlan, list [][]*pair, inputs bool) (all []shown) {
	for _, a := range arcs {
		if inputs && len(a.bag.minus) > 0 {
			continue
		}
		for _, x := range list[a.place] {
			a.bag.each(func(y *pattern) {
				s := shown{pair: x}
				s.one, s.constOne, _ = y.part(x.small)
				s.many, s.constMany, _ = y.part(x.large)
				all = append(all, s)
			})
		}
	}
	return all
}

// each calls do with all patterns of a bag, as if nothing was taken away.
func (b *bag) each(do func(x *pattern)) {
	for i := range b.flat {
		do(&b.flat[i].pattern)
	}
	for i := range b.minus {
		b.minus[i].from.each(do)
	}
}

// together returns the values of the large component of an output that go with a
// value of the variable of the small one, in one of two sets of scratch.
func (p *plan) together(x *shown, u uint32, taken []shown, row, other bitset) bitset {
	row, other = row[:len(x.rows[0])], other[:len(x.rows[0])]
	clear(row)
	if x.many == nil {
		row.add(uint32(x.constMany))
		return row
	}
	copy(row, p.inDomain[x.many.slot].bits)
	for _, y := range taken {
		if y.many == nil || y.many.slot != x.many.slot {
			continue
		}
		value := y.constOne
		switch {
		case y.one == nil:
		case x.one != nil && y.one.slot == x.one.slot:
			value = uint64(u+y.one.add) % y.small.size
		default:
			continue
		}
		row.keepOnly(y.rows[value].moved(int(y.large.size), int(y.large.size)-int(y.many.add), other))
	}
	return row.moved(int(x.large.size), int(x.many.add), other)
}

// table returns the colours with values that go together, where other components
// count nothing. It is nil when the values go together in every way.
func (x *pair) table(size uint64) *colourSet {
	k := slices.IndexFunc(x.rows, func(row bitset) bool { return row.count() > 0 })
	if k < 0 || !slices.ContainsFunc(x.rows[k:], func(row bitset) bool { return row.count() > 0 && !slices.Equal(row, x.rows[k]) }) {
		return nil
	}
	t := newColourSet(size)
	for one, row := range x.rows {
		first := uint64(one) * x.small.stride
		for from, to := range row.runs(0, int(x.large.size)) {
			if x.large.stride == 1 {
				t.bits.addRange(int(first)+from, int(first)+to)
				continue
			}
			for many := from; many < to; many++ {
				t.add(first + uint64(many)*x.large.stride)
			}
		}
	}
	return t
}
