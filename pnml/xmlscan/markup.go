package xmlscan

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"podium/pnml/diagnostic"
)

// Classes of bytes, for loops that test one bit per byte.
const (
	isSpace     = 1 << iota
	isNameStart // ASCII only: other bytes are looked at as characters
	isName      // ASCII without the colon
	isValueStop
	isForbidden
)

var class = func() (t [256]uint8) {
	for c := range t {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':'
		if letter {
			t[c] |= isNameStart
		}
		if letter && c != ':' {
			t[c] |= isName
		}
		if c >= '0' && c <= '9' || c == '-' || c == '.' {
			t[c] |= isName
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			t[c] |= isForbidden
		}
	}
	for _, c := range " \t\n\r" {
		t[c] |= isSpace
	}
	for _, c := range "<&\"'\t\n\x00" {
		t[c] |= isValueStop
	}
	return t
}()

// markup reads what begins with '<' at w.pos; false when it returns no event.
func (s *Scanner) markup() (Event, bool) {
	w := &s.w
	for w.end-w.pos < 2 {
		if !s.more() {
			return EOF, false
		}
	}
	s.token = w.pos
	switch w.buf[w.pos+1] {
	case '/':
		return s.endTag()
	case '!':
		s.declarationMarkup()
		return EOF, false
	case '?':
		s.instruction()
		return EOF, false
	}
	return s.startTag()
}

// nameEnd returns the end of the name that begins at i, i when there is none. It
// stops at the end of the window, and notes a colon.
func (s *Scanner) nameEnd(i int) int {
	buf := s.w.buf
	if c := buf[i]; class[c]&isNameStart == 0 && c < utf8.RuneSelf {
		return i
	}
	for from := i; ; {
		for class[buf[i]]&isName != 0 {
			i++
		}
		if buf[i] == ':' {
			s.colon = true
			i++
			continue
		}
		if buf[i] < utf8.RuneSelf {
			return i
		}
		r, n := utf8.DecodeRune(buf[i:s.w.end])
		if !nameRune(r, i == from) {
			return i
		}
		i += n
	}
}

// nameRune reports whether XML allows a character outside ASCII in a name.
func nameRune(r rune, first bool) bool {
	switch {
	case r >= 0xC0 && r <= 0x2FF:
		return r != 0xD7 && r != 0xF7
	case r >= 0x370 && r <= 0x1FFF:
		return r != 0x37E
	case r == 0x200C || r == 0x200D,
		r >= 0x2070 && r <= 0x218F, r >= 0x2C00 && r <= 0x2FEF, r >= 0x3001 && r <= 0xD7FF,
		r >= 0xF900 && r <= 0xFDCF, r >= 0xFDF0 && r <= 0xFFFD, r >= 0x10000 && r <= 0xEFFFF:
		return true
	}
	return !first && (r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040)
}

// localStart returns where a name begins behind its prefix, false for a name with
// an empty part or with two colons.
func localStart(name []byte) (int, bool) {
	k := bytes.IndexByte(name, ':')
	if k < 0 {
		return 0, true
	}
	rest := name[k+1:]
	ok := k > 0 && len(rest) > 0 && bytes.IndexByte(rest, ':') < 0 && (class[rest[0]]&isNameStart != 0 || rest[0] >= utf8.RuneSelf)
	return k + 1, ok
}

func (s *Scanner) startTag() (Event, bool) {
	for {
		complete := s.tryStartTag()
		switch {
		case s.err != nil:
			return EOF, false
		case complete:
			s.inText = false
			return Start, true
		case !s.more():
			return EOF, false
		}
	}
}

// tryStartTag reads the tag at w.pos; false, without an error, when the window
// ends inside it.
func (s *Scanner) tryStartTag() bool {
	w := &s.w
	buf := w.buf
	from := w.pos + 1
	s.token, s.colon = w.pos, false
	i := s.nameEnd(from)
	switch {
	case i == w.end:
		return false
	case i == from:
		s.fail(w.pos, "xml-name", "< that begins no tag")
		return false
	}
	s.name = span{from, i}
	s.attrs, s.decoded = s.attrs[:0], s.decoded[:0]
	for {
		gap := i
		for class[buf[i]]&isSpace != 0 {
			i++
		}
		switch c := buf[i]; {
		case c == '>':
			return s.opened(i+1, false)
		case c == '/' && buf[i+1] == '>':
			return s.opened(i+2, true)
		case c == 0, c == '/' && i+1 == w.end:
			return false
		case gap == i:
			s.fail(i, "xml-tag", "a tag with %q where white space, an attribute or > is expected", rune(c))
			return false
		}
		var ok bool
		if i, ok = s.attribute(i); !ok {
			return false
		}
	}
}

