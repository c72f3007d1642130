package state

import (
	"fmt"

	"podium/examinations/formula"
	"podium/internal/explorer/packed"
	"podium/pnml"
)

// Formula is a state formula: [Not], [And], [Or], [Truth], [Fireable], [Dead] or
// *[AtMost].
type Formula interface {
	// Holds reports whether packed marking m satisfies the formula.
	Holds(v *packed.View, m []uint64) bool
}

// The state formulas.
type (
	Not      struct{ F Formula }
	And      []Formula
	Or       []Formula
	Truth    bool                      // a constant
	Fireable []uint32                  // at least one of the transitions is enabled
	Dead     struct{}                  // no transition is enabled
	AtMost   struct{ Left, Right Sum } // Left <= Right
)

// Sum is one side of an inequality.
type Sum formula.Side

func (f Not) Holds(v *packed.View, m []uint64) bool { return !f.F.Holds(v, m) }

func (fs And) Holds(v *packed.View, m []uint64) bool {
	for _, f := range fs {
		if !f.Holds(v, m) {
			return false
		}
	}
	return true
}

func (fs Or) Holds(v *packed.View, m []uint64) bool {
	for _, f := range fs {
		if f.Holds(v, m) {
			return true
		}
	}
	return false
}

func (f Truth) Holds(*packed.View, []uint64) bool { return bool(f) }

func (ts Fireable) Holds(v *packed.View, m []uint64) bool {
	for _, t := range ts {
		if v.Fireable(m, t) {
			return true
		}
	}
	return false
}

func (Dead) Holds(v *packed.View, m []uint64) bool {
	return v.Dead(m)
}

func (f *AtMost) Holds(v *packed.View, m []uint64) bool {
	return !f.Right.Of(v, m).Less(f.Left.Of(v, m))
}

// Of is the value of the sum in packed marking m.
func (s *Sum) Of(v *packed.View, m []uint64) pnml.Total {
	v.Clock.Work(len(s.Places) + 1)
	sum := s.Constant
	for _, p := range s.Places {
		sum.Add(v.Tokens(m, p))
	}
	return sum
}

// Formula translates a formula without temporal operators. Its error names an unknown
// id, or a kind of formula that has no place there.
func (l *Lookup) Formula(f formula.Formula) (Formula, error) {
	switch f := f.(type) {
	case *formula.Constant:
		return Truth(f.Value), nil
	case *formula.Deadlock:
		return Dead{}, nil
	case *formula.Fireable:
		ts, err := l.View.TransitionsOf(f.Transitions)
		l.Clock.Work(8 * (len(f.Transitions) + len(ts)))
		if l.Reduced != nil {
			return l.enough(ts), err
		}
		return Fireable(ts), err
	case *formula.LessEqual:
		return l.atMost(f)
	case *formula.Not:
		g, err := l.Formula(f.F)
		return Not{g}, err
	case *formula.And:
		fs, err := l.Formulas(f.Fs)
		return And(fs), err
	case *formula.Or:
		fs, err := l.Formulas(f.Fs)
		return Or(fs), err
	}
	return nil, fmt.Errorf("%T is no state formula", f)
}

// enough says by counts that one of some transitions of the view is enabled.
func (l *Lookup) enough(ts []uint32) Formula {
	some := make(Or, len(ts))
	for i, t := range ts {
		places, weights := l.View.Net.Pre.Row(int(t))
		l.Clock.Work(16 * len(places))
		all := make(And, len(places))
		for k, p := range places {
			all[k] = &AtMost{Left: Sum{Constant: pnml.Total{Lo: weights.At(k)}}, Right: Sum{Places: []uint32{l.place(p)}}}
		}
		some[i] = all
	}
	return some
}

// Formulas translates several formulas.
func (l *Lookup) Formulas(fs []formula.Formula) ([]Formula, error) {
	all := make([]Formula, len(fs))
	for i, f := range fs {
		var err error
		if all[i], err = l.Formula(f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// atMost compares.
func (l *Lookup) atMost(f *formula.LessEqual) (Formula, error) {
	left, right, err := f.Sides(l.PlacesOf)
	return &AtMost{Sum(left), Sum(right)}, err
}
