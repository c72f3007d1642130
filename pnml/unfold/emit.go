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
	weight pnml.Weights // for as many arcs as there is space
}

// size counts bindings and arcs and reserves the space, or refuses.
func (b *builder) size() error {
	b.effort.steps = b.limits.Steps
	total, pre, post := uint64(0), uint64(0), uint64(0)
	for t, p := range b.plans {
		n, ok := p.count(&b.effort, b.limits.Transitions-total)
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
	wide := slices.ContainsFunc(b.plans, func(p *plan) bool { return p.product > math.MaxUint32 })
	b.bindings = newBindings(total, wide)
	b.pre, b.post = newRows(total, pre), newRows(total, post)
	return nil
}

func newRows(rowCount, arcs uint64) rows {
	return rows{make([]uint32, 1, rowCount+1), make([]uint32, 0, arcs), pnml.NewWeights(int(arcs))}
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
	b.effort.steps = math.MaxUint64
	for _, p := range b.plans {
		b.starts = append(b.starts, uint32(b.bindings.len()))
		w := b.writer(p)
		first, pre, post := b.bindings.len(), len(b.pre.place), len(b.post.place)
		p.each(&b.effort, w.sums, w.write)
		b.pre.weigh(pre, b.bindings.len()-first, &w.pre)
		b.post.weigh(post, b.bindings.len()-first, &w.post)
	}
	b.starts = append(b.starts, uint32(b.bindings.len()))
}

// writer writes the transitions of one plan.
type writer struct {
	b         *builder
	p         *plan
	sums      *sums
	last      int // slot of the last variable, -1 when there is none
	pre, post side
	scratch   []entry
	weights   []uint64 // of a row
}

// side is what all rows of a plan in one direction have in common.
type side struct {
	arcs   []arcPlan
	last   []last   // by pattern
	counts []uint64 // by pattern
	groups []group
	rest   bool // the last variable adds to a pattern more than once
	minus  bool // an inscription has a difference: rows are not made of patterns
}

// group is a range of patterns of one place: they may be equal, or not ascend.
type group struct {
	from, to int
	mixed    bool // their counts differ
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
	list := b.patterns(p.pre, w.last, &w.pre)
	list = append(list, b.patterns(p.post, w.last, &w.post)...)
	w.sums = newSums(b.net, p, list)
	return w
}

// patterns returns those of all arcs of one direction, as numbers of places.
func (b *builder) patterns(arcs []arcPlan, slot int, s *side) []pattern {
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
			l := x.last(slot)
			s.last, s.rest = append(s.last, l), s.rest || len(l.rest) > 0
			s.counts = append(s.counts, x.count)
		}
		if len(list) > from+1 {
			s.groups = append(s.groups, group{from, len(list), slices.ContainsFunc(a.bag.flat, func(x weighted) bool { return x.count != a.bag.flat[0].count })})
		}
	}
	return list
}

// of is what a value adds, but for the rest.
func (l *last) of(v uint32) uint32 {
	if v += l.add; v >= l.mod {
		v -= l.mod
	}
	return v * l.stride
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
	w.b.clock.Work(len(values) * (1 + len(sum.places)))
	w.b.bindings.add(sum.number, radix, values)
	w.rows(&w.b.pre, &w.pre, pre, values, binding)
	w.rows(&w.b.post, &w.post, post, values, binding)
	return true
}

// rows adds a row for each value of the last variable: places are the sums of
// patterns but for that.
func (w *writer) rows(r *rows, s *side, places, values, binding []uint32) {
	if s.minus || len(s.groups) > 0 || s.rest {
		for _, v := range values {
			if w.last >= 0 {
				binding[w.last] = v
			}
			w.row(r, s, places, v, binding)
		}
		return
	}
	n, at := len(places), len(r.place)
	r.place = r.place[:at+n*len(values)]
	for i, p := range places {
		l := &s.last[i]
		k := at + i
		for _, v := range values {
			r.place[k] = p + l.of(v)
			k += n
		}
	}
	for range values {
		at += n
		r.start = append(r.start, uint32(at))
	}
}

// row adds a row.
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
		row[i] = p + l.of(v)
		for k := range l.rest {
			row[i] += uint32(l.rest[k].of(v))
		}
	}
	if len(s.groups) > 0 {
		if s.order(row) {
			r.weight.SetAll(from, s.counts)
		} else {
			row = w.merge(row, s)
			r.weight.SetAll(from, w.weights)
			r.place = r.place[:from+len(row)]
		}
	}
	r.start = append(r.start, uint32(len(r.place)))
}

