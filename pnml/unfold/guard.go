package unfold

import (
	"slices"

	"podium/pnml"
)

// test is a condition on a binding: a conjunct of the guard, or that a place
// whose colours are known holds one.
type test struct {
	op          pnml.Op // of a guard; opMember for a place
	args        []*test // of a connective
	left, right pattern // of a comparison; left of a membership
	colours     *colourSet
	slots       []int // the variables it looks at, ascending
	work        int   // that one look at a binding costs
}

// opMember tells a membership from the operators of guards.
const opMember = pnml.OpConstant

func (t *test) holds(binding []uint32) bool {
	switch t.op {
	case opMember:
		return t.colours.has(t.left.at(binding))
	case pnml.OpTrue:
		return true
	case pnml.OpAnd:
		for _, a := range t.args {
			if !a.holds(binding) {
				return false
			}
		}
		return true
	case pnml.OpOr:
		for _, a := range t.args {
			if a.holds(binding) {
				return true
			}
		}
		return false
	case pnml.OpNot:
		return !t.args[0].holds(binding)
	case pnml.OpImply:
		return !t.args[0].holds(binding) || t.args[1].holds(binding)
	}
	return t.compare(t.left.at(binding), t.right.at(binding))
}

func (t *test) compare(x, y uint64) bool {
	switch t.op {
	case pnml.OpEqual:
		return x == y
	case pnml.OpUnequal:
		return x != y
	case pnml.OpLess:
		return x < y
	case pnml.OpLessEqual:
		return x <= y
	case pnml.OpGreater:
		return x > y
	case pnml.OpGreaterEqual:
		return x >= y
	}
	return false // OpFalse
}

