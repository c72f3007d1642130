package wording

import (
	"strings"
	"unicode/utf8"
)

// Fold breaks a line at blanks so that it fits a width; what follows is indented. Words that are
// too long stay whole.
func Fold(line string, width int) string {
	const indent = "    "
	if utf8.RuneCountInString(line) <= width || width <= 2*len(indent) {
		return line
	}
	begin := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var b strings.Builder
	b.WriteString(begin)
	at, first := utf8.RuneCountInString(begin), true
	for word := range strings.FieldsSeq(line) {
		n := utf8.RuneCountInString(word)
		switch {
		case first:
		case at+1+n > width:
			b.WriteString("\n" + begin + indent)
			at = len(begin) + len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
		first = false
	}
	return b.String()
}