// attribute reads name="value" at i and returns its end; false at the end of the
// window or with an error. The first lines read the usual attribute, without a
// prefix, white space or references.
func (s *Scanner) attribute(i int) (int, bool) {
	buf := s.w.buf
	j := i
	for class[buf[j]]&isName != 0 {
		j++
	}
	if buf[j] == '=' && buf[j+1] == '"' && class[buf[i]]&isNameStart != 0 {
		k := ValueEnd(buf, j+2)
		if a := (attribute{name: span{i, j}, value: span{j + 2, k}}); buf[k] == '"' && (len(s.attrs) == 0 || s.freshAttribute(&a)) {
			s.addAttribute(a)
			return k + 1, true
		}
		if s.err != nil {
			return 0, false
		}
	}
	return s.anyAttribute(i)
}

// anyAttribute reads an attribute of any form.
func (s *Scanner) anyAttribute(i int) (int, bool) {
	w := &s.w
	buf := w.buf
	a := attribute{name: span{i, s.nameEnd(i)}}
	i = a.name.to
	switch {
	case i == w.end:
		return 0, false
	case i == a.name.from:
		s.fail(i, "xml-name", "a tag with %q where the name of an attribute is expected", rune(buf[i]))
		return 0, false
	}
	for class[buf[i]]&isSpace != 0 {
		i++
	}
	if buf[i] != '=' {
		return 0, s.expected(i, "= after the name of an attribute")
	}
	i++
	for class[buf[i]]&isSpace != 0 {
		i++
	}
	quote := buf[i]
	if quote != '"' && quote != '\'' {
		return 0, s.expected(i, "a quoted value")
	}
	i++
	a.value.from = i
	for class[buf[i]]&isValueStop == 0 {
		i++
	}
	if buf[i] != quote {
		var ok bool
		if i, ok = s.oddValue(&a, i, quote); !ok {
			return 0, false
		}
	} else {
		a.value.to = i
	}
	if !s.freshAttribute(&a) {
		return 0, false
	}
	s.addAttribute(a)
	return i + 1, true
}

func (s *Scanner) addAttribute(a attribute) {
	s.attrs = append(s.attrs, a)
	s.colon = s.colon || a.name.to-a.name.from == len("xmlns") && string(s.w.buf[a.name.from:a.name.to]) == "xmlns"
}

// expected fails unless the window ends at i; it is always false.
func (s *Scanner) expected(i int, what string) bool {
	if i < s.w.end {
		s.fail(i, "xml-tag", "a tag with %q where %s is expected", rune(s.w.buf[i]), what)
	}
	return false
}

// oddValue goes on with a value that holds the other quote, white space other
// than blanks, or references. It returns the offset of the closing quote.
func (s *Scanner) oddValue(a *attribute, i int, quote byte) (int, bool) {
	w := &s.w
	start := len(s.decoded)
	s.decoded = append(s.decoded, w.buf[a.value.from:i]...)
	for {
		switch c := w.buf[i]; {
		case c == quote:
			a.value, a.decoded = span{start, len(s.decoded)}, true
			return i, true
		case c == 0:
			return 0, false
		case c == '<':
			s.openValue(a, i)
			return 0, false
		case c == '&':
			out, n, ok := decodeReference(s.decoded, w.buf[i:w.end])
			if !ok {
				if w.end-i >= 16 || bytes.IndexByte(w.buf[i:w.end], ';') >= 0 {
					s.failAt(i, wrongReference)
				}
				return 0, false
			}
			s.decoded = out
			i += n
		case c == '\t' || c == '\n':
			s.decoded = append(s.decoded, ' ')
			i++
		default:
			s.decoded = append(s.decoded, c)
			i++
		}
	}
}

