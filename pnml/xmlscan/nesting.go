package xmlscan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// wrongNesting says what is wrong with an end tag that has not the name of the
// innermost open element. When it ends an element further out, those in it were left
// open, and the finding stands where the first of them begins.
func (s *Scanner) wrongNesting(name []byte) {
	innermost := len(s.ends) - 1
	outer := innermost
	for outer >= 0 && !bytes.Equal(s.openName(outer), name) {
		outer--
	}
	end := diagnostic.Cut(string(name))
	top := diagnostic.Cut(string(s.top()))
	line, _ := s.w.opened(innermost)
	switch near, ok := diagnostic.Nearest(end, func(yield func(string) bool) { yield(top) }); {
	case outer >= 0:
		s.leftOpen(outer+1, end)
	case ok:
		s.failAt(s.token, &xmlFault{"xml-nesting", fmt.Sprintf("</%s> where <%s> of line %d is open", end, top, line), fmt.Sprintf("write </%s>, or <%s> in line %d", near, end, line)})
	default:
		s.failAt(s.token, &xmlFault{"xml-nesting", fmt.Sprintf("</%s> ends nothing: the innermost open element is <%s> of line %d", end, top, line),
			fmt.Sprintf("remove it, or look for a <%s/> before it that is closed already", end)})
	}
}

// leftOpen makes a finding of the open elements from the i-th on, which lack an end
// before the end tag of a name.
func (s *Scanner) leftOpen(i int, end string) {
	const most = 3
	name := diagnostic.Cut(string(s.openName(i)))
	endLine, _ := s.w.position(max(s.token, s.w.mark))
	message := fmt.Sprintf("<%s> is left open: </%s> of line %d comes before </%s>", name, end, endLine, name)
	var others []string
	for k := i + 1; k < len(s.ends) && len(others) < most; k++ {
		line, _ := s.w.opened(k)
		others = append(others, fmt.Sprintf("<%s> of line %d", diagnostic.Cut(string(s.openName(k))), line))
	}
	if len(others) > 0 {
		message += "; so are " + strings.Join(others, ", ")
	}
	if more := len(s.ends) - i - 1 - len(others); more > 0 {
		message += fmt.Sprintf(" and %d more", more)
	}
	line, col := s.w.opened(i)
	s.err = &diagnostic.Diagnostic{File: s.file, Line: line, Col: col, Code: "xml-nesting", Message: message,
		Hint: fmt.Sprintf("write </%s> where the element ends, or <%s .../> when nothing is in it", name, name)}
	s.leftOver = true
}

// endsOpen fails at the end of the input, inside an element.
func (s *Scanner) endsOpen() {
	what := "the document"
	if n := len(s.ends); n > 0 {
		line, _ := s.w.opened(n - 1)
		what = fmt.Sprintf("<%s> of line %d", diagnostic.Cut(string(s.top())), line)
	}
	s.endsInside(what)
}

// Conclude returns what a reader found, with the fault that ended the reading early, if
// there is one, and without what only follows from it: when an element was left open,
// all that comes behind it seems to stand in a wrong place, and what is around it
// seems to lack it. follows reports whether a finding of a code is of that sort.
func (s *Scanner) Conclude(found diagnostic.List, follows func(code string) bool) diagnostic.List {
	if s.err == nil {
		return found
	}
	if s.leftOver {
		doubtful := s.doubts()
		found = slices.DeleteFunc(found, func(d diagnostic.Diagnostic) bool { return follows(d.Code) && doubtful(d) })
	}
	return append(found, *s.err)
}

// doubts returns a function that reports whether a finding stands behind the element that
// was left open, at one of the elements around it, or nowhere.
func (s *Scanner) doubts() func(diagnostic.Diagnostic) bool {
	type place struct{ line, col int }
	around := map[place]bool{{}: true}
	s.w.advance(max(s.token, s.w.mark))
	for i := range s.ends {
		line, col := s.w.opened(i)
		around[place{line, col}] = true
	}
	return func(d diagnostic.Diagnostic) bool {
		return d.Line > s.err.Line || d.Line == s.err.Line && d.Col >= s.err.Col || around[place{d.Line, d.Col}]
	}
}

// nextSteps are those of faults that have none of their own, by code.
var nextSteps = map[string]string{
	"xml-attribute":    "remove one of them",
	"xml-comment":      "end the comment with -->, and write no -- in it",
	"xml-declaration":  "let it be the first thing in the file, before white space and comments",
	"xml-doctype":      "put it before the root element, or remove it",
	"xml-end":          "is the file empty?",
	"xml-limit":        "write shorter tags and texts, and fewer levels",
	"xml-name":         "in a text write &lt; for the sign <",
	"xml-namespace":    "declare it with xmlns:, or remove it",
	"xml-outside-root": "a document has one root element: remove what is outside of it",
	"xml-read":         "read the file from another place, or copy it again",
	"xml-tag":          `a tag reads <name attribute="value">; in a text write &lt; for the sign <`,
	"xml-text":         "write ]]&gt;",
}

// openValue fails at a < in the value of an attribute: mostly the quote behind the value
// is missing, so that the finding stands where the value begins.
func (s *Scanner) openValue(a *attribute, at int) {
	line, _ := s.w.position(at)
	quote := string(s.w.buf[a.value.from-1 : a.value.from])
	s.failAt(a.value.from-1, &xmlFault{"xml-attribute", fmt.Sprintf("the value of %s does not end before the < of line %d", diagnostic.Cut(string(s.w.buf[a.name.from:a.name.to])), line),
		"write " + quote + " behind the value, or &lt; for the sign <"})
}
