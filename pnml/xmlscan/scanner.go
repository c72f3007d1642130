package xmlscan

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"podium/pnml/diagnostic"
)

// Event is the kind of thing that [Scanner.Next] found.
type Event uint8

// The events of a document. An empty element gives Start and End.
const (
	EOF   Event = iota // the document is over, or ill-formed: see Err
	Start              // a start tag: Name, Attr
	End                // an end tag: Name
	Text               // character data: Text
)

// Limits of every document. The size of a tag is bounded by the window.
const (
	maxDepth      = 10_000
	maxAttributes = 64
	maxPrefixes   = 1000    // declared at one time
	maxText       = 1 << 20 // of ElementText
)

// Scanner reads an XML document as a stream of events, without a tree and
// without allocating per event, and refuses what is not well-formed. It is made
// for the files of the contest (PNML and formula files), not for XML at large:
// comments and processing instructions are passed over; character data that is
// only white space next to a tag is not reported; a document type declaration
// with an internal subset is refused, so the only entities are the five of XML
// and character references. Encodings are UTF-8, ISO-8859-1 and US-ASCII; what
// the scanner gives is UTF-8.
//
// A typical reader:
//
//	s := xmlscan.New(r, "CTLFireability.xml")
//	for s.Next() == xmlscan.Start {
//		switch string(s.Name()) {  // does not allocate
//		case "property":
//			readProperty(s)        // reads on until its End
//		default:
//			s.Skip()               // until the End of this element
//		}
//	}
//	return s.Err()
//
// Slices that the scanner gives are valid until the next call of Next, Skip or
// ElementText.
type Scanner struct {
	w    window
	file string
	err  *diagnostic.Diagnostic

	token      int // offset of the event in the window
	name       span
	local      int // where the name begins behind its prefix
	attrs      []attribute
	value      []byte // text of a Text event
	decoded    []byte // values and texts that held references
	collected  []byte // ElementText
	pieces     int    // that it was made of; 1 when all stood before the end tag
	open       []byte // names of the open elements, one behind the other
	ends       []int  // their ends in open
	prefixes   []prefix
	colon      bool // a name of the tag has a prefix, or the tag declares a namespace
	empty      bool // the End of an empty element comes next
	rootSeen   bool
	inText     bool // a Text event came after the last tag
	cdata      bool // inside a CDATA section
	sawDoctype bool
	leftOver   bool // err is of an element that was left open
	eventsOnly bool // no shortcuts past the events: for tests, which compare
}

type span struct{ from, to int }

type attribute struct {
	name    span
	value   span
	decoded bool // value is a part of Scanner.decoded
}

// prefix is a prefix of names, "" the namespace of names without one.
type prefix struct {
	name      string
	namespace string
	depth     int
}

// File is the name of the document in error messages.
func (s *Scanner) File() string { return s.file }

// EventsOnly switches the shortcuts past the events off, so that tests can compare.
func (s *Scanner) EventsOnly() { s.eventsOnly = true }

// New reads the document r; file is the name in error messages.
func New(r io.Reader, file string) *Scanner {
	return newSized(r, file, windowSize)
}

func newSized(r io.Reader, file string, size int) *Scanner {
	s := &Scanner{w: makeWindow(size), file: file}
	s.begin(r)
	return s
}

// begin looks at the first bytes for a byte order mark and the declaration.
func (s *Scanner) begin(r io.Reader) {
	head := make([]byte, 1024)
	n, err := io.ReadFull(r, head)
	head = bytes.TrimPrefix(head[:n], []byte("\xEF\xBB\xBF"))
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		s.failAt(0, &xmlFault{"xml-read", "reading failed: " + err.Error(), ""})
		return
	}
	enc, fault := declaration(head)
	if fault != nil {
		s.failAt(0, fault)
		return
	}
	s.w.encoding = enc
	s.w.r = io.MultiReader(bytes.NewReader(head), r)
}

// Name is the name of the element without its prefix, after Start and End.
func (s *Scanner) Name() []byte { return s.w.buf[s.local:s.name.to] }

// Prefix is the namespace prefix of the element's name; most documents have
// none.
func (s *Scanner) Prefix() []byte {
	return s.w.buf[s.name.from:max(s.name.from, s.local-1)]
}

// Namespace is the namespace of the element after Start, "" when it is in none.
func (s *Scanner) Namespace() string { return s.namespaceOf(s.Prefix()) }

