package referee

import (
	"context"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// withoutColours decides what the skeleton of a coloured net shows, in a share of the time that is left.
func (h *hearing) withoutColours(p *oracle.Proof, share float64) {
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
	net, facts, limited, properties := h.net, h.facts, h.limited, h.properties
	ctx, stop := shareOf(h.limited, share)
	defer stop()
	h.net, h.facts, h.limited = h.skeleton, nil, ctx
	h.follow(p, withoutColoursOrder)
	h.net, h.facts, h.limited, h.properties = net, facts, limited, properties
}

// initialRest keeps what the initial marking decides.
func (h *hearing) initialRest(_ context.Context, p *oracle.Proof) {
	net := replay.NewNet(h.net.View)
	for _, item := range h.openItems(p) {
		for _, value := range []examinations.Value{examinations.True, examinations.False} {
			w := &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: []witness.Claim{{Item: item, Value: value}}, Paths: []witness.Path{witness.Finite(nil)}, Skeleton: true}
			if net.Check(h.limited, w, lookup(h.properties))[0].State == witness.Confirmed {
				h.net.witnesses = append(h.net.witnesses, w)
				h.found(p, oracle.ProvedValue{Item: item, Text: value.Text, By: oracle.ByRun, Runs: 1})
				break
			}
		}
	}
}

// initialBounds keeps the bounds of places that never hold more than in the initial marking.
func (h *hearing) initialBounds(ctx context.Context, p *oracle.Proof) {
	properties := h.openProperties(p)
	h.each(ctx, len(properties), func(ctx context.Context, k int) (keep func()) {
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
