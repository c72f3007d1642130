package explorer

import (
	"fmt"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
)

// question says what a formula lets a reduction do.
func (d *decision) question(p formula.Property) (reduce.Question, error) {
	d.clock.Work(d.net.Places.Len() / 8)
	q := reduce.Question{Keep: reduce.Reachable, Up: make([]bool, d.net.Places.Len()), Down: make([]bool, d.net.Places.Len())}
	dead := false
	observe := func(fs ...state.Formula) {
		for _, f := range fs {
			dead = d.lookup.Observe(&q, f) || dead
		}
	}
	switch d.exam {
	case examinations.UpperBounds:
		b, ok := p.Formula.(*formula.Bound)
		if !ok {
			return q, fmt.Errorf("%T is no place-bound", p.Formula)
		}
		places, err := d.lookup.PlacesOf(b.Places)
		observe(&state.AtMost{Right: state.Sum{Places: places}})
		return q, err
	case examinations.LTLCardinality, examinations.LTLFireability:
		path, _, atoms, err := d.ltl(p.Formula)
		if err != nil {
			return q, err
		}
		q.Keep = reduce.Linear
		observe(atoms...)
		if path.HasNext() {
			q.Keep = reduce.Steps
		}
	default:
		t, ok, err := newTarget(d.lookup, p)
		if err != nil {
			return q, err
		}
		if ok {
			observe(t.f)
			break
		}
		f, atoms, err := d.ctl(p.Formula)
		if err != nil {
			return q, err
		}
		observe(atoms...)
		q.Keep = keptBy(f)
	}
	if dead {
		q.Keep = reduce.Steps
	}
	return q, nil
}

// keptBy tells what a reduction is to keep of the runs for a CTL formula.
func keptBy(f temporal.CTL) reduce.Keep {
	keep := reduce.Futures
	below := func(fs ...temporal.CTL) {
		for _, g := range fs {
			keep = min(keep, keptBy(g)) // the stricter ones come first
		}
	}
	switch f := f.(type) {
	case temporal.Not:
		below(f.F)
	case temporal.And:
		below(f.Fs...)
	case temporal.Or:
		below(f.Fs...)
	case temporal.EX:
		keep = reduce.Steps
		below(f.F)
	case temporal.EU:
		below(f.F, f.G)
	case temporal.EG:
		keep = reduce.Branching
		below(f.F)
	}
	return keep
}
