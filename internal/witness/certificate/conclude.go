package certificate

import (
	"slices"

	"podium/examinations/formula"
)

// Known says of parts of a formula, by their numbers, that they are true in every reachable
// marking, or false.
type Known struct {
	States map[int]bool // the state formulas, as in [formula.States]
	Parts  map[int]bool // as in [formula.Quantified]
}

// Conclude returns what is left of a formula when some of its parts are known. What it returns has
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
	switch f := formula.Over(f, c.of).(type) {
	case *formula.Not:
		if is, ok := f.F.(*formula.Constant); ok {
			return &formula.Constant{Value: !is.Value}
		}
		return f
	case *formula.And:
		return several(f, &f.Fs, false)
	case *formula.Or:
		return several(f, &f.Fs, true)
	case *formula.AllPaths:
		return c.path(f, f.F, true)
	case *formula.ExistsPath:
		return c.path(f, f.F, false)
	case *formula.Until:
		if isAny(f.Reach) || isConstant(f.Before, false) { // it is known, or has to hold at once
			return f.Reach
		} else if isConstant(f.Before, true) {
			return &formula.Finally{F: f.Reach}
		}
		return f
	default: // Next, Finally, Globally
		of := formula.Operands(f)[0]
		if _, next := f.(*formula.Next); isAny(of) && (c.stutter || !next) {
			return of
		}
		return f
	}
}

// path returns what is left of A g or E g. It is g where g is about the marking and not about a path.
func (c *conclusion) path(f, g formula.Formula, all bool) formula.Formula {
	switch x := g.(type) {
	case *formula.Next:
		if isConstant(x.F, all) && !c.stutter { // A X true or E X false, also in a dead marking
			return x.F
		}
		return f
	case *formula.Finally, *formula.Globally, *formula.Until:
		return f
	}
	if isAny(g) || !c.stutter {
		return g
	}
	return f
}

// several returns what is left of a disjunction, or of a conjunction, without operands that are known.
func several(f formula.Formula, list *[]formula.Formula, some bool) formula.Formula {
	*list = slices.DeleteFunc(*list, func(g formula.Formula) bool { return isConstant(g, !some) })
	if len(*list) == 0 || slices.ContainsFunc(*list, isAny) {
		return &formula.Constant{Value: some == (len(*list) > 0)}
	}
	return f
}

func isConstant(f formula.Formula, value bool) bool {
	c, ok := f.(*formula.Constant)
	return ok && c.Value == value
}

func isAny(f formula.Formula) bool { return isConstant(f, true) || isConstant(f, false) }
