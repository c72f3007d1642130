package explorer

import (
	"fmt"

	"podium/examinations/formula"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
)

// predicate is a state formula: what can be told from one marking.
type predicate interface {
	Holds(v *packed.View, m []uint64) bool
}

type (
	notP      struct{ f predicate }
	andP      []predicate
	orP       []predicate
	truthP    bool
	fireableP []uint32 // one of the transitions is enabled
	deadP     struct{}
	atMostP   struct{ left, right side } // left <= right
)

// side is one side of an inequality: a constant and a sum of places, in which
// a place may stand several times.
type side struct {
	constant tokens.Total
	places   []uint32
}

func (f notP) Holds(v *packed.View, m []uint64) bool { return !f.f.Holds(v, m) }

func (fs andP) Holds(v *packed.View, m []uint64) bool {
	for _, f := range fs {
		if !f.Holds(v, m) {
			return false
		}
	}
	return true
}

func (fs orP) Holds(v *packed.View, m []uint64) bool {
	for _, f := range fs {
		if f.Holds(v, m) {
			return true
		}
	}
	return false
}

func (f truthP) Holds(*packed.View, []uint64) bool { return bool(f) }

func (ts fireableP) Holds(v *packed.View, m []uint64) bool {
	for _, t := range ts {
		if v.Fireable(m, t) {
			return true
		}
	}
	return false
}

func (deadP) Holds(v *packed.View, m []uint64) bool {
	return v.Dead(m)
}

func (f *atMostP) Holds(v *packed.View, m []uint64) bool {
	return !f.right.in(v, m).Less(f.left.in(v, m))
}

func (s *side) in(v *packed.View, m []uint64) tokens.Total {
	v.Clock.Work(len(s.places) + 1)
	sum := s.constant
	for _, p := range s.places {
		sum.Add(v.Tokens(m, p))
	}
	return sum
}

// predicate turns a formula without temporal operators into a predicate.
func (l *lookup) predicate(f formula.Formula) (predicate, error) {
	switch f := f.(type) {
	case *formula.Constant:
		return truthP(f.Value), nil
	case *formula.Deadlock:
		return deadP{}, nil
	case *formula.Fireable:
		ts, err := l.view.TransitionsOf(f.Transitions)
		l.clock.Work(8 * (len(f.Transitions) + len(ts)))
		if l.reduced != nil {
			return l.enough(ts), err
		}
		return fireableP(ts), err
	case *formula.LessEqual:
		return l.atMost(f)
	case *formula.Not:
		g, err := l.predicate(f.F)
		return notP{g}, err
	case *formula.And:
		fs, err := l.predicates(f.Fs)
		return andP(fs), err
	case *formula.Or:
		fs, err := l.predicates(f.Fs)
		return orP(fs), err
	}
	return nil, fmt.Errorf("%T is no state formula", f)
}

// enough says by counts that one of some transitions of the view is enabled.
func (l *lookup) enough(ts []uint32) predicate {
	some := make(orP, len(ts))
	for i, t := range ts {
		places, weights := l.view.Net.Pre.Row(int(t))
		l.clock.Work(16 * len(places))
		all := make(andP, len(places))
		for k, p := range places {
			all[k] = &atMostP{left: side{constant: tokens.Total{Lo: weights.At(k)}}, right: side{places: []uint32{l.place(p)}}}
		}
		some[i] = all
	}
	return some
}

func (l *lookup) predicates(fs []formula.Formula) ([]predicate, error) {
	all := make([]predicate, len(fs))
	for i, f := range fs {
		var err error
		if all[i], err = l.predicate(f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// atMost compares; what is subtracted on one side is added to the other.
func (l *lookup) atMost(f *formula.LessEqual) (predicate, error) {
	p := &atMostP{}
	for term, sign := range f.Terms() {
		to := &p.left
		if sign < 0 {
			to = &p.right
		}
		switch x := term.(type) {
		case *formula.Number:
			to.constant.Add(x.N)
		case *formula.TokensCount:
			places, err := l.placesOf(x.Places)
			if err != nil {
				return nil, err
			}
			to.places = append(to.places, places...)
		default:
			return nil, fmt.Errorf("%T is no integer expression", x)
		}
	}
	return p, nil
}
