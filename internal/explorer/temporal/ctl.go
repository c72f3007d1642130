package temporal

import (
	"fmt"

	"podium/examinations/formula"
)

// CTL is a CTL formula: an [Atom], or one of the types below. It has only the three
// temporal operators to which all others reduce on maximal paths: EX, EU and EG. In a
// dead marking EX is false and EG f is f, so that AX, as not EX not, is true there and
// AF f is f.
type CTL interface{ ctl() }

// The CTL formulas. The types of temporal operators have the names of the operators.
type (
	Not struct{ F CTL }
	And struct{ Fs []CTL }
	Or  struct{ Fs []CTL }
	EX  struct{ F CTL }    // EX f
	EU  struct{ F, G CTL } // E (f U g)
	EG  struct{ F CTL }    // EG f
)

func (Atom) ctl() {}
func (Not) ctl()  {}
func (And) ctl()  {}
func (Or) ctl()   {}
func (EX) ctl()   {}
func (EU) ctl()   {}
func (EG) ctl()   {}

// NewCTL translates a formula and adds its state formulas to the atoms. Its error says what is no
// CTL formula.
func NewCTL(atoms *Atoms, f formula.Formula) (CTL, error) {
	if formula.IsState(f) {
		return atoms.number(f), nil
	}
	switch f := f.(type) {
	case *formula.Not:
		g, err := NewCTL(atoms, f.F)
		return Not{g}, err
	case *formula.And:
		fs, err := newCTLs(atoms, f.Fs...)
		return And{fs}, err
	case *formula.Or:
		fs, err := newCTLs(atoms, f.Fs...)
		return Or{fs}, err
	case *formula.ExistsPath:
		return newExists(atoms, f.F)
	case *formula.AllPaths:
		return newAll(atoms, f.F)
	}
	return nil, fmt.Errorf("%T without a path quantifier is no CTL formula", f)
}

func newCTLs(atoms *Atoms, fs ...formula.Formula) ([]CTL, error) {
	if len(fs) == 0 {
		return nil, fmt.Errorf("a conjunction or disjunction has no operand")
	}
	all := make([]CTL, len(fs))
	for i, f := range fs {
		var err error
		if all[i], err = NewCTL(atoms, f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func newExists(atoms *Atoms, path formula.Formula) (CTL, error) {
	fs, err := newOperands(atoms, path)
	if err != nil {
		return nil, err
	}
	switch path.(type) {
	case *formula.Next:
		return EX{fs[0]}, nil
	case *formula.Finally:
		return EU{True, fs[0]}, nil
	case *formula.Globally:
		return EG{fs[0]}, nil
	}
	return EU{fs[0], fs[1]}, nil
}

func newAll(atoms *Atoms, path formula.Formula) (CTL, error) {
	fs, err := newOperands(atoms, path)
	if err != nil {
		return nil, err
	}
	switch path.(type) {
	case *formula.Next:
		return Not{EX{Not{fs[0]}}}, nil
	case *formula.Finally:
		return Not{EG{Not{fs[0]}}}, nil
	case *formula.Globally:
		return Not{EU{True, Not{fs[0]}}}, nil
	}
	// A path misses f U g when g stays false for ever, or until f is false too.
	f, g := fs[0], fs[1]
	return Not{Or{[]CTL{EU{Not{g}, And{[]CTL{Not{f}, Not{g}}}}, EG{Not{g}}}}}, nil
}

// newOperands translates what stands below a temporal operator.
func newOperands(atoms *Atoms, path formula.Formula) ([]CTL, error) {
	switch f := path.(type) {
	case *formula.Next:
		return newCTLs(atoms, f.F)
	case *formula.Finally:
		return newCTLs(atoms, f.F)
	case *formula.Globally:
		return newCTLs(atoms, f.F)
	case *formula.Until:
		return newCTLs(atoms, f.Before, f.Reach)
	}
	return nil, fmt.Errorf("%T below a path quantifier is no CTL formula", path)
}

// Goal returns what a marking has to satisfy to decide a formula E F f or A G f, and the value of
// the formula then; nil where no single marking decides it.
func Goal(f formula.Formula) (goal formula.Formula, holds bool) {
	switch f := f.(type) {
	case *formula.ExistsPath:
		if g, ok := f.F.(*formula.Finally); ok {
			return g.F, true
		}
	case *formula.AllPaths:
		if g, ok := f.F.(*formula.Globally); ok {
			return &formula.Not{F: g.F}, false
		}
	}
	return nil, false
}
