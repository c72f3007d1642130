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

// walks looks for runs that decide what is open of deadlocks and formulas, and for what
// decides a formula of CTL near some markings, each in a fair share of some time.
func (h *hearing) walks(p *oracle.Proof, properties []formula.Property, d time.Duration) {
	if p.Exam != examinations.ReachabilityDeadlock && (!p.Exam.HasFormulas() || p.Exam == examinations.UpperBounds) {
		return
	}
	open := openItems(p, properties)
	until := time.Now().Add(d)
	for k, item := range open {
		f, _ := lookup(properties)(item)
		share := time.Until(until) / time.Duration(len(open)-k)
		if way, value := h.run(p.Exam, f, share/2); way != nil {
			h.keepAnswer(p, explorer.Answer{Item: item, Value: value, Witness: way})
		} else if p.Exam == examinations.CTLCardinality || p.Exam == examinations.CTLFireability {
			h.branch(p, item, f, share/2)
		}
	}
}

// run looks for a run that decides a deadlock or a formula.
func (h *hearing) run(exam examinations.ID, f formula.Formula, d time.Duration) (*explorer.Witness, examinations.Value) {
	ctx, cancel := context.WithTimeout(h.limited, d)
	defer cancel()
	switch {
	case goalOf(exam, f) != nil:
		_, always := f.(*formula.AllPaths)
		return h.walk(ctx, exam, f, nil), examinations.Truth(!always)
	case exam == examinations.LTLCardinality || exam == examinations.LTLFireability || ofOnePath(f):
		way, holds := h.lasso(ctx, exam, f)
		return way, examinations.Truth(holds)
	}
	return nil, examinations.Value{}
}

// ofOnePath tells whether a formula of CTL asks for one path and not for the next marking,
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

// branch decides a formula of CTL near some markings.
func (h *hearing) branch(p *oracle.Proof, item string, f formula.Formula, d time.Duration) {
	ctx, cancel := context.WithTimeout(h.limited, d)
	defer cancel()
	holds, ok := false, false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		holds, ok = directed.Branch(c, h.net.View, f)
		return nil
	})
	if err == nil && ok {
		p.Values = append(p.Values, oracle.ProvedValue{Item: item, Text: examinations.Truth(holds).Text, By: oracle.ByWalks})
	}
}

// lasso looks for a run that decides a formula of one path, and replays it.
func (h *hearing) lasso(ctx context.Context, exam examinations.ID, f formula.Formula) (way *explorer.Witness, holds bool) {
	found := false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		way = &explorer.Witness{}
		way.Stem, way.Cycle, holds, found = directed.Lasso(c, h.net.View, f)
		return nil
	})
	if err != nil || !found || way.Length() > longestWitness ||
		way.Prove(h.limited, h.net.View, exam, f, examinations.Truth(holds)) != nil {
		return nil, false
	}
	return way, holds
}
