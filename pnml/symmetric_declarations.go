package pnml

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"podium/pnml/diagnostic"
)

// maxColours bounds the size of one sort: colours are 62-bit numbers.
const maxColours = 1 << 62

// symmetricReader collects what a symmetric net says. Declarations may stand
// behind their use, so terms wait as raw terms until the net is over.
type symmetricReader struct {
	r         *reader
	sorts     []rawSort // declared ones
	variables []rawVariable
	places    []rawPlace
	guards    []rawLabel // per transition
	arcs      []rawArc
	terms     []*rawTerm // inscriptions of arcs
	plain     bool       // a label of P/T nets stands where one of symmetric nets should

	net       *Symmetric
	sortIndex map[string]int
	constants map[string]colour
	elements  map[string]colour // of partitions
	variable  map[string]int
	canonical map[string]int // by sortKey
	state     []uint8        // of the sorts being resolved
	depth     int
}

// colour is one value of a sort.
type colour struct {
	sort  int
	value uint64
}

// rawSort is a sort as it is written.
type rawSort struct {
	id, name    string
	element     string // sortElements or usersort
	ref         string // of a usersort
	first, last string
	constants   []Constant
	parts       [][]rawRef // of a partition
	factors     []rawSort  // of a product; the base of a partition
	pos         Position
}

type rawRef struct {
	id  string
	pos Position
}

type rawVariable struct {
	id, name string
	sort     rawSort
	pos      Position
}

type rawLabel struct {
	term *rawTerm
	pos  Position
	seen bool
}

type rawPlace struct {
	sort    rawSort
	initial rawLabel
	pos     Position
}

type rawArc struct {
	from           nodeKind
	source, target uint32
	inscription    int32
	pos            Position
}

// What an arc has instead of the index of its inscription.
const (
	noInscription    = -1
	wrongInscription = -2 // an error was reported
)

func newSymmetricReader(r *reader) *symmetricReader {
	return &symmetricReader{r: r, sortIndex: map[string]int{}, constants: map[string]colour{}, elements: map[string]colour{}, variable: map[string]int{}, canonical: map[string]int{}}
}

func (s *symmetricReader) newPlace(pos Position) { s.places = append(s.places, rawPlace{pos: pos}) }

func (s *symmetricReader) newTransition(pos Position) {
	s.guards = append(s.guards, rawLabel{pos: pos})
}

func (s *symmetricReader) connect(from nodeKind, source, target uint32, inscription int32, pos Position) {
	s.arcs = append(s.arcs, rawArc{from, source, target, inscription, pos})
}

// placeLabel reads the current child of place i if it belongs to symmetric nets.
func (s *symmetricReader) placeLabel(i int) bool {
	p := &s.places[i]
	switch string(s.r.s.Name()) {
	case "type":
		before := s.r.noted
		s.inStructure(func() { p.sort = s.rawSort() })
		s.lost(&p.sort, before)
	case "hlinitialMarking":
		s.label(&p.initial, "hlinitialMarking")
	default:
		return false
	}
	return true
}

func (s *symmetricReader) transitionLabel(i int) bool {
	if string(s.r.s.Name()) != "condition" {
		return false
	}
	s.label(&s.guards[i], "condition")
	return true
}

// arcLabel reads an inscription and returns its index.
func (s *symmetricReader) arcLabel(index *int32) bool {
	if string(s.r.s.Name()) != "hlinscription" {
		return false
	}
	var l rawLabel
	s.label(&l, "hlinscription")
	*index = wrongInscription
	if l.term != nil {
		*index = int32(len(s.terms))
		s.terms = append(s.terms, l.term)
	}
	return true
}

func (s *symmetricReader) label(l *rawLabel, element string) {
	pos, before := s.r.pos(), s.r.noted
	filled := false
	s.inStructure(func() {
		filled = true
		if t := s.rawTerm(); l.term == nil {
			l.term = t
		}
	})
	if l.pos, l.seen = pos, true; !filled && s.r.noted == before {
		s.r.add(pos, diagnostic.Error, "sym-structure", "the text is for people: write the term into <structure>", "<%s> has no term", element)
	}
}

// inStructure reads a label and calls do at each child of its structure, which
// do has to read.
func (s *symmetricReader) inStructure(do func()) {
	r := s.r
	for r.next() {
		if string(r.s.Name()) != "structure" {
			r.nodeChild("")
			continue
		}
		for r.next() {
			do()
		}
	}
}

// declaration reads a declaration of sorts and variables.
func (s *symmetricReader) declaration() {
	s.inStructure(func() {
		for s.r.next() {
			s.declared()
		}
	})
}

