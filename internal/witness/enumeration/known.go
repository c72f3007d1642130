package enumeration

import "podium/examinations/formula"

// Truth is what is known of a formula. The negation of a truth is -truth.
type Truth int8

// The truths.
const (
	No      Truth = -1
	Unknown Truth = 0
	Yes     Truth = 1
)

// TruthOf is what is known of a formula that holds, or does not.
func TruthOf(holds bool) Truth {
	if holds {
		return Yes
	}
	return No
}

// Known returns what is known of a formula. It asks known of the formula itself first, and of what
// stands inside of connectives where known does not answer.
func Known(f formula.Formula, known func(f formula.Formula) (Truth, bool)) Truth {
	if t, ok := known(f); ok {
		return t
	}
	switch f := f.(type) {
	case *formula.Not:
		return -Known(f.F, known)
	case *formula.And:
		least := Yes
		for _, g := range f.Fs {
			least = min(least, Known(g, known))
		}
		return least
	case *formula.Or:
		most := No
		for _, g := range f.Fs {
			most = max(most, Known(g, known))
		}
		return most
	}
	return Unknown
}
