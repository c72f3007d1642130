package temporal

import "podium/examinations/formula"

// Atom is the number of a state formula, or one of the constants [True] and [False].
type Atom int

// The constants.
const (
	True  Atom = -1
	False Atom = -2
)

// Atoms numbers the state formulas of a temporal formula.
type Atoms interface {
	// Atom returns the number of a state formula, counted from 0. Its error says what
	// is wrong with the formula.
	Atom(f formula.Formula) (Atom, error)
}

// List is [Atoms] that keeps state formulas as they are, by number.
type List []formula.Formula

// Atom never fails.
func (l *List) Atom(f formula.Formula) (Atom, error) {
	if constant, is := f.(*formula.Constant); is {
		if constant.Value {
			return True, nil
		}
		return False, nil
	}
	*l = append(*l, f)
	return Atom(len(*l) - 1), nil
}