func (s *symmetricReader) declared() {
	r := s.r
	id, name := s.attr("id"), s.attr("name")
	pos := r.pos()
	r.checkID(string(r.s.Name()), []byte(id))
	switch element := string(r.s.Name()); element {
	case "namedsort":
		var sort rawSort
		before := r.noted
		for r.next() {
			sort = s.rawSort()
		}
		s.lost(&sort, before)
		sort.id, sort.name, sort.pos = id, name, pos
		s.sorts = append(s.sorts, sort)
	case "variabledecl":
		v := rawVariable{id: id, name: name, pos: pos}
		before := r.noted
		for r.next() {
			v.sort = s.rawSort()
		}
		s.lost(&v.sort, before)
		s.variables = append(s.variables, v)
	case "partition":
		s.sorts = append(s.sorts, s.partition(id, name, pos))
	default:
		hint := "remove it: symmetric nets declare <namedsort>, <partition> and <variabledecl>"
		if unused[element] != "" {
			hint = unused[element]
		}
		r.errorf("sym-declaration", hint, "<%s> is of the standard, and the contest does not use it here", element)
		r.skip()
	}
}

func (s *symmetricReader) attr(name string) string {
	return string(s.r.attr(name))
}

func (s *symmetricReader) partition(id, name string, pos Position) rawSort {
	r := s.r
	p := rawSort{id: id, name: name, element: "partition", pos: pos}
	for r.next() {
		if string(r.s.Name()) != "partitionelement" {
			p.factors = append(p.factors, s.rawSort())
			continue
		}
		p.constants = append(p.constants, s.constantDeclared())
		var refs []rawRef
		for r.next() {
			if string(r.s.Name()) == "useroperator" {
				refs = append(refs, rawRef{s.attr("declaration"), r.pos()})
			} else {
				r.errorf("sym-partition", `write <useroperator declaration="..."/> with the id of a constant`, "<%s> in an element of a partition is no constant", string(r.s.Name()))
			}
			r.skip()
		}
		p.parts = append(p.parts, refs)
	}
	return p
}

// constantDeclared returns the constant that the current element declares.
func (s *symmetricReader) constantDeclared() Constant {
	c := Constant{s.attr("id"), s.attr("name")}
	if c.ID != "" {
		s.r.checkID(string(s.r.s.Name()), []byte(c.ID))
	}
	return c
}

// rawSort reads the sort at the current Start.
func (s *symmetricReader) rawSort() rawSort {
	r := s.r
	sort := rawSort{element: string(r.s.Name()), pos: r.pos()}
	switch sort.element {
	case "usersort":
		sort.ref = s.attr("declaration")
		r.skip()
	case "dot":
		r.skip()
	case "finiteintrange":
		sort.first, sort.last = s.attr("start"), s.attr("end")
		r.skip()
	case "finiteenumeration", "cyclicenumeration":
		for r.next() {
			sort.constants = append(sort.constants, s.constantDeclared())
			r.skip()
		}
	case "productsort":
		for r.next() {
			if s.depth++; s.depth > maxTermDepth {
				r.errorf("pnml-limit", "", "sorts are nested deeper than %d", maxTermDepth)
				r.skip()
			} else {
				sort.factors = append(sort.factors, s.rawSort())
			}
			s.depth--
		}
	default:
		r.errorf("sym-sort", unused[sort.element], "<%s> is a sort of the standard that the contest does not use", sort.element)
		sort.element = unusedSort
		r.skip()
	}
	return sort
}

// unusedSort stands for a sort that was reported.
const unusedSort = "unused"

// lost notes that a sort is missing where something was reported in its place.
func (s *symmetricReader) lost(sort *rawSort, before int) {
	if sort.element == "" && s.r.noted > before {
		sort.element = unusedSort
	}
}

func (s *symmetricReader) errorf(pos Position, code, hint, format string, args ...any) {
	s.r.add(pos, diagnostic.Error, code, hint, format, args...)
}

// Resolving sorts: every declared sort has its place first, since they may refer
// to each other in any order.

const (
	sortOpen uint8 = iota
	sortBusy
	sortDone
)

func (s *symmetricReader) resolveSorts() {
	s.net.Sorts = make([]Sort, len(s.sorts))
	s.state = make([]uint8, len(s.sorts))
	for i, raw := range s.sorts {
		if first, twice := s.sortIndex[raw.id]; twice {
			s.errorf(raw.pos, "pnml-duplicate-id", anotherID, "sort %s is declared twice: the first stands in line %d", diagnostic.Excerpt(raw.id), s.sorts[first].pos.Line)
			continue
		}
		s.sortIndex[raw.id] = i
	}
	for i := range s.sorts {
		s.declareSort(i)
	}
}

