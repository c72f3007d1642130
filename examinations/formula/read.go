package formula

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"podium/examinations"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Limits of formula files, against hostile ones.
const (
	maxProperties   = 100_000
	maxFormulaDepth = 2000
	maxRepeated     = 100_000 // operators that rewriting adds to one property
)

// NameSet is an ordered set of ids, such as *pnml.Names.
type NameSet interface {
	Len() int
	At(i int) string
	Find(id string) (int, bool)
}

// NetNames are the ids that formulas of a net may use.
type NetNames struct {
	Places, Transitions NameSet
	references          map[string]string // what ids stand for that formulas may not use, as in [pnml.Document]
}

// NamesOf returns the ids of a place/transition net.
func NamesOf(net *pnml.Net) *NetNames {
	return &NetNames{Places: &net.Places, Transitions: &net.Transitions}
}

// NamesIn returns the ids of the net in a document, nil when it holds none.
func NamesIn(d *pnml.Document) *NetNames {
	switch {
	case d.Net != nil:
		return &NetNames{&d.Net.Places, &d.Net.Transitions, d.References}
	case d.Symmetric != nil:
		return &NetNames{&d.Symmetric.Places, &d.Symmetric.Transitions, d.References}
	}
	return nil
}

// Read reads a formula file (schema of the manuals of 2015 and 2016,
// mcc-properties) as a stream. exam is the examination that the formulas must
// fit, "" for any; file is the name in diagnostics.
//
// Operators of the schema of 2014 and common aliases are rewritten into the
// nodes of [Formula] with a warning. A property that cannot be read or does not
// fit is left out with an error, and reading goes on; XML that is not
// well-formed ends it.
func Read(r io.Reader, file string, exam examinations.ID) ([]Property, diagnostic.List) {
	return ReadOf(r, file, exam, nil)
}

// ReadOf is Read, and also checks that the net has every name, with the
// position where the name is used first. Properties with unknown names are
// kept.
func ReadOf(r io.Reader, file string, exam examinations.ID, net *NetNames) ([]Property, diagnostic.List) {
	p := &formulaReader{s: xmlscan.New(r, file), file: file, exam: exam, net: net}
	p.places.kind, p.transitions.kind = "place", "transition"
	properties := p.document()
	p.list = p.s.Conclude(p.list, func(string) bool { return true })
	p.unknown.close(&p.list, file)
	advise(p.list)
	p.list.Sort()
	return properties, p.list
}

// ReadFile reads the formula file at path. A file that cannot be opened
// is a diagnostic.
func ReadFile(path string, exam examinations.ID) ([]Property, diagnostic.List) {
	f, err := os.Open(path)
	if err != nil {
		return nil, diagnostic.List{{File: path, Code: "formula-open", Message: err.Error(), Hint: nextSteps["formula-open"]}}
	}
	defer f.Close()
	return Read(f, path, exam)
}

// formulaReader reads one file. Its methods for elements are called when the
// scanner has just given a Start, and read on to the End.
type formulaReader struct {
	s                   *xmlscan.Scanner
	file                string
	exam                examinations.ID
	list                diagnostic.List
	net                 *NetNames // nil when it is not given
	places, transitions nameTable
	scratch             []string // names of the atom being read
	depth               int
	failed              bool // the current property is in error
	repeated            int  // operators that rewriting added to it
	namespace           string
	unknown             unknownNames
}

// nameTable shares the bytes of equal names and checks each name once.
type nameTable struct {
	kind string
	seen map[string]string
}

func (p *formulaReader) add(severity diagnostic.Severity, code, message, hint string) {
	p.list.Add(p.s.Diagnostic(severity, code, message, hint))
}

// fail refuses the element whose Start was last and passes over it.
func (p *formulaReader) fail(code, message, hint string) {
	p.failHere(code, message, hint)
	p.s.Skip()
}

func (p *formulaReader) failHere(code, message, hint string) {
	p.add(diagnostic.Error, code, message, hint)
	p.failed = true
}

func (p *formulaReader) document() []Property {
	var properties []Property
	if p.s.Next() != xmlscan.Start {
		return nil
	}
	if name := string(p.s.Name()); name != "property-set" {
		p.fail("formula-root", "the document is <"+name+">, not <property-set>", "is this a formula file?")
		return nil
	}
	p.namespace = p.s.Namespace()
	p.children(func(name string) {
		switch {
		case name != "property":
			p.add(diagnostic.Warning, "formula-element", "<"+name+"> is no part of a property set and is passed over", meantElement(name, "property-set"))
			p.s.Skip()
		case len(properties) == maxProperties:
			p.fail("formula-limit", "the file holds more than "+strconv.Itoa(maxProperties)+" properties", "")
		default:
			if property, ok := p.property(); ok {
				properties = append(properties, property)
			}
		}
	})
	p.s.Next()
	return properties
}

