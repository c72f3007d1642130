package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestShowRestOfLTL: a value of LTL that was decided without a witness gets a proof that some
// state formulas never hold together.
func TestShowRestOfLTL(t *testing.T) {
	few := func(place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.TokensCount{Places: []string{place}}, Right: &formula.Number{N: 199}}
	}
	f := &formula.AllPaths{F: &formula.Globally{F: &formula.Or{Fs: []formula.Formula{few("p1"), few("p2"), &formula.Next{F: few("p6")}}}}}
	h := heard(t, unfold.Plain(nettest.Ring(8, 300)), time.Minute, []formula.Property{{ID: "f", Formula: f}})
	p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.LTLCardinality, Values: []oracle.ProvedValue{{Item: "f", Text: "TRUE", By: oracle.ByReduced}}}
	h.showRest(h.limited, p)
	if p.Values[0].By != oracle.ByProof || len(h.net.witnesses) != 1 || !h.accepts(h.net.witnesses[0], lookup(h.given)) {
		t.Fatalf("by %s, %d witnesses", p.Values[0].By, len(h.net.witnesses))
	}
}

// TestShowRest: values of CTL that were decided without a witness get one, from markings
// near the initial one and, where these do not do, with proofs of parts that always hold.
func TestShowRest(t *testing.T) {
	view := unfold.Plain(nettest.Ring(8, 300))
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
		h := heard(t, view, 10*time.Second, []formula.Property{{ID: "f", Formula: q.f}})
		p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.CTLCardinality}
		if q.tree {
			h.simplify(h.limited, p)
		}
		p.Values = []oracle.ProvedValue{{Item: "f", Text: "TRUE", By: oracle.ByWalks}}
		h.net.witnesses = nil
		h.showRest(h.limited, p)
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

// TestWalksShowWhatWasGiven: a value that walks find for a formula that was made smaller gets a
// witness of the formula that was given at once.
func TestWalksShowWhatWasGiven(t *testing.T) {
	atLeast := func(n uint64, place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	always := &formula.AllPaths{F: &formula.Globally{F: &formula.Not{F: atLeast(301, "p4")}}}
	near := &formula.ExistsPath{F: &formula.Next{F: &formula.AllPaths{F: &formula.Next{F: atLeast(298, "p0")}}}}
	run := &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: []formula.Formula{atLeast(100, "p1"), atLeast(100, "p3"), atLeast(100, "p5")}}}}
	for _, small := range []formula.Formula{near, run} {
		h := heard(t, unfold.Plain(nettest.Ring(8, 300)), time.Minute, []formula.Property{{ID: "f", Formula: &formula.And{Fs: []formula.Formula{always, small}}}})
		p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.CTLCardinality}
		h.simplify(h.limited, p)
		if len(p.Values) > 0 {
			t.Fatalf("simplification alone decides %s", formula.Print(small))
		}
		h.walks(h.limited, p)
		if len(p.Values) != 1 || p.Values[0].By != oracle.ByProof || len(h.net.witnesses) != 1 || !h.accepts(h.net.witnesses[0], lookup(h.given)) {
			t.Errorf("%s: %v, %d witnesses", formula.Print(small), p.Values, len(h.net.witnesses))
		}
	}
}

// TestShowRestOfWhatNeverHappens: a value of ReachabilityCardinality or OneSafe that was decided
// without a witness gets a proof, by the state equation or by clauses; one that says that
// something happens gets none.
func TestShowRestOfWhatNeverHappens(t *testing.T) {
	b := &pnml.Builder{ID: "once"} // a token goes from p to q, and on to r, but only where r is marked
	p, q, r := b.Place("p", 1), b.Place("q", 0), b.Place("r", 0)
	first, second := b.Transition("go"), b.Transition("t")
	b.In(p, first, 1)
	b.Out(first, q, 1)
	b.In(q, second, 1)
	b.In(r, second, 1)
	b.Out(second, r, 2)
	once, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	never := func(place string, n uint64) formula.Formula {
		return &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}}}
	}
	for _, q := range []struct {
		net   *pnml.Net
		exam  examinations.ID
		f     formula.Formula
		text  string
		shown bool
		by    int // clauses
	}{
		{nettest.Ring(8, 300), examinations.ReachabilityCardinality, never("p4", 301), "FALSE", true, 0},
		{nettest.Ring(8, 300), examinations.ReachabilityCardinality, never("p4", 300), "TRUE", false, 0},
		{once, examinations.ReachabilityCardinality, never("r", 1), "FALSE", true, 1},
		{once, examinations.OneSafe, nil, "TRUE", true, 0},
	} {
		item := string(q.exam)
		h := heard(t, unfold.Plain(q.net), time.Minute, nil)
		if h.size = large; q.f != nil {
			item = "f"
			h.ask([]formula.Property{{ID: "f", Formula: q.f}})
		}
		p := &oracle.Proof{Instance: "N-PT-1", Exam: q.exam, Values: []oracle.ProvedValue{{Item: item, Text: q.text, By: oracle.ByReduced}}}
		h.showRest(h.limited, p)
		if shown := p.Values[0].By == oracle.ByProof; shown != q.shown || len(h.net.witnesses) == 0 == shown {
			t.Errorf("%s: by %s, %d witnesses", q.exam, p.Values[0].By, len(h.net.witnesses))
		} else if shown && (!h.accepts(h.net.witnesses[0], lookup(h.given)) || len(h.net.witnesses[0].Proof.Clauses) != q.by) {
			t.Errorf("%s: %+v", q.exam, h.net.witnesses[0])
		}
	}
}
