package referee

import (
	"context"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/directed"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// strengthenRest looks for proofs with clauses of values that are still open; on the way it may
// find runs.
func (h *hearing) strengthenRest(ctx context.Context, p *oracle.Proof) {
	net := replay.NewNet(h.net.View)
	share(ctx, h.openClaims(p), func(ctx context.Context, claim witness.Claim) {
		bad, _, err := net.Bad(p.Exam, claim, lookup(h.properties))
		if err != nil {
			return
		}
		var found prover.Result
		if clock.Until(ctx, func(c *clock.Clock) (err error) {
			found, err = h.net.forProofs(c).Strengthen(c, bad)
			return err
		}) != nil {
			return // nothing is lost: the value stays open
		}
		if found.Proof != nil {
			h.keepProof(p, &witness.Witness{Claims: []witness.Claim{claim}, Proof: found.Proof})
		} else if found.Found {
			f, _ := lookup(h.properties)(claim.Item)
			a := explorer.Answer{Item: claim.Item, Value: examinations.Truth(claim.Value == examinations.False), Witness: &explorer.Witness{Stem: found.Run}}
			if a.Witness.Prove(h.limited, h.net.View, p.Exam, f, a.Value) == nil {
				h.keepAnswer(p, a)
			}
		}
	})
}

// share does something with some items, each in a fair share of the time that is left.
func share[T any](ctx context.Context, items []T, do func(context.Context, T)) {
	for k, item := range items {
		part, cancel := clock.Part(ctx, len(items)-k)
		do(part, item)
		cancel()
	}
}

// concludeRest decides values that follow from what never happens: QuasiLiveness and Liveness
// from a dead transition, StableMarking from a constant place, and the most tokens of
// StateSpace.
func (h *hearing) concludeRest(ctx context.Context, p *oracle.Proof) {
	net := replay.NewNet(h.net.View)
	share(ctx, h.openItems(p), func(ctx context.Context, item string) {
		var w *witness.Witness
		err := clock.Until(ctx, func(c *clock.Clock) error {
			w = &witness.Witness{Claims: []witness.Claim{{Item: item, Value: examinations.False}}}
			switch p.Exam {
			case examinations.QuasiLiveness, examinations.Liveness:
				w.Proof = h.net.forProofs(c).DeadTransition(c)
			case examinations.StableMarking:
				w.Claims[0].Value = examinations.True
				w.Proof = h.net.forProofs(c).ConstantPlace(c)
			case examinations.StateSpace:
				w = h.mostTokens(c, net, item)
			}
			return nil
		})
		if err == nil && w != nil && w.Proof != nil { // else the value stays open
			h.keepProof(p, w)
		}
	})
}

// concluded decides a formula, as it was given, by proofs that state formulas are always
// true, or never, and by the initial marking.
func (h *hearing) concluded(ctx context.Context, c *clock.Clock, net *replay.Net, exam examinations.ID, item string) *witness.Witness {
	given := lookup(h.given)
	f, _ := given(item)
	if f == nil {
		return nil
	}
	prove := h.net.forProofs(c).Begin(c)
	w := &witness.Witness{Exam: exam, Paths: []witness.Path{witness.Finite(nil)}, Skeleton: h.net.Skeleton}
	known := map[int]bool{}
	list := formula.States(f)
	markings := func(head witness.Head) (certificate.Bad, error) {
		return certificate.Satisfying(list[head.Number], head.Kind == witness.Always), nil
	}
	for k, part := range list {
		head := witness.Head{Kind: witness.Never, Number: k}
		if net.Initially(part) {
			head.Kind = witness.Always
		}
		bad, _ := markings(head)
		if shown, err := prove.Show(head, bad); err != nil || !shown {
			continue
		}
		known[k] = head.Kind == witness.Always
		left := net.Left(exam, item, certificate.Known{States: known}, given)
		for _, value := range []examinations.Value{examinations.True, examinations.False} {
			w.Claims = []witness.Claim{{Item: item, Value: value}}
			if net.Check(ctx, &witness.Witness{Exam: exam, Claims: w.Claims, Paths: w.Paths, Skeleton: h.net.Skeleton},
				func(string) (formula.Formula, bool) { return left, true })[0].State != witness.Confirmed {
				continue
			}
			if w.Proof = prove.Proof(markings); w.Proof != nil {
				w.Paths = nil
				return w
			}
			return nil
		}
	}
	return nil
}

// mostTokens proves the most tokens in a marking, or in a place of the net, where a run
// reaches them.
func (h *hearing) mostTokens(c *clock.Clock, net *replay.Net, item string) *witness.Witness {
	plain := unfold.Plain(h.net.Net) // places by themselves, of all colours
	var sums [][]uint32
	for place := range uint32(h.net.Net.Places.Len()) {
		sums = append(sums, []uint32{place})
	}
	switch item {
	case "MAX_TOKEN_PER_MARKING":
		sums = [][]uint32{slices.Concat(sums...)}
	case "MAX_TOKEN_IN_PLACE":
	default:
		return nil
	}
	most, initial := uint64(0), uint64(0)
	var places []uint32
	var firings []float64
	for _, sum := range sums {
		n, _, way, ok := h.net.forProofs(c).Bound(c, sum)
		if !ok {
			return nil
		}
		if places == nil || n > most {
			most, places, firings = n, sum, way
		}
	}
	w := &witness.Witness{Claims: []witness.Claim{{Item: item, Value: examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(most, 10)}}}}
	bad, _, err := net.Bad(examinations.StateSpace, w.Claims[0], nil)
	if err != nil {
		return nil
	}
	found, err := h.net.forProofs(c).Prove(c, bad)
	if err != nil || found.Proof == nil {
		return nil
	}
	w.Proof = found.Proof
	names := make([]string, len(places))
	for k, place := range places {
		names[k] = h.net.Net.Places.At(int(place))
		initial += h.net.Net.Initial[place]
	}
	var run []uint32
	if initial < most {
		var reached bool
		if run, reached = directed.Walk(c, plain, &formula.LessEqual{Left: &formula.Number{N: most}, Right: &formula.TokensCount{Places: names}}, firings); !reached {
			return nil
		}
	}
	w.Paths = []witness.Path{witness.Finite(run)}
	return w
}
