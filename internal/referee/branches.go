package referee

import (
	"context"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/replay"
)

// branch decides a formula of CTL near some markings, and says how to keep its value.
func (h *hearing) branch(ctx context.Context, p *oracle.Proof, item string, f formula.Formula) (keep func()) {
	w := h.branches(ctx, p.Exam, item, f, true, false)
	if w == nil {
		return nil
	}
	if !h.isGiven(item, f) {
		return h.keepShown(ctx, p, item, w.Claims[0].Value)
	}
	return func() { h.keepProof(p, w) }
}

// isGiven reports whether a formula is that of an item as it was given, and not a smaller one.
func (h *hearing) isGiven(item string, f formula.Formula) bool {
	given, ok := lookup(h.given)(item)
	return ok && formula.Print(given) == formula.Print(f)
}

// keepShown says how to keep a value of a formula that was made smaller: with a witness of the
// formula that was given, where one is found in the time that is left; else that is tried later.
func (h *hearing) keepShown(ctx context.Context, p *oracle.Proof, item string, value examinations.Value) (keep func()) {
	if given, ok := lookup(h.given)(item); ok {
		if w := h.shownNear(ctx, p.Exam, item, given, value == examinations.True); w != nil {
			return func() { h.keepProof(p, w) }
		}
	}
	return func() { h.found(p, oracle.ProvedValue{Item: item, Text: value.Text, By: oracle.ByWalks}) }
}

// onTheFly decides formulas of CTL that are still open, each by a search that visits what matters to it.
func (h *hearing) onTheFly(ctx context.Context, p *oracle.Proof) {
	open := h.openItems(p)
	h.each(ctx, len(open), func(ctx context.Context, k int) (keep func()) {
		f, _ := lookup(h.properties)(open[k])
		w := h.local(ctx, p.Exam, open[k], f)
		if w == nil {
			return nil // nothing is lost: the value stays open
		}
		value := w.Claims[0].Value
		if !h.isGiven(open[k], f) {
			given, _ := lookup(h.given)(open[k])
			w = h.local(ctx, p.Exam, open[k], given)
		}
		if w != nil && w.Branches != nil && h.accepts(w, lookup(h.given)) {
			return func() { h.keepProof(p, w) }
		}
		return h.keepShown(ctx, p, open[k], value)
	})
}

// local decides a formula of CTL on the fly; nil where it does not. The witness has no branches where these are many.
func (h *hearing) local(ctx context.Context, exam examinations.ID, item string, f formula.Formula) (w *witness.Witness) {
	clock.Until(ctx, func(c *clock.Clock) error { // its end says nothing of a value that is found
		holds, show, ok := directed.Local(c, h.net.View, f, int(h.Memory/4)/max(h.Cores, 1))
		if ok {
			w = &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: item, Value: examinations.Truth(holds)}}}
			w.Branches = show()
		}
		return nil
	})
	return w
}

// branches looks for a witness that shows one of some values of a formula near some
// markings, which a replay accepts; nil when none is found.
func (h *hearing) branches(ctx context.Context, exam examinations.ID, item string, f formula.Formula, values ...bool) *witness.Witness {
	w := &witness.Witness{Exam: exam}
	holds, ok := false, false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		holds, w.Branches, ok = directed.Branch(c, h.net.View, f, values...)
		return nil
	})
	w.Claims = []witness.Claim{{Item: item, Value: examinations.Truth(holds)}}
	if err != nil || !ok || !h.accepts(w, func(string) (formula.Formula, bool) { return f, true }) {
		return nil
	}
	return w
}

// accepts reports whether a replay confirms the only value of a witness.
func (h *hearing) accepts(w *witness.Witness, lookup func(string) (formula.Formula, bool)) bool {
	return replay.NewNet(h.net.View).Check(h.limited, w, lookup)[0].State == witness.Confirmed
}

// showRest looks for witnesses of values that were decided without: of CTL and LTL, and of what
// never happens.
func (h *hearing) showRest(ctx context.Context, p *oracle.Proof) {
	ctl := slices.Contains(ofCTL, p.Exam)
	ltl := slices.Contains(ofLTL, p.Exam)
	if !ctl && !ltl && !slices.Contains(ofNever, p.Exam) || h.drawing.small || h.size == small {
		return // a replay visits all markings again
	}
	var rest []*oracle.ProvedValue
	for i := range p.Values {
		if v := p.Values[i]; v.Shown() == oracle.NotShown && (v.By != oracle.ByAllMarkings || h.size == large) { // else these may be visited again
			rest = append(rest, &p.Values[i])
		}
	}
	keep := func(v *oracle.ProvedValue, w *witness.Witness) {
		w.Instance = p.Instance
		h.net.witnesses = append(h.net.witnesses, w)
		v.By, v.Markings, v.After = oracle.ByProof, 0, h.passed()
	}
	if ltl { // one after the other: they share what is known of state formulas
		share(ctx, rest, func(ctx context.Context, v *oracle.ProvedValue) {
			if w := h.withoutRunShown(ctx, p.Exam, v); w != nil {
				keep(v, w)
			}
		})
		return
	}
	h.each(ctx, len(rest), func(ctx context.Context, k int) func() {
		v := rest[k]
		var w *witness.Witness
		if f, ok := lookup(h.given)(v.Item); ctl && ok {
			w = h.shownNear(ctx, p.Exam, v.Item, f, v.Text == examinations.True.Text)
		} else if !ctl {
			w = h.shownNever(ctx, p.Exam, v)
		}
		if w == nil {
			return nil
		}
		return func() { keep(v, w) }
	})
}

