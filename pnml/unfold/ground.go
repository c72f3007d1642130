package unfold

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"podium/pnml"
)

// ground appends a multiset without variables, such as an initial marking: these
// may have millions of colours, for which patterns would be a waste. A colour may
// come several times.
func (c *compiler) ground(list []entry, t *pnml.Term) (_ []entry, err error) {
	c.clock.Work(1)
	own := len(list)
	switch t.Op {
	case pnml.OpConstant:
		return append(list, entry{t.Value, 1}), nil
	case pnml.OpAll:
		size := c.net.Sorts[t.Sort].Size
		if size > c.most {
			return nil, &TooLarge{"colours of one multiset", size, c.most}
		}
		c.clock.Work(int(size))
		list = slices.Grow(list, int(size))
		for v := range size {
			list = append(list, entry{v, 1})
		}
		return list, nil
	case pnml.OpElements:
		c.clock.Work(len(c.net.Sorts[t.Part].ElementOf))
		for v, element := range c.net.Sorts[t.Part].ElementOf {
			if uint64(element) == t.Value {
				list = append(list, entry{uint64(v), 1})
			}
		}
		return list, nil
	case pnml.OpTuple:
		return c.groundTuple(list, t)
	case pnml.OpEmpty:
		return list, nil
	case pnml.OpAdd:
		for _, a := range t.Args {
			if list, err = c.ground(list, a); err != nil {
				return nil, err
			}
		}
		return list, nil
	case pnml.OpSubtract:
		if list, err = c.ground(list, t.Args[0]); err != nil {
			return nil, err
		}
		list = list[:own+len(merged(c.clock, list[own:]))]
		for _, a := range t.Args[1:] {
			less, err := c.ground(nil, a)
			if err != nil {
				return nil, err
			}
			subtract(list[own:], less)
		}
		return list, nil
	}
	if list, err = c.ground(list, t.Args[0]); err != nil {
		return nil, err
	}
	size := c.net.Sorts[t.Sort].Size
	c.clock.Work(len(list) - own)
	for i := range list[own:] {
		e := &list[own+i]
		switch t.Op {
		case pnml.OpNumberOf:
			if e.count, err = multiplied(e.count, t.Value, t); err != nil {
				return nil, err
			}
		case pnml.OpSuccessor:
			e.colour = (e.colour + 1) % size
		case pnml.OpPredecessor:
			e.colour = (e.colour + size - 1) % size
		case pnml.OpElementOf:
			e.colour = uint64(c.net.Sorts[t.Sort].ElementOf[e.colour])
		}
	}
	return list, nil
}

// groundSize is how many entries ground gives, or 2^64-1 when they are more.
func (c *compiler) groundSize(t *pnml.Term) uint64 {
	c.clock.Work(1)
	n := uint64(1)
	switch t.Op {
	case pnml.OpConstant:
	case pnml.OpAll:
		n = c.net.Sorts[t.Sort].Size
	case pnml.OpElements:
		n = 0
		for _, element := range c.net.Sorts[t.Part].ElementOf {
			if uint64(element) == t.Value {
				n++
			}
		}
	case pnml.OpTuple:
		for _, a := range t.Args {
			high, low := bits.Mul64(n, c.groundSize(a))
			if n = low; high > 0 {
				n = math.MaxUint64
			}
		}
	case pnml.OpEmpty:
		n = 0
	case pnml.OpAdd:
		n = 0
		for _, a := range t.Args {
			sum, carry := bits.Add64(n, c.groundSize(a), 0)
			if n = sum; carry > 0 {
				n = math.MaxUint64
			}
		}
	default:
		n = c.groundSize(t.Args[0])
	}
	return n
}

// groundTuple makes the product of the components one after the other, from the
// entry of the empty tuple on.
func (c *compiler) groundTuple(list []entry, t *pnml.Term) (_ []entry, err error) {
	own := len(list)
	list = append(list, entry{0, 1})
	for _, a := range t.Args {
		size := c.net.Sorts[a.Sort].Size
		c.clock.Work(len(list) - own)
		if a.Op == pnml.OpConstant { // mostly
			for i := own; i < len(list); i++ {
				list[i].colour = list[i].colour*size + a.Value
			}
			continue
		}
		inner := c.spare[:0]
		c.spare = nil // used
		if inner, err = c.ground(inner, a); err != nil {
			return nil, err
		}
		before, n := len(list)-own, uint64(len(list)-own)*uint64(len(inner))
		if n > c.most {
			return nil, &TooLarge{"colours of one multiset", n, c.most}
		}
		list = slices.Grow(list, max(0, int(n)-before))[:own+int(n)]
		for x := before - 1; x >= 0 && n > 0; x-- { // from behind, since the product takes the place of its factor
			c.clock.Work(len(inner))
			left := list[own+x]
			for y, right := range inner {
				count, err := multiplied(left.count, right.count, t)
				if err != nil {
					return nil, err
				}
				list[own+x*len(inner)+y] = entry{left.colour*size + right.colour, count}
			}
		}
		c.spare = inner
	}
	return list, nil
}

// multiplied multiplies multiplicities.
func multiplied(x, y uint64, t *pnml.Term) (uint64, error) {
	high, low := bits.Mul64(x, y)
	if high > 0 {
		return 0, fmt.Errorf("a multiplicity above 2^64-1, at %d:%d", t.Pos.Line, t.Pos.Col)
	}
	return low, nil
}
