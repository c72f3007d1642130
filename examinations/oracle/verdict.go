package oracle

import (
	"podium/examinations"
	"podium/pnml/diagnostic"
)

// Refuted is 1 for an answer that differs from what is known, else 0.
func Refuted(got, want examinations.Value) int {
	if got.IsZero() || want.IsZero() || got == want {
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
	case got != want:
		return "wrong: " + diagnostic.ShortNumber(want.Text)
	}
	return "right"
}