// freshAttribute refuses a second attribute of one name, and too many.
func (s *Scanner) freshAttribute(a *attribute) bool {
	buf := s.w.buf
	name := buf[a.name.from:a.name.to]
	for i := range s.attrs {
		b := &s.attrs[i]
		if b.name.to-b.name.from == len(name) && string(buf[b.name.from:b.name.to]) == string(name) {
			s.fail(a.name.from, "xml-attribute", "attribute %s is given twice", diagnostic.Excerpt(string(name)))
			return false
		}
	}
	if len(s.attrs) == maxAttributes {
		s.fail(a.name.from, "xml-limit", "a tag has more than %d attributes", maxAttributes)
		return false
	}
	return true
}

// opened ends the reading of a start tag at offset i.
func (s *Scanner) opened(i int, empty bool) bool {
	w := &s.w
	name := w.buf[s.name.from:s.name.to]
	switch {
	case len(s.ends) == 0 && s.rootSeen:
		s.fail(s.token, "xml-outside-root", "a second root element <%s>", diagnostic.Cut(string(name)))
		return false
	case len(s.ends) == maxDepth:
		s.fail(s.token, "xml-limit", "elements are nested deeper than %d", maxDepth)
		return false
	}
	s.rootSeen = true
	if !s.namespaces(name) {
		return false
	}
	if !empty {
		s.enter(name)
	}
	w.pos = i
	s.empty = empty
	return true
}

// namespaces declares the prefixes of the tag and refuses those that are not
// declared.
func (s *Scanner) namespaces(name []byte) bool {
	if s.local = s.name.from; !s.colon {
		return true
	}
	for i := range s.attrs {
		a := &s.attrs[i]
		attr := s.w.buf[a.name.from:a.name.to]
		rest, ok := bytes.CutPrefix(attr, []byte("xmlns"))
		if ok && len(rest) > 1 && rest[0] == ':' || ok && len(rest) == 0 {
			if rest = bytes.TrimPrefix(rest, []byte(":")); len(rest) > 0 && len(s.attrValue(a)) == 0 {
				s.fail(a.name.from, "xml-namespace", "prefix %s is bound to nothing", diagnostic.Excerpt(string(rest)))
				return false
			}
			if len(s.prefixes) == maxPrefixes {
				s.fail(a.name.from, "xml-limit", "more than %d prefixes are declared", maxPrefixes)
				return false
			}
			s.prefixes = append(s.prefixes, prefix{string(rest), string(s.attrValue(a)), len(s.ends) + 1})
		}
	}
	k, ok := localStart(name)
	s.local += k
	if !ok || k > 0 && !s.bound(name[:k-1]) {
		s.fail(s.name.from, "xml-namespace", "the prefix of <%s> is not declared", diagnostic.Cut(string(name)))
		return false
	}
	for i := range s.attrs {
		a := &s.attrs[i]
		attr := s.w.buf[a.name.from:a.name.to]
		k, ok := localStart(attr)
		if !ok || k > 0 && !s.bound(attr[:k-1]) {
			s.fail(a.name.from, "xml-namespace", "the prefix of attribute %s is not declared", diagnostic.Excerpt(string(attr)))
			return false
		}
	}
	return true
}

func (s *Scanner) bound(name []byte) bool {
	if string(name) == "xml" || string(name) == "xmlns" {
		return true
	}
	for i := range s.prefixes {
		if s.prefixes[i].name == string(name) {
			return true
		}
	}
	return false
}

func (s *Scanner) endTag() (Event, bool) {
	for {
		w := &s.w
		s.token = w.pos
		from := w.pos + 2
		top := s.top()
		i := from + len(top)
		if i < w.end && len(top) > 0 && string(w.buf[from:i]) == string(top) {
			for class[w.buf[i]]&isSpace != 0 {
				i++
			}
			if w.buf[i] == '>' {
				s.name = span{from, from + len(top)}
				s.local = from
				if len(s.prefixes) > 0 {
					k, _ := localStart(top)
					s.local += k
				}
				w.pos = i + 1
				s.leave()
				s.inText = false
				return End, true
			}
		}
		if i >= w.end || s.nameEnd(from) == w.end {
			if !s.more() {
				return EOF, false
			}
			continue
		}
		s.wrongEnd(from, top)
		return EOF, false
	}
}

