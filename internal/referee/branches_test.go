package referee

import (
	"context"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/explorer/naive"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// TestShowRestOfLTL: a value of LTL that was decided without a witness gets a proof that some
// state formulas never hold together.
func TestShowRestOfLTL(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	few := func(place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.TokensCount{Places: []string{place}}, Right: &formula.Number{N: 199}}
	}
	f := &formula.AllPaths{F: &formula.Globally{F: &formula.Or{Fs: []formula.Formula{few("p1"), few("p2"), &formula.Next{F: few("p6")}}}}}
	h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 28, Budget: time.Minute, Cores: 1}}, net: &net{View: unfold.Plain(naive.Ring(8, 300))}, limited: ctx}
	h.given = []formula.Property{{ID: "f", Formula: f}}
	p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.LTLCardinality, Values: []oracle.ProvedValue{{Item: "f", Text: "TRUE", By: oracle.ByReduced}}}
	h.showRest(p, time.Minute)
	if p.Values[0].By != oracle.ByProof || len(h.net.witnesses) != 1 || !h.accepts(h.net.witnesses[0], lookup(h.given)) {
		t.Fatalf("by %s, %d witnesses", p.Values[0].By, len(h.net.witnesses))
	}
}

// TestShowRest: values of CTL that were decided without a witness get one, from markings
// near the initial one and, where these do not do, with proofs of parts that always hold.
func TestShowRest(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	view := unfold.Plain(naive.Ring(8, 300))
	atLeast := func(n uint64, place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	all := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	soon := all(&formula.Next{F: &formula.Not{F: &formula.ExistsPath{F: &formula.Next{F: atLeast(300, "p0")}}}})
	always := all(&formula.Globally{F: &formula.Not{F: atLeast(301, "p4")}})
	reached := &formula.ExistsPath{F: &formula.Finally{F: all(&formula.Next{F: atLeast(1, "p3")})}}
	for _, q := range []struct {
		f    formula.Formula
		tree bool // by a proof, too
	}{
		{soon, false},
		{reached, false},
		{&formula.And{Fs: []formula.Formula{always, soon}}, true},
	} {
		h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 28, Budget: time.Minute, Cores: 1}}, net: &net{View: view}, limited: ctx}
		h.given = []formula.Property{{ID: "f", Formula: q.f}}
		p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.CTLCardinality}
		if q.tree {
			h.simplify(p, h.given, time.Minute)
		}
		p.Values = []oracle.ProvedValue{{Item: "f", Text: "TRUE", By: oracle.ByWalks}}
		h.net.witnesses = nil
		h.showRest(p, 4*time.Second)
		if p.Values[0].By != oracle.ByProof || len(h.net.witnesses) != 1 {
			t.Fatalf("%s: by %s, %d witnesses", formula.Print(q.f), p.Values[0].By, len(h.net.witnesses))
		}
		w := h.net.witnesses[0]
		if w.Branches == nil || (w.Proof != nil) != q.tree || !h.accepts(w, lookup(h.given)) {
			t.Errorf("%s: %+v", formula.Print(q.f), w)
		}
		w.Claims = []witness.Claim{{Item: "f", Value: examinations.False}}
		if h.accepts(w, lookup(h.given)) {
			t.Errorf("%s is shown to be false", formula.Print(q.f))
		}
	}
}
