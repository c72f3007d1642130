package pnml

import (
	"fmt"
	"slices"

	"podium/pnml/diagnostic"
)

// maxTermDepth bounds the nesting of terms and sorts.
const maxTermDepth = 500

// rawTerm is a term as it is written.
type rawTerm struct {
	element string
	ref     string // declaration, refvariable, refpartition or value
	sort    *rawSort
	args    []*rawTerm
	pos     Position
}

// operators of terms whose arguments are wrapped into subterms.
var operators = map[string]Op{
	"add": OpAdd, "subtract": OpSubtract, "numberof": OpNumberOf, "scalarproduct": OpNumberOf, "tuple": OpTuple,
	"successor": OpSuccessor, "predecessor": OpPredecessor, "partitionelementof": OpElementOf,
	"and": OpAnd, "or": OpOr, "not": OpNot, "imply": OpImply, "equality": OpEqual, "inequality": OpUnequal,
	"lessthan": OpLess, "lessthanorequal": OpLessEqual, "greaterthan": OpGreater, "greaterthanorequal": OpGreaterEqual,
	"ltp": OpLess, "gtp": OpGreater,
}

// rawTerm reads the term at the current Start; nil when it makes no sense.
func (s *symmetricReader) rawTerm() *rawTerm {
	r := s.r
	if s.depth++; s.depth > maxTermDepth {
		r.errorf("pnml-limit", "", "terms are nested deeper than %d", maxTermDepth)
		r.skip()
		s.depth--
		return nil
	}
	defer func() { s.depth-- }()
	t := &rawTerm{element: string(r.s.Name()), pos: r.pos()}
	switch t.element {
	case "subterm":
		return s.subterm()
	case "variable":
		t.ref = s.attr("refvariable")
		r.skip()
	case "useroperator":
		t.ref = s.attr("declaration")
		s.arguments(t)
	case "dotconstant":
		r.skip()
	case "partitionelementof":
		t.ref = s.attr("refpartition")
		s.arguments(t)
	case "numberconstant", "booleanconstant", "all", "empty", "finiteintrangeconstant":
		t.ref = s.attr("value")
		s.constantParts(t)
	default:
		if _, ok := operators[t.element]; !ok {
			r.errorf("sym-operator", unused[t.element], "<%s> is an operator of the standard that the contest does not use", t.element)
			r.skip()
			return nil
		}
		s.arguments(t)
	}
	return t
}

func (s *symmetricReader) arguments(t *rawTerm) {
	for s.r.next() {
		t.args = append(t.args, s.rawTerm())
	}
}

// constantParts reads what stands in a constant, or in all or nothing of a sort: the sort, and no
// terms, though the standard allows them.
func (s *symmetricReader) constantParts(t *rawTerm) {
	r := s.r
	for r.next() {
		switch {
		case string(r.s.Name()) == "subterm":
			r.errorf("sym-arity", "remove it", "<%s> has an argument", t.element)
			r.skip()
		case t.element == "numberconstant": // a kind of numbers
			r.skip()
		default:
			sort := s.rawSort()
			t.sort = &sort
		}
	}
}

// subterm reads a wrapper, which some models write twice.
func (s *symmetricReader) subterm() *rawTerm {
	r := s.r
	pos := r.pos()
	var inner *rawTerm
	n := 0
	for r.next() {
		inner = s.rawTerm()
		n++
	}
	if n == 0 {
		r.add(pos, diagnostic.Error, "sym-arity", "write one term into each <subterm>", "<subterm> holds no term")
	}
	return inner
}

// finish resolves the declarations, then all terms.
func (s *symmetricReader) finish() *Symmetric {
	r := s.r
	s.net = &Symmetric{ID: r.id, Name: r.name, aside: r.aside, Places: Names{set: r.nodes, kind: placeNode}, Transitions: Names{set: r.nodes, kind: transitionNode}}
	n := s.net
	n.PlaceSort, n.Initial = slices.Repeat([]int{-1}, len(s.places)), make([]*Term, len(s.places))
	n.Guards = make([]*Term, len(s.guards))
	n.Pre, n.Post = make([][]ColouredArc, len(s.guards)), make([][]ColouredArc, len(s.guards))
	if r.s.Failed() && len(s.sorts) == 0 {
		return n // the declarations stand in the part that could not be read
	}
	if s.plain && len(s.sorts) == 0 {
		return n // it is a P/T net, but for its type
	}
	s.resolveSorts()
	s.resolveVariables()
	for i := range s.places {
		s.resolvePlace(i)
	}
	for t := range s.guards {
		if g := s.guards[t].term; g != nil {
			n.Guards[t] = s.boolean(g)
		}
	}
	for _, a := range s.arcs {
		s.resolveArc(a)
	}
	s.checkIDs()
	if r.found[diagnostic.Error] == 0 {
		for t := range n.Guards {
			s.checkVariables(t)
		}
	}
	return n
}

