package referee

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/fault"
	"podium/internal/parallel"
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
	case slices.Contains(withProofs, exam) || exam.HasFormulas():
		return budget / 2
	}
	return budget * 7 / 8
}

// each does something with some items, on several cores, each in a fair share of some time,
// and keeps what came out in the order of the items.
func (h *hearing) each(items int, d time.Duration, do func(ctx context.Context, k int) (keep func())) {
	workers := min(max(h.Cores, 1), items)
	until := time.Now().Add(d)
	kept, at, failed := make([]func(), items), make([]int64, items), make([]error, items)
	parallel.Indices(workers, items, func(k int) {
		ctx, cancel := context.WithTimeout(h.limited, time.Until(until)*time.Duration(min(workers, items-k))/time.Duration(items-k))
		defer cancel()
		failed[k] = fault.Contain(fmt.Sprintf("%s, %d of %d", h.doing, k+1, items), func() error { kept[k] = do(ctx, k); return nil })
		at[k] = h.passed()
	})
	for k, keep := range kept {
		if failed[k] != nil {
			h.leaveOpen(failed[k])
		}
		if keep != nil {
			h.keptAt = at[k]
			keep()
		}
	}
	h.keptAt = 0
}

// openProperties are the properties that have no value.
func openProperties(p *oracle.Proof, properties []formula.Property) []formula.Property {
	open := openItems(p, properties)
	return slices.DeleteFunc(slices.Clone(properties), func(q formula.Property) bool { return !slices.Contains(open, q.ID) })
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
		var found prover.Result
		err = clock.Until(ctx, func(c *clock.Clock) (err error) {
			found, err = h.net.forProofs(c).Prove(c, bad)
			return err
		})
		if err == nil && found.Proof == nil && !h.net.Skeleton {
			h.walkTo(ctx, p, claim, properties, found.Firings)
		}
		cancel()
		if err == nil && found.Proof != nil { // else nothing is lost: the value stays open
			h.keepProof(p, &witness.Witness{Claims: []witness.Claim{claim}, Proof: found.Proof})
		}
	}
}

// keepProof keeps the value of a witness with a proof.
func (h *hearing) keepProof(p *oracle.Proof, w *witness.Witness) {
	w.Instance, w.Exam, w.Skeleton = p.Instance, p.Exam, h.net.Skeleton
	h.net.witnesses = append(h.net.witnesses, w)
	for _, claim := range w.Claims {
		h.found(p, oracle.ProvedValue{Item: claim.Item, Text: claim.Value.Text, By: oracle.ByProof})
	}
}

// proveBounds proves bounds without enumeration, where a run reaches what a proof shows
// to be the most, in some time. It returns the properties that are left.
func (h *hearing) proveBounds(p *oracle.Proof, properties []formula.Property, d time.Duration) []formula.Property {
	third := d / 3
	type found struct {
		most  uint64
		proof *witness.Proof
		way   []float64
	}
	bounds := map[string]found{}
	var reach []formula.Property
	h.each(len(properties), third, func(ctx context.Context, k int) (keep func()) {
		property := properties[k]
		bound, ok := property.Formula.(*formula.Bound)
		if !ok {
			return nil
		}
		places, err := h.net.View.PlacesOf(bound.Places)
		if err != nil {
			return nil
		}
		var x found
		clock.Until(ctx, func(c *clock.Clock) error { // its end says that there is no proof
			x.most, x.proof, x.way, _ = h.net.forProofs(c).Bound(c, places)
			return nil
		})
		if x.proof == nil {
			return nil
		}
		return func() {
			bounds[property.ID] = x
			property.Formula = &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: x.most}, Right: &formula.TokensCount{Places: bound.Places}}}}
			reach = append(reach, property)
		}
	})
	if len(reach) == 0 {
		return properties
	}
	reached := map[string]bool{}
	keep := func(item string, way *explorer.Witness) {
		reached[item] = true
		value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(bounds[item].most, 10)}
		h.keepProof(p, &witness.Witness{Claims: []witness.Claim{{Item: item, Value: value}}, Paths: way.Runs(), Proof: bounds[item].proof})
	}
	ctx, cancel := context.WithTimeout(h.limited, third/2)
	defer cancel()
	// An error is that of the search that follows, too, and is reported there.
	explorer.Decide(ctx, h.net.View, examinations.ReachabilityCardinality, reach, explorer.Options{Memory: h.Memory, SearchTime: max(third*7/16, 1), Cores: h.Cores, Witnesses: true},
		func(a explorer.Answer) {
			if a.Value == examinations.True && a.Witness != nil && a.Witness.Length() <= longestWitness {
				keep(a.Item, a.Witness)
			}
		})
	reach = slices.DeleteFunc(reach, func(property formula.Property) bool { return reached[property.ID] })
	h.each(len(reach), third, func(ctx context.Context, k int) (keepRun func()) {
		if way := h.walk(ctx, examinations.ReachabilityCardinality, reach[k].Formula, bounds[reach[k].ID].way); way != nil {
			return func() { keep(reach[k].ID, way) }
		}
		return nil
	})
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
