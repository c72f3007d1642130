package output

import (
	"bytes"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// unread is a line that is not read, and would be an answer if its keyword stood at the
// head of the line in upper case. Tools print such lines in messages, too, so that it is
// a loss only when the output has nothing else on the item.
type unread struct {
	finding int    // index in the list
	item    string // "" for a line on the whole examination
}

// note remembers that the line of the finding that was just added, if it was, is an
// unread answer.
func (j *judge) note(f *findings, before int, k keyword, rest []byte) {
	item, ok := j.answers(k, rest)
	if ok && len(f.list) > before {
		j.unread = append(j.unread, unread{before, item})
	}
}

// answers reports whether what stands behind a keyword makes an answer of it, and of which
// item.
func (j *judge) answers(k keyword, rest []byte) (item string, ok bool) {
	word, rest := nextWord(rest)
	if k.text != wordFormula && k.text != wordStateSpace {
		return "", len(word) == 0
	}
	value, _ := nextWord(rest)
	_, readable := examinations.ParseValue(string(value), j.exam.Kind())
	readable = readable || j.intervals && bytes.HasPrefix(value, []byte{'['})
	item, known := j.match(string(word))
	return item, readable && known && (k.text == wordStateSpace) == (j.exam == examinations.StateSpace)
}

// closeUnread makes errors of the unread answers that are missed.
func (j *judge) closeUnread(f *findings) {
	for _, u := range j.unread {
		d := &f.list[u.finding]
		if u.item == "" {
			if !j.wellFormed {
				d.Severity = diagnostic.Error
			}
			continue
		}
		if s, said := j.items[u.item]; !said || s.value.IsZero() && !s.declined {
			d.Severity = diagnostic.Error
			d.Message += ", so that " + diagnostic.Cut(u.item) + " has no value"
		}
	}
}

// isUTF16 reports whether bytes begin text in UTF-16, with its mark or without; before of them
// have been looked at.
func isUTF16(b []byte, before int) bool {
	if marked := bytes.HasPrefix(b, []byte{0xff, 0xfe}) || bytes.HasPrefix(b, []byte{0xfe, 0xff}); marked {
		return before < 2
	}
	return before < 4 && len(b) >= 4 && (b[0] == 0) != (b[1] == 0) && (b[0] == 0) == (b[2] == 0) && (b[1] == 0) == (b[3] == 0)
}
