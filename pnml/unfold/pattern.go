package unfold

import (
	"fmt"
	"math"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// part is one summand of a pattern: stride times the value of a variable, moved
// cyclically by add, or what a table says of it.
type part struct {
	slot     int // of the variable in a binding
	add, mod uint32
	stride   uint64
	table    []uint32 // nil, or element of a partition by colour, or first of merged colours
	size     uint64   // colours of the component that it is in, where there is a table
}

// spans is how many colours the component has.
func (p *part) spans() uint64 {
	if p.table != nil {
		return p.size
	}
	return uint64(p.mod)
}

func (p *part) value(binding []uint32) uint64 { return p.of(binding[p.slot]) }

// of is the contribution of a value.
func (p *part) of(v uint32) uint64 {
	v += p.add
	if v >= p.mod {
		v -= p.mod
	}
	if p.table != nil {
		v = p.table[v]
	}
	return uint64(v) * p.stride
}

// pattern is a colour term: the number of a colour as a sum over variables.
type pattern struct {
	base  uint64
	parts []part
}

func (p *pattern) at(binding []uint32) uint64 {
	n := p.base
	for i := range p.parts {
		n += p.parts[i].value(binding)
	}
	return n
}

// given is a pattern in which all variables but one have values: what they add up
// to, and the part of the variable.
type given struct {
	sum uint64
	own part
}

// given computes all but the part of one variable. It reports false when there are
// several such parts.
func (p *pattern) given(slot int, binding []uint32) (g given, whole bool) {
	g.sum, g.own.mod = p.base, math.MaxUint32
	for i := range p.parts {
		switch x := &p.parts[i]; {
		case x.slot != slot:
			g.sum += x.value(binding)
		case g.own.stride != 0:
			return g, false
		default:
			g.own = *x
		}
	}
	return g, true
}

func (g *given) at(v uint32) uint64 { return g.sum + g.own.of(v) }

// weighted is a pattern that counts several times.
type weighted struct {
	pattern
	count uint64
}

// bag is a multiset term: the sum of its patterns and differences.
type bag struct {
	flat  []weighted
	minus []difference
}

// difference is count times (from less all of less), never below 0.
type difference struct {
	count uint64
	from  *bag
	less  []*bag
}

// compiler turns the terms of one transition into patterns; initial markings
// need none, see ground.
type compiler struct {
	net   *pnml.Symmetric
	clock *clock.Clock
	slots []int // variable of the net to slot, -1 when it does not occur
	most  uint64
	spare []entry // space for factors of tuples
}

// colours returns the patterns of a colour term, several when it is a tuple with
// multisets inside.
func (c *compiler) colours(t *pnml.Term, stride uint64) ([]pattern, error) {
	sort := &c.net.Sorts[t.Sort]
	switch t.Op {
	case pnml.OpConstant:
		return []pattern{{base: t.Value * stride}}, nil
	case pnml.OpVariable:
		if sort.Size > 1<<31 {
			return nil, fmt.Errorf("variable %s has more than 2^31 values", c.net.Variables[t.Value].ID)
		}
		return []pattern{{parts: []part{{slot: c.slots[t.Value], mod: uint32(sort.Size), stride: stride}}}}, nil
	case pnml.OpAll:
		return c.every(sort.Size, stride, func(uint64) bool { return true })
	case pnml.OpElements:
		element := c.net.Sorts[t.Part].ElementOf
		return c.every(sort.Size, stride, func(v uint64) bool { return uint64(element[v]) == t.Value })
	case pnml.OpTuple:
		return c.tuple(t, stride)
	case pnml.OpAdd:
		return c.sum(t, stride)
	case pnml.OpNumberOf:
		list, err := c.colours(t.Args[0], stride)
		c.clock.Work(len(list) * int(min(t.Value, c.most)))
		if err == nil && t.Value > 0 && uint64(len(list)) > c.most/t.Value {
			err = &TooLarge{"colours of one multiset", c.most, c.most}
		}
		if err != nil {
			return nil, err
		}
		return slices.Repeat(list, int(t.Value)), nil
	case pnml.OpEmpty:
		return nil, nil
	case pnml.OpSuccessor, pnml.OpPredecessor:
		return c.neighbour(t, stride)
	case pnml.OpElementOf:
		return c.elementOf(t, stride)
	}
	return nil, fmt.Errorf("a difference of multisets inside a tuple, at %d:%d", t.Pos.Line, t.Pos.Col)
}

func (c *compiler) every(size, stride uint64, keep func(uint64) bool) ([]pattern, error) {
	if size > c.most {
		return nil, &TooLarge{"colours of one multiset", size, c.most}
	}
	c.clock.Work(int(size))
	list := make([]pattern, 0, size)
	for v := range size {
		if keep(v) {
			list = append(list, pattern{base: v * stride})
		}
	}
	return list, nil
}

// sum is a sum of multisets inside a tuple.
func (c *compiler) sum(t *pnml.Term, stride uint64) ([]pattern, error) {
	var list []pattern
	for _, a := range t.Args {
		inner, err := c.colours(a, stride)
		if err != nil {
			return nil, err
		}
		list = append(list, inner...)
	}
	return list, nil
}

func (c *compiler) tuple(t *pnml.Term, stride uint64) ([]pattern, error) {
	list := []pattern{{}}
	for k := len(t.Args) - 1; k >= 0; k-- {
		inner, err := c.colours(t.Args[k], stride)
		if err != nil {
			return nil, err
		}
		if uint64(len(inner))*uint64(len(list)) > c.most {
			return nil, &TooLarge{"colours of one multiset", uint64(len(inner)) * uint64(len(list)), c.most}
		}
		stride *= c.net.Sorts[t.Args[k].Sort].Size
		product := make([]pattern, 0, len(inner)*len(list))
		for _, x := range inner {
			c.clock.Work(8 * len(list))
			for _, y := range list {
				product = append(product, pattern{x.base + y.base, append(slices.Clip(x.parts), y.parts...)})
			}
		}
		list = product
	}
	return list, nil
}

func (c *compiler) neighbour(t *pnml.Term, stride uint64) ([]pattern, error) {
	size := c.net.Sorts[t.Sort].Size
	step := uint64(1)
	if t.Op == pnml.OpPredecessor {
		step = size - 1
	}
	inner, err := c.colours(t.Args[0], 1)
	if err != nil {
		return nil, err
	}
	x := inner[0]
	if len(x.parts) == 0 {
		return []pattern{{base: (x.base + step) % size * stride}}, nil
	}
	p := x.parts[0]
	p.add, p.stride = uint32((uint64(p.add)+step)%size), stride
	return []pattern{{parts: []part{p}}}, nil
}

func (c *compiler) elementOf(t *pnml.Term, stride uint64) ([]pattern, error) {
	inner, err := c.colours(t.Args[0], 1)
	if err != nil {
		return nil, err
	}
	table := c.net.Sorts[t.Sort].ElementOf
	x := inner[0]
	if len(x.parts) == 0 {
		return []pattern{{base: uint64(table[x.base]) * stride}}, nil
	}
	p := x.parts[0]
	p.table, p.size, p.stride = table, c.net.Sorts[t.Sort].Size, stride
	return []pattern{{parts: []part{p}}}, nil
}

// bag compiles a multiset term.
func (c *compiler) bag(t *pnml.Term, count uint64, into *bag) error {
	switch t.Op {
	case pnml.OpEmpty:
		return nil
	case pnml.OpAdd:
		for _, a := range t.Args {
			if err := c.bag(a, count, into); err != nil {
				return err
			}
		}
		return nil
	case pnml.OpNumberOf:
		product, err := multiplied(count, t.Value, t)
		if err != nil || product == 0 {
			return err
		}
		return c.bag(t.Args[0], product, into)
	case pnml.OpSubtract:
		d := difference{count: count}
		for i, a := range t.Args {
			b := &bag{}
			if err := c.bag(a, 1, b); err != nil {
				return err
			}
			if i == 0 {
				d.from = b
			} else {
				d.less = append(d.less, b)
			}
		}
		into.minus = append(into.minus, d)
		return nil
	}
	list, err := c.colours(t, 1)
	if err != nil {
		return err
	}
	c.clock.Work(len(list))
	into.flat = slices.Grow(into.flat, len(list))
	for _, p := range list {
		into.flat = append(into.flat, weighted{p, count})
	}
	return nil
}

// most is a bound of the number of colours of the bag under any binding.
func (b *bag) most() uint64 {
	n := uint64(len(b.flat))
	for _, d := range b.minus {
		n += d.from.most()
	}
	return n
}

// entry is one colour of a multiset.
type entry struct{ colour, count uint64 }

// eval appends the colours of the bag under a binding, in any order, some
// perhaps several times.
func (b *bag) eval(clock *clock.Clock, dst []entry, binding []uint32) []entry {
	clock.Work(2 * len(b.flat))
	for i := range b.flat {
		dst = append(dst, entry{b.flat[i].at(binding), b.flat[i].count})
	}
	for i := range b.minus {
		d := &b.minus[i]
		left := merged(clock, d.from.eval(clock, nil, binding))
		for _, less := range d.less {
			subtract(left, less.eval(clock, nil, binding))
		}
		for _, e := range left {
			if e.count > 0 {
				dst = append(dst, entry{e.colour, e.count * d.count})
			}
		}
	}
	return dst
}

// subtract takes entries from a merged list, down to counts of 0.
func subtract(from, less []entry) {
	for _, e := range less {
		if k, ok := slices.BinarySearchFunc(from, e, byColour); ok {
			from[k].count -= min(from[k].count, e.count)
		}
	}
}

func byColour(x, y entry) int {
	switch {
	case x.colour < y.colour:
		return -1
	case x.colour > y.colour:
		return 1
	}
	return 0
}

// merged sorts a list of entries and adds up those of one colour.
func merged(clock *clock.Clock, list []entry) []entry {
	slices.SortFunc(list, func(x, y entry) int {
		clock.Work(1)
		return byColour(x, y)
	})
	out := list[:0]
	for _, e := range list {
		if n := len(out); n > 0 && out[n-1].colour == e.colour {
			out[n-1].count += e.count
			continue
		}
		out = append(out, e)
	}
	return out
}
