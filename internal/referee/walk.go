package referee

import (
	"context"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/directed"
	"podium/internal/witness"
)

// walkTo refutes a claim by a run, if a walk finds one; firings may say how often each
// transition is expected to fire on it.
func (h *hearing) walkTo(ctx context.Context, p *oracle.Proof, claim witness.Claim, firings []float64) {
	f, _ := lookup(h.properties)(claim.Item)
	if p.Exam == examinations.OneSafe {
		return // a place with two tokens is found by the search
	}
	if f == nil {
		f = &formula.ExistsPath{F: &formula.Finally{F: &formula.Deadlock{}}}
	}
	if way := h.walk(ctx, p.Exam, f, firings); way != nil {
		h.keepAnswer(p, explorer.Answer{Item: claim.Item, Value: examinations.Truth(claim.Value == examinations.False), Witness: way})
	}
}

// walk looks for a run that decides a formula E F f or A G f; nil when none is found.
func (h *hearing) walk(ctx context.Context, exam examinations.ID, f formula.Formula, firings []float64) *explorer.Witness {
	goal := goalOf(exam, f)
	if goal == nil {
		return nil
	}
	var run []uint32
	found := false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		run, found = directed.Walk(c, h.net.View, goal, firings)
		return nil
	})
	if err != nil || !found {
		return nil
	}
	return &explorer.Witness{Stem: run}
}

// walks looks for runs that decide what is open of deadlocks and formulas, and for what
// decides a formula of CTL near some markings.
func (h *hearing) walks(ctx context.Context, p *oracle.Proof) {
	open := h.openItems(p)
	h.each(ctx, len(open), func(ctx context.Context, k int) (keep func()) {
		f, _ := lookup(h.properties)(open[k])
		half, cancel := clock.Part(ctx, 2)
		defer cancel()
		ctl := slices.Contains(ofCTL, p.Exam)
		way, value := h.run(half, p.Exam, f)
		a := explorer.Answer{Item: open[k], Value: value, Witness: way}
		switch {
		case value.IsZero() && ctl:
			return h.branch(ctx, p, open[k], f)
		case value.IsZero():
			return nil
		case way != nil && h.shows(p.Exam, a):
			return func() { h.keepAnswer(p, a) }
		case ctl: // of a formula that was made smaller, the run may not show the one that was given
			return h.keepShown(ctx, p, open[k], value)
		}
		return func() { h.found(p, oracle.ProvedValue{Item: a.Item, Text: value.Text, By: oracle.ByWalks}) }
	})
}

// dives looks depth first for runs that decide what is open of deadlocks, reachability and LTL, on nets that are
// reduced for it.
func (h *hearing) dives(ctx context.Context, p *oracle.Proof) {
	open := h.openItems(p)
	h.each(ctx, len(open), func(ctx context.Context, k int) (keep func()) {
		f, _ := lookup(h.properties)(open[k])
		a := explorer.Answer{Item: open[k]}
		if slices.Contains(ofLTL, p.Exam) {
			a.Witness, a.Value = h.lasso(ctx, p.Exam, f, true)
		} else {
			a.Witness, a.Value = h.replayed(ctx, p.Exam, f, func(c *clock.Clock, way *explorer.Witness) (holds, found bool) {
				way.Stem, found = directed.Dive(c, h.net.View, goalOf(p.Exam, f))
				_, always := f.(*formula.AllPaths)
				return !always, found
			})
		}
		switch {
		case a.Value.IsZero():
			return nil
		case h.shows(p.Exam, a):
			return func() { h.keepAnswer(p, a) }
		}
		return func() { h.found(p, oracle.ProvedValue{Item: a.Item, Text: a.Value.Text, By: oracle.ByWalks}) }
	})
}

// shows reports whether a replay accepts the witness of an answer: of CTL, for a formula that may
// have been made smaller; of LTL, with a cycle that a reduced net may have alone, where a place
// without bound is left out.
func (h *hearing) shows(exam examinations.ID, a explorer.Answer) bool {
	if !slices.Contains(ofCTL, exam) && !slices.Contains(ofLTL, exam) {
		return true
	}
	f, _ := lookup(h.given)(a.Item)
	return a.Witness.Prove(h.limited, h.net.View, exam, f, a.Value) == nil
}

// run looks for a run that decides a deadlock or a formula. The value is zero where none is
// found, and may have no witness that a replay accepts.
func (h *hearing) run(ctx context.Context, exam examinations.ID, f formula.Formula) (way *explorer.Witness, value examinations.Value) {
	switch {
	case goalOf(exam, f) != nil:
		_, always := f.(*formula.AllPaths)
		if way = h.walk(ctx, exam, f, nil); way != nil {
			value = examinations.Truth(!always)
		}
	case slices.Contains(ofLTL, exam):
		half, cancel := clock.Part(ctx, 2)
		defer cancel()
		if way, value = h.word(half, exam, f); way == nil {
			if cycle, known := h.lasso(ctx, exam, f, false); cycle != nil {
				return cycle, known
			}
		}
	case ofOnePath(f):
		return h.lasso(ctx, exam, f, false)
	}
	return way, value
}

// ofOnePath reports whether a formula of CTL asks for one path and not for the next marking,
// which a dead one has in LTL only.
func ofOnePath(f formula.Formula) bool {
	var path formula.Formula
	switch f := f.(type) {
	case *formula.AllPaths:
		path = f.F
	case *formula.ExistsPath:
		path = f.F
	default:
		return false
	}
	one := true
	formula.Walk(path, func(g formula.Formula) {
		switch g.(type) {
		case *formula.AllPaths, *formula.ExistsPath, *formula.Next:
			one = false
		}
	})
	return one
}

// word looks for a run that decides a formula of LTL, and replays it. A value without a way
// is decided by a run that a replay does not accept.
func (h *hearing) word(ctx context.Context, exam examinations.ID, f formula.Formula) (way *explorer.Witness, value examinations.Value) {
	holds, found := false, false
	way = &explorer.Witness{}
	err := clock.Until(ctx, func(c *clock.Clock) error {
		way.Stem, holds, found = directed.Word(c, h.net.View, f)
		return nil
	})
	if err != nil || !found {
		return nil, examinations.Value{}
	}
	value = examinations.Truth(holds)
	if way.Prove(h.limited, h.net.View, exam, f, value) != nil {
		way = nil
	}
	return way, value
}

// lasso looks for a run that decides a formula of one path, also on a net that is reduced for it, and replays it.
func (h *hearing) lasso(ctx context.Context, exam examinations.ID, f formula.Formula, reduced bool) (*explorer.Witness, examinations.Value) {
	return h.replayed(ctx, exam, f, func(c *clock.Clock, way *explorer.Witness) (holds, found bool) {
		way.Stem, way.Cycle, holds, found = directed.Lasso(c, h.net.View, f, reduced)
		return holds, found
	})
}

// replayed returns the run that find finds and the value that it gives, if a replay accepts it.
func (h *hearing) replayed(ctx context.Context, exam examinations.ID, f formula.Formula,
	find func(*clock.Clock, *explorer.Witness) (holds, found bool)) (*explorer.Witness, examinations.Value) {
	holds, found := false, false
	way := &explorer.Witness{}
	err := clock.Until(ctx, func(c *clock.Clock) error {
		holds, found = find(c, way)
		return nil
	})
	value := examinations.Truth(holds)
	if err != nil || !found || way.Length() > longestWitness || way.Prove(h.limited, h.net.View, exam, f, value) != nil {
		return nil, examinations.Value{}
	}
	return way, value
}
