package referee

import (
	"context"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/replay"
)

// shareOfSearch is the part of a budget in which markings are enumerated: where proofs
// without enumeration may follow, some of it is kept for them.
func shareOfSearch(budget time.Duration, exam examinations.ID) time.Duration {
	if slices.Contains(withProofs, exam) {
		return budget * 3 / 4
	}
	return budget * 7 / 8
}

// withProofs are the examinations of whose values some have proofs.
var withProofs = []examinations.ID{examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.ReachabilityCardinality, examinations.ReachabilityFireability}

// proveRest looks for proofs of values that enumeration has left open, each in a fair
// share of the time that is left.
func (h *hearing) proveRest(p *oracle.Proof, properties []formula.Property) {
	if !slices.Contains(withProofs, p.Exam) {
		return
	}
	net := replay.NewNet(h.net.View)
	claims := openClaims(p, properties)
	deadline, _ := h.limited.Deadline()
	for k, claim := range claims {
		bad, _, err := net.Bad(p.Exam, claim, lookup(properties))
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(h.limited, time.Until(deadline)/time.Duration(len(claims)-k))
		var proof *witness.Proof
		err = clock.Until(ctx, func(c *clock.Clock) (err error) {
			proof, err = prover.Prove(c, h.net.Net, bad)
			return err
		})
		cancel()
		if err != nil || proof == nil {
			continue // nothing is lost: the value stays open
		}
		p.Values = append(p.Values, oracle.ProvedValue{Item: claim.Item, Text: claim.Value.Text, By: oracle.ByProof})
		h.net.witnesses = append(h.net.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: []witness.Claim{claim}, Proof: proof})
	}
}

func lookup(properties []formula.Property) func(string) (formula.Formula, bool) {
	return func(item string) (formula.Formula, bool) {
		for _, property := range properties {
			if property.ID == item {
				return property.Formula, true
			}
		}
		return nil, false
	}
}

// openClaims are the values that may have a proof, of the items that have no value.
func openClaims(p *oracle.Proof, properties []formula.Property) (claims []witness.Claim) {
	for _, item := range p.Exam.Items(formula.IDs(properties)) {
		if slices.ContainsFunc(p.Values, func(v oracle.ProvedValue) bool { return v.Item == item }) {
			continue
		}
		claim := witness.Claim{Item: item, Value: examinations.False}
		if f, ok := lookup(properties)(item); ok {
			if _, always := f.(*formula.AllPaths); always {
				claim.Value = examinations.True
			}
		} else if p.Exam == examinations.OneSafe {
			claim.Value = examinations.True
		}
		claims = append(claims, claim)
	}
	return claims
}
