package unfold

import (
	"math"

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
func (b *builder) emit() error {
	var scratch []entry
	for _, p := range b.plans {
		b.starts = append(b.starts, uint32(len(b.bindings)))
		pre, post := b.flat(p.pre), b.flat(p.post)
		sizes := make([]uint64, len(p.variables))
		for slot, v := range p.variables {
			sizes[slot] = b.net.Sorts[b.net.Variables[v].Sort].Size
		}
		steps := uint64(math.MaxUint64)
		p.each(&steps, func(binding []uint32) bool {
			number := uint64(0)
			for slot, v := range binding {
				number = number*sizes[slot] + uint64(v)
			}
			b.bindings = append(b.bindings, number)
			if pre != nil {
				b.pre.addFlat(pre, binding)
			} else {
				scratch = b.pre.addBags(b, p.pre, binding, scratch)
			}
			if post != nil {
				b.post.addFlat(post, binding)
			} else {
				scratch = b.post.addBags(b, p.post, binding, scratch)
			}
			return true
		})
	}
	b.starts = append(b.starts, uint32(len(b.bindings)))
	return nil
}

// flat gives the patterns of all arcs as numbers of places, nil when an
// inscription has a difference.
func (b *builder) flat(arcs []arcPlan) []weighted {
	list := []weighted{}
	for _, a := range arcs {
		if len(a.bag.minus) > 0 {
			return nil
		}
		for _, x := range a.bag.flat {
			x.base += b.base[a.place]
			list = append(list, x)
		}
	}
	return list
}

// addFlat adds a row whose arcs are given by patterns. They are sorted by
// insertion: rows are short and nearly sorted.
func (r *rows) addFlat(list []weighted, binding []uint32) {
	from := len(r.place)
	for i := range list {
		r.insert(from, uint32(list[i].at(binding)), list[i].count)
	}
	r.start = append(r.start, uint32(len(r.place)))
}

func (r *rows) addBags(b *builder, arcs []arcPlan, binding []uint32, scratch []entry) []entry {
	for _, a := range arcs {
		scratch = merged(a.bag.eval(scratch[:0], binding))
		from := len(r.place)
		for _, e := range scratch {
			r.insert(from, uint32(b.base[a.place]+e.colour), e.count)
		}
	}
	r.start = append(r.start, uint32(len(r.place)))
	return scratch
}

// insert puts an arc into the last row, which begins at from.
func (r *rows) insert(from int, place uint32, count uint64) {
	k := len(r.place)
	for k > from && r.place[k-1] > place {
		k--
	}
	if k > from && r.place[k-1] == place {
		r.heavy()
		r.weight[k-1] += count
		return
	}
	if count != 1 {
		r.heavy()
	}
	r.place = append(r.place, place)
	if k < len(r.place)-1 {
		copy(r.place[k+1:], r.place[k:])
		r.place[k] = place
	}
	if r.weight != nil {
		r.weight = append(r.weight, count)
		copy(r.weight[k+1:], r.weight[k:])
		r.weight[k] = count
	}
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
