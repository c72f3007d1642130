package referee

import (
	"context"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/explorer/simplify"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/replay"
)

// returnRest looks for proofs that there always is a way back: to the initial marking for
// Liveness, and for formulas of CTL to a marking where a part E F f, or the negation of A G f,
// shows at once. The other techniques go on without the parts that are then always true, or never.
func (h *hearing) returnRest(ctx context.Context, p *oracle.Proof) {
	if p.Exam == examinations.Liveness {
		if w := h.live(ctx); w != nil {
			h.keepProof(p, w)
		}
		return
	}
	open := h.openItems(p)
	h.each(ctx, len(open), func(ctx context.Context, k int) (keep func()) {
		w, left := h.returning(ctx, p.Exam, open[k])
		switch {
		case w != nil:
			return func() { h.keepProof(p, w) }
		case left != nil:
			return func() { h.goOnWith(open[k], left) }
		}
		return nil
	})
}

// goOnWith makes the formula of an item smaller for the techniques that follow.
func (h *hearing) goOnWith(item string, f formula.Formula) {
	h.properties = slices.Clone(h.properties)
	at := slices.IndexFunc(h.properties, func(q formula.Property) bool { return q.ID == item })
	h.properties[at].Formula = f
}

// live looks for a witness that a net is live: from every marking there is a way back to the
// initial one, and from there all transitions can fire.
func (h *hearing) live(ctx context.Context) *witness.Witness {
	w := &witness.Witness{Exam: examinations.Liveness, Claims: []witness.Claim{{Item: string(examinations.Liveness), Value: examinations.True}}}
	most, cancel := shareOf(ctx, 3./4)
	defer cancel()
	if clock.Until(most, func(c *clock.Clock) error {
		w.Proof = h.net.forProofs(c).Home(c)
		return nil
	}) != nil || w.Proof == nil {
		return nil
	}
	if clock.Until(ctx, func(c *clock.Clock) error {
		runs, _ := directed.Cover(c, h.net.View, h.net.TransitionGroups())
		for _, run := range runs {
			w.Paths = append(w.Paths, witness.Finite(run))
		}
		return nil
	}) != nil || !h.accepts(w, nil) {
		return nil
	}
	return w
}

// returning looks for parts of a formula, as it was given, to which there always is a way back.
// It returns a witness where they decide the formula, together with what holds near some markings;
// else what is left of the formula, or nil where it found no such part.
func (h *hearing) returning(ctx context.Context, exam examinations.ID, item string) (w *witness.Witness, left formula.Formula) {
	given := lookup(h.given)
	f, ok := given(item)
	if !ok {
		return nil, nil
	}
	net := replay.NewNet(h.net.View)
	var known certificate.Known
	var proof *witness.Proof
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	if clock.Until(half, func(c *clock.Clock) error {
		known, proof = h.net.forProofs(c).Ways(c, f, net.In)
		return nil
	}) != nil || proof == nil {
		return nil, nil
	}
	left = net.Left(exam, item, known, given)
	if w = h.nearby(ctx, exam, item, left); w != nil {
		w.Proof = proof
		if !h.accepts(w, given) {
			w = nil
		}
	}
	return w, simplify.CTL(left, func(f formula.Formula) (value, known bool) {
		if c, ok := f.(*formula.Constant); ok {
			return c.Value, true
		}
		x := h.facts[formula.Print(f)]
		return x != nil && x.value, x != nil && x.known
	})
}

// nearby looks for a witness of what is left of a formula: none but the initial marking, a run, or
// what holds near some markings.
func (h *hearing) nearby(ctx context.Context, exam examinations.ID, item string, left formula.Formula) *witness.Witness {
	if c, ok := left.(*formula.Constant); ok {
		return &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: item, Value: examinations.Truth(c.Value)}}}
	}
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	if way, value := h.run(half, exam, left); way != nil {
		return &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: item, Value: value}}, Paths: way.Runs()}
	}
	return h.branches(ctx, exam, item, left, true, false)
}