// children calls each for every element up to the End of the current one; each
// must read the element to its End. Text between elements is an error.
func (p *formulaReader) children(each func(name string)) {
	for {
		switch p.s.Next() {
		case xmlscan.Start:
			if !p.foreign() {
				each(p.element())
			}
		case xmlscan.Text:
			p.failHere("formula-text", "text where only elements may stand", "")
		default:
			return
		}
	}
}

// foreign refuses the element whose Start was last if it is of another namespace than the document.
func (p *formulaReader) foreign() bool {
	if p.s.Namespace() == p.namespace {
		return false
	}
	p.fail("formula-element", "<"+diagnostic.Cut(string(p.s.Name()))+"> is of the namespace "+diagnostic.Excerpt(p.s.Namespace())+", not of that of the property set", "write it in the namespace "+diagnostic.Excerpt(p.namespace))
	return true
}

// text reads an element that holds a text alone.
func (p *formulaReader) text() []byte {
	return p.s.ElementTextWith(func() {
		if !p.foreign() {
			p.fail("formula-element", "<"+diagnostic.Cut(string(p.s.Name()))+"> inside of a text", "write the text alone")
		}
	})
}

// empty reads an element without content.
func (p *formulaReader) empty(name string) {
	p.children(func(inner string) { p.fail("formula-element", "<"+inner+"> inside <"+name+">, which is empty", "") })
}

// elements are the names of the schema, so that reading one costs no memory.
var elements = func() map[string]string {
	table := map[string]string{}
	for _, name := range []string{
		"property", "id", "description", "formula", "all-paths", "exists-path", "next", "globally", "finally", "until", "before",
		"reach", "deadlock", "is-fireable", "negation", "conjunction", "disjunction", "integer-le", "integer-constant",
		"integer-sum", "integer-difference", "place-bound", "tokens-count", "place", "transition",
	} {
		table[name] = name
	}
	return table
}()

// element is the name of the element whose Start was last.
func (p *formulaReader) element() string {
	if name, ok := elements[string(p.s.Name())]; ok {
		return name
	}
	return string(p.s.Name())
}

func (p *formulaReader) property() (Property, bool) {
	p.failed, p.repeated = false, 0
	line, col := p.s.Pos()
	property := Property{Line: line, Col: col}
	p.children(func(name string) {
		switch name {
		case "id":
			if property.ID != "" {
				p.failHere("formula-property", "the property has a second <id>", "")
			}
			property.ID = string(p.text())
		case "description":
			property.Description = string(p.text())
		case "formula":
			if property.Formula != nil {
				p.fail("formula-property", "the property has a second <formula>", "")
				return
			}
			property.Formula = p.root()
		case "tags", "expected-result", "name":
			p.add(diagnostic.Warning, "formula-old-schema", "<"+name+"> is of the schema of 2014 and is passed over", "")
			p.s.Skip()
		default:
			p.add(diagnostic.Warning, "formula-element", "<"+name+"> is no part of a property and is passed over", meantElement(name, "property"))
			p.s.Skip()
		}
	})
	if _, broken := p.s.Fault(); broken || p.failed {
		return Property{}, false
	}
	missing := ""
	switch {
	case property.ID == "":
		missing = "<id>"
	case !isID(property.ID):
		p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-property",
			Message: "the id " + diagnostic.Excerpt(property.ID) + " holds blanks"})
		return Property{}, false
	case property.Formula == nil:
		missing = "<formula>"
	case p.repeated > 0 && nestedDeeper(property.Formula, maxFormulaDepth):
		p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-limit",
			Message: "the rewritten formula is nested deeper than " + strconv.Itoa(maxFormulaDepth)})
		return Property{}, false
	default:
		if d, ok := fragment(&property, p.exam); !ok {
			d.File = p.file
			p.list.Add(d)
			return Property{}, false
		}
		return property, true
	}
	p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-property", Message: "the property has no " + missing})
	return Property{}, false
}

