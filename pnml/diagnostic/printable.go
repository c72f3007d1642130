package diagnostic

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
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

// Line is Clean for a text that stands in a line, such as the name of a host: line
// feeds, tabs and runs of blanks become one blank, so that it cannot begin a line of
// its own.
func Line(text string) string {
	if ascii(text) {
		return text
	}
	return strings.Join(strings.Fields(Clean(text)), " ")
}

// Lines makes every text that a value holds safe to show by Line: in exported fields, in
// lists and maps, and behind pointers. The value is given by a pointer.
func Lines(value any) { lines(reflect.ValueOf(value).Elem()) }

func lines(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); v.CanSet() && !ascii(text) {
			v.SetString(Line(text))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			lines(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				lines(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			lines(v.Index(i))
		}
	}
}

// ascii reports whether a text has nothing but printable ASCII, as nearly all texts.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// plain is ascii for texts of several lines.
func plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' {
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

// EscapeJSON returns a text in JSON in which characters that cannot be printed are escapes, so
// that it is safe to show and says the same.
func EscapeJSON(text []byte) []byte {
	if plain(text) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		if !unprintable(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// Terminal is a writer for text that may come from outside, such as the output of a
// tool, to a terminal. It replaces what cannot be printed (see Printable). Its methods
// may be called from several goroutines.
type Terminal struct {
	mu   sync.Mutex
	to   io.Writer
	part []byte // the first bytes of a character whose others have not come
}

// NewTerminal returns a Terminal that writes to another writer.
func NewTerminal(to io.Writer) *Terminal { return &Terminal{to: to} }

// Raw returns the writer that a Terminal writes to, also where something else writes to the
// Terminal and says so by a method Raw; or any other writer itself. It is for what draws on a
// terminal, and for data that programs read.
func Raw(w io.Writer) io.Writer {
	if t, ok := w.(interface{ Raw() io.Writer }); ok {
		return t.Raw()
	}
	return w
}

// Raw returns the writer that t writes to.
func (t *Terminal) Raw() io.Writer { return t.to }

// Write writes p with unprintable characters replaced. A character of several
// bytes that p ends within waits for the next call.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.part) == 0 && plain(p) {
		return t.to.Write(p)
	}
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
