package referee

import (
	"context"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/stubborn"
	"podium/internal/explorer/temporal"
	"podium/internal/witness"
)

// reachRest decides formulas of LTL that are still open, each by a search with stubborn sets.
func (h *hearing) reachRest(ctx context.Context, p *oracle.Proof) {
	open := h.openItems(p)
	memory := int(h.Memory/2) / max(h.Cores, 1)
	h.each(ctx, len(open), func(ctx context.Context, k int) (keep func()) {
		f, _ := lookup(h.properties)(open[k])
		var result stubborn.Result
		var holds bool
		if clock.Until(ctx, func(c *clock.Clock) (err error) {
			holds, result, err = stubborn.Linear(c, h.net.View, f, memory)
			return err
		}) != nil {
			return nil // nothing is lost: the value stays open
		}
		a := explorer.Answer{Item: open[k], Value: examinations.Truth(holds)}
		if result.Found && len(result.Run)+len(result.Cycle) <= longestWitness {
			a.Witness = &explorer.Witness{Stem: result.Run, Cycle: result.Cycle}
			if a.Witness.Prove(h.limited, h.net.View, p.Exam, f, a.Value) != nil {
				a.Witness = nil // the run decides the formula, but a replay does not see why
			}
		}
		return func() {
			if a.Witness != nil {
				h.keepAnswer(p, a)
				return
			}
			h.found(p, oracle.ProvedValue{Item: a.Item, Text: a.Value.Text, By: oracle.ByStubborn, Markings: uint64(result.Markings)})
		}
	})
}

// keepAnswer keeps an answer and the witness that it may have.
func (h *hearing) keepAnswer(p *oracle.Proof, a explorer.Answer) {
	h.found(p, provedBy(h.net.View, a))
	if a.Witness == nil {
		return
	}
	h.net.witnesses = append(h.net.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam,
		Claims: []witness.Claim{explorer.Claim(a.Item, a.Value)}, Paths: a.Witness.Runs()})
}

// goalOf returns what a marking has to satisfy to decide a value, nil where no single one
// does.
func goalOf(exam examinations.ID, f formula.Formula) formula.Formula {
	if exam == examinations.ReachabilityDeadlock {
		return &formula.Deadlock{}
	}
	goal, _ := temporal.Goal(f)
	return goal
}
