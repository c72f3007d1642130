package unfold

import (
	"fmt"
	"math/bits"

	"podium/pnml"
)

// ground evaluates a multiset without variables, such as an initial marking:
// these may have millions of colours, for which patterns would be a waste. A
// colour may come several times.
func (c *compiler) ground(t *pnml.Term) ([]entry, error) {
	var list []entry
	switch t.Op {
	case pnml.OpConstant:
		return []entry{{t.Value, 1}}, nil
	case pnml.OpAll:
		return c.groundEvery(t, func(uint64) bool { return true })
	case pnml.OpElements:
		element := c.net.Sorts[t.Part].ElementOf
		return c.groundEvery(t, func(v uint64) bool { return uint64(element[v]) == t.Value })
	case pnml.OpTuple:
		return c.groundTuple(t)
	case pnml.OpEmpty:
		return nil, nil
	case pnml.OpAdd:
		for _, a := range t.Args {
			inner, err := c.ground(a)
			if err != nil {
				return nil, err
			}
			list = append(list, inner...)
		}
		return list, nil
	case pnml.OpSubtract:
		for i, a := range t.Args {
			inner, err := c.ground(a)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				list = merged(inner)
			} else {
				subtract(list, inner)
			}
		}
		return list, nil
	}
	inner, err := c.ground(t.Args[0])
	if err != nil {
		return nil, err
	}
	size := c.net.Sorts[t.Sort].Size
	for i := range inner {
		e := &inner[i]
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
	return inner, nil
}

func (c *compiler) groundEvery(t *pnml.Term, keep func(uint64) bool) ([]entry, error) {
	size := c.net.Sorts[t.Sort].Size
	if size > c.most {
		return nil, &TooLarge{"colours of one multiset", size, c.most}
	}
	list := make([]entry, 0, size)
	for v := range size {
		if keep(v) {
			list = append(list, entry{v, 1})
		}
	}
	return list, nil
}

func (c *compiler) groundTuple(t *pnml.Term) ([]entry, error) {
	list := []entry{{0, 1}}
	for _, a := range t.Args {
		inner, err := c.ground(a)
		if err != nil {
			return nil, err
		}
		if n := uint64(len(inner)) * uint64(len(list)); n > c.most {
			return nil, &TooLarge{"colours of one multiset", n, c.most}
		}
		size := c.net.Sorts[a.Sort].Size
		product := make([]entry, 0, len(inner)*len(list))
		for _, x := range list {
			for _, y := range inner {
				count, err := multiplied(x.count, y.count, t)
				if err != nil {
					return nil, err
				}
				product = append(product, entry{x.colour*size + y.colour, count})
			}
		}
		list = product
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