// DefaultNamespace is the namespace of elements without a prefix that come next.
func (s *Scanner) DefaultNamespace() string { return s.namespaceOf(nil) }

func (s *Scanner) namespaceOf(name []byte) string {
	for i := len(s.prefixes) - 1; i >= 0; i-- {
		if s.prefixes[i].name == string(name) {
			return s.prefixes[i].namespace
		}
	}
	if string(name) == "xml" {
		return "http://www.w3.org/XML/1998/namespace"
	}
	return ""
}

// Attr returns the value of an attribute of the start tag by its name as written
// (with prefix), and whether it is there.
func (s *Scanner) Attr(name string) (value []byte, ok bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if string(s.w.buf[a.name.from:a.name.to]) == name {
			return s.attrValue(a), true
		}
	}
	return nil, false
}

// Attrs is the number of attributes of the start tag.
func (s *Scanner) Attrs() int { return len(s.attrs) }

// AttrAt returns the i-th attribute of the start tag.
func (s *Scanner) AttrAt(i int) (name, value []byte) {
	a := &s.attrs[i]
	return s.w.buf[a.name.from:a.name.to], s.attrValue(a)
}

func (s *Scanner) attrValue(a *attribute) []byte {
	if a.decoded {
		return s.decoded[a.value.from:a.value.to]
	}
	return s.w.buf[a.value.from:a.value.to]
}

// Text is the character data after a Text event. A long text, or one with
// comments or CDATA sections in it, comes in several events: [Scanner.ElementText]
// joins them.
func (s *Scanner) Text() []byte { return s.value }

// Pos returns line and column (from 1, in bytes) of the current event.
func (s *Scanner) Pos() (line, col int) {
	s.w.advance(max(s.token, s.w.mark))
	return s.w.position(s.w.mark)
}

// Pin remembers the current event, so that Pinned can give its position later.
func (s *Scanner) Pin() { s.w.pin, s.w.pinLine = s.token, 0 }

// Pinned returns line and column (from 1, in bytes) of the event that was pinned last.
func (s *Scanner) Pinned() (line, col int) {
	if s.w.pinLine == 0 {
		return s.w.position(s.w.pin)
	}
	return s.w.pinLine, s.w.pinCol
}

// Failed reports whether the reading ended early.
func (s *Scanner) Failed() bool { return s.err != nil }

// Err is nil at the proper end of the document, else the diagnostic that ended
// the reading early.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return *s.err
}

// Fault returns the diagnostic that ended the reading early, and whether there is
// one.
func (s *Scanner) Fault() (diagnostic.Diagnostic, bool) {
	if s.err == nil {
		return diagnostic.Diagnostic{}, false
	}
	return *s.err, true
}

// Diagnostic makes a finding with the position of the current event.
func (s *Scanner) Diagnostic(sev diagnostic.Severity, code, message, hint string) diagnostic.Diagnostic {
	line, col := s.Pos()
	return diagnostic.Diagnostic{File: s.file, Line: line, Col: col, Severity: sev, Code: code, Message: message, Hint: hint}
}

// Skip passes over the rest of the element whose Start was the last event, up
// to and with its End.
func (s *Scanner) Skip() {
	for depth := 1; depth > 0; {
		switch s.Next() {
		case Start:
			depth++
		case End:
			depth--
		case EOF:
			return
		}
	}
}

// ElementText reads on from a Start to its End and returns the character data in
// between without surrounding white space. Elements inside are passed over. A
// text above 1 MiB ends the document with an error.
func (s *Scanner) ElementText() []byte { return s.ElementTextWith(s.Skip) }

// ElementTextWith is ElementText with a function that is called at the Start of each element
// inside, and reads it to its End.
func (s *Scanner) ElementTextWith(inside func()) []byte {
	s.collected, s.pieces = s.collected[:0], 0
	for {
		switch s.Next() {
		case Start:
			s.pieces += 2
			inside()
		case Text:
			s.pieces++
			if len(s.collected)+len(s.value) > maxText {
				s.failAt(s.token, &xmlFault{"xml-limit", "a text is longer than 1 MiB", ""})
				return nil
			}
			s.collected = append(s.collected, s.value...)
		default:
			return bytes.Trim(s.collected, " \t\r\n")
		}
	}
}