// guard compiles a guard into tests that must all hold.
func (c *compiler) guard(g *pnml.Term) ([]*test, error) {
	if g == nil {
		return nil, nil
	}
	if g.Op == pnml.OpAnd {
		var all []*test
		for _, a := range g.Args {
			list, err := c.guard(a)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		return all, nil
	}
	if g.Op == pnml.OpEqual && g.Args[0].Op == pnml.OpTuple && g.Args[1].Op == pnml.OpTuple {
		var all []*test
		for k := range g.Args[0].Args {
			list, err := c.guard(&pnml.Term{Op: pnml.OpEqual, Sort: -1, Args: []*pnml.Term{g.Args[0].Args[k], g.Args[1].Args[k]}, Pos: g.Pos})
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		return all, nil
	}
	if table, ok := c.table(g); ok {
		return []*test{table}, nil
	}
	t, err := c.test(g)
	if err != nil {
		return nil, err
	}
	return []*test{t}, nil
}

// table turns a guard such as "x=1 and y=2 or x=1 and y=3 or ..." into one
// membership: some nets list hundreds of cases. Every case must give one value
// to each of the same variables.
func (c *compiler) table(g *pnml.Term) (*test, bool) {
	if g.Op != pnml.OpOr || len(g.Args) < 3 {
		return nil, false
	}
	first, ok := c.assigns(g.Args[0], nil)
	if !ok {
		return nil, false
	}
	row := pattern{}
	size := uint64(1)
	for _, a := range first {
		row.parts = append(row.parts, part{slot: a.slot, mod: a.mod, stride: size})
		if size *= uint64(a.mod); size > dense {
			return nil, false
		}
	}
	set := newColourSet(size)
	var values []assignment
	for _, g := range g.Args {
		c.clock.Work(8 * len(row.parts) * len(row.parts))
		if values, ok = c.assigns(g, values[:0]); !ok || len(values) != len(first) {
			return nil, false
		}
		key := uint64(0)
		for _, p := range row.parts {
			k := slices.IndexFunc(values, func(a assignment) bool { return a.slot == p.slot })
			if k < 0 {
				return nil, false
			}
			key += values[k].value * p.stride
		}
		set.add(key)
	}
	return member(row, set), true
}

// assignment gives a variable a value, one of mod.
type assignment struct {
	slot  int
	mod   uint32
	value uint64
}

// assigns collects what a case says; false when it is more than a conjunction of
// equations between a variable and a constant, all variables different.
func (c *compiler) assigns(g *pnml.Term, list []assignment) ([]assignment, bool) {
	switch g.Op {
	case pnml.OpAnd:
		for _, a := range g.Args {
			var ok bool
			if list, ok = c.assigns(a, list); !ok {
				return list, false
			}
		}
		return list, true
	case pnml.OpEqual:
		variable, constant := g.Args[0], g.Args[1]
		if variable.Op == pnml.OpConstant {
			variable, constant = constant, variable
		}
		if constant.Op != pnml.OpConstant {
			return list, false
		}
		size := c.net.Sorts[variable.Sort].Size
		value := constant.Value
		for variable.Op == pnml.OpSuccessor || variable.Op == pnml.OpPredecessor {
			back := size - 1
			if variable.Op == pnml.OpPredecessor {
				back = 1
			}
			variable, value = variable.Args[0], (value+back)%size
		}
		if variable.Op != pnml.OpVariable || size > dense {
			return list, false
		}
		slot := c.slots[variable.Value]
		if slices.ContainsFunc(list, func(a assignment) bool { return a.slot == slot }) {
			return list, false
		}
		return append(list, assignment{slot, uint32(size), value}), true
	}
	return list, false
}

func (c *compiler) test(g *pnml.Term) (*test, error) {
	c.clock.Work(8)
	t := &test{op: g.Op, work: 1}
	switch g.Op {
	case pnml.OpTrue, pnml.OpFalse:
	case pnml.OpAnd, pnml.OpOr, pnml.OpNot, pnml.OpImply:
		for _, a := range g.Args {
			inner, err := c.test(a)
			if err != nil {
				return nil, err
			}
			t.args = append(t.args, inner)
			t.work += inner.work
		}
	default:
		left, err := c.colours(g.Args[0], 1)
		if err != nil {
			return nil, err
		}
		right, err := c.colours(g.Args[1], 1)
		if err != nil {
			return nil, err
		}
		t.left, t.right = left[0], right[0]
		t.work += len(t.left.parts) + len(t.right.parts)
	}
	t.slots = t.variables(nil)
	slices.Sort(t.slots)
	t.slots = slices.Compact(t.slots)
	return t, nil
}

func (t *test) variables(slots []int) []int {
	for _, p := range t.left.parts {
		slots = append(slots, p.slot)
	}
	for _, p := range t.right.parts {
		slots = append(slots, p.slot)
	}
	for _, a := range t.args {
		slots = a.variables(slots)
	}
	return slots
}

// solves returns the value that an equation requires of a variable, when all its
// other variables are bound; ok is false when the test is no such equation.
func (t *test) solves(slot int) (solution, bool) {
	if t.op != pnml.OpEqual {
		return solution{}, false
	}
	for _, side := range [2][2]*pattern{{&t.left, &t.right}, {&t.right, &t.left}} {
		own, other := side[0], side[1]
		if len(own.parts) != 1 || own.base != 0 || own.parts[0].slot != slot || own.parts[0].stride != 1 || own.parts[0].table != nil {
			continue
		}
		if slices.ContainsFunc(other.parts, func(p part) bool { return p.slot == slot }) {
			continue
		}
		return solution{other, own.parts[0].add, own.parts[0].mod}, true
	}
	return solution{}, false
}

// solution is the equation value + add = other, cyclically.
type solution struct {
	other    *pattern
	add, mod uint32
}

func (s *solution) value(binding []uint32) uint32 {
	v := uint32(s.other.at(binding)) + s.mod - s.add
	if v >= s.mod {
		v -= s.mod
	}
	return v
}

// colourSet is a set of colours of one place.
type colourSet struct {
	size uint64
	bits bitset              // for small sorts
	few  map[uint64]struct{} // for large ones
}

// dense bounds the sorts whose sets are kept as bits.
const dense = 1 << 26

func newColourSet(size uint64) *colourSet {
	if size <= dense {
		return &colourSet{size: size, bits: newBitset(int(size))}
	}
	return &colourSet{size: size, few: map[uint64]struct{}{}}
}

func (s *colourSet) has(c uint64) bool {
	if s.bits != nil {
		return s.bits.has(uint32(c))
	}
	_, ok := s.few[c]
	return ok
}

func (s *colourSet) add(c uint64) {
	if s.bits != nil {
		s.bits.add(uint32(c))
		return
	}
	s.few[c] = struct{}{}
}