func (s *symmetricReader) resolveVariables() {
	for _, v := range s.variables {
		if first, twice := s.variable[v.id]; twice {
			s.errorf(v.pos, "pnml-duplicate-id", anotherID, "variable %s is declared twice: the first stands in line %d", diagnostic.Excerpt(v.id), s.net.Variables[first].Pos.Line)
			continue
		}
		sort, ok := s.sortOf(&v.sort)
		if !ok {
			sort = -1
		}
		s.variable[v.id] = len(s.net.Variables)
		s.net.Variables = append(s.net.Variables, Variable{v.id, v.name, sort, v.pos})
	}
}

func (s *symmetricReader) resolvePlace(i int) {
	p := &s.places[i]
	if p.sort.element == "" {
		s.errorf(p.pos, "sym-type-missing", "write <type> with a <structure> that names a sort", "place %s has no type", diagnostic.Excerpt(s.net.Places.At(i)))
		return
	}
	sort, ok := s.sortOf(&p.sort)
	if !ok {
		return
	}
	s.net.PlaceSort[i] = sort
	if p.initial.term == nil {
		return
	}
	m := s.multiset(p.initial.term, sort)
	if m == nil {
		return
	}
	m.Walk(func(t *Term) {
		if t.Op == OpVariable {
			s.errorf(t.Pos, "sym-variable", "write a constant, or <all> for one of each colour", "variable %s in an initial marking", diagnostic.Excerpt(s.net.Variables[t.Value].ID))
		}
	})
	s.net.Initial[i] = m
}

func (s *symmetricReader) resolveArc(a rawArc) {
	t, p, list := a.target, a.source, s.net.Pre
	if a.from == transitionNode {
		t, p, list = a.source, a.target, s.net.Post
	}
	if a.inscription == noInscription {
		s.errorf(a.pos, "sym-inscription", "write an <hlinscription> with a <structure>", "an arc without inscription")
	}
	sort := s.net.PlaceSort[p]
	if sort < 0 || a.inscription < 0 {
		return
	}
	if term := s.multiset(s.terms[a.inscription], sort); term != nil {
		list[t] = append(list[t], ColouredArc{int(p), term, a.pos})
	}
}

// checkVariables warns of variables that only the guard of transition t has: each of their
// colours is a binding of its own, and not every tool takes it so.
func (s *symmetricReader) checkVariables(t int) {
	if s.net.Guards[t] == nil {
		return
	}
	seen := map[uint64]bool{}
	note := func(x *Term) {
		if x.Op == OpVariable {
			seen[x.Value] = true
		}
	}
	for _, arcs := range [][]ColouredArc{s.net.Pre[t], s.net.Post[t]} {
		for _, a := range arcs {
			a.Term.Walk(note)
		}
	}
	s.net.Guards[t].Walk(func(x *Term) {
		if x.Op == OpVariable && !seen[x.Value] {
			seen[x.Value] = true
			s.r.add(x.Pos, diagnostic.Warning, "sym-guard", "use it in an inscription of the transition, or write the guard without it",
				"variable %s stands in the guard of %s only: each of its colours is a binding, which tools count in different ways", diagnostic.Excerpt(s.net.Variables[x.Value].ID), diagnostic.Excerpt(s.net.Transitions.At(t)))
		}
	})
}

// multiset resolves a term that must be a multiset over a sort; nil with an
// error found.
func (s *symmetricReader) multiset(raw *rawTerm, sort int) *Term {
	t := s.resolve(raw, sort)
	if t == nil {
		return nil
	}
	return s.ofSort(t, sort)
}

func (s *symmetricReader) boolean(raw *rawTerm) *Term {
	t := s.resolve(raw, -1)
	if t != nil && !t.IsBoolean() {
		s.errorf(t.Pos, "sym-type", "compare colours there, with <equality> say", "<%s> is no truth value", raw.element)
		return nil
	}
	return t
}

