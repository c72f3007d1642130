package unfold

import (
	"math"
	"slices"

	"podium/pnml"
)

// rows collects arcs transition by transition; its space is reserved at once.
type rows struct {
	start  []uint32
	place  []uint32
	weight []uint64 // nil while every weight is 1
}

// size counts bindings and arcs and reserves the space, or refuses.
func (b *builder) size() error {
	steps := b.limits.Steps
	total, pre, post := uint64(0), uint64(0), uint64(0)
	for t, p := range b.plans {
		n, ok := p.count(&steps, b.limits.Transitions-total)
		switch {
		case !ok && n <= b.limits.Transitions-total:
			return &TooLarge{"steps to find the bindings of transition " + b.net.Transitions.At(t), b.limits.Steps, b.limits.Steps}
		case !ok:
			return &TooLarge{"transitions", total + n, b.limits.Transitions}
		}
		total += n
		pre += n * most(p.pre)
		post += n * most(p.post)
		if arcs := pre + post; arcs > b.limits.Arcs {
			return &TooLarge{"arcs", arcs, b.limits.Arcs}
		}
	}
	b.starts = make([]uint32, 0, len(b.plans)+1)
	b.bindings = make([]uint64, 0, total)
	b.pre = rows{make([]uint32, 1, total+1), make([]uint32, 0, pre), nil}
	b.post = rows{make([]uint32, 1, total+1), make([]uint32, 0, post), nil}
	return nil
}

func most(arcs []arcPlan) uint64 {
	n := uint64(0)
	for _, a := range arcs {
		n += a.bag.most()
	}
	return n
}

// emit writes the transitions of all bindings.
func (b *builder) emit() {
	for _, p := range b.plans {
		b.starts = append(b.starts, uint32(len(b.bindings)))
		steps := uint64(math.MaxUint64)
		w := b.writer(p)
		p.each(&steps, w.sums, w.write)
	}
	b.starts = append(b.starts, uint32(len(b.bindings)))
}

// writer writes the transitions of one plan.
type writer struct {
	b         *builder
	p         *plan
	sums      *sums
	last      int // slot of the last variable, -1 when there is none
	pre, post side
	scratch   []entry
}

// side is what all rows of a plan in one direction have in common.
type side struct {
	arcs   []arcPlan
	last   []last // by pattern
	counts []uint64
	groups [][2]int // ranges of patterns of one place: they may be equal, or not ascend
	minus  bool     // an inscription has a difference: rows are not made of patterns
}

// last is what the last variable adds to a pattern: (value + add) mod mod times
// stride, mostly, and the rest.
type last struct {
	add, mod, stride uint32
	rest             []part
}

func (b *builder) writer(p *plan) *writer {
	w := &writer{b: b, p: p, last: -1}
	if n := len(p.levels); n > 0 {
		w.last = p.levels[n-1].slot
	}
	list := b.patterns(p.pre, w.last, &w.pre, &b.pre)
	list = append(list, b.patterns(p.post, w.last, &w.post, &b.post)...)
	w.sums = newSums(b.net, p, list)
	return w
}

// patterns gives those of all arcs of one direction, as numbers of places.
func (b *builder) patterns(arcs []arcPlan, slot int, s *side, r *rows) []pattern {
	if s.arcs = arcs; slices.ContainsFunc(arcs, func(a arcPlan) bool { return len(a.bag.minus) > 0 }) {
		s.minus = true
		return nil
	}
	var list []pattern
	for _, a := range arcs {
		from := len(list)
		for _, x := range a.bag.flat {
			x.base += b.base[a.place]
			list = append(list, x.pattern)
			s.last = append(s.last, x.last(slot))
			if s.counts = append(s.counts, x.count); x.count != 1 {
				r.heavy()
			}
		}
		if len(list) > from+1 {
			s.groups = append(s.groups, [2]int{from, len(list)})
		}
	}
	return list
}

func (p *pattern) last(slot int) last {
	l := last{mod: math.MaxUint32}
	for _, x := range p.parts {
		switch {
		case x.slot != slot:
		case x.table == nil && l.stride == 0:
			l.add, l.mod, l.stride = x.add, x.mod, uint32(x.stride)
		default:
			l.rest = append(l.rest, x)
		}
	}
	return l
}

// write adds the transitions of some bindings, see [plan.each].
func (w *writer) write(binding, values []uint32) bool {
	sum := &w.sums.levels[max(len(w.p.levels)-1, 0)]
	radix := uint64(0)
	if w.last >= 0 {
		radix = w.sums.radix[len(w.p.levels)-1]
	}
	pre, post := sum.places[:len(w.pre.last)], sum.places[len(w.pre.last):]
	for _, v := range values {
		w.b.bindings = append(w.b.bindings, sum.number+uint64(v)*radix)
		if w.last >= 0 {
			binding[w.last] = v
		}
		w.row(&w.b.pre, &w.pre, pre, v, binding)
		w.row(&w.b.post, &w.post, post, v, binding)
	}
	return true
}

