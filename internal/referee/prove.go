package referee

import (
	"context"
	"slices"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/replay"
)

// shareOfSearch is the part of a budget in which markings are enumerated: some of it is
// kept for decision diagrams where these may help, and for proofs without enumeration.
func (h *hearing) shareOfSearch(budget time.Duration, exam examinations.ID) time.Duration {
	switch {
	case h.drawing.small: // an enumeration comes to an end
		return budget * 7 / 8
	case exam == examinations.StateSpace && !h.drawing.none:
		return budget / 4
	case h.drawing.space != nil:
		return budget * 3 / 8
	case slices.Contains(withProofs, exam) || exam.HasFormulas() && exam != examinations.UpperBounds:
		return budget / 2
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
	deadline = deadline.Add(-time.Until(deadline) / 2) // for what follows
	for k, claim := range claims {
		bad, _, err := net.Bad(p.Exam, claim, lookup(properties))
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(h.limited, time.Until(deadline)/time.Duration(len(claims)-k))
		var proof *witness.Proof
		var firings []float64
		err = clock.Until(ctx, func(c *clock.Clock) (err error) {
			proof, firings, err = prover.Prove(c, h.net.Net, bad)
			return err
		})
		if err == nil && proof == nil {
			h.walkTo(ctx, p, claim, properties, firings)
		}
		cancel()
		if err != nil || proof == nil {
			continue // nothing is lost: the value stays open
		}
		p.Values = append(p.Values, oracle.ProvedValue{Item: claim.Item, Text: claim.Value.Text, By: oracle.ByProof})
		h.net.witnesses = append(h.net.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: []witness.Claim{claim}, Proof: proof})
	}
}

// proveBounds proves bounds without enumeration, where a run reaches what a proof shows
// to be the most. It gives the properties that are left.
func (h *hearing) proveBounds(p *oracle.Proof, properties []formula.Property) []formula.Property {
	deadline, _ := h.limited.Deadline()
	quarter := time.Until(deadline) / 4
	most, proofs, ways := map[string]uint64{}, map[string]*witness.Proof{}, map[string][]float64{}
	var reach []formula.Property
	until := time.Now().Add(quarter)
	for k, property := range properties {
		bound, ok := property.Formula.(*formula.Bound)
		if !ok {
			continue
		}
		places, err := h.net.View.PlacesOf(bound.Places)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(h.limited, time.Until(until)/time.Duration(len(properties)-k))
		clock.Until(ctx, func(c *clock.Clock) error { // its end says that there is no proof
			if n, proof, firings, ok := prover.Bound(c, h.net.View, places); ok {
				most[property.ID], proofs[property.ID], ways[property.ID] = n, proof, firings
			}
			return nil
		})
		cancel()
		if proofs[property.ID] != nil {
			property.Formula = &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: most[property.ID]}, Right: &formula.TokensCount{Places: bound.Places}}}}
			reach = append(reach, property)
		}
	}
	if len(reach) == 0 {
		return properties
	}
	reached := map[string]bool{}
	keep := func(item string, way *explorer.Witness) {
		reached[item] = true
		value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(most[item], 10)}
		p.Values = append(p.Values, oracle.ProvedValue{Item: item, Text: value.Text, By: oracle.ByProof})
		h.net.witnesses = append(h.net.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: []witness.Claim{{Item: item, Value: value}},
			Paths: way.Runs(), Proof: proofs[item]})
	}
	ctx, cancel := context.WithTimeout(h.limited, quarter/2)
	defer cancel()
	// An error is that of the search that follows, too, and is reported there.
	explorer.Decide(ctx, h.net.View, examinations.ReachabilityCardinality, reach, explorer.Options{Memory: h.Memory, SearchTime: max(quarter*7/16, 1), Cores: h.Cores, Witnesses: true},
		func(a explorer.Answer) {
			if a.Value == examinations.True && a.Witness != nil && a.Witness.Length() <= longestWitness {
				keep(a.Item, a.Witness)
			}
		})
	until = time.Now().Add(quarter)
	for k, property := range reach {
		if reached[property.ID] {
			continue
		}
		ctx, cancel := context.WithTimeout(h.limited, time.Until(until)/time.Duration(len(reach)-k))
		if way := h.walk(ctx, examinations.ReachabilityCardinality, property.Formula, ways[property.ID]); way != nil {
			keep(property.ID, way)
		}
		cancel()
	}
	return slices.DeleteFunc(slices.Clone(properties), func(property formula.Property) bool { return reached[property.ID] })
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
		f, _ := lookup(properties)(item)
		claims = append(claims, prover.Claim(p.Exam, item, f))
	}
	return claims
}