// isID reports whether an id is one word, as tools print it.
func isID(id string) bool { return id != "" && !strings.ContainsFunc(id, unicode.IsSpace) }

// root reads <formula>: one truth-valued formula or one place-bound.
func (p *formulaReader) root() Formula {
	if fs := p.formulas("formula", 1, 1); len(fs) == 1 {
		return fs[0]
	}
	return nil
}

// formulas reads the operands of an operator, between least and most (0 for any
// number) of them. The result is shorter when there was an error.
func (p *formulaReader) formulas(operator string, least, most int) []Formula {
	line, col := p.s.Pos()
	var fs []Formula
	p.children(func(name string) {
		if f := p.formula(name); f != nil {
			fs = append(fs, f)
		}
	})
	p.arity(operator, len(fs), least, most, line, col)
	return fs
}

func (p *formulaReader) arity(operator string, n, least, most, line, col int) {
	if p.failed || n >= least && (most == 0 || n <= most) {
		return
	}
	want := strconv.Itoa(least)
	if most == 0 {
		want += " or more"
	}
	p.failed = true
	if operator == "formula" && n == 0 {
		p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-operands", Message: "<formula> is empty", Hint: "write the formula into it"})
		return
	}
	p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-operands",
		Message: "<" + operator + "> has " + strconv.Itoa(n) + " operands, not " + want})
}

// formula reads one truth-valued element, or a place-bound directly below
// <formula>; nil after an error.
func (p *formulaReader) formula(name string) Formula {
	if p.depth == maxFormulaDepth {
		p.fail("formula-limit", "the formula is nested deeper than "+strconv.Itoa(maxFormulaDepth), "")
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	switch name {
	case "conjunction":
		return connect(p.formulas(name, 1, 0), p.single(name), newAnd)
	case "disjunction":
		return connect(p.formulas(name, 1, 0), p.single(name), newOr)
	case "integer-le":
		if l, r := p.comparison(name); r != nil {
			return &LessEqual{l, r}
		}
		return nil
	case "is-fireable":
		if names := p.names(name, &p.transitions); len(names) > 0 {
			return &Fireable{names}
		}
		return nil
	case "place-bound":
		if p.depth > 1 {
			p.fail("formula-bound", "<place-bound> inside a formula", "a bound stands alone, directly below <formula>")
			return nil
		}
		if names := p.names(name, &p.places); len(names) > 0 {
			return &Bound{names}
		}
		return nil
	case "deadlock":
		p.empty(name)
		return &Deadlock{}
	case "until":
		return p.until()
	case "next":
		return p.next()
	case "all-paths", "exists-path", "globally", "finally", "negation":
		return p.unary(name)
	}
	return p.oldFormula(name)
}

func (p *formulaReader) unary(name string) Formula {
	fs := p.formulas(name, 1, 1)
	if len(fs) != 1 {
		return nil
	}
	switch f := fs[0]; name {
	case "all-paths":
		return &AllPaths{f}
	case "exists-path":
		return &ExistsPath{f}
	case "globally":
		return &Globally{f}
	case "finally":
		return &Finally{f}
	default:
		return &Not{f}
	}
}

// until reads <before> and <reach>, each once, in any order.
func (p *formulaReader) until() Formula {
	line, col := p.s.Pos()
	var before, reach []Formula
	p.children(func(name string) {
		switch {
		case name == "before" && before == nil:
			before = p.formulas(name, 1, 1)
		case name == "reach" && reach == nil:
			reach = p.formulas(name, 1, 1)
		case name == "strength":
			if string(p.text()) != "strong" {
				p.failHere("formula-unsupported", "an until that is not strong", "rewrite a weak until with globally")
			}
		default:
			p.fail("formula-element", "<"+name+"> where <until> holds one <before> and one <reach>", meantElement(name, "until"))
		}
	})
	if len(before) == 1 && len(reach) == 1 {
		return &Until{before[0], reach[0]}
	}
	if !p.failed {
		p.arity("until", len(before)+len(reach), 2, 2, line, col)
	}
	return nil
}

// single warns of a connective with one operand, which older generators wrote.
func (p *formulaReader) single(operator string) func() {
	return func() {
		if p.failed { // the others may be those that were not understood
			return
		}
		p.add(diagnostic.Warning, "formula-single-operand", "<"+operator+"> has one operand; it is read as the operand alone", "")
	}
}

func connect(fs []Formula, single func(), join func([]Formula) Formula) Formula {
	switch len(fs) {
	case 0:
		return nil
	case 1:
		single()
		return fs[0]
	}
	return join(fs)
}

func newAnd(fs []Formula) Formula { return &And{fs} }
func newOr(fs []Formula) Formula  { return &Or{fs} }

// comparison reads the two operands of a comparison; r is nil after an error.
func (p *formulaReader) comparison(name string) (l, r Integer) {
	if is := p.integers(name, 2, 2); len(is) == 2 {
		return is[0], is[1]
	}
	return nil, nil
}

func (p *formulaReader) integers(operator string, least, most int) []Integer {
	line, col := p.s.Pos()
	var is []Integer
	p.children(func(name string) {
		if i := p.integer(name); i != nil {
			is = append(is, i)
		}
	})
	p.arity(operator, len(is), least, most, line, col)
	return is
}

func (p *formulaReader) integer(name string) Integer {
	if p.depth == maxFormulaDepth {
		p.fail("formula-limit", "the formula is nested deeper than "+strconv.Itoa(maxFormulaDepth), "")
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	switch name {
	case "integer-constant":
		return p.number()
	case "tokens-count":
		if names := p.names(name, &p.places); len(names) > 0 {
			return &TokensCount{names}
		}
		return nil
	case "integer-sum", "integer-difference":
		is := p.integers(name, 2, 0)
		switch {
		case len(is) < 2:
			return nil
		case name == "integer-sum":
			return &Sum{is}
		}
		return &Difference{is}
	case "place-bound":
		p.fail("formula-bound", "<place-bound> inside a formula", "a bound stands alone, directly below <formula>")
		return nil
	}
	p.fail("formula-unsupported", misplaced(name, ofNumbers, "no integer expression of the schema"), meantElement(name, ofNumbers))
	return nil
}

func (p *formulaReader) number() Integer {
	line, col := p.s.Pos()
	text := bytes.TrimPrefix(p.text(), []byte{'+'})
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err == nil {
		return &Number{n}
	}
	p.failed = true
	p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Code: "formula-number",
		Message: diagnostic.Excerpt(string(text)) + " is no number from 0 to 2^64-1"})
	return nil
}

