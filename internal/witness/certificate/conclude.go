package certificate

import (
	"podium/examinations/formula"
)

// StateFormulas gives the largest parts of a formula that are about one marking, in the
// order in which they stand in it. Heads of trees name them by their numbers, from 0.
func StateFormulas(f formula.Formula) (list []formula.Formula) {
	if formula.IsState(f) {
		return []formula.Formula{f}
	}
	for _, g := range formula.Operands(f) {
		list = append(list, StateFormulas(g)...)
	}
	return list
}

// Conclude gives what is left of a formula when some of its state formulas, by their
// numbers, are known to be always true or always false. What it gives has the same value.
// With stutter a dead marking is followed by itself, as in LTL; else by nothing.
func Conclude(f formula.Formula, known map[int]bool, stutter bool) formula.Formula {
	next := 0
	return conclude(f, known, stutter, &next)
}

func conclude(f formula.Formula, known map[int]bool, stutter bool, next *int) formula.Formula {
	if formula.IsState(f) {
		value, ok := known[*next]
		*next++
		if ok {
			return &formula.Constant{Value: value}
		}
		return f
	}
	of := func(g formula.Formula) (formula.Formula, *formula.Constant) {
		g = conclude(g, known, stutter, next)
		c, _ := g.(*formula.Constant)
		return g, c
	}
	switch f := f.(type) {
	case *formula.Not:
		g, c := of(f.F)
		if c != nil {
			return &formula.Constant{Value: !c.Value}
		}
		return &formula.Not{F: g}
	case *formula.And:
		list, c := several(f.Fs, false, of)
		if c != nil {
			return c
		}
		return &formula.And{Fs: list}
	case *formula.Or:
		list, c := several(f.Fs, true, of)
		if c != nil {
			return c
		}
		return &formula.Or{Fs: list}
	case *formula.AllPaths:
		g, c := of(f.F)
		if x, ok := g.(*formula.Next); ok && !stutter && isConstant(x.F, true) { // A X true, also in a dead marking
			return x.F
		} else if c != nil {
			return c
		}
		return &formula.AllPaths{F: g}
	case *formula.ExistsPath:
		g, c := of(f.F)
		if x, ok := g.(*formula.Next); ok && !stutter && isConstant(x.F, false) { // E X false, also in a dead marking
			return x.F
		} else if c != nil {
			return c
		}
		return &formula.ExistsPath{F: g}
	case *formula.Next:
		g, c := of(f.F)
		if c != nil && stutter {
			return c
		}
		return &formula.Next{F: g}
	case *formula.Finally:
		g, c := of(f.F)
		if c != nil {
			return c
		}
		return &formula.Finally{F: g}
	case *formula.Globally:
		g, c := of(f.F)
		if c != nil {
			return c
		}
		return &formula.Globally{F: g}
	case *formula.Until:
		before, b := of(f.Before)
		reach, r := of(f.Reach)
		switch {
		case r != nil:
			return r
		case b != nil && b.Value:
			return &formula.Finally{F: reach}
		case b != nil: // what is to be reached has to hold at once
			return reach
		}
		return &formula.Until{Before: before, Reach: reach}
	}
	return f
}

// several gives what is left of the operands of a disjunction, or of a conjunction, and
// what it is as a whole where they decide that.
func several(list []formula.Formula, some bool, of func(formula.Formula) (formula.Formula, *formula.Constant)) (left []formula.Formula, whole *formula.Constant) {
	for _, f := range list {
		g, c := of(f)
		switch {
		case c == nil:
			left = append(left, g)
		case c.Value == some:
			whole = c
		}
	}
	if len(left) == 0 && whole == nil {
		whole = &formula.Constant{Value: !some}
	}
	return left, whole
}

func isConstant(f formula.Formula, value bool) bool {
	c, ok := f.(*formula.Constant)
	return ok && c.Value == value
}
