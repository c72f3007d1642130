package formula

import (
	"io"
	"strconv"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// ReadText reads the text form of a formula file, in the two styles that the
// generators of the contest print and in that of WriteText:
//
//	Property Peterson-PT-2-LTLFireability-00
//	  "Automatically generated"
//	  is:
//	    A (F "t1"? & ((2) <= (#tokens("p1", "p2"))))
//	  end.
//
// Unary operators bind closest, then U, & and |; a chain of & or | without
// parentheses is one operator with many operands. Inside quotes a backslash
// stands before a quote, a backslash or an n for a line feed. Ids may differ from
// those of the XML file, which is normative (E-1.8). exam and file are as for
// Read. A property that cannot be read is left out with an
// error, and reading goes on at the next.
func ReadText(r io.Reader, file string, exam examinations.ID) ([]Property, diagnostic.List) {
	p := &textParser{s: newTextScanner(r), file: file, names: map[string]string{}}
	var properties []Property
	p.advance()
	for p.token.kind != endToken {
		if property, ok := p.property(); ok {
			d, fits := fragment(&property, exam)
			if fits {
				properties = append(properties, property)
				continue
			}
			d.File = file
			p.list.Add(d)
			continue
		}
		p.resume()
	}
	if p.s.err != nil {
		p.list.Add(diagnostic.Diagnostic{File: file, Code: "formula-read", Message: p.s.err.Error()})
	}
	advise(p.list)
	return properties, p.list
}

// textParser is a parser by recursive descent. A parsing method that failed has
// set failed, and everything it gives is to be thrown away.
type textParser struct {
	s      *textScanner
	token  token
	file   string
	list   diagnostic.List
	names  map[string]string // so that equal ids share their bytes
	depth  int
	failed bool
}

func (p *textParser) advance() { p.token = p.s.next() }

// fail notes the first error of a property, at the current token.
func (p *textParser) fail(message string) { p.failAt(p.token, message) }

// failAt notes it at a token. One that is none at all explains more.
func (p *textParser) failAt(t token, message string) {
	if p.failed {
		return
	}
	if p.token.kind == badToken {
		t, message = p.token, p.token.text
	}
	p.failed = true
	p.list.Add(diagnostic.Diagnostic{File: p.file, Line: t.line, Col: t.col, Code: "formula-syntax", Message: message})
}

func (p *textParser) is(kind tokenKind, text string) bool {
	return p.token.kind == kind && p.token.text == text
}

// take passes over the current token when it is the given one.
func (p *textParser) take(kind tokenKind, text string) bool {
	if p.failed || !p.is(kind, text) {
		return false
	}
	p.advance()
	return true
}

func (p *textParser) expect(kind tokenKind, text string) {
	if !p.take(kind, text) {
		p.fail(strconv.Quote(text) + " is missing before " + diagnostic.Excerpt(p.token.text))
	}
}

// resume goes to the next property.
func (p *textParser) resume() {
	for p.token.kind != endToken && !p.is(wordToken, "Property") {
		p.advance()
	}
}

func (p *textParser) property() (Property, bool) {
	p.failed = false
	property := Property{Line: p.token.line, Col: p.token.col}
	if !p.is(wordToken, "Property") {
		p.fail("a property begins with the word Property")
		return Property{}, false
	}
	property.ID = p.s.restOfLine()
	if !isID(property.ID) || !isText(property.ID) {
		p.fail("the property has no id, or one that is no word")
	}
	p.advance()
	if p.token.kind == quotedToken {
		property.Description = strings.TrimSpace(p.token.text)
		p.advance()
	}
	p.expect(wordToken, "is")
	p.expect(signToken, ":")
	property.Formula = p.root()
	p.expect(wordToken, "end")
	p.expect(signToken, ".")
	return property, !p.failed
}

func (p *textParser) root() Formula {
	if p.take(wordToken, "bound") {
		return &Bound{p.list1()}
	}
	return p.formula()
}

// expression is a formula or an integer; parentheses may hold either.
type expression struct {
	f  Formula
	i  Integer
	at token // its first
}

func (p *textParser) formula() Formula { return p.truth(p.disjunction()) }

func (p *textParser) truth(e expression) Formula {
	if e.f == nil {
		p.failAt(e.at, "a number where a formula should stand")
	}
	return e.f
}

func (p *textParser) number(e expression) Integer {
	if e.i == nil {
		p.failAt(e.at, "a formula where a number should stand")
	}
	return e.i
}

func (p *textParser) disjunction() expression {
	return p.chain("|", newOr, func() expression { return p.chain("&", newAnd, p.until) })
}

func (p *textParser) chain(sign string, join func([]Formula) Formula, operand func() expression) expression {
	first := operand()
	if p.failed || !p.is(signToken, sign) {
		return first
	}
	fs := []Formula{p.truth(first)}
	for p.take(signToken, sign) {
		fs = append(fs, p.truth(operand()))
	}
	return expression{f: join(fs), at: first.at}
}

func (p *textParser) until() expression {
	before := p.comparison()
	if !p.take(wordToken, "U") {
		return before
	}
	if !p.enter() {
		return expression{}
	}
	defer p.leave()
	return expression{f: &Until{p.truth(before), p.truth(p.until())}, at: before.at}
}

func (p *textParser) comparison() expression {
	left := p.sum()
	if !p.take(signToken, "<=") {
		return left
	}
	return expression{f: &LessEqual{p.number(left), p.number(p.sum())}, at: left.at}
}

// sum reads a chain of + or of -; a change of sign begins a new operator.
func (p *textParser) sum() expression {
	e := p.unary()
	for !p.failed && (p.is(signToken, "+") || p.is(signToken, "-")) {
		sign := p.token.text
		terms := []Integer{p.number(e)}
		for p.take(signToken, sign) {
			terms = append(terms, p.number(p.unary()))
		}
		if sign == "+" {
			e.i = &Sum{terms}
		} else {
			e.i = &Difference{terms}
		}
	}
	return e
}

// maxTextDepth allows for the parentheses around every operand.
const maxTextDepth = 2*maxFormulaDepth + 2

func (p *textParser) enter() bool {
	if p.depth == maxTextDepth {
		p.fail("the formula is nested deeper than " + strconv.Itoa(maxTextDepth))
		return false
	}
	p.depth++
	return true
}

func (p *textParser) leave() { p.depth-- }

func (p *textParser) unary() expression {
	if p.failed || !p.enter() {
		return expression{}
	}
	defer p.leave()
	at := p.token
	e := p.operator()
	e.at = at
	return e
}

func (p *textParser) operator() expression {
	operator := p.token
	switch {
	case p.take(signToken, "!"):
		return expression{f: &Not{p.truth(p.unary())}}
	case operator.kind != wordToken:
		return p.primary()
	case p.take(wordToken, "A"):
		return expression{f: &AllPaths{p.truth(p.unary())}}
	case p.take(wordToken, "E"):
		return expression{f: &ExistsPath{p.truth(p.unary())}}
	case p.take(wordToken, "X"):
		return expression{f: &Next{p.truth(p.unary())}}
	case p.take(wordToken, "G"):
		return expression{f: &Globally{p.truth(p.unary())}}
	case p.take(wordToken, "F"):
		return expression{f: &Finally{p.truth(p.unary())}}
	}
	return p.atom()
}

func (p *textParser) atom() expression {
	switch {
	case p.take(wordToken, "is-fireable"):
		return expression{f: &Fireable{p.list1()}}
	case p.take(wordToken, "tokens-count"), p.take(wordToken, "#tokens"):
		return expression{i: &TokensCount{p.list1()}}
	case p.take(wordToken, "deadlock"):
		return expression{f: &Deadlock{}}
	case p.take(wordToken, "true"):
		return expression{f: &Constant{true}}
	case p.take(wordToken, "false"):
		return expression{f: &Constant{false}}
	case p.is(wordToken, "bound"):
		p.fail("a bound stands alone")
	default:
		p.fail(diagnostic.Excerpt(p.token.text) + " is no operator")
	}
	return expression{}
}

func (p *textParser) primary() expression {
	text := p.token.text
	switch p.token.kind {
	case numberToken:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			p.fail(diagnostic.Excerpt(text) + " is no number from 0 to 2^64-1")
			return expression{}
		}
		p.advance()
		return expression{i: &Number{n}}
	case quotedToken:
		return p.question([]string{p.name()})
	}
	if !p.take(signToken, "(") {
		p.fail("an operand is missing before " + diagnostic.Excerpt(text))
		return expression{}
	}
	if p.token.kind == quotedToken {
		return p.quotedOrList()
	}
	e := p.disjunction()
	p.expect(signToken, ")")
	return e
}

