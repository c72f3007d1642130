package formula

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"podium/pnml/diagnostic"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	numberToken
	quotedToken
	signToken
	badToken // text says what is wrong
)

// token is a word of the text form; the text of a quoted one is without quotes.
type token struct {
	kind      tokenKind
	text      string
	line, col int
}

// maxToken bounds a word, an id or a description.
const maxToken = 1 << 16

// textScanner cuts the text form into tokens.
type textScanner struct {
	r         *bufio.Reader
	line, col int // of the next byte
	before    int // column of the byte read last
	pushed    []token
	err       error
}

func newTextScanner(r io.Reader) *textScanner {
	return &textScanner{r: bufio.NewReader(r), line: 1, col: 1}
}

// unread gives tokens back; the last one comes first.
func (s *textScanner) unread(tokens ...token) { s.pushed = append(s.pushed, tokens...) }

func (s *textScanner) get() (byte, bool) {
	c, err := s.r.ReadByte()
	if err != nil {
		if err != io.EOF {
			s.err = err
		}
		return 0, false
	}
	s.before = s.col
	s.col++
	if c == '\n' {
		s.line++
		s.col = 1
	}
	return c, true
}

// back gives c back, which was read last.
func (s *textScanner) back(c byte) {
	if s.r.UnreadByte() != nil {
		return
	}
	s.col = s.before
	if c == '\n' {
		s.line--
	}
}

func (s *textScanner) next() token {
	if n := len(s.pushed); n > 0 {
		t := s.pushed[n-1]
		s.pushed = s.pushed[:n-1]
		return t
	}
	for {
		line, col := s.line, s.col
		c, ok := s.get()
		switch {
		case !ok:
			return token{line: line, col: col}
		case isSpace(c):
			continue
		}
		t := s.scan(c)
		t.line, t.col = line, col
		return t
	}
}

func (s *textScanner) scan(c byte) token {
	switch {
	case c == '"':
		return s.quoted()
	case c >= '0' && c <= '9':
		return token{kind: numberToken, text: s.run(c, func(c byte) bool { return c >= '0' && c <= '9' })}
	case c == '#' || inWord(c):
		return token{kind: wordToken, text: s.run(c, func(c byte) bool { return inWord(c) || c == '-' })}
	case c == '<':
		if next, ok := s.get(); ok && next == '=' {
			return token{kind: signToken, text: "<="}
		}
		return token{kind: badToken, text: "< is no operator; the comparison is <="}
	case strings.IndexByte("()!&|,?:.+-", c) >= 0:
		return token{kind: signToken, text: string(rune(c))}
	}
	return token{kind: badToken, text: "unexpected character " + diagnostic.Excerpt(string([]byte{c}))}
}

func (s *textScanner) run(first byte, in func(byte) bool) string {
	text := []byte{first}
	for len(text) < maxToken {
		c, ok := s.get()
		if !ok {
			break
		}
		if !in(c) {
			s.back(c)
			break
		}
		text = append(text, c)
	}
	return string(text)
}

func (s *textScanner) quoted() token {
	var text []byte
	for {
		c, ok := s.get()
		switch {
		case !ok || c == '\n':
			return token{kind: badToken, text: "a quote is not closed on its line"}
		case len(text) == maxToken:
			return token{kind: badToken, text: "the text in quotes is too long"}
		case c == '"' && !isText(string(text)):
			return token{kind: badToken, text: "the text in quotes holds bytes that are no text"}
		case c == '"':
			return token{kind: quotedToken, text: string(text)}
		case c == '\\':
			text = s.escape(text)
		default:
			text = append(text, c)
		}
	}
}

// isText reports whether a text may stand in XML: UTF-8 without control characters.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
	})
}

// escape reads on after a backslash. One before any other character stands for
// itself, as generators do not escape.
func (s *textScanner) escape(text []byte) []byte {
	c, ok := s.get()
	switch {
	case !ok:
		return text
	case c == '"' || c == '\\':
		return append(text, c)
	case c == 'n':
		return append(text, '\n')
	}
	s.back(c)
	return append(text, '\\')
}

// restOfLine reads up to the end of the line and gives it without blanks around.
func (s *textScanner) restOfLine() string {
	var text []byte
	for len(text) < maxToken {
		c, ok := s.get()
		if !ok || c == '\n' {
			break
		}
		text = append(text, c)
	}
	return strings.TrimSpace(string(text))
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