// ofSort checks the sort of a term.
func (s *symmetricReader) ofSort(t *Term, sort int) *Term {
	switch {
	case t.IsBoolean():
		s.errorf(t.Pos, "sym-type", "", "a truth value where a colour of sort %s is expected", s.sortName(sort))
		return nil
	case !s.same(t.Sort, sort):
		s.errorf(t.Pos, "sym-type", "", "a term of sort %s where sort %s is expected", s.sortName(t.Sort), s.sortName(sort))
		return nil
	}
	return t
}

func (s *symmetricReader) same(x, y int) bool {
	return x >= 0 && y >= 0 && s.net.Sorts[x].Canonical == s.net.Sorts[y].Canonical
}

func (s *symmetricReader) sortName(i int) string {
	if i < 0 {
		return "unknown"
	}
	x := &s.net.Sorts[i]
	if x.ID != "" {
		return diagnostic.Excerpt(x.ID)
	}
	return sortElements[x.Kind]
}

// resolve returns the term a raw term stands for; sort is the sort that is
// expected, -1 when none is. It returns nil when an error was found.
func (s *symmetricReader) resolve(raw *rawTerm, sort int) *Term {
	if raw == nil {
		return nil
	}
	switch raw.element {
	case "variable":
		v, ok := s.variable[raw.ref]
		if !ok {
			s.errorf(raw.pos, "sym-variable", meantDeclared(s.r, raw.ref, s.variable), "variable %s is not declared", diagnostic.Excerpt(raw.ref))
			return nil
		}
		if s.net.Variables[v].Sort < 0 {
			return nil
		}
		return &Term{Op: OpVariable, Sort: s.net.Variables[v].Sort, Value: uint64(v), Pos: raw.pos}
	case "useroperator":
		return s.constant(raw, sort)
	case "dotconstant":
		return &Term{Op: OpConstant, Sort: s.place(Sort{Kind: DotSort, Size: 1}), Pos: raw.pos}
	case "finiteintrangeconstant":
		return s.rangeConstant(raw)
	case "all", "empty":
		return s.allOrEmpty(raw, sort)
	case "booleanconstant":
		switch truth([]byte(raw.ref)) {
		case isTrue:
			return &Term{Op: OpTrue, Sort: -1, Pos: raw.pos}
		case isFalse:
			return &Term{Op: OpFalse, Sort: -1, Pos: raw.pos}
		}
		return nil // the grammar says so
	case "numberconstant":
		s.errorf(raw.pos, "sym-type", "put it into <numberof>, before the colour that it counts", "a number where a colour or truth value is expected")
		return nil
	}
	return s.operator(raw, operators[raw.element], sort)
}

// constant resolves a constant of an enumeration or an element of a partition:
// where a colour of the split sort is expected, the element is all its colours.
func (s *symmetricReader) constant(raw *rawTerm, sort int) *Term {
	if len(raw.args) > 0 {
		s.errorf(raw.pos, "sym-arity", "remove what is inside of it", "constant %s has arguments", diagnostic.Excerpt(raw.ref))
		return nil
	}
	if c, ok := s.constants[raw.ref]; ok {
		return &Term{Op: OpConstant, Sort: c.sort, Value: c.value, Pos: raw.pos}
	}
	c, ok := s.elements[raw.ref]
	if !ok {
		s.errorf(raw.pos, "sym-constant", meantDeclared(s.r, raw.ref, s.constants), "constant %s is not declared", diagnostic.Excerpt(raw.ref))
		return nil
	}
	if base := s.net.Sorts[c.sort].Base; s.same(base, sort) {
		return &Term{Op: OpElements, Sort: base, Value: c.value, Part: c.sort, Pos: raw.pos}
	}
	return &Term{Op: OpConstant, Sort: c.sort, Value: c.value, Pos: raw.pos}
}

func (s *symmetricReader) rangeConstant(raw *rawTerm) *Term {
	if raw.sort == nil {
		s.errorf(raw.pos, "sym-arity", `write <finiteintrange start="..." end="..."/> into it`, "<finiteintrangeconstant> has no range")
		return nil
	}
	sort, ok := s.sortOf(raw.sort)
	if !ok {
		return nil
	}
	x := &s.net.Sorts[sort]
	v, err := parseInteger(raw.ref)
	if err != nil || x.Kind != RangeSort || v < x.First || uint64(v-x.First) >= x.Size {
		s.errorf(raw.pos, "sym-range", "write a whole number from start to end", "%s is no integer of the range", diagnostic.Excerpt(raw.ref))
		return nil
	}
	return &Term{Op: OpConstant, Sort: sort, Value: uint64(v - x.First), Pos: raw.pos}
}