func (s *symmetricReader) declareSort(i int) {
	raw := &s.sorts[i]
	if s.state[i] == sortDone {
		return
	}
	s.state[i] = sortBusy
	if s.depth++; s.depth > maxTermDepth {
		s.errorf(raw.pos, "pnml-limit", "", "sorts are nested deeper than %d", maxTermDepth)
		raw.element, raw.factors = "dot", nil
	}
	sort := s.makeSort(raw)
	sort.ID, sort.Name, sort.Pos = raw.id, raw.name, raw.pos
	s.net.Sorts[i] = sort
	if raw.element != "usersort" { // another name of a sort that is settled
		s.settle(i)
	}
	s.state[i] = sortDone
	s.depth--
	s.declareConstants(raw, i)
}

// declareConstants makes the constants of sort i known.
func (s *symmetricReader) declareConstants(raw *rawSort, i int) {
	table := s.constants
	if raw.element == "partition" {
		table = s.elements
	}
	for v, c := range raw.constants {
		_, twice := s.constants[c.ID]
		_, element := s.elements[c.ID]
		if twice || element || c.ID == "" {
			s.errorf(raw.pos, "pnml-duplicate-id", "give every constant an id of its own", "constant %s of sort %s has no id, or one that is used twice", diagnostic.Excerpt(c.ID), diagnostic.Excerpt(raw.id))
			continue
		}
		table[c.ID] = colour{i, uint64(v)}
	}
}

// makeSort builds a sort from what is written.
func (s *symmetricReader) makeSort(raw *rawSort) Sort {
	sort := Sort{Size: 1, Pos: raw.pos}
	switch raw.element {
	case "dot":
		sort.Kind = DotSort
	case "usersort":
		if i, ok := s.sortOf(raw); ok {
			sort = s.net.Sorts[i]
		}
	case "finiteintrange":
		s.makeRange(raw, &sort)
	case "productsort":
		s.makeProduct(raw, &sort)
	case "partition":
		s.makePartition(raw, &sort)
	case "finiteenumeration", "cyclicenumeration":
		sort.Kind = FiniteSort
		if raw.element == "cyclicenumeration" {
			sort.Kind = CyclicSort
		}
		sort.Constants = raw.constants
		if sort.Size = uint64(len(raw.constants)); sort.Size == 0 {
			s.errorf(raw.pos, "sym-sort", "write a <feconstant> for each colour", "an enumeration without constants")
		}
	case "":
		s.errorf(raw.pos, "sym-sort", "write the sort into it, such as <cyclicenumeration>", "a declaration without a sort")
	}
	return sort
}

func (s *symmetricReader) makeRange(raw *rawSort, sort *Sort) {
	sort.Kind = RangeSort
	if !isInteger([]byte(raw.first)) || !isInteger([]byte(raw.last)) {
		return // the grammar says so
	}
	first, err1 := parseInteger(raw.first)
	last, err2 := parseInteger(raw.last)
	if err1 != nil || err2 != nil || first > last {
		s.errorf(raw.pos, "sym-range", "write start and end as whole numbers, start first", "the range from %s to %s is empty or no range of 32-bit integers", diagnostic.Excerpt(raw.first), diagnostic.Excerpt(raw.last))
		return
	}
	sort.First, sort.Size = first, uint64(last-first)+1
}

func (s *symmetricReader) makeProduct(raw *rawSort, sort *Sort) {
	sort.Kind = ProductSort
	if len(raw.factors) == 0 {
		s.errorf(raw.pos, "sym-sort", "write a <usersort> for each component", "a product of no sorts")
	}
	for k := range raw.factors {
		f, ok := s.sortOf(&raw.factors[k])
		if !ok {
			sort.Factors = nil // nobody knows how many components are meant
			return
		}
		sort.Factors = append(sort.Factors, f)
		if size := s.net.Sorts[f].Size; size > 0 && sort.Size > maxColours/size {
			s.errorf(raw.pos, "sym-limit", "", "a product of more than 2^62 colours")
			return
		} else {
			sort.Size *= size
		}
	}
}