// weigh writes the weights of the rows of a plan, from an arc on, where all rows
// have the same.
func (r *rows) weigh(from, rowCount int, s *side) {
	if !s.minus && len(s.groups) == 0 {
		weights := pnml.NewWeights(len(s.counts))
		weights.SetAll(0, s.counts)
		r.weight.Repeat(from, rowCount, weights)
	}
}

// evaluate adds the arcs of inscriptions as multisets.
func (w *writer) evaluate(r *rows, arcs []arcPlan, binding []uint32) {
	for _, a := range arcs {
		w.scratch = merged(w.b.clock, a.bag.eval(w.b.clock, w.scratch[:0], binding))
		for _, e := range w.scratch {
			r.weight.Set(len(r.place), e.count)
			r.place = append(r.place, uint32(w.b.base[a.place]+e.colour))
		}
	}
}

// order sorts the arcs of each place in a row. It reports false when that is not
// all there is to do.
func (s *side) order(row []uint32) bool {
	done := true
	for _, g := range s.groups {
		done = done && !g.mixed // else places and counts are sorted together
		for i := g.from + 1; i < g.to && done; i++ {
			if row[i] <= row[i-1] {
				k := insert(row[g.from:i], row[i])
				done = i-g.from <= fewArcs && (k == 0 || row[g.from+k-1] < row[g.from+k])
			}
		}
	}
	return done
}

// fewArcs are sorted by insertion.
const fewArcs = 64

// insert shifts the places that are larger than one to the right, puts it before
// them and returns its index.
func insert(places []uint32, p uint32) int {
	k := len(places)
	for places = places[:k+1]; k > 0 && places[k-1] > p; k-- {
		places[k] = places[k-1]
	}
	places[k] = p
	return k
}

// merge sorts the arcs of each place in a row and adds up those of one unfolded
// place. It returns the places that are left; the weights stay in the writer.
func (w *writer) merge(row []uint32, s *side) []uint32 {
	w.weights = append(w.weights[:0], s.counts...)
	for _, g := range slices.Backward(s.groups) { // from behind, since what follows moves
		left := g.from + order(row[g.from:g.to], w.weights[g.from:g.to])
		if left < g.to {
			row, w.weights = slices.Delete(row, left, g.to), slices.Delete(w.weights, left, g.to)
		}
	}
	return row
}

// order sorts arcs by place and adds up those of one place; it returns how many are
// left. Most are few, or sorted already.
func order(places []uint32, weights []uint64) int {
	equal := false
	for i := 1; i < len(places); i++ {
		p := places[i]
		if p > places[i-1] {
			continue
		}
		if i > fewArcs {
			return orderMany(places, weights)
		}
		k := insert(places[:i], p)
		equal = equal || k > 0 && places[k-1] == p
		if k < i {
			w := weights[i]
			copy(weights[k+1:i+1], weights[k:i])
			weights[k] = w
		}
	}
	if !equal {
		return len(places)
	}
	return merge(places, weights)
}

func orderMany(places []uint32, weights []uint64) int {
	list := make([]entry, len(places))
	for i, p := range places {
		list[i] = entry{uint64(p), weights[i]}
	}
	slices.SortFunc(list, byColour)
	for i, e := range list {
		places[i], weights[i] = uint32(e.colour), e.count
	}
	return merge(places, weights)
}

// merge adds up arcs of one place, which stand side by side.
func merge(places []uint32, weights []uint64) int {
	out := 0
	for i := 1; i < len(places); i++ {
		if places[i] == places[out] {
			weights[out] += weights[i]
			continue
		}
		out++
		places[out], weights[out] = places[i], weights[i]
	}
	return out + 1
}

func (r *rows) row(t int) []uint32 { return r.place[r.start[t]:r.start[t+1]] }

func (r *rows) arcs() pnml.Arcs {
	return pnml.Arcs{Start: r.start, Place: r.place, Weight: r.weight.Slice(0, len(r.place))}
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
	parts := 0
	for i := range list {
		parts += len(list[i].parts)
	}
	terms := make([]term, 0, parts)
	for k, l := range p.levels {
		s.radix[k] = 1
		for _, v := range p.variables[l.slot+1:] {
			s.radix[k] *= net.Sorts[net.Variables[v].Sort].Size
		}
		if k == len(p.levels)-1 {
			break
		}
		first := len(terms)
		for i := range list {
			for _, x := range list[i].parts {
				if x.slot == l.slot {
					terms = append(terms, term{i, x})
				}
			}
		}
		s.terms[k] = terms[first:]
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
