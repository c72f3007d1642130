package referee

import (
	"context"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// withoutColours decides what the skeleton of a coloured net shows at once, before the net is
// unfolded.
func (h *hearing) withoutColours(p *oracle.Proof, properties []formula.Property) {
	if h.files.Document.Symmetric == nil {
		return
	}
	if h.skeleton == nil {
		view, ok := unfold.Skeleton(h.files.Document.Symmetric)
		if !ok {
			return
		}
		h.skeleton = &net{View: view}
	}
	h.skeleton.witnesses = nil
	h.onSkeleton(p, properties, h.Budget/16)
}

// onSkeleton decides what the skeleton shows, in some time. It may do more than the net: what
// it never does, the net never does, and both have as many tokens in the initial marking. As
// LoLA and TAPAAL use skeletons; what formulas meet on its walks is no fact of the net.
func (h *hearing) onSkeleton(p *oracle.Proof, properties []formula.Property, d time.Duration) {
	if p.Exam == examinations.StateSpace {
		return // its markings are others
	}
	whole, facts, limited := h.net, h.facts, h.limited
	ctx, stop := context.WithTimeout(limited, d)
	defer stop()
	h.net, h.facts, h.limited = h.skeleton, nil, ctx
	defer func() { h.net, h.facts, h.limited = whole, facts, limited }()
	deadline, _ := ctx.Deadline()
	left := func(divisor int64) time.Duration { return time.Until(deadline) / time.Duration(divisor) }
	net := replay.NewNet(h.net.View)
	h.alone(p, "initial marking", func() { h.initialRest(p, net, properties) })
	if p.Exam == examinations.UpperBounds {
		h.alone(p, "bounds", func() { h.initialBounds(p, openProperties(p, properties), left(1)) })
		return
	}
	h.alone(p, "simplification", func() { properties = h.simplify(p, properties, left(2)) })
	h.alone(p, "proofs", func() { h.proveRest(p, properties) })
	h.alone(p, "conclusions", func() { h.concludeRest(p, properties) })
	h.alone(p, "clauses", func() { h.strengthenRest(p, properties) })
}

// initialRest keeps what the initial marking decides.
func (h *hearing) initialRest(p *oracle.Proof, net *replay.Net, properties []formula.Property) {
	for _, item := range openItems(p, properties) {
		for _, value := range []examinations.Value{examinations.True, examinations.False} {
			w := &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: []witness.Claim{{Item: item, Value: value}}, Paths: []witness.Path{witness.Finite(nil)}, Skeleton: true}
			if net.Check(h.limited, w, lookup(properties))[0].State == witness.Confirmed {
				h.net.witnesses = append(h.net.witnesses, w)
				h.found(p, oracle.ProvedValue{Item: item, Text: value.Text, By: oracle.ByRun, Runs: 1})
				break
			}
		}
	}
}

// initialBounds keeps the bounds of places that never hold more than in the initial marking, in
// some time.
func (h *hearing) initialBounds(p *oracle.Proof, properties []formula.Property, d time.Duration) {
	h.each(len(properties), d, func(ctx context.Context, k int) (keep func()) {
		bound, ok := properties[k].Formula.(*formula.Bound)
		if !ok {
			return nil
		}
		places, err := h.net.PlacesOf(bound.Places)
		if err != nil {
			return nil
		}
		initial := uint64(0)
		for _, place := range places {
			initial += h.net.Net.Initial[place]
		}
		var most uint64
		var proof *witness.Proof
		clock.Until(ctx, func(c *clock.Clock) error { // its end says that there is no proof
			most, proof, _, _ = h.net.forProofs(c).Bound(c, places)
			return nil
		})
		if proof == nil || most != initial {
			return nil
		}
		value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(most, 10)}
		w := &witness.Witness{Exam: p.Exam, Skeleton: true, Claims: []witness.Claim{{Item: properties[k].ID, Value: value}}, Paths: []witness.Path{witness.Finite(nil)}, Proof: proof}
		if !h.accepts(w, lookup(properties)) { // more tokens than a number holds
			return nil
		}
		return func() { h.keepProof(p, w) }
	})
}

// countsTokens reports whether a formula of one marking is about numbers of tokens alone.
func countsTokens(f formula.Formula) bool {
	only := true
	formula.Walk(f, func(f formula.Formula) {
		switch f.(type) {
		case *formula.Fireable, *formula.Deadlock:
			only = false
		}
	})
	return only
}
