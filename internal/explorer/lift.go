package explorer

import (
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/tokens"
	"podium/internal/witness"
)

// lifted hands on an answer, with its witness lifted to the net of the view.
func (d *decision) lifted(r *reduce.Reduction, a Answer, props []formula.Property) {
	if a.Reduced = r.Changed(); a.Reduced && a.Witness != nil {
		a.Witness = d.lift(r, a.Witness)
	}
	// Paths of CTL are maximal, those of the emptiness check stutter.
	if a.Reduced && a.Witness != nil && (d.exam == examinations.CTLCardinality || d.exam == examinations.CTLFireability) {
		i := slices.IndexFunc(props, func(p formula.Property) bool { return p.ID == a.Item })
		if a.Witness.Prove(d.ctx, d.view, d.exam, props[i].Formula, a.Value) != nil {
			a.Witness = nil
		}
	}
	d.pass(a)
}

// lift returns nil when a run would be too long, or cannot be fired.
func (d *decision) lift(r *reduce.Reduction, w *Witness) *Witness {
	if len(w.Inner) > 0 {
		return d.liftCycles(r, w)
	}
	dead := false
	switch d.exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties, examinations.Liveness, examinations.LTLCardinality, examinations.LTLFireability:
		dead = len(w.Cycle) == 0
	}
	run := func(stem, cycle []uint32) (*Witness, bool) {
		stem, cycle, err := r.Lift(stem, cycle, dead)
		if err == nil {
			_, err = tokens.Replay(d.net, slices.Concat(stem, cycle))
		}
		return &Witness{Stem: stem, Cycle: cycle}, err == nil
	}
	lifted, ok := run(w.Stem, w.Cycle)
	for _, stem := range w.Further {
		further, fires := run(stem, nil)
		lifted.Further, ok = append(lifted.Further, further.Stem), ok && fires
	}
	if !ok {
		return nil
	}
	return lifted
}

// liftCycles lifts a run with inner cycles; nil when it proves nothing any more.
func (d *decision) liftCycles(r *reduce.Reduction, w *Witness) *Witness {
	lifted := &Witness{}
	after := func(steps int) int {
		stem, _, err := r.Lift(w.Stem[:steps], nil, false)
		if err != nil {
			return 0
		}
		lifted.Stem = stem
		return len(stem)
	}
	for _, inner := range w.Inner {
		from := after(inner.From)
		lifted.Inner = append(lifted.Inner, witness.Span{From: from, To: after(inner.To)})
	}
	after(len(w.Stem))
	if lifted.Prove(d.ctx, d.view, examinations.StateSpace, nil, examinations.Infinite) != nil {
		return nil
	}
	return lifted
}
