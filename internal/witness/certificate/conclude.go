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

// Known says of parts of a formula, by their numbers, that they are true in every reachable
// marking, or false.
type Known struct {
	States map[int]bool // state formulas, as in [StateFormulas]
	Parts  map[int]bool // parts with a path quantifier, as in [Returns]
}

// Conclude gives what is left of a formula when some of its parts are known. What it gives has
// the same value. With stutter a dead marking is followed by itself, as in LTL; else by nothing.
func Conclude(f formula.Formula, known Known, stutter bool) formula.Formula {
	c := &conclusion{known: known, stutter: stutter}
	return c.of(f)
}

// conclusion counts the parts of a formula.
type conclusion struct {
	known       Known
	stutter     bool
	state, part int // numbers of the next ones
}

func (c *conclusion) of(f formula.Formula) formula.Formula {
	switch f.(type) {
	case *formula.AllPaths, *formula.ExistsPath:
		value, ok := c.known.Parts[c.part]
		c.part++
		if left := c.inside(f); !ok {
			return left
		}
		return &formula.Constant{Value: value}
	}
	return c.inside(f)
}

func (c *conclusion) inside(f formula.Formula) formula.Formula {
	if formula.IsState(f) {
		value, ok := c.known.States[c.state]
		c.state++
		if ok {
			return &formula.Constant{Value: value}
		}
		return f
	}
	of := func(g formula.Formula) (formula.Formula, *formula.Constant) {
		g = c.of(g)
		is, _ := g.(*formula.Constant)
		return g, is
	}
	switch f := f.(type) {
	case *formula.Not:
		g, is := of(f.F)
		if is != nil {
			return &formula.Constant{Value: !is.Value}
		}
		return &formula.Not{F: g}
	case *formula.And:
		list, is := several(f.Fs, false, of)
		if is != nil {
			return is
		}
		return &formula.And{Fs: list}
	case *formula.Or:
		list, is := several(f.Fs, true, of)
		if is != nil {
			return is
		}
		return &formula.Or{Fs: list}
	case *formula.AllPaths:
		g, is := of(f.F)
		if x, ok := g.(*formula.Next); ok && !c.stutter && isConstant(x.F, true) { // A X true, also in a dead marking
			return x.F
		} else if is != nil || !c.stutter && !temporal(g) {
			return g // A g is g where g is about the marking and not about a path
		}
		return &formula.AllPaths{F: g}
	case *formula.ExistsPath:
		g, is := of(f.F)
		if x, ok := g.(*formula.Next); ok && !c.stutter && isConstant(x.F, false) { // E X false, also in a dead marking
			return x.F
		} else if is != nil || !c.stutter && !temporal(g) {
			return g
		}
		return &formula.ExistsPath{F: g}
	case *formula.Next:
		g, is := of(f.F)
		if is != nil && c.stutter {
			return is
		}
		return &formula.Next{F: g}
	case *formula.Finally:
		g, is := of(f.F)
		if is != nil {
			return is
		}
		return &formula.Finally{F: g}
	case *formula.Globally:
		g, is := of(f.F)
		if is != nil {
			return is
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

// temporal tells whether a formula begins with a temporal operator.
func temporal(f formula.Formula) bool {
	switch f.(type) {
	case *formula.Next, *formula.Finally, *formula.Globally, *formula.Until:
		return true
	}
	return false
}

func isConstant(f formula.Formula, value bool) bool {
	c, ok := f.(*formula.Constant)
	return ok && c.Value == value
}
