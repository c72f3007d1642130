package formula

import (
	"slices"
	"strconv"

	"podium/pnml"
	"podium/pnml/diagnostic"
)

// oldFormula reads the operators of the schema of 2014 and the aliases that
// tools accept, and rewrites them into today's.
func (p *formulaReader) oldFormula(name string) Formula {
	if !slices.Contains(oldOperators, name) {
		p.fail("formula-unsupported", misplaced(name, ofFormulas, "no operator of the schema"), meantElement(name, ofFormulas))
		return nil
	}
	p.warnOld(name)
	switch name {
	case "and":
		return connect(p.formulas(name, 1, 0), p.single(name), newAnd)
	case "or":
		return connect(p.formulas(name, 1, 0), p.single(name), newOr)
	case "not":
		return p.unary(name)
	case "true", "false":
		p.empty(name)
		return &Constant{name == "true"}
	case "invariant", "possibility", "impossibility":
		return p.reachability(name)
	case "implication", "equivalence", "exclusive-disjunction":
		return p.connective(name)
	default:
		return p.oldComparison(name)
	}
}

var oldOperators = []string{
	"and", "or", "not", "true", "false", "invariant", "possibility", "impossibility",
	"implication", "equivalence", "exclusive-disjunction",
	"integer-eq", "integer-ne", "integer-lt", "integer-gt", "integer-ge",
}

func (p *formulaReader) warnOld(name string) {
	p.add(diagnostic.Warning, "formula-old-schema", "<"+name+"> is not of today's schema; it is rewritten", "")
}

// reachability rewrites the three modalities that stood for a quantifier and a
// temporal operator.
func (p *formulaReader) reachability(name string) Formula {
	fs := p.formulas(name, 1, 1)
	if len(fs) != 1 {
		return nil
	}
	switch name {
	case "invariant":
		return &AllPaths{&Globally{fs[0]}}
	case "possibility":
		return &ExistsPath{&Finally{fs[0]}}
	}
	return &AllPaths{&Globally{&Not{fs[0]}}}
}

func (p *formulaReader) connective(name string) Formula {
	most := 2
	if name == "exclusive-disjunction" {
		most = 0
	}
	fs := p.formulas(name, 2, most)
	if p.failed || len(fs) < 2 {
		return nil
	}
	result := fs[0]
	for _, f := range fs[1:] {
		if name == "implication" {
			return &Or{[]Formula{&Not{result}, f}}
		}
		if !p.mayRepeat(nodes(result, maxRepeated) + nodes(f, maxRepeated)) {
			return nil
		}
		if name == "equivalence" {
			result = &Or{[]Formula{&And{[]Formula{result, f}}, &And{[]Formula{&Not{result}, &Not{f}}}}}
		} else {
			result = &Or{[]Formula{&And{[]Formula{result, &Not{f}}}, &And{[]Formula{&Not{result}, f}}}}
		}
	}
	return result
}

// mayRepeat bounds what rewriting adds: nested equivalences double each time.
func (p *formulaReader) mayRepeat(operators int) bool {
	p.repeated += operators
	if p.repeated <= maxRepeated {
		return true
	}
	p.failHere("formula-limit", "rewriting old operators would add more than "+strconv.Itoa(maxRepeated)+" new ones", "")
	return false
}

func (p *formulaReader) oldComparison(name string) Formula {
	l, r := p.comparison(name)
	if r == nil {
		return nil
	}
	switch name {
	case "integer-ge":
		return &LessEqual{r, l}
	case "integer-gt":
		return &Not{&LessEqual{l, r}}
	case "integer-lt":
		return &Not{&LessEqual{r, l}}
	case "integer-eq":
		return &And{[]Formula{&LessEqual{l, r}, &LessEqual{r, l}}}
	}
	return &Or{[]Formula{&Not{&LessEqual{l, r}}, &Not{&LessEqual{r, l}}}}
}

// next reads <next> with the optional children of 2014, <if-no-successor>
// and <steps>.
func (p *formulaReader) next() Formula {
	line, col := p.s.Pos()
	var fs []Formula
	steps := 1
	p.children(func(name string) {
		switch name {
		case "if-no-successor":
			p.warnOld(name)
			if string(p.text()) != "false" {
				p.failHere("formula-unsupported", "a next that holds where there is no successor", "negate the next of the negation")
			}
		case "steps":
			p.warnOld(name)
			steps = p.steps()
		default:
			if f := p.formula(name); f != nil {
				fs = append(fs, f)
			}
		}
	})
	p.arity("next", len(fs), 1, 1, line, col)
	if len(fs) != 1 {
		return nil
	}
	f := fs[0]
	for range steps {
		f = &Next{f}
	}
	return f
}

// steps reads a number of steps, which together nest no deeper than other
// operators.
func (p *formulaReader) steps() int {
	n, err := strconv.Atoi(string(p.text()))
	if err != nil || n < 1 || n > maxFormulaDepth || !p.mayRepeat(n*(maxRepeated/maxFormulaDepth)) {
		p.failHere("formula-number", "<steps> is no number from 1 to "+strconv.Itoa(maxFormulaDepth)+", or there are too many", "")
		return 1
	}
	return n
}

// nodes counts the operators of a formula as a tree, up to a limit; formulas
// that were rewritten share parts.
func nodes(f Formula, limit int) int {
	n := 1
	for _, g := range Operands(f) {
		if n > limit {
			return n
		}
		n += nodes(g, limit-n)
	}
	return n
}

// nestedDeeper reports whether a formula is nested deeper than a limit.
func nestedDeeper(f Formula, limit int) bool {
	return limit < 0 || slices.ContainsFunc(Operands(f), func(g Formula) bool { return nestedDeeper(g, limit-1) })
}

var _ NameSet = (*pnml.Names)(nil)
