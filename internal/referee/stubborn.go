package referee

import (
	"context"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/stubborn"
	"podium/internal/witness"
)

// reachRest decides values that are still open, of formulas E F f and A G f and of
// ReachabilityDeadlock, each by a search with stubborn sets in a fair share of the time
// that is left.
func (h *hearing) reachRest(p *oracle.Proof, properties []formula.Property) {
	if !slices.Contains(withProofs, p.Exam) || p.Exam == examinations.OneSafe {
		return
	}
	claims := openClaims(p, properties)
	deadline, _ := h.limited.Deadline()
	for k, claim := range claims {
		f, _ := lookup(properties)(claim.Item)
		goal := goalOf(p.Exam, f)
		if goal == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(h.limited, time.Until(deadline)/time.Duration(len(claims)-k))
		var result stubborn.Result
		err := clock.Until(ctx, func(c *clock.Clock) (err error) {
			result, err = stubborn.Search(c, h.net.View, goal, int(h.Memory/2))
			return err
		})
		cancel()
		switch {
		case err != nil: // nothing is lost: the value stays open
		case !result.Found:
			h.found(p, oracle.ProvedValue{Item: claim.Item, Text: claim.Value.Text, By: oracle.ByStubborn, Markings: uint64(result.Markings)})
		default:
			h.keepAnswer(p, explorer.Answer{Item: claim.Item, Value: examinations.Truth(claim.Value == examinations.False), Witness: &explorer.Witness{Stem: result.Run}})
		}
	}
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

// goalOf gives what a marking has to satisfy to decide a value, nil where no single one
// does.
func goalOf(exam examinations.ID, f formula.Formula) formula.Formula {
	if exam == examinations.ReachabilityDeadlock {
		return &formula.Deadlock{}
	}
	switch f := f.(type) {
	case *formula.ExistsPath:
		if g, ok := f.F.(*formula.Finally); ok {
			return g.F
		}
	case *formula.AllPaths:
		if g, ok := f.F.(*formula.Globally); ok {
			return &formula.Not{F: g.F}
		}
	}
	return nil
}
