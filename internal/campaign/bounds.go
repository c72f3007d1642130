package campaign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"podium/internal/wording"
)

// What a tool can make a record hold is bounded, so that every record can be read
// again: it is far below maxRecord then, also when each byte takes the six of an
// escape in JSON. What goes beyond is left out, and the record says so among the
// warnings of its outcome. The outputs themselves are in the packs.
const (
	maxTechniques = 4096     // bytes of techniques, all answers of a run together
	maxAnswers    = 4096     // answers of a run
	maxAnswerText = 20 << 20 // bytes of items and values, as JSON
	maxProofText  = 20 << 20 // bytes of what witnesses prove, as JSON
	maxWarnings   = 100      // warnings of an outcome
	maxSentence   = 4096     // bytes of a warning, or of the reason of a void attempt
)

// bounds count what is kept of a run's answers, and what is not.
type bounds struct {
	techniques, text    int // kept, bytes
	cutWords, cutAnswer int // left out
	answers             []Answer
}

// add keeps an answer as far as there is room. A value is whole or left out.
func (b *bounds) add(a Answer) {
	size := escaped(a.Item) + escaped(a.Text)
	if len(b.answers) == maxAnswers || b.text+size > maxAnswerText {
		b.cutAnswer++
		return
	}
	b.text += size
	var kept strings.Builder // no part of the line, which may have megabytes
	for word := range strings.FieldsSeq(a.Techniques) {
		if b.techniques+len(word)+1 > maxTechniques {
			b.cutWords++
			continue
		}
		b.techniques += len(word) + 1
		if kept.Len() > 0 {
			kept.WriteByte(' ')
		}
		kept.WriteString(word)
	}
	a.Techniques = kept.String()
	b.answers = append(b.answers, a)
}

// record gives the end what is kept, and notes what was left out.
func (b *bounds) record(f *Finished) {
	f.Answers = AnswersOf(b.answers...)
	if b.cutWords > 0 {
		f.warn("The record leaves out %d techniques: the answers of a run have %d bytes for them.", b.cutWords, maxTechniques)
	}
	if b.cutAnswer > 0 {
		f.warn("The record leaves out %s not count: a run has room for %d, and for %d bytes of their items and values.", wording.Count(b.cutAnswer, "answer, which does", "answers, which do"), maxAnswers, maxAnswerText)
	}
}

// bound cuts what machines and witnesses add to the record.
func (f *Finished) bound() {
	text := 0
	for i := range f.Witnesses {
		w := &f.Witnesses[i]
		if text += escaped(w.Item) + escaped(w.Proved) + escaped(w.Detail); text > maxProofText {
			f.warn("The record leaves out what witnesses say of %s: a run has room for %d bytes.", wording.Count(len(f.Witnesses)-i, "answer", "answers"), maxProofText)
			f.Witnesses = f.Witnesses[:i]
			break
		}
	}
	if n := len(f.Outcome.Warnings); n > maxWarnings {
		f.Outcome.Warnings = append(f.Outcome.Warnings[:maxWarnings], wording.Count(n-maxWarnings, "further warning is", "further warnings are")+" left out.")
	}
	for i, w := range f.Outcome.Warnings {
		f.Outcome.Warnings[i] = cut(w, maxSentence)
	}
	f.Outcome.Measured = cut(f.Outcome.Measured, maxSentence)
}

func (f *Finished) warn(format string, args ...any) {
	f.Outcome.Warnings = append(f.Outcome.Warnings, fmt.Sprintf(format, args...))
}

// escaped bounds the bytes that a text takes as JSON.
func escaped(text string) int {
	n := 0
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`"\<>&`, c) >= 0 || c == 0x7f {
			n += 6
		} else {
			n++
		}
	}
	return n
}

// cut keeps at most so many bytes of a text, whole characters, and says that it
// goes on.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}