// row adds a row: places are the sums of patterns but for the last variable.
func (w *writer) row(r *rows, s *side, places []uint32, v uint32, binding []uint32) {
	if s.minus {
		w.evaluate(r, s.arcs, binding)
		r.start = append(r.start, uint32(len(r.place)))
		return
	}
	from := len(r.place)
	r.place = r.place[:from+len(places)]
	row := r.place[from:]
	for i, p := range places {
		l := &s.last[i]
		c := v + l.add
		if c >= l.mod {
			c -= l.mod
		}
		row[i] = p + c*l.stride
		for k := range l.rest {
			row[i] += uint32(l.rest[k].of(v))
		}
	}
	if r.weight != nil {
		r.weight = append(r.weight, s.counts...)
	}
	for k := len(s.groups) - 1; k >= 0; k-- { // from behind, since merging moves what follows
		r.order(from+s.groups[k][0], from+s.groups[k][1])
	}
	r.start = append(r.start, uint32(len(r.place)))
}

// evaluate adds the arcs of inscriptions as multisets.
func (w *writer) evaluate(r *rows, arcs []arcPlan, binding []uint32) {
	for _, a := range arcs {
		w.scratch = merged(a.bag.eval(w.scratch[:0], binding))
		for _, e := range w.scratch {
			if e.count != 1 {
				r.heavy()
			}
			r.place = append(r.place, uint32(w.b.base[a.place]+e.colour))
			if r.weight != nil {
				r.weight = append(r.weight, e.count)
			}
		}
	}
}

// order sorts the arcs [from, to) of the last row by place and adds up those of
// one place. Most are few, or sorted already.
func (r *rows) order(from, to int) {
	equal := false
	for i := from + 1; i < to; i++ {
		p := r.place[i]
		if p > r.place[i-1] {
			continue
		}
		if i-from > 64 {
			r.orderMany(from, to)
			return
		}
		k := i
		for ; k > from && r.place[k-1] > p; k-- {
			r.place[k] = r.place[k-1]
		}
		r.place[k] = p
		equal = equal || k > from && r.place[k-1] == p
		if r.weight != nil && k < i {
			w := r.weight[i]
			copy(r.weight[k+1:i+1], r.weight[k:i])
			r.weight[k] = w
		}
	}
	if equal {
		r.merge(from, to)
	}
}

func (r *rows) orderMany(from, to int) {
	r.heavy()
	list := make([]entry, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, entry{uint64(r.place[i]), r.weight[i]})
	}
	slices.SortFunc(list, byColour)
	for i, e := range list {
		r.place[from+i], r.weight[from+i] = uint32(e.colour), e.count
	}
	r.merge(from, to)
}

// merge adds up arcs of one place, which stand side by side.
func (r *rows) merge(from, to int) {
	r.heavy()
	out := from
	for i := from + 1; i < to; i++ {
		if r.place[i] == r.place[out] {
			r.weight[out] += r.weight[i]
			continue
		}
		out++
		r.place[out], r.weight[out] = r.place[i], r.weight[i]
	}
	r.place = slices.Delete(r.place, out+1, to)
	r.weight = slices.Delete(r.weight, out+1, to)
}

// heavy makes room for weights.
func (r *rows) heavy() {
	if r.weight != nil {
		return
	}
	r.weight = make([]uint64, len(r.place), cap(r.place))
	for i := range r.weight {
		r.weight[i] = 1
	}
}

func (r *rows) row(t int) []uint32 { return r.place[r.start[t]:r.start[t+1]] }

func (r *rows) arcs() pnml.Arcs {
	return pnml.Arcs{Start: r.start, Place: r.place, Weight: r.weight}
}

// sums are the values of patterns under a partial binding: each level of the
// search but the last adds what its variable contributes.
type sums struct {
	terms  [][]term // by level
	radix  []uint64 // by level: of the variable in the number of a binding
	levels []sum    // before each level
}

type sum struct {
	places []uint32 // by pattern
	number uint64   // of the binding
}

// term is a part of a pattern.
type term struct {
	pattern int
	part
}

func newSums(net *pnml.Symmetric, p *plan, list []pattern) *sums {
	s := &sums{terms: make([][]term, len(p.levels)), radix: make([]uint64, len(p.levels)), levels: make([]sum, max(len(p.levels), 1))}
	space := make([]uint32, len(s.levels)*len(list))
	for k := range s.levels {
		s.levels[k].places = space[k*len(list) : (k+1)*len(list)]
	}
	for i := range list {
		s.levels[0].places[i] = uint32(list[i].base)
	}
	for k, l := range p.levels {
		s.radix[k] = 1
		for _, v := range p.variables[l.slot+1:] {
			s.radix[k] *= net.Sorts[net.Variables[v].Sort].Size
		}
		for i := range list {
			for _, x := range list[i].parts {
				if x.slot == l.slot {
					s.terms[k] = append(s.terms[k], term{i, x})
				}
			}
		}
	}
	return s
}

// add takes the value of the variable of a level in.
func (s *sums) add(level int, v uint32) {
	from, to := &s.levels[level], &s.levels[level+1]
	to.number = from.number + uint64(v)*s.radix[level]
	places := to.places
	copy(places, from.places)
	for i := range s.terms[level] {
		t := &s.terms[level][i]
		places[t.pattern] += uint32(t.of(v))
	}
}
