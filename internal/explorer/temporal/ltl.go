package temporal

import (
	"fmt"

	"podium/examinations/formula"
)

// ltl is an LTL formula in negation normal form, over state formulas as atoms.
// Equal formulas of one table have equal numbers.
type ltl uint32

// ltlNode is what stands behind a number. F f is true U f, G f is false R f.
type ltlNode struct {
	op   ltlOp
	a, b ltl // operands; of a literal, a is the number of its atom
}

type ltlOp uint8

const (
	ltlFalse ltlOp = iota
	ltlTrue
	ltlAtom
	ltlNotAtom
	ltlAnd
	ltlOr
	ltlNext
	ltlUntil
	ltlRelease
)

// The first two numbers of every table.
const (
	falseL ltl = iota
	trueL
)

// ltlTable makes formulas and simplifies them a little.
type ltlTable struct {
	atoms *Atoms
	nodes []ltlNode
	index map[ltlNode]ltl
}

func newLTLTable(atoms *Atoms) *ltlTable {
	t := &ltlTable{atoms: atoms, index: map[ltlNode]ltl{}}
	t.node(ltlNode{op: ltlFalse})
	t.node(ltlNode{op: ltlTrue})
	return t
}

func (t *ltlTable) node(n ltlNode) ltl {
	if f, ok := t.index[n]; ok {
		return f
	}
	f := ltl(len(t.nodes))
	t.nodes = append(t.nodes, n)
	t.index[n] = f
	return f
}

// path translates a formula of one path, or its negation.
func (t *ltlTable) path(f formula.Formula, negated bool) (ltl, error) {
	if formula.IsState(f) {
		return t.atom(f, negated), nil
	}
	switch f := f.(type) {
	case *formula.Not:
		return t.path(f.F, !negated)
	case *formula.And:
		return t.fold(f.Fs, negated, negated)
	case *formula.Or:
		return t.fold(f.Fs, negated, !negated)
	case *formula.Next:
		g, err := t.path(f.F, negated)
		return t.next(g), err
	case *formula.Finally:
		g, err := t.path(f.F, negated)
		if negated {
			return t.release(falseL, g), err
		}
		return t.until(trueL, g), err
	case *formula.Globally:
		g, err := t.path(f.F, negated)
		if negated {
			return t.until(trueL, g), err
		}
		return t.release(falseL, g), err
	case *formula.Until:
		a, err := t.path(f.Before, negated)
		if err != nil {
			return falseL, err
		}
		b, err := t.path(f.Reach, negated)
		if negated {
			return t.release(a, b), err
		}
		return t.until(a, b), err
	}
	return falseL, fmt.Errorf("%T inside a path is no LTL formula", f)
}

// atom makes a literal of a state formula. Every state formula is an atom of
// its own.
func (t *ltlTable) atom(f formula.Formula, negated bool) ltl {
	a := t.atoms.number(f)
	if a < 0 {
		if (a == True) != negated {
			return trueL
		}
		return falseL
	}
	op := ltlAtom
	if negated {
		op = ltlNotAtom
	}
	return t.node(ltlNode{op: op, a: ltl(a)})
}

// fold joins formulas by and, or by or.
func (t *ltlTable) fold(fs []formula.Formula, negated, or bool) (ltl, error) {
	join, all := t.and, trueL
	if or {
		join, all = t.or, falseL
	}
	for _, f := range fs {
		g, err := t.path(f, negated)
		if err != nil {
			return falseL, err
		}
		all = join(all, g)
	}
	return all, nil
}

func (t *ltlTable) and(a, b ltl) ltl {
	a, b = min(a, b), max(a, b)
	switch {
	case a == falseL || a == b:
		return a
	case a == trueL:
		return b
	}
	if x, y, ok := t.afterNext(a, b); ok {
		return t.next(t.and(x, y))
	}
	return t.node(ltlNode{ltlAnd, a, b})
}

func (t *ltlTable) or(a, b ltl) ltl {
	a, b = min(a, b), max(a, b)
	switch {
	case a == falseL:
		return b
	case a == trueL || a == b:
		return a
	}
	if x, y, ok := t.afterNext(a, b); ok {
		return t.next(t.or(x, y))
	}
	return t.node(ltlNode{ltlOr, a, b})
}

