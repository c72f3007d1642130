package temporal

import "podium/examinations/formula"

// Atom is the number of a state formula, or one of the constants [True] and [False].
type Atom int

// The constants.
const (
	True  Atom = -1
	False Atom = -2
)

// Atoms are the state formulas of a temporal formula, by number. Each one that is no constant has a
// number of its own.
type Atoms []formula.Formula

// number numbers a state formula.
func (l *Atoms) number(f formula.Formula) Atom {
	if constant, is := f.(*formula.Constant); is {
		if constant.Value {
			return True
		}
		return False
	}
	*l = append(*l, f)
	return Atom(len(*l) - 1)
}