// wrongEnd says what is wrong with the end tag whose name begins at from.
func (s *Scanner) wrongEnd(from int, top []byte) {
	name := s.w.buf[from:s.nameEnd(from)]
	switch {
	case len(name) == 0:
		s.fail(s.token, "xml-name", "</ without a name")
	case len(top) == 0:
		s.fail(s.token, "xml-outside-root", "</%s> closes nothing", diagnostic.Cut(string(name)))
	case !bytes.Equal(name, top):
		s.wrongNesting(name)
	default:
		s.fail(s.token, "xml-tag", "an end tag holds more than its name")
	}
}

// declarationMarkup passes over a comment or document type, or enters a CDATA
// section, at w.pos.
func (s *Scanner) declarationMarkup() {
	w := &s.w
	for w.end-w.pos < 9 {
		if _, ok := w.more(w.pos); !ok {
			break
		}
	}
	s.token = w.pos
	switch rest := w.buf[w.pos:w.end]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.comment()
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && len(s.ends) > 0:
		w.pos += 9
		s.cdata = true
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		s.fail(w.pos, "xml-outside-root", "text outside the root element")
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		s.doctype()
	default:
		s.fail(w.pos, "xml-tag", "<! that begins neither comment nor CDATA section")
	}
}

func (s *Scanner) comment() {
	w := &s.w
	w.pos += 4
	if !s.passTo("--", "a comment") {
		return
	}
	for w.pos == w.end {
		if _, ok := w.more(w.pos - 2); !ok {
			s.endsInside("a comment")
			return
		}
	}
	if w.buf[w.pos] != '>' {
		s.fail(w.pos-2, "xml-comment", "-- in a comment")
		return
	}
	w.pos++
}

// passTo moves w.pos behind the next occurrence of mark.
func (s *Scanner) passTo(mark, what string) bool {
	w := &s.w
	line, col := w.position(s.token)
	for {
		if k := bytes.Index(w.buf[w.pos:w.end], []byte(mark)); k >= 0 {
			w.pos += k + len(mark)
			return true
		}
		w.pos = max(w.pos, w.end-len(mark)+1)
		if _, ok := w.more(w.pos); ok {
			continue
		}
		s.endsInside(fmt.Sprintf("%s that begins at %d:%d", what, line, col))
		return false
	}
}

// doctype passes over a document type declaration without internal subset.
func (s *Scanner) doctype() {
	w := &s.w
	if s.rootSeen || s.sawDoctype {
		s.fail(w.pos, "xml-doctype", "a document type declaration in the wrong place")
		return
	}
	s.sawDoctype = true
	for {
		b := w.buf[w.pos:w.end]
		quote := byte(0)
		for i := 9; i < len(b); i++ {
			switch c := b[i]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '[' || c == '<':
				s.failAt(w.pos+i, &xmlFault{"xml-doctype", "a document type declaration with its own entities or elements", "remove the document type declaration"})
				return
			case c == '>':
				w.pos += i + 1
				return
			}
		}
		if !s.more() {
			return
		}
	}
}

// instruction passes over a processing instruction, or over the XML declaration
// that was read before.
func (s *Scanner) instruction() {
	w := &s.w
	for {
		from := w.pos + 2
		i := s.nameEnd(from)
		if i == w.end {
			if !s.more() {
				return
			}
			continue
		}
		s.token = w.pos
		name := w.buf[from:i]
		switch {
		case len(name) == 0 || w.buf[i] != '?' && class[w.buf[i]]&isSpace == 0:
			s.fail(w.pos, "xml-name", "<? without a proper name")
		case bytes.EqualFold(name, []byte("xml")) && !(string(name) == "xml" && s.atStart()):
			s.fail(w.pos, "xml-declaration", "an XML declaration that is not at the start of the document")
		default:
			w.pos = i
			s.passTo("?>", "a processing instruction")
		}
		return
	}
}

// atStart reports whether the current token is the first byte of the document.
func (s *Scanner) atStart() bool {
	line, col := s.w.position(s.token)
	return line == 1 && col == 1
}