func (s *symmetricReader) allOrEmpty(raw *rawTerm, sort int) *Term {
	op := OpAll
	if raw.element == "empty" {
		op = OpEmpty
	}
	if raw.sort != nil {
		var ok bool
		if sort, ok = s.sortOf(raw.sort); !ok {
			return nil
		}
	}
	if sort < 0 || raw.sort == nil && op == OpAll {
		s.errorf(raw.pos, "sym-arity", `write <usersort declaration="..."/> into it`, "<%s> has no sort", raw.element)
		return nil
	}
	return &Term{Op: op, Sort: sort, Pos: raw.pos}
}

// arity returns how many arguments an operator takes.
func arity(op Op) (least, most int) {
	const any = 1 << 30
	switch op {
	case OpAdd, OpAnd, OpOr, OpTuple:
		return 1, any
	case OpSubtract:
		return 2, any
	case OpNumberOf:
		return 1, 2
	case OpSuccessor, OpPredecessor, OpElementOf, OpNot:
		return 1, 1
	}
	return 2, 2
}

func (s *symmetricReader) operator(raw *rawTerm, op Op, sort int) *Term {
	if least, most := arity(op); len(raw.args) < least || len(raw.args) > most {
		hint := fmt.Sprintf("write %d, each in a <subterm>", least)
		if least == 1 {
			hint = "write one in a <subterm>"
		}
		s.errorf(raw.pos, "sym-arity", hint, "<%s> has %d arguments", raw.element, len(raw.args))
		return nil
	}
	switch op {
	case OpNumberOf:
		return s.numberOf(raw, sort)
	case OpTuple:
		return s.tuple(raw, sort)
	case OpSuccessor, OpPredecessor:
		return s.neighbour(raw, op, sort)
	case OpElementOf:
		return s.elementOf(raw)
	case OpAdd, OpSubtract:
		return s.sum(raw, op, sort)
	case OpAnd, OpOr, OpNot, OpImply:
		t := &Term{Op: op, Sort: -1, Pos: raw.pos}
		for _, a := range raw.args {
			arg := s.boolean(a)
			if arg == nil {
				return nil
			}
			t.Args = append(t.Args, arg)
		}
		return t
	}
	return s.comparison(raw, op)
}

func (s *symmetricReader) sum(raw *rawTerm, op Op, sort int) *Term {
	t := &Term{Op: op, Sort: sort, Pos: raw.pos}
	for _, a := range raw.args {
		arg := s.resolve(a, t.Sort)
		if arg == nil {
			return nil
		}
		if t.Sort < 0 {
			t.Sort = arg.Sort
		}
		if s.ofSort(arg, t.Sort) == nil {
			return nil
		}
		t.Args = append(t.Args, arg)
	}
	return t
}

// numberOf reads a number times a multiset; the number may be missing.
func (s *symmetricReader) numberOf(raw *rawTerm, sort int) *Term {
	t := &Term{Op: OpNumberOf, Value: 1, Pos: raw.pos}
	for k, a := range raw.args {
		switch {
		case a == nil:
			return nil
		case a.element == "numberconstant" && k > 0:
			s.errorf(a.pos, "sym-arity", "write the number first, then the term", "<%s> has its number behind its term", raw.element)
			return nil
		case a.element == "numberconstant":
			n, err := parseNatural([]byte(a.ref))
			if err != nil {
				s.errorf(a.pos, "sym-number", "write a whole number from 0 to 2^64-1", "%s is no number from 0 to 2^64-1", diagnostic.Excerpt(a.ref))
				return nil
			}
			t.Value = n
		default:
			arg := s.resolve(a, sort)
			if arg == nil {
				return nil
			}
			t.Args = append(t.Args, arg)
		}
	}
	if len(t.Args) != 1 {
		s.errorf(raw.pos, "sym-arity", "write <numberconstant> and the term, each in a <subterm>", "<%s> needs a number and a term", raw.element)
		return nil
	}
	arg := t.Args[0]
	t.Sort = arg.Sort
	switch {
	case arg.IsBoolean():
		s.errorf(raw.pos, "sym-type", "", "a number of truth values")
		return nil
	case raw.element == "numberof" && arg.isSum():
		s.errorf(arg.Pos, "sym-type", "write <scalarproduct> for a number of times a multiset, or one number", "<numberof> counts a colour, and this is a multiset")
		return nil
	}
	return t
}

