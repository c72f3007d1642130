package explorer

import (
	"fmt"

	"podium/examinations"
)

// predicate is a state formula: what can be told from one marking.
type predicate interface {
	holds(l *layout, p *program, m []uint64) bool
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
	constant total
	places   []uint32
}

func (f notP) holds(l *layout, p *program, m []uint64) bool { return !f.f.holds(l, p, m) }

func (fs andP) holds(l *layout, p *program, m []uint64) bool {
	for _, f := range fs {
		if !f.holds(l, p, m) {
			return false
		}
	}
	return true
}

func (fs orP) holds(l *layout, p *program, m []uint64) bool {
	for _, f := range fs {
		if f.holds(l, p, m) {
			return true
		}
	}
	return false
}

func (v truthP) holds(*layout, *program, []uint64) bool { return bool(v) }

func (ts fireableP) holds(_ *layout, p *program, m []uint64) bool {
	for _, t := range ts {
		if a := p.of[t]; a >= 0 && p.enabled(&p.actions[a], m) {
			return true
		}
	}
	return false
}

func (deadP) holds(_ *layout, p *program, m []uint64) bool { return p.dead(m) }

func (f *atMostP) holds(l *layout, _ *program, m []uint64) bool {
	return !f.right.in(l, m).less(f.left.in(l, m))
}

func (s *side) in(l *layout, m []uint64) total {
	sum := s.constant
	for _, p := range s.places {
		sum.add(l.fields[p].of(m))
	}
	return sum
}

// predicate turns a formula without temporal operators into a predicate.
func (l *lookup) predicate(f examinations.Formula) (predicate, error) {
	switch f := f.(type) {
	case *examinations.Constant:
		return truthP(f.Value), nil
	case *examinations.Deadlock:
		return deadP{}, nil
	case *examinations.Fireable:
		ts, err := l.view.TransitionsOf(f.Transitions)
		if l.reduced != nil {
			return l.enough(ts), err
		}
		return fireableP(ts), err
	case *examinations.LessEqual:
		return l.atMost(f)
	case *examinations.Not:
		g, err := l.predicate(f.F)
		return notP{g}, err
	case *examinations.And:
		fs, err := l.predicates(f.Fs)
		return andP(fs), err
	case *examinations.Or:
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
		all := make(andP, len(places))
		for k, p := range places {
			need := &atMostP{left: side{constant: total{0, 1}}, right: side{places: []uint32{l.place(p)}}}
			if weights != nil {
				need.left.constant = total{0, weights[k]}
			}
			all[k] = need
		}
		some[i] = all
	}
	return some
}

func (l *lookup) predicates(fs []examinations.Formula) ([]predicate, error) {
	all := make([]predicate, len(fs))
	for i, f := range fs {
		var err error
		if all[i], err = l.predicate(f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (l *lookup) atMost(f *examinations.LessEqual) (predicate, error) {
	p := &atMostP{}
	if err := l.addTo(&p.left, &p.right, f.Left); err != nil {
		return nil, err
	}
	if err := l.addTo(&p.right, &p.left, f.Right); err != nil {
		return nil, err
	}
	return p, nil
}

// addTo adds an integer expression to one side; what is subtracted is added to
// the other.
func (l *lookup) addTo(plus, minus *side, x examinations.Integer) error {
	switch x := x.(type) {
	case *examinations.Number:
		plus.constant.add(x.N)
	case *examinations.TokensCount:
		places, err := l.placesOf(x.Places)
		if err != nil {
			return err
		}
		plus.places = append(plus.places, places...)
	case *examinations.Sum:
		for _, term := range x.Terms {
			if err := l.addTo(plus, minus, term); err != nil {
				return err
			}
		}
	case *examinations.Difference:
		for i, term := range x.Terms {
			to, other := plus, minus
			if i > 0 {
				to, other = minus, plus
			}
			if err := l.addTo(to, other, term); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("%T is no integer expression", x)
	}
	return nil
}

// temporal tells whether a formula has a path quantifier or temporal operator.
func temporal(f examinations.Formula) bool {
	switch f := f.(type) {
	case *examinations.Not:
		return temporal(f.F)
	case *examinations.And:
		return anyTemporal(f.Fs)
	case *examinations.Or:
		return anyTemporal(f.Fs)
	case *examinations.Constant, *examinations.Deadlock, *examinations.Fireable, *examinations.LessEqual, *examinations.Bound:
		return false
	}
	return true
}

func anyTemporal(fs []examinations.Formula) bool {
	for _, f := range fs {
		if temporal(f) {
			return true
		}
	}
	return false
}