// names reads the ids of an atom, one or more.
func (p *formulaReader) names(atom string, table *nameTable) []string {
	line, col := p.s.Pos()
	p.scratch = p.scratch[:0]
	for {
		switch p.s.Next() {
		case xmlscan.Start:
			if p.foreign() {
				continue
			}
			if string(p.s.Name()) != table.kind {
				p.fail("formula-element", "<"+string(p.s.Name())+"> where <"+atom+"> holds <"+table.kind+">", meantElement(string(p.s.Name()), atom))
				continue
			}
			p.scratch = append(p.scratch, p.name(table))
			continue
		case xmlscan.Text:
			p.failHere("formula-text", "text where only elements may stand", "names of nodes stand in <"+table.kind+">")
			continue
		}
		break
	}
	p.arity(atom, len(p.scratch), 1, 0, line, col)
	if name := repeated(p.scratch); name != "" && atom != "is-fireable" {
		p.list.Add(diagnostic.Diagnostic{File: p.file, Line: line, Col: col, Severity: diagnostic.Warning, Code: "formula-twice",
			Message: diagnostic.Excerpt(name) + " stands twice in <" + atom + ">, and is counted twice", Hint: "remove one of them unless this is meant"})
	}
	return append(make([]string, 0, len(p.scratch)), p.scratch...)
}

// repeated returns a name that a list has twice, "" when there is none.
func repeated(names []string) string {
	if len(names) < 2 {
		return ""
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	for i := range sorted[1:] {
		if sorted[i] == sorted[i+1] {
			return sorted[i]
		}
	}
	return ""
}

// name reads one <place> or <transition>. Most names have been seen before:
// they cost no memory, and no position.
func (p *formulaReader) name(table *nameTable) string {
	line, col := 0, 0
	if p.net != nil {
		line, col = p.s.Pos()
	}
	text := p.text()
	if name, ok := table.seen[string(text)]; ok {
		return name
	}
	name := string(text)
	if table.seen == nil {
		table.seen = map[string]string{}
	}
	table.seen[name] = name
	if name == "" {
		p.failHere("formula-name", "a <"+table.kind+"> without a name", "")
	}
	if p.net != nil {
		p.unknown.check(&p.list, diagnostic.Diagnostic{File: p.file, Line: line, Col: col}, p.net, table.kind, name)
	}
	return name
}