// Next goes to the next event and returns its kind.
func (s *Scanner) Next() Event {
	if s.err != nil {
		return EOF
	}
	if s.empty {
		s.leaveEmpty()
		return End
	}
	s.attrs, s.decoded = s.attrs[:0], s.decoded[:0]
	for s.err == nil {
		if s.cdata {
			if s.cdataText() {
				return Text
			}
			continue
		}
		w := &s.w
		i := w.pos
		if w.buf[i] != '<' {
			i = spaceEnd(w.buf, i)
		}
		switch c := w.buf[i]; {
		case c == '<':
			if s.inText && i > w.pos {
				return s.text()
			}
			w.pos = i
			if e, ok := s.markup(); ok {
				return e
			}
		case c == 0 && s.inText && i-w.pos >= w.size/2:
			return s.piece(w.pos, i)
		case c == 0:
			if !s.refill(i) {
				return s.finish()
			}
		default:
			if e := s.text(); e == Text {
				return e
			}
		}
	}
	return EOF
}

// refill reads on when the window ends at offset i inside white space. White
// space between two pieces of text is kept.
func (s *Scanner) refill(i int) bool {
	keep := i
	if s.inText {
		keep = s.w.pos
	}
	_, ok := s.w.more(keep)
	return ok
}

// finish ends the document, which is over where the window ends.
func (s *Scanner) finish() Event {
	s.token = s.w.end
	switch {
	case s.w.fault != nil || len(s.ends) > 0:
		s.endsOpen()
	case !s.rootSeen:
		s.fail(s.w.end, "xml-end", "the document has no element")
	}
	return EOF
}

// more reads on for a token that begins at w.pos and did not end before the
// window did. It reports false, with an error set, when that is hopeless.
func (s *Scanner) more() bool {
	if _, ok := s.w.more(s.w.pos); ok {
		return true
	}
	switch {
	case s.w.fault != nil:
		s.failAt(s.w.end, s.w.fault)
	case !s.w.eof:
		s.failAt(s.w.pos, &xmlFault{"xml-limit", "a tag is longer than 256 KiB", ""})
	default:
		s.failAt(s.w.pos, &xmlFault{"xml-end", "the document ends inside a tag", "the file may be cut off"})
	}
	return false
}

func (s *Scanner) failAt(off int, f *xmlFault) {
	if s.err != nil {
		return
	}
	line, col := s.w.position(max(off, s.w.mark))
	s.err = &diagnostic.Diagnostic{File: s.file, Line: line, Col: col, Code: f.code, Message: f.message, Hint: cmp.Or(f.hint, nextSteps[f.code])}
}

func (s *Scanner) fail(off int, code, format string, args ...any) {
	s.failAt(off, &xmlFault{code, fmt.Sprintf(format, args...), ""})
}

// top is the name of the innermost open element.
func (s *Scanner) top() []byte { return s.openName(len(s.ends) - 1) }

// openName is the name of the i-th open element, none below 0.
func (s *Scanner) openName(i int) []byte {
	switch {
	case i < 0:
		return nil
	case i == 0:
		return s.open[:s.ends[0]]
	}
	return s.open[s.ends[i-1]:s.ends[i]]
}

func (s *Scanner) enter(name []byte) {
	s.open = append(s.open, name...)
	s.ends = append(s.ends, len(s.open))
	s.w.enter(s.token)
}

func (s *Scanner) leave() {
	s.open = s.open[:len(s.open)-len(s.top())]
	s.ends = s.ends[:len(s.ends)-1]
	s.w.leave()
	s.forgetPrefixes()
}

// LeaveEmpty goes to the End of the element whose Start was the last event, if the
// element is written as an empty one, and reports whether it is.
func (s *Scanner) LeaveEmpty() bool {
	if !s.empty {
		return false
	}
	s.leaveEmpty()
	return true
}

// leaveEmpty ends an empty element, which was never entered.
func (s *Scanner) leaveEmpty() {
	s.empty = false
	s.forgetPrefixes()
}

// forgetPrefixes drops the prefixes that were declared inside.
func (s *Scanner) forgetPrefixes() {
	for n := len(s.prefixes); n > 0 && s.prefixes[n-1].depth > len(s.ends); n-- {
		s.prefixes = s.prefixes[:n-1]
	}
}

