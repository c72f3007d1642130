package explorer

import (
	"fmt"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/pnml"
)

// question says what a formula lets a reduction do.
func (d *decision) question(p formula.Property) (reduce.Question, error) {
	d.clock.Work(d.net.Places.Len() / 8)
	o := observedPlaces{d.net, d.clock, make([]bool, d.net.Places.Len()), make([]bool, d.net.Places.Len()), false}
	q := reduce.Question{Keep: reduce.Reachable, Up: o.up, Down: o.down}
	switch d.exam {
	case examinations.UpperBounds:
		b, ok := p.Formula.(*formula.Bound)
		if !ok {
			return q, fmt.Errorf("%T is no place-bound", p.Formula)
		}
		places, err := d.lookup.PlacesOf(b.Places)
		mark(o.up, places)
		return q, err
	case examinations.LTLCardinality, examinations.LTLFireability:
		atoms := &state.Atoms{Lookup: d.lookup}
		path, _, err := temporal.NewLTL(atoms, p.Formula)
		if err != nil {
			return q, err
		}
		q.Keep = reduce.Linear
		for _, f := range atoms.Formulas {
			o.add(f, false)
		}
		if path.HasNext() {
			q.Keep = reduce.Steps
		}
	default:
		t, ok, err := newTarget(d.lookup, p)
		if err != nil {
			return q, err
		}
		if ok {
			o.add(t.f, false)
			break
		}
		atoms := &state.Atoms{Lookup: d.lookup}
		f, err := temporal.NewCTL(atoms, p.Formula)
		if err != nil {
			return q, err
		}
		for _, g := range atoms.Formulas {
			o.add(g, false)
		}
		q.Keep = keptBy(f)
	}
	if o.dead {
		q.Keep = reduce.Steps
	}
	return q, nil
}

// observedPlaces collects the places that a formula counts: those of which more
// tokens, and those of which fewer, help to make it true.
type observedPlaces struct {
	net      *pnml.Net
	clock    *clock.Clock
	up, down []bool
	dead     bool // it asks for dead markings
}

func (o *observedPlaces) add(f state.Formula, negated bool) {
	up, down := o.up, o.down
	if negated {
		up, down = down, up
	}
	switch f := f.(type) {
	case state.Not:
		o.add(f.F, !negated)
	case state.And:
		for _, g := range f {
			o.add(g, negated)
		}
	case state.Or:
		for _, g := range f {
			o.add(g, negated)
		}
	case state.Fireable:
		for _, t := range f {
			places, _ := o.net.Pre.Row(int(t))
			o.clock.Work(1 + len(places))
			mark(up, places)
		}
	case *state.AtMost:
		o.clock.Work(len(f.Left.Places) + len(f.Right.Places))
		mark(down, f.Left.Places)
		mark(up, f.Right.Places)
	case state.Dead:
		o.dead = true
	}
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

func mark(set []bool, places []uint32) {
	for _, p := range places {
		set[p] = true
	}
}
