package unfold

import (
	"fmt"
	"math/bits"
	"slices"

	"podium/pnml"
)

// ground appends a multiset without variables, such as an initial marking: these
// may have millions of colours, for which patterns would be a waste. A colour may
// come several times.
func (c *compiler) ground(list []entry, t *pnml.Term) (_ []entry, err error) {
	own := len(list)
	switch t.Op {
	case pnml.OpConstant:
		return append(list, entry{t.Value, 1}), nil
	case pnml.OpAll:
		return c.groundEvery(list, t, func(uint64) bool { return true })
	case pnml.OpElements:
		element := c.net.Sorts[t.Part].ElementOf
		return c.groundEvery(list, t, func(v uint64) bool { return uint64(element[v]) == t.Value })
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
		list = list[:own+len(merged(list[own:]))]
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

func (c *compiler) groundEvery(list []entry, t *pnml.Term, keep func(uint64) bool) ([]entry, error) {
	size := c.net.Sorts[t.Sort].Size
	if size > c.most {
		return nil, &TooLarge{"colours of one multiset", size, c.most}
	}
	list = slices.Grow(list, int(size))
	for v := range size {
		if keep(v) {
			list = append(list, entry{v, 1})
		}
	}
	return list, nil
}

// groundTuple makes the product of the components one after the other, from the
// entry of the empty tuple on.
func (c *compiler) groundTuple(list []entry, t *pnml.Term) (_ []entry, err error) {
	own := len(list)
	list = append(list, entry{0, 1})
	for _, a := range t.Args {
		size := c.net.Sorts[a.Sort].Size
		if a.Op == pnml.OpConstant { // mostly
			for i := own; i < len(list); i++ {
				list[i].colour = list[i].colour*size + a.Value
			}
			continue
		}
		inner := len(list)
		if list, err = c.ground(list, a); err != nil {
			return nil, err
		}
		n := uint64(len(list)-inner) * uint64(inner-own)
		if n > c.most {
			return nil, &TooLarge{"colours of one multiset", n, c.most}
		}
		end := len(list)
		list = slices.Grow(list, int(n))
		for x := own; x < inner; x++ {
			for y := inner; y < end; y++ {
				count, err := multiplied(list[x].count, list[y].count, t)
				if err != nil {
					return nil, err
				}
				list = append(list, entry{list[x].colour*size + list[y].colour, count})
			}
		}
		list = slices.Delete(list, own, end)
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