// isSum reports whether a term is a multiset that is counted already.
func (t *Term) isSum() bool { return t.Op == OpNumberOf || t.Op == OpAdd || t.Op == OpSubtract }

func (s *symmetricReader) tuple(raw *rawTerm, sort int) *Term {
	t := &Term{Op: OpTuple, Sort: sort, Pos: raw.pos}
	var factors []int
	if sort >= 0 && s.net.Sorts[sort].Kind == ProductSort {
		factors = s.net.Sorts[sort].Factors
		if len(factors) == 0 { // an error was reported
			return nil
		}
		if len(factors) != len(raw.args) {
			s.errorf(raw.pos, "sym-arity", "write a <subterm> for each component", "a tuple of %d where sort %s has %d components", len(raw.args), s.sortName(sort), len(factors))
			return nil
		}
	} else if len(raw.args) == 1 && sort >= 0 {
		return s.resolve(raw.args[0], sort) // a tuple of one is its component
	}
	var found []int
	for k, a := range raw.args {
		expected := -1
		if factors != nil {
			expected = factors[k]
		}
		arg := s.resolve(a, expected)
		if arg == nil || expected >= 0 && s.ofSort(arg, expected) == nil {
			return nil
		}
		if arg.IsBoolean() {
			s.errorf(arg.Pos, "sym-type", "", "a truth value in a tuple")
			return nil
		}
		t.Args = append(t.Args, arg)
		found = append(found, arg.Sort)
	}
	if factors == nil {
		product := Sort{Kind: ProductSort, Factors: found, Size: 1, Pos: raw.pos}
		for _, f := range found {
			if size := s.net.Sorts[f].Size; product.Size > maxColours/max(size, 1) {
				s.errorf(raw.pos, "sym-limit", "", "a product of more than 2^62 colours")
				return nil
			} else {
				product.Size *= size
			}
		}
		t.Sort = s.place(product)
	}
	return t
}

func (s *symmetricReader) neighbour(raw *rawTerm, op Op, sort int) *Term {
	arg := s.resolve(raw.args[0], sort)
	if arg == nil {
		return nil
	}
	if arg.IsBoolean() || !arg.IsColour() {
		s.errorf(raw.pos, "sym-type", "", "<%s> of something that is no colour", raw.element)
		return nil
	}
	switch s.net.Sorts[arg.Sort].Kind {
	case FiniteSort, RangeSort:
		s.r.add(raw.pos, diagnostic.Warning, "sym-successor", "use a cyclicenumeration",
			"<%s> in sort %s, which is not cyclic: the last colour is taken to be followed by the first", raw.element, s.sortName(arg.Sort))
	case CyclicSort:
	default:
		s.errorf(raw.pos, "sym-type", "use it on colours of a <cyclicenumeration>", "<%s> in sort %s, which has no order", raw.element, s.sortName(arg.Sort))
		return nil
	}
	return &Term{Op: op, Sort: arg.Sort, Args: []*Term{arg}, Pos: raw.pos}
}

func (s *symmetricReader) elementOf(raw *rawTerm) *Term {
	p, ok := s.sortIndex[raw.ref]
	if !ok || s.net.Sorts[p].Kind != PartitionSort {
		s.errorf(raw.pos, "sym-partition", "write refpartition with the id of a <partition>", "%s is no partition", diagnostic.Excerpt(raw.ref))
		return nil
	}
	arg := s.multiset(raw.args[0], s.net.Sorts[p].Base)
	if arg == nil {
		return nil
	}
	return &Term{Op: OpElementOf, Sort: p, Args: []*Term{arg}, Pos: raw.pos}
}

func (s *symmetricReader) comparison(raw *rawTerm, op Op) *Term {
	left := s.resolve(raw.args[0], -1)
	if left == nil {
		return nil
	}
	right := s.resolve(raw.args[1], left.Sort)
	if right == nil {
		return nil
	}
	switch {
	case left.IsBoolean() || right.IsBoolean() || !left.IsColour() || !right.IsColour():
		s.errorf(raw.pos, "sym-type", "", "<%s> compares something that is no colour", raw.element)
		return nil
	case s.ofSort(right, left.Sort) == nil:
		return nil
	case op >= OpLess && s.net.Sorts[left.Sort].Kind == ProductSort:
		s.errorf(raw.pos, "sym-type", "compare their components, or write <equality>", "<%s> compares tuples, which have no order", raw.element)
		return nil
	}
	return &Term{Op: op, Sort: -1, Args: []*Term{left, right}, Pos: raw.pos}
}
