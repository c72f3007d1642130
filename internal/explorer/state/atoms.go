package state

import (
	"podium/examinations/formula"
	"podium/internal/explorer/temporal"
)

// Atoms are the state formulas of one temporal formula.
type Atoms struct {
	Lookup   *Lookup
	Formulas []Formula // by number
}

// Atom numbers a state formula. Each one that is no constant gets a number of its own.
func (a *Atoms) Atom(f formula.Formula) (temporal.Atom, error) {
	g, err := a.Lookup.Formula(f)
	if err != nil {
		return temporal.False, err
	}
	if constant, is := g.(Truth); is {
		if constant {
			return temporal.True, nil
		}
		return temporal.False, nil
	}
	a.Formulas = append(a.Formulas, g)
	return temporal.Atom(len(a.Formulas) - 1), nil
}