func (t *ltlTable) next(a ltl) ltl {
	if t.everywhere(a) {
		return a
	}
	return t.node(ltlNode{op: ltlNext, a: a})
}

// everywhere reports whether a formula holds at all places of a path or at none: true, false,
// G F f and F G f, and what and and or make of them.
func (t *ltlTable) everywhere(f ltl) bool {
	switch n := t.nodes[f]; n.op {
	case ltlFalse, ltlTrue:
		return true
	case ltlAnd, ltlOr:
		return t.everywhere(n.a) && t.everywhere(n.b)
	case ltlUntil:
		return n.a == trueL && t.isAlways(n.b)
	case ltlRelease:
		return n.a == falseL && t.isEventually(n.b)
	}
	return false
}

// afterNext returns the formulas a and b after the next marking, when X stands before one of
// them and before the other too, or it need not.
func (t *ltlTable) afterNext(a, b ltl) (x, y ltl, ok bool) {
	p, q := t.nodes[a], t.nodes[b]
	switch {
	case p.op == ltlNext && q.op == ltlNext:
		return p.a, q.a, true
	case p.op == ltlNext && t.everywhere(b):
		return p.a, b, true
	case q.op == ltlNext && t.everywhere(a):
		return a, q.a, true
	}
	return a, b, false
}

// until drops a second F: F F f is F f, and F G F f is G F f.
func (t *ltlTable) until(a, b ltl) ltl {
	if b <= trueL || a == falseL || a == b {
		return b
	}
	if a == trueL {
		inner := t.nodes[b]
		if inner.op == ltlUntil && inner.a == trueL || t.isAlways(b) && t.isEventually(inner.b) {
			return b
		}
	}
	if x, y, ok := t.afterNext(a, b); ok {
		return t.next(t.until(x, y))
	}
	return t.node(ltlNode{ltlUntil, a, b})
}

// release drops a second G: G G f is G f, and G F G f is F G f.
func (t *ltlTable) release(a, b ltl) ltl {
	if b <= trueL || a == trueL || a == b {
		return b
	}
	if a == falseL {
		inner := t.nodes[b]
		if inner.op == ltlRelease && inner.a == falseL || t.isEventually(b) && t.isAlways(inner.b) {
			return b
		}
	}
	if x, y, ok := t.afterNext(a, b); ok {
		return t.next(t.release(x, y))
	}
	return t.node(ltlNode{ltlRelease, a, b})
}

func (t *ltlTable) isEventually(f ltl) bool {
	return t.nodes[f].op == ltlUntil && t.nodes[f].a == trueL
}
func (t *ltlTable) isAlways(f ltl) bool { return t.nodes[f].op == ltlRelease && t.nodes[f].a == falseL }

// LTL is the question whether some run has a path formula.
type LTL struct {
	table *ltlTable
	path  ltl
}

// NewLTL translates A f, E f and their negations into the question whether some run
// has a path formula: f or, of A f, its negation. holds is the value of the whole
// formula when there is such a run; when there is none, its value is the opposite. The
// error says what is no LTL formula. Its state formulas are added to the atoms.
func NewLTL(atoms *Atoms, f formula.Formula) (path *LTL, holds bool, err error) {
	holds = true
	for {
		not, is := f.(*formula.Not)
		if !is {
			break
		}
		f, holds = not.F, !holds
	}
	p := &LTL{table: newLTLTable(atoms)}
	switch f := f.(type) {
	case *formula.AllPaths:
		holds = !holds
		p.path, err = p.table.path(f.F, true)
	case *formula.ExistsPath:
		p.path, err = p.table.path(f.F, false)
	default:
		err = fmt.Errorf("%T without a path quantifier is no LTL formula", f)
	}
	return p, holds, err
}

// HasNext reports whether the path formula has an operator X.
func (p *LTL) HasNext() bool { return p.table.hasNext(p.path) }

func (t *ltlTable) hasNext(f ltl) bool {
	switch n := t.nodes[f]; n.op {
	case ltlNext:
		return true
	case ltlAnd, ltlOr, ltlUntil, ltlRelease:
		return t.hasNext(n.a) || t.hasNext(n.b)
	}
	return false
}
