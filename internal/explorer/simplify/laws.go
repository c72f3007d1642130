package simplify

import "podium/examinations/formula"

// The constants.
var (
	yes = &formula.Constant{Value: true}
	no  = &formula.Constant{}
)

func constant(value bool) formula.Formula {
	if value {
		return yes
	}
	return no
}

func is(f formula.Formula, value bool) bool {
	c, ok := f.(*formula.Constant)
	return ok && c.Value == value
}

// Not is the negation of a formula: it stands before formulas of one marking and before
// untils only. The negation of a formula that no law makes smaller is such a formula, too.
func Not(f formula.Formula) formula.Formula {
	switch f := f.(type) {
	case *formula.Constant:
		return constant(!f.Value)
	case *formula.Not:
		return f.F
	case *formula.And:
		if !formula.IsState(f) {
			return or(negated(f.Fs))
		}
	case *formula.Or:
		if !formula.IsState(f) {
			return and(negated(f.Fs))
		}
	case *formula.ExistsPath:
		if path := dual(f.F); path != nil {
			return &formula.AllPaths{F: path}
		}
	case *formula.AllPaths:
		if path := dual(f.F); path != nil {
			return &formula.ExistsPath{F: path}
		}
	}
	return &formula.Not{F: f}
}

// dual is what the other paths have where some do not have a path formula; nil of an until.
func dual(path formula.Formula) formula.Formula {
	switch path := path.(type) {
	case *formula.Next:
		return &formula.Next{F: Not(path.F)}
	case *formula.Finally:
		return &formula.Globally{F: Not(path.F)}
	case *formula.Globally:
		return &formula.Finally{F: Not(path.F)}
	}
	return nil
}

func negated(fs []formula.Formula) []formula.Formula {
	list := make([]formula.Formula, len(fs))
	for i, f := range fs {
		list[i] = Not(f)
	}
	return list
}

// All is the conjunction of formulas.
func All(fs []formula.Formula) formula.Formula { return and(fs) }

func and(fs []formula.Formula) formula.Formula { return join(fs, true) }
func or(fs []formula.Formula) formula.Formula  { return join(fs, false) }

// join makes a conjunction or a disjunction without constants.
func join(fs []formula.Formula, conjunction bool) formula.Formula {
	var list []formula.Formula
	for _, f := range fs {
		switch {
		case is(f, conjunction):
			continue
		case is(f, !conjunction):
			return f
		}
		list = append(list, f)
	}
	switch {
	case len(list) == 0:
		return constant(conjunction)
	case len(list) == 1:
		return list[0]
	case conjunction:
		return &formula.And{Fs: list}
	}
	return &formula.Or{Fs: list}
}

// operands are those of a conjunction or a disjunction, or the formula itself.
func operands(f formula.Formula, conjunction bool) []formula.Formula {
	switch f := f.(type) {
	case *formula.And:
		if conjunction {
			return f.Fs
		}
	case *formula.Or:
		if !conjunction {
			return f.Fs
		}
	}
	return []formula.Formula{f}
}

// apart divides a list into what satisfies a condition, and the rest.
func apart(fs []formula.Formula, condition func(formula.Formula) bool) (with, rest []formula.Formula) {
	for _, f := range fs {
		if condition(f) {
			with = append(with, f)
		} else {
			rest = append(rest, f)
		}
	}
	return with, rest
}

// reachable reports whether a formula is E F g: what holds somewhere on a path to where it
// holds, holds before, too.
func reachable(f formula.Formula) bool {
	if e, ok := f.(*formula.ExistsPath); ok {
		_, ok = e.F.(*formula.Finally)
		return ok
	}
	return false
}

// invariant reports whether a formula is A G g.
func invariant(f formula.Formula) bool {
	if a, ok := f.(*formula.AllPaths); ok {
		_, ok = a.F.(*formula.Globally)
		return ok
	}
	return false
}

// someMeet is E F f.
func someMeet(f formula.Formula) formula.Formula {
	switch g := f.(type) {
	case *formula.Constant:
		return f
	case *formula.Or:
		if !formula.IsState(f) {
			list := make([]formula.Formula, len(g.Fs))
			for i, part := range g.Fs {
				list[i] = someMeet(part)
			}
			return or(list)
		}
	case *formula.ExistsPath:
		switch path := g.F.(type) {
		case *formula.Finally:
			return f
		case *formula.Until:
			return someMeet(path.Reach)
		}
	case *formula.AllPaths:
		switch path := g.F.(type) {
		case *formula.Finally:
			return someMeet(path.F)
		case *formula.Until:
			return someMeet(path.Reach)
		}
	}
	return &formula.ExistsPath{F: &formula.Finally{F: f}}
}

// allStay is A G f.
func allStay(f formula.Formula) formula.Formula { return Not(someMeet(Not(f))) }

// allMeet is A F f.
func allMeet(f formula.Formula) formula.Formula {
	if _, is := f.(*formula.Constant); is || reachable(f) {
		return f
	}
	if now, later := apart(operands(f, false), reachable); len(now) > 0 {
		return or(append(now, allMeet(or(later))))
	}
	if g, ok := f.(*formula.AllPaths); ok {
		switch path := g.F.(type) {
		case *formula.Finally:
			return f
		case *formula.Until:
			return allMeet(path.Reach)
		}
	}
	return &formula.AllPaths{F: &formula.Finally{F: f}}
}

// someStay is E G f.
func someStay(f formula.Formula) formula.Formula { return Not(allMeet(Not(f))) }

// until is E (f U g) or, on all paths, A (f U g).
func until(f, g formula.Formula, all bool) formula.Formula {
	switch {
	case is(g, true), is(g, false), is(f, false), reachable(g):
		return g
	case is(f, true) && all:
		return allMeet(g)
	case is(f, true):
		return someMeet(g)
	}
	if now, later := apart(operands(g, false), reachable); len(now) > 0 {
		return or(append(now, until(f, or(later), all)))
	}
	path := &formula.Until{Before: f, Reach: g}
	if all {
		return &formula.AllPaths{F: path}
	}
	return &formula.ExistsPath{F: path}
}

// someNext is E X f: false in a dead marking.
func someNext(f formula.Formula) formula.Formula {
	switch {
	case is(f, false):
		return no
	case is(f, true):
		return &formula.Not{F: &formula.Deadlock{}}
	}
	return &formula.ExistsPath{F: &formula.Next{F: f}}
}

// allNext is A X f: true in a dead marking.
func allNext(f formula.Formula) formula.Formula { return Not(someNext(Not(f))) }
