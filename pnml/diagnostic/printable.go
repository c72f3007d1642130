package diagnostic

import (
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Clean makes a text from outside safe to show: each character that cannot be
// printed becomes U+FFFD, so that nothing can hide, move or reverse the text
// around it. Tabs and line feeds stay.
func Clean(text string) string {
	if ascii(text) {
		return text
	}
	if strings.IndexFunc(text, unprintable) < 0 && utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// ascii tells that a text has nothing but printable ASCII, as nearly all texts.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func unprintable(r rune) bool {
	return r != '\n' && r != '\t' && r != '\u202f' && !unicode.IsPrint(r) && r != '\u00a0'
}

// Printable is Clean, except that it shows control characters as their Unicode
// pictures: ESC as U+241B.
func Printable(text string) string {
	return Clean(strings.Map(func(r rune) rune {
		switch {
		case r < 0x20 && r != '\t' && r != '\n':
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		}
		return r
	}, text))
}

// Terminal is a writer for text from outside, such as the output of a tool, to
// a terminal. It replaces what cannot be printed (see Printable). Its methods
// may be called from several goroutines.
type Terminal struct {
	mu   sync.Mutex
	to   io.Writer
	part []byte // the first bytes of a character whose others have not come
}

// NewTerminal gives a Terminal that writes to another writer.
func NewTerminal(to io.Writer) *Terminal { return &Terminal{to: to} }

// Write writes p with unprintable characters replaced. A character of several
// bytes that p ends within waits for the next call.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := append(t.part, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	t.part = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(t.to, Printable(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}
