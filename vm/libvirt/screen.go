package libvirt

import (
	"regexp"
	"strings"
	"unicode"
)

// The memory of a screen of text, as PCs have had it since 1981: two bytes for
// each character, of which the second is its colour.
const (
	screenMemory                = 0xb8000
	screenColumns, screenRows   = 80, 25
	screenStrange, screenEnough = 20, 3 // a screen with one strange character in 20 is none of text; fewer are nothing
)

// screenText reads the memory of a screen; "" where it does not look like text.
func screenText(b []byte) string {
	var text strings.Builder
	seen, strange := 0, 0
	for i := 0; i+1 < len(b) && i/2 < screenColumns*screenRows; i += 2 {
		if i > 0 && i/2%screenColumns == 0 {
			text.WriteByte('\n')
		}
		switch c := b[i]; {
		case c == 0 || c == ' ':
			text.WriteByte(' ')
		case c > ' ' && c < 0x7f:
			seen++
			text.WriteByte(c)
		default:
			strange++
			text.WriteByte('.')
		}
	}
	if seen < screenEnough || strange*screenStrange > seen {
		return ""
	}
	var lines []string
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// addLines adds the lines of a screen that a console has not said.
func addLines(words, screen string) string {
	for line := range strings.Lines(screen) {
		if line = strings.TrimSpace(line); !strings.Contains(words, line) {
			words += "\n" + line
		}
	}
	return words
}

// controls are the sequences that move a terminal's cursor or colour its text.
var controls = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78cDEHM])`)

// printable makes what a guest says safe for a terminal.
func printable(b []byte) string {
	s := controls.ReplaceAllString(strings.ToValidUTF8(string(b), "?"), "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s))
}
