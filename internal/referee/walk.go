package referee

import (
	"context"
	"time"

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
func (h *hearing) walkTo(ctx context.Context, p *oracle.Proof, claim witness.Claim, properties []formula.Property, firings []float64) {
	f, _ := lookup(properties)(claim.Item)
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

// lassos looks for runs that decide what is open of LTL, each in a fair share of a part of
// the time that is left.
func (h *hearing) lassos(p *oracle.Proof, properties []formula.Property) {
	if p.Exam != examinations.LTLCardinality && p.Exam != examinations.LTLFireability {
		return
	}
	open := openItems(p, properties)
	deadline, _ := h.limited.Deadline()
	deadline = deadline.Add(-time.Until(deadline) / 2) // for what follows
	for k, item := range open {
		f, _ := lookup(properties)(item)
		ctx, cancel := context.WithTimeout(h.limited, time.Until(deadline)/time.Duration(len(open)-k))
		if way, holds := h.lasso(ctx, f); way != nil {
			h.keepAnswer(p, explorer.Answer{Item: item, Value: examinations.Truth(holds), Witness: way})
		}
		cancel()
	}
}

// lasso looks for a run that decides a formula of LTL, and replays it.
func (h *hearing) lasso(ctx context.Context, f formula.Formula) (way *explorer.Witness, holds bool) {
	found := false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		way = &explorer.Witness{}
		way.Stem, way.Cycle, holds, found = directed.Lasso(c, h.net.View, f)
		return nil
	})
	if err != nil || !found || way.Length() > longestWitness ||
		way.Prove(h.limited, h.net.View, examinations.LTLCardinality, f, examinations.Truth(holds)) != nil {
		return nil, false
	}
	return way, holds
}
