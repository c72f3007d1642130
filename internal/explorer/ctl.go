package explorer

import (
	"fmt"

	"podium/examinations/formula"
)

// ctl is a CTL formula over the three operators to which all others reduce on
// maximal paths: EX, EU and EG. In a dead marking EX is false and EG f is f, so
// that AX, as not EX not, is true there and AF f is f.
type ctl interface{ Ctl() }

type (
	atomC   struct{ f predicate }
	notC    struct{ f ctl }
	andC    struct{ fs []ctl }
	orC     struct{ fs []ctl }
	nextC   struct{ f ctl }    // EX f
	untilC  struct{ f, g ctl } // E (f U g)
	alwaysC struct{ f ctl }    // EG f
)

func (atomC) Ctl()   {}
func (notC) Ctl()    {}
func (andC) Ctl()    {}
func (orC) Ctl()     {}
func (nextC) Ctl()   {}
func (untilC) Ctl()  {}
func (alwaysC) Ctl() {}

var trueC = atomC{truthP(true)}

// Ctl translates a formula.
func (l *lookup) Ctl(f formula.Formula) (ctl, error) {
	if formula.IsState(f) {
		p, err := l.predicate(f)
		return atomC{p}, err
	}
	switch f := f.(type) {
	case *formula.Not:
		g, err := l.Ctl(f.F)
		return notC{g}, err
	case *formula.And:
		fs, err := l.ctls(f.Fs...)
		return andC{fs}, err
	case *formula.Or:
		fs, err := l.ctls(f.Fs...)
		return orC{fs}, err
	case *formula.ExistsPath:
		return l.exists(f.F)
	case *formula.AllPaths:
		return l.all(f.F)
	}
	return nil, fmt.Errorf("%T without a path quantifier is no CTL formula", f)
}

func (l *lookup) ctls(fs ...formula.Formula) ([]ctl, error) {
	if len(fs) == 0 {
		return nil, fmt.Errorf("a conjunction or disjunction has no operand")
	}
	all := make([]ctl, len(fs))
	for i, f := range fs {
		var err error
		if all[i], err = l.Ctl(f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (l *lookup) exists(path formula.Formula) (ctl, error) {
	fs, err := l.operands(path)
	if err != nil {
		return nil, err
	}
	switch path.(type) {
	case *formula.Next:
		return nextC{fs[0]}, nil
	case *formula.Finally:
		return untilC{trueC, fs[0]}, nil
	case *formula.Globally:
		return alwaysC{fs[0]}, nil
	}
	return untilC{fs[0], fs[1]}, nil
}

func (l *lookup) all(path formula.Formula) (ctl, error) {
	fs, err := l.operands(path)
	if err != nil {
		return nil, err
	}
	switch path.(type) {
	case *formula.Next:
		return notC{nextC{notC{fs[0]}}}, nil
	case *formula.Finally:
		return notC{alwaysC{notC{fs[0]}}}, nil
	case *formula.Globally:
		return notC{untilC{trueC, notC{fs[0]}}}, nil
	}
	// A path misses f U g when g stays false for ever, or until f is false too.
	f, g := fs[0], fs[1]
	return notC{orC{[]ctl{untilC{notC{g}, andC{[]ctl{notC{f}, notC{g}}}}, alwaysC{notC{g}}}}}, nil
}

// operands translates what stands below a temporal operator.
func (l *lookup) operands(path formula.Formula) ([]ctl, error) {
	switch f := path.(type) {
	case *formula.Next:
		return l.ctls(f.F)
	case *formula.Finally:
		return l.ctls(f.F)
	case *formula.Globally:
		return l.ctls(f.F)
	case *formula.Until:
		return l.ctls(f.Before, f.Reach)
	}
	return nil, fmt.Errorf("%T below a path quantifier is no CTL formula", path)
}
