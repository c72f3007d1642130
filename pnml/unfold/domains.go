package unfold

import (
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// maxWork bounds the values looked at for the fix point of domains; when it is
// not reached, domains are what the guards say, which is sound and only costs
// time later.
const maxWork = 200_000_000

// component is one factor of the sort of a place, all the way down.
type component struct{ stride, size uint64 }

// components returns the factors of a sort that are no products, the most
// significant first.
func components(net *pnml.Symmetric, sort int, stride uint64, list []component) []component {
	s := &net.Sorts[sort]
	if s.Kind != pnml.ProductSort {
		return append(list, component{stride, s.Size})
	}
	stride *= s.Size
	for _, f := range s.Factors {
		stride /= net.Sorts[f].Size
		list = components(net, f, stride, list)
	}
	return list
}

// domains finds for every component of every place the values that may occur
// there, and for every variable those it may take.
type domains struct {
	clock  *clock.Clock
	net    *pnml.Symmetric
	places [][]component
	values [][][]bool // place, component, value; nil for components that are too large
}

// largestDomain bounds the components whose values are followed.
const largestDomain = 1 << 20

func newDomains(clock *clock.Clock, net *pnml.Symmetric) *domains {
	d := &domains{clock: clock, net: net}
	for _, sort := range net.PlaceSort {
		list := components(net, sort, 1, nil)
		values := make([][]bool, len(list))
		for i, c := range list {
			if c.size <= largestDomain {
				values[i] = make([]bool, c.size)
			}
		}
		d.places = append(d.places, list)
		d.values = append(d.values, values)
	}
	return d
}

// put notes that a colour may be in a place.
func (d *domains) put(place int, colour uint64) {
	for i, c := range d.places[place] { // the most significant first
		v := colour / c.stride
		colour -= v * c.stride
		if values := d.values[place][i]; values != nil {
			values[v] = true
		}
	}
}

// part returns the summand of a pattern that makes up a component: the variable's
// part, or the constant value when there is none. whole is false when a variable
// spans several components.
func (p *pattern) part(c component) (own *part, constant uint64, whole bool) {
	for i := range p.parts {
		x := &p.parts[i]
		if x.stride == c.stride && x.spans() == c.size {
			return x, 0, true
		}
		if x.stride <= c.stride && c.stride < x.stride*x.spans() {
			return nil, 0, false
		}
	}
	return nil, p.base / c.stride % c.size, true
}

// narrow takes from the domains of variables what the patterns of input places
// exclude. It reports false when the transition cannot fire.
func (d *domains) narrow(p *plan, allowed [][]bool) bool {
	for i := range p.pre {
		a := &p.pre[i]
		if len(a.bag.minus) > 0 {
			continue
		}
		for k := range a.bag.flat {
			if !d.narrowPattern(a.place, &a.bag.flat[k].pattern, allowed) {
				return false
			}
		}
	}
	return true
}

func (d *domains) narrowPattern(place int, x *pattern, allowed [][]bool) bool {
	d.clock.Work(1)
	for i, c := range d.places[place] {
		values := d.values[place][i]
		if values == nil {
			continue
		}
		own, constant, whole := x.part(c)
		switch {
		case !whole:
			continue
		case own == nil:
			if !values[constant] {
				return false
			}
			continue
		}
		some := false
		d.clock.Work(len(allowed[own.slot]))
		for v, ok := range allowed[own.slot] {
			if ok && values[own.of(uint32(v))/own.stride] {
				some = true
			} else {
				allowed[own.slot][v] = false
			}
		}
		if !some {
			return false
		}
	}
	return true
}

// spread adds to the output places what the variables may put there, and
// reports the places that got something new.
func (d *domains) spread(p *plan, allowed [][]bool, changed func(place int)) {
	for i := range p.post {
		a := &p.post[i]
		for k := range a.bag.flat {
			d.spreadPattern(a.place, &a.bag.flat[k].pattern, allowed, changed)
		}
		for k := range a.bag.minus {
			from := arcPlan{a.place, a.bag.minus[k].from}
			d.spread(&plan{post: []arcPlan{from}}, allowed, changed)
		}
	}
}

func (d *domains) spreadPattern(place int, x *pattern, allowed [][]bool, changed func(place int)) {
	for i, c := range d.places[place] {
		values := d.values[place][i]
		if values == nil {
			continue
		}
		own, constant, whole := x.part(c)
		fresh := false
		add := func(v uint64) {
			fresh = fresh || !values[v]
			values[v] = true
		}
		switch {
		case !whole:
			d.clock.Work(len(values))
			for v := range values {
				add(uint64(v))
			}
		case own == nil:
			add(constant)
		default:
			d.clock.Work(len(allowed[own.slot]))
			for v, ok := range allowed[own.slot] {
				if ok {
					add(own.of(uint32(v)) / own.stride)
				}
			}
		}
		if fresh {
			changed(place)
		}
	}
}

// fix computes the fix point and sets the domains of the plans; a plan that can
// have no binding is marked never.
func (d *domains) fix(plans []*plan) {
	readers := make([][]int, len(d.places))
	for t, p := range plans {
		for i := range p.pre {
			readers[p.pre[i].place] = append(readers[p.pre[i].place], t)
		}
	}
	queued := slices.Repeat([]bool{true}, len(plans))
	queue := make([]int, len(plans))
	for t := range queue {
		queue[t] = t
	}
	start := make([][][]bool, len(plans))
	for t, p := range plans {
		start[t] = p.start()
	}
	var allowed [][]bool
	for work := 0; len(queue) > 0; {
		t := queue[0]
		if work += plans[t].weight; work > maxWork {
			return
		}
		queue, queued[t] = queue[1:], false
		allowed = append(allowed, make([][]bool, max(0, len(start[t])-len(allowed)))...)[:len(start[t])]
		for i, x := range start[t] {
			allowed[i] = append(allowed[i][:0], x...)
		}
		if !d.narrow(plans[t], allowed) {
			continue
		}
		d.spread(plans[t], allowed, func(place int) {
			for _, u := range readers[place] {
				if !queued[u] {
					queued[u] = true
					queue = append(queue, u)
				}
			}
		})
	}
	for t, p := range plans {
		p.never = p.never || !d.narrow(p, start[t])
		p.setDomains(start[t])
	}
}

// start returns the values that the domains of a plan hold.
func (p *plan) start() [][]bool {
	allowed := make([][]bool, len(p.variables))
	for slot, values := range p.domains {
		allowed[slot] = make([]bool, p.inDomain[slot].size)
		for _, v := range values {
			allowed[slot][v] = true
		}
	}
	return allowed
}

func (p *plan) setDomains(allowed [][]bool) {
	for slot, values := range allowed {
		if !slices.ContainsFunc(p.domains[slot], func(v uint32) bool { return !values[v] }) {
			continue
		}
		set := newColourSet(uint64(len(values)))
		p.domains[slot] = p.domains[slot][:0]
		for v, ok := range values {
			if ok {
				p.domains[slot] = append(p.domains[slot], uint32(v))
				set.add(uint64(v))
			}
		}
		p.inDomain[slot] = set
	}
}
