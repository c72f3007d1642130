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
	return strings.Join(Wrap(begin, begin+indent, strings.Fields(line), width), "\n")
}

// Wrap writes words in lines that fit a width, as far as words do. The first line has something
// before them, the others have a margin.
func Wrap(before, margin string, words []string, width int) (lines []string) {
	line, begun := before, false
	for _, word := range words {
		if begun && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line, begun = append(lines, line), margin, false
		}
		if begun {
			line += " "
		}
		line, begun = line+word, true
	}
	return append(lines, line)
}
