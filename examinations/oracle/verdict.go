package oracle

import (
	"podium/examinations"
	"podium/pnml/diagnostic"
)

// Refuted is 1 for an answer that differs from what is known, else 0. An interval is not judged (E-3.2).
func Refuted(got, want examinations.Value) int {
	if _, _, interval := got.Interval(); interval || got.IsZero() || want.IsZero() || got == want {
		return 0
	}
	return 1
}

// Verdict compares an answer with what is known, in words.
func Verdict(got, want examinations.Value) string {
	switch {
	case want.IsZero():
		return "not known"
	case got.IsZero():
		return "missing: " + diagnostic.ShortNumber(want.Text)
	case got != want && Refuted(got, want) == 0:
		return "not judged: an interval; " + diagnostic.ShortNumber(want.Text)
	case got != want:
		return "wrong: " + diagnostic.ShortNumber(want.Text)
	}
	return "right"
}