// quotedOrList reads on after a parenthesis and before a name: ("t1", "t2")? or
// ("t1"? | ...).
func (p *textParser) quotedOrList() expression {
	first := p.name()
	if p.is(signToken, "?") {
		p.s.unread(p.token, token{kind: quotedToken, text: first, line: p.token.line, col: p.token.col})
		p.advance()
		e := p.disjunction()
		p.expect(signToken, ")")
		return e
	}
	return p.question(p.moreNames(first))
}

func (p *textParser) question(names []string) expression {
	p.expect(signToken, "?")
	return expression{f: &Fireable{names}}
}

// list1 reads a list of one name or more in parentheses.
func (p *textParser) list1() []string {
	p.expect(signToken, "(")
	if p.token.kind != quotedToken {
		p.fail("a name in quotes is missing before " + diagnostic.Excerpt(p.token.text))
		return nil
	}
	return p.moreNames(p.name())
}

// moreNames reads a list on behind its first name.
func (p *textParser) moreNames(first string) []string {
	names := []string{first}
	for p.take(signToken, ",") {
		if p.token.kind != quotedToken {
			p.fail("a name in quotes is missing before " + diagnostic.Excerpt(p.token.text))
			return nil
		}
		names = append(names, p.name())
	}
	p.expect(signToken, ")")
	return names
}

func (p *textParser) name() string {
	name, ok := p.names[p.token.text]
	if !ok {
		name = strings.Clone(p.token.text)
		p.names[name] = name
	}
	if name == "" || name != strings.TrimSpace(name) {
		p.fail("the name is empty or has blanks around it")
	}
	p.advance()
	return name
}