// text reads character data from w.pos up to markup or the end of the window.
func (s *Scanner) text() Event {
	w := &s.w
	s.token = w.pos
	if len(s.ends) == 0 {
		i := w.pos
		for class[w.buf[i]]&isSpace != 0 {
			i++
		}
		s.fail(i, "xml-outside-root", "text outside the root element")
		return EOF
	}
	for {
		i := textEnd(w.buf, w.pos)
		switch c := w.buf[i]; {
		case c == '<':
			return s.piece(w.pos, i)
		case c == 0 && i-w.pos >= w.size/2:
			return s.piece(w.pos, i)
		case c == 0:
			if _, ok := w.more(w.pos); !ok {
				return s.finish()
			}
			s.token = w.pos
		case c == '&' && i > w.pos:
			return s.piece(w.pos, i)
		case c == '&':
			return s.reference()
		default: // a bracket
			if end, ok := s.brackets(i); ok {
				return s.piece(w.pos, end)
			}
			if s.err != nil {
				return EOF
			}
		}
	}
}

func (s *Scanner) piece(from, to int) Event {
	s.value = s.w.buf[from:to]
	s.token, s.w.pos = from, to
	s.inText = true
	return Text
}

// brackets goes past the brackets in a text from offset i on and refuses "]]>".
// It returns the end of the piece, or false when the window moved.
func (s *Scanner) brackets(i int) (end int, ok bool) {
	w := &s.w
	j := i
	for w.buf[j] == ']' {
		j++
	}
	switch {
	case w.buf[j] == 0 && j-i < w.size/2:
		shift, more := w.more(w.pos)
		if more {
			return 0, false
		}
		return s.afterLast(j - shift)
	case w.buf[j] == '>' && j-i >= 2:
		s.fail(j-2, "xml-text", "]]> in a text")
		return 0, false
	case w.buf[j] == 0: // half a window of brackets: the last two may end in ]]>
		return j - 2, true
	}
	return j, true
}

// afterLast ends a piece at the end of the input.
func (s *Scanner) afterLast(j int) (int, bool) {
	if j > s.w.pos {
		return j, true
	}
	s.finish()
	return 0, false
}

// reference decodes the reference at w.pos as a piece of its own.
func (s *Scanner) reference() Event {
	for s.w.end-s.w.pos < 16 {
		if _, ok := s.w.more(s.w.pos); !ok {
			break
		}
	}
	s.token = s.w.pos
	out, n, ok := decodeReference(s.decoded[:0], s.w.buf[s.w.pos:s.w.end])
	if !ok {
		s.failAt(s.w.pos, wrongReference)
		return EOF
	}
	s.decoded = out
	s.value = out
	s.w.pos += n
	s.inText = true
	return Text
}

var wrongReference = &xmlFault{"xml-entity", "undefined or malformed reference", "write the character itself, or its number, such as &#160;, and &amp; for the sign &"}

// decodeReference appends what the reference at the start of b stands for and
// gives its length.
func decodeReference(out, b []byte) (_ []byte, n int, ok bool) {
	semi := bytes.IndexByte(b[:min(len(b), 16)], ';')
	if semi < 2 {
		return out, 0, false
	}
	switch name := string(b[1:semi]); name {
	case "lt":
		out = append(out, '<')
	case "gt":
		out = append(out, '>')
	case "amp":
		out = append(out, '&')
	case "apos":
		out = append(out, '\'')
	case "quot":
		out = append(out, '"')
	default:
		r, ok := characterReference(name)
		if !ok {
			return out, 0, false
		}
		out = utf8.AppendRune(out, r)
	}
	return out, semi + 1, true
}

// characterReference returns the character of #65 or #x41.
func characterReference(name string) (rune, bool) {
	if name[0] != '#' || len(name) < 2 {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, false
	}
	r := rune(n)
	allowed := r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r != 0xFFFE && r != 0xFFFF && utf8.ValidRune(r)
	return r, allowed
}

// cdataText reads from inside a CDATA section; false when the section is over
// and held nothing more.
func (s *Scanner) cdataText() bool {
	w := &s.w
	s.token = w.pos
	for {
		b := w.buf[w.pos:w.end]
		if k := bytes.Index(b, []byte("]]>")); k >= 0 {
			s.cdata = false
			s.piece(w.pos, w.pos+k)
			w.pos += 3
			return k > 0
		}
		if len(b) >= w.size/2 {
			to := w.end - 2
			for !utf8.RuneStart(w.buf[to]) {
				to--
			}
			s.piece(w.pos, to)
			return true
		}
		if _, ok := w.more(w.pos); !ok {
			s.endsInside("a CDATA section")
			return false
		}
	}
}

// endsInside fails at the end of the input.
func (s *Scanner) endsInside(what string) {
	fault := s.w.fault
	if fault == nil {
		fault = &xmlFault{"xml-end", "the document ends inside " + what, "the file may be cut off"}
	}
	s.failAt(s.w.end, fault)
}
