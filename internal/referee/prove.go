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

// each does something with some items, on several cores, each in a fair share of the time that is
// left, and keeps what came out in the order of the items.
func (h *hearing) each(ctx context.Context, items int, do func(ctx context.Context, k int) (keep func())) {
	workers := min(max(h.Cores, 1), items)
	kept, at, failed := make([]func(), items), make([]int64, items), make([]error, items)
	parallel.Indices(workers, items, func(k int) {
		left, _ := clock.Left(ctx)
		ctx, cancel := clock.Within(ctx, left*time.Duration(min(workers, items-k))/time.Duration(items-k))
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
func (h *hearing) openProperties(p *oracle.Proof) []formula.Property {
	open := h.openItems(p)
	return slices.DeleteFunc(slices.Clone(h.properties), func(q formula.Property) bool { return !slices.Contains(open, q.ID) })
}

// proveRest looks for proofs of values that are open.
func (h *hearing) proveRest(ctx context.Context, p *oracle.Proof) {
	net := replay.NewNet(h.net.View)
	share(ctx, h.openClaims(p), func(ctx context.Context, claim witness.Claim) {
		bad, _, err := net.Bad(p.Exam, claim, lookup(h.properties))
		if err != nil {
			return
		}
		var found prover.Result
		err = clock.Until(ctx, func(c *clock.Clock) (err error) {
			found, err = h.net.forProofs(c).Prove(c, bad)
			return err
		})
		if err == nil && found.Proof == nil && !h.net.Skeleton {
			h.walkTo(ctx, p, claim, found.Firings)
		}
		if err == nil && found.Proof != nil { // else nothing is lost: the value stays open
			h.keepProof(p, &witness.Witness{Claims: []witness.Claim{claim}, Proof: found.Proof})
		}
	})
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
// to be the most.
func (h *hearing) proveBounds(ctx context.Context, p *oracle.Proof) {
	properties := h.openProperties(p)
	third, cancel := clock.Part(ctx, 3)
	defer cancel()
	type found struct {
		most  uint64
		proof *witness.Proof
		way   []float64
	}
	bounds := map[string]found{}
	var reach []formula.Property
	h.each(third, len(properties), func(ctx context.Context, k int) (keep func()) {
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
		return
	}
	reached := map[string]bool{}
	keep := func(item string, way *explorer.Witness) {
		reached[item] = true
		value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(bounds[item].most, 10)}
		h.keepProof(p, &witness.Witness{Claims: []witness.Claim{{Item: item, Value: value}}, Paths: way.Runs(), Proof: bounds[item].proof})
	}
	// Walks find most of the runs, and soon; a search gets the time that is left.
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	h.each(half, len(reach), func(ctx context.Context, k int) (keepRun func()) {
		if way := h.walk(ctx, examinations.ReachabilityCardinality, reach[k].Formula, bounds[reach[k].ID].way); way != nil {
			return func() { keep(reach[k].ID, way) }
		}
		return nil
	})
	reach = slices.DeleteFunc(reach, func(property formula.Property) bool { return reached[property.ID] })
	left, _ := clock.Left(ctx)
	// An error is that of the search that follows, too, and is reported there.
	explorer.Decide(ctx, h.net.View, examinations.ReachabilityCardinality, reach, explorer.Options{Memory: h.Memory, SearchTime: max(left*7/8, 1), Cores: h.Cores, Witnesses: true},
		func(a explorer.Answer) {
			if a.Value == examinations.True && a.Witness != nil && a.Witness.Length() <= longestWitness {
				keep(a.Item, a.Witness)
			}
		})
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
func (h *hearing) openClaims(p *oracle.Proof) (claims []witness.Claim) {
	for _, item := range h.openItems(p) {
		f, _ := lookup(h.properties)(item)
		claims = append(claims, prover.Claim(p.Exam, item, f))
	}
	return claims
}