func (s *symmetricReader) makePartition(raw *rawSort, sort *Sort) {
	sort.Kind = PartitionSort
	sort.Constants = raw.constants
	sort.Size = uint64(len(raw.constants))
	if len(raw.factors) != 1 {
		s.errorf(raw.pos, "sym-partition", `write <usersort declaration="..."/> with the sort, before the elements`, "a partition needs one sort to split")
		return
	}
	base, ok := s.sortOf(&raw.factors[0])
	if !ok {
		return
	}
	sort.Base = base
	size := s.net.Sorts[base].Size
	if size > math.MaxInt32 {
		s.errorf(raw.pos, "sym-limit", "", "a partition of a sort with more than 2^31 colours")
		return
	}
	sort.ElementOf = slices.Repeat([]uint32{math.MaxUint32}, int(size))
	for e, refs := range raw.parts {
		for _, ref := range refs {
			c, known := s.constants[ref.id]
			switch {
			case !known:
				s.errorf(ref.pos, "sym-partition", meantDeclared(s.r, ref.id, s.constants), "%s is no constant of the sort that is split", diagnostic.Excerpt(ref.id))
			case c.sort != base:
				s.errorf(ref.pos, "sym-partition", "name constants of "+s.sortName(base)+" only", "%s is no constant of the sort that is split", diagnostic.Excerpt(ref.id))
			case sort.ElementOf[c.value] != math.MaxUint32:
				s.errorf(ref.pos, "sym-partition", "remove it from one of them", "constant %s is in two elements", diagnostic.Excerpt(ref.id))
			default:
				sort.ElementOf[c.value] = uint32(e)
			}
		}
	}
	if slices.Contains(sort.ElementOf, math.MaxUint32) {
		s.errorf(raw.pos, "sym-partition", "name each constant in one <partitionelement>", "a constant of the sort that is split is in no element")
	}
}

// sortOf returns the index of a sort that is used somewhere: a declared one, or
// one written in place.
func (s *symmetricReader) sortOf(raw *rawSort) (int, bool) {
	switch raw.element {
	case "usersort":
		i, ok := s.sortIndex[raw.ref]
		if !ok {
			s.errorf(raw.pos, "sym-sort", meantDeclared(s.r, raw.ref, s.sortIndex), "sort %s is not declared", diagnostic.Excerpt(raw.ref))
			return 0, false
		}
		if s.state[i] == sortBusy {
			s.errorf(raw.pos, "sym-sort", "name another sort in it", "sort %s is made of itself", diagnostic.Excerpt(raw.ref))
			return 0, false
		}
		s.declareSort(i)
		return i, true
	case "dot", "finiteintrange", "productsort":
		return s.place(s.makeSort(raw)), true
	case "":
		s.errorf(raw.pos, "sym-sort", `write <usersort declaration="..."/> with the id of a sort`, "a sort is missing")
	case "finiteenumeration", "cyclicenumeration":
		s.errorf(raw.pos, "sym-sort", "declare it as a named sort", "an enumeration has to be declared before it is used")
	}
	return 0, false
}

// place returns the index of a sort written in place: that of an equal sort, if
// there is one.
func (s *symmetricReader) place(sort Sort) int {
	if i, ok := s.canonical[s.sortKey(&sort)]; ok {
		return i
	}
	s.net.Sorts = append(s.net.Sorts, sort)
	i := len(s.net.Sorts) - 1
	s.settle(i)
	return i
}

// settle finds the first sort that is equal to sort i.
func (s *symmetricReader) settle(i int) {
	x := &s.net.Sorts[i]
	key := s.sortKey(x)
	if key == "" {
		x.Canonical = i
		return
	}
	first, ok := s.canonical[key]
	if !ok {
		first = i
		s.canonical[key] = i
	}
	x.Canonical = first
}

// sortKey is equal for equal sorts; empty for sorts that equal no other.
func (s *symmetricReader) sortKey(x *Sort) string {
	switch x.Kind {
	case DotSort:
		return "dot"
	case RangeSort:
		return fmt.Sprint("range ", x.First, x.Size)
	case ProductSort:
		key := []byte("product")
		for _, f := range x.Factors {
			key = strconv.AppendInt(append(key, ' '), int64(s.net.Sorts[f].Canonical), 10)
		}
		return string(key)
	}
	return ""
}

// checkIDs reports ids of declarations that something else has, too: they are ids of the document. Those
// that two sorts, or two variables, or two constants have were reported.
func (s *symmetricReader) checkIDs() {
	kinds := map[string]string{}
	check := func(kind, id string, pos Position) {
		hash := s.r.nodes.hashString(id)
		_, _, taken := s.r.nodes.lookup(hash, []byte(id))
		if other := kinds[id]; id != "" && (other != "" && other != kind || taken || s.r.others.has([]byte(id), hash)) {
			s.errorf(pos, "pnml-duplicate-id", anotherID, "id %s of a %s is used twice", diagnostic.Excerpt(id), kind)
		}
		kinds[id] = kind
	}
	for i := range s.sorts {
		check("sort", s.sorts[i].id, s.sorts[i].pos)
		for _, c := range s.sorts[i].constants {
			check("constant", c.ID, s.sorts[i].pos)
		}
	}
	for _, v := range s.variables {
		check("variable", v.id, v.pos)
	}
}