// shownNever shows by a proof a value that says that something never happens; nil where it says
// something else, or no proof is found: by the state equation in half of the time that is left,
// and by clauses in the rest where it is known that a replay cannot visit all markings.
func (h *hearing) shownNever(ctx context.Context, exam examinations.ID, v *oracle.ProvedValue) *witness.Witness {
	f, _ := lookup(h.given)(v.Item)
	w := &witness.Witness{Exam: exam, Claims: []witness.Claim{prover.Claim(exam, v.Item, f)}}
	bad, _, err := replay.NewNet(h.net.View).Bad(exam, w.Claims[0], lookup(h.given))
	if err != nil || w.Claims[0].Value.Text != v.Text {
		return nil
	}
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	clock.Until(half, func(c *clock.Clock) error { // its end says that nothing is found
		found, err := h.net.forProofs(c).Prove(c, bad)
		w.Proof = found.Proof
		return err
	})
	if w.Proof == nil && h.size == large {
		clock.Until(ctx, func(c *clock.Clock) error {
			found, err := h.net.forProofs(c).Strengthen(c, bad)
			w.Proof = found.Proof
			return err
		})
	}
	if w.Proof == nil {
		return nil
	}
	return w
}

// shownNear shows a value of a formula of CTL near some markings, in half of the time that is
// left with what is known of its parts, which takes little where it is enough.
func (h *hearing) shownNear(ctx context.Context, exam examinations.ID, item string, f formula.Formula, value bool) *witness.Witness {
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	if w := h.concludedNear(half, exam, item, value); w != nil {
		return w
	}
	half, cancel = clock.Part(ctx, 2)
	defer cancel()
	return h.branches(half, exam, item, f, value)
}

// withoutRunShown shows a value of a formula of LTL by state formulas that never hold
// together; nil where that is not found.
func (h *hearing) withoutRunShown(ctx context.Context, exam examinations.ID, v *oracle.ProvedValue) *witness.Witness {
	f, ok := lookup(h.given)(v.Item)
	if !ok {
		return nil
	}
	if h.facts == nil {
		h.facts = facts{}
	}
	net := replay.NewNet(h.net.View)
	decided, apart := h.withoutRun(ctx, net, f, func(f formula.Formula) bool {
		value, known := h.always(ctx, net, f)
		return known && !value
	})
	value := examinations.Value{Kind: exam.Kind(), Text: v.Text}
	if c, ok := decided.(*formula.Constant); !ok || examinations.Truth(c.Value) != value {
		return nil
	}
	return h.keptApart(ctx, net, exam, formula.Property{ID: v.Item, Formula: f}, value, apart)
}

// concludedNear shows a value of a formula by proofs that state formulas are always true, or
// never, and near some markings what is left of the formula then.
func (h *hearing) concludedNear(ctx context.Context, exam examinations.ID, item string, value bool) *witness.Witness {
	f, _ := lookup(h.given)(item)
	list, known := formula.States(f), map[int]bool{}
	for k, part := range list {
		if x := h.facts[formula.Print(part)]; x != nil && x.known {
			known[k] = x.value
		}
	}
	if len(known) == 0 {
		return nil
	}
	left := replay.NewNet(h.net.View).Left(exam, item, certificate.Known{States: known}, lookup(h.given))
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	w := h.branches(half, exam, item, left, value)
	if w == nil {
		return nil
	}
	markings := func(head witness.Head) (certificate.Bad, error) {
		return certificate.Satisfying(list[head.Number], head.Kind == witness.Always), nil
	}
	var heads []witness.Head
	for k := range list {
		switch holds, ok := known[k]; {
		case ok && holds:
			heads = append(heads, witness.Head{Kind: witness.Always, Number: k})
		case ok:
			heads = append(heads, witness.Head{Kind: witness.Never, Number: k})
		}
	}
	return h.withProof(ctx, w, heads, markings)
}
