package results

import (
	"fmt"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/scoring"
)

// ofTask reports whether an examination is a category of tasks (SV-COMP): it asks for one
// truth value, and the expected verdict is given, not elected. A contest may have nets besides.
func ofTask(e *edition.Edition, exam *scoring.Examination) bool {
	return given(e, exam) && e.Kinds[exam.ID] == examinations.Bool && exam.Required == 1
}

// given reports whether the references of an examination are given, not elected.
func given(e *edition.Edition, exam *scoring.Examination) bool {
	return exam.Task || e.Scheme.Elect == nil
}

// unconfirmedMark follows the verdict of a task whose witness nobody confirmed.
const unconfirmedMark = "~"

// taskText is the verdict of a task in a table: T, F, ?, or F(p) where it matters which
// part of the property is violated, and a mark for an unconfirmed witness.
func taskText(v examinations.Value, w scoring.Witness) string {
	text := losslessText(v)
	if part, ok := strings.CutPrefix(v.Text, examinations.False.Text+"("); ok {
		text = "F(" + part
	}
	if w == scoring.Unconfirmed {
		text += unconfirmedMark
	}
	return text
}

// taskAnswer reads what taskText writes.
func taskAnswer(text string) (a scoring.AnsweredValue, err error) {
	text, unconfirmed := strings.CutSuffix(text, unconfirmedMark)
	if unconfirmed {
		a.Witness = scoring.Unconfirmed
	}
	if inside, ok := strings.CutPrefix(text, "F("); ok {
		part, closed := strings.CutSuffix(inside, ")")
		if !closed || part == "" || strings.ContainsAny(part, "()~, ") {
			return a, fmt.Errorf("%q names no part of a property as F(valid-deref) does", text)
		}
		a.Value = verdict.WithPart(examinations.False, part)
		return a, nil
	}
	a.Value, err = tableValue(examinations.Bool, text)
	return a, err
}
