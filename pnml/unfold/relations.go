package unfold

import (
	"math/bits"
	"slices"
)

// Limits of the search for relations: the sizes of the components that are
// followed together (at most 64), the colours of all places, the candidates that
// are looked at, and how many of the net's they may be.
const (
	smallSize     = 16
	maxRelated    = 1 << 20
	maxCandidates = 1 << 16
	smallShare    = 0.25
)

// relate finds how the small components of a place, such as the names of two
// partners and a state, go together, which domains of one component each do not
// tell: all larger components and their variables are left out, and the fix point
// of what remains, a net with few candidates, says which combinations can be
// marked. Where they are not all, tables of them restrict the bindings.
func (b *builder) relate(small uint64, share float64) {
	if b.base[len(b.base)-1] > maxRelated {
		return
	}
	r := &builder{net: b.net, clock: b.clock, effort: effort{clock: b.clock}, limits: b.limits, base: b.base, marked: make([][]entry, len(b.marked))}
	kept := make([][]component, len(b.marked)) // by place
	for p, sort := range b.net.PlaceSort {
		kept[p] = slices.DeleteFunc(components(b.net, sort, 1, nil), func(c component) bool { return c.size > small })
	}
	for _, p := range b.plans {
		for _, arcs := range [2][]arcPlan{p.pre, p.post} {
			for _, a := range arcs {
				if !a.bag.splits(kept[a.place]) {
					kept[a.place] = nil
				}
			}
		}
	}
	if !slices.ContainsFunc(kept, func(list []component) bool { return len(list) > 1 }) {
		return
	}
	whole, few := 0.0, 0.0 // candidates
	for _, p := range b.plans {
		q, all, some := p.within(kept)
		r.plans, whole, few = append(r.plans, q), whole+all, few+some
	}
	if few > maxCandidates || few > whole*share {
		return
	}
	for p, list := range b.marked {
		for _, e := range list {
			x := pattern{base: e.colour}
			colour := x.within(kept[p]).base
			if n := len(r.marked[p]); n == 0 || r.marked[p][n-1].colour != colour { // most are like the one before
				r.marked[p] = append(r.marked[p], entry{colour, 1})
			}
		}
		r.marked[p] = merged(b.clock, r.marked[p])
	}
	if r.size() != nil {
		return
	}
	r.emit()
	f := r.newFixPoint()
	f.sweeps()
	tables := make([]*colourSet, len(kept))
	for p := range tables {
		if len(kept[p]) > 1 {
			tables[p] = f.table(p, kept[p])
		}
	}
	for _, p := range b.plans {
		for _, a := range p.pre {
			table := tables[a.place]
			if table == nil || len(a.bag.minus) > 0 {
				continue
			}
			for k := range a.bag.flat {
				if x := a.bag.flat[k].within(kept[a.place]); len(x.parts) > 1 {
					p.tests = append(p.tests, member(x, table))
				}
			}
		}
	}
}

// table returns the colours of a place that are reached, nil when they are all
// combinations of the values of their components.
func (f *fixPoint) table(place int, kept []component) *colourSet {
	from, to := f.b.base[place], f.b.base[place+1]
	table, n := newColourSet(to-from), uint64(0)
	seen := make([]uint64, len(kept)) // values, as bits
	for c := range to - from {
		if !f.reached.has(uint32(from + c)) {
			continue
		}
		table.add(c)
		n++
		for i, x := range kept {
			seen[i] |= 1 << (c / x.stride % x.size)
		}
	}
	combinations := uint64(1)
	for _, values := range seen {
		combinations *= uint64(bits.OnesCount64(values))
	}
	if n == combinations {
		return nil
	}
	return table
}

// within returns the plan as far as the kept components show it, with the numbers of
// candidates of both.
func (p *plan) within(kept [][]component) (q *plan, all, some float64) {
	q = &plan{variables: p.variables, domains: p.domains, inDomain: p.inDomain, never: p.never}
	used := make([]bool, len(p.variables))
	arcs := func(from []arcPlan, input bool) (list []arcPlan) {
		for _, a := range from {
			if input && len(a.bag.minus) > 0 {
				continue // it may take nothing
			}
			list = append(list, arcPlan{a.place, &bag{flat: a.bag.within(kept[a.place], nil)}})
		}
		return list
	}
	q.pre, q.post = arcs(p.pre, true), arcs(p.post, false)
	for _, list := range [2][]arcPlan{q.pre, q.post} {
		for _, a := range list {
			for _, x := range a.bag.flat {
				for _, y := range x.parts {
					used[y.slot] = true
				}
			}
		}
	}
	all, some = 1, 1
	bound := make([]bool, len(p.variables))
	done := make([]bool, len(p.tests))
	for slot, domain := range p.domains {
		all *= float64(len(domain))
		if !used[slot] {
			continue
		}
		some *= float64(len(domain))
		bound[slot] = true
		l := level{slot: slot, work: 1}
		for i, t := range p.tests {
			if !done[i] && t.bound(bound) {
				done[i] = true
				l.take(t)
			}
		}
		q.levels = append(q.levels, l)
	}
	return q, all, some
}

// within returns the patterns of a bag as far as components show them.
func (b *bag) within(kept []component, list []weighted) []weighted {
	for i := range b.flat {
		list = append(list, weighted{b.flat[i].within(kept), 1})
	}
	for i := range b.minus {
		list = b.minus[i].from.within(kept, list)
	}
	return list
}

// within leaves out of a pattern what is in other components.
func (p *pattern) within(kept []component) (q pattern) {
	for _, c := range kept {
		if own, constant, _ := p.part(c); own != nil {
			q.parts = append(q.parts, *own)
		} else {
			q.base += constant * c.stride
		}
	}
	return q
}

// splits reports whether in every pattern each component is a variable or constant, as it is.
func (b *bag) splits(kept []component) bool {
	return !slices.ContainsFunc(b.flat, func(x weighted) bool {
		return slices.ContainsFunc(kept, func(c component) bool {
			own, _, whole := x.part(c)
			return !whole || own != nil && own.table != nil
		})
	}) && !slices.ContainsFunc(b.minus, func(d difference) bool { return !d.from.splits(kept) })
}
