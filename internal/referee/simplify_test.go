package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock/clocktest"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// TestSimplify: on a net whose markings nobody enumerates, formulas become constants by
// what linear programs prove and by what walks meet, and proofs or branches are kept that show the
// formula that was given.
func TestSimplify(t *testing.T) {
	view := unfold.Plain(nettest.Ring(8, 300))
	h := heard(t, view, 10*time.Minute, nil)
	atLeast := func(n uint64, place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	never, often, somewhere := atLeast(301, "p3"), &formula.Not{F: atLeast(301, "p4")}, &formula.Not{F: atLeast(300, "p0")}
	for _, q := range []struct {
		exam examinations.ID
		f    formula.Formula
		want string
	}{
		{examinations.CTLCardinality, &formula.ExistsPath{F: &formula.Finally{F: &formula.AllPaths{F: &formula.Finally{F: never}}}}, "FALSE proof"},
		{examinations.CTLCardinality, &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Until{Before: never, Reach: often}}}}, "TRUE proof"},
		{examinations.CTLCardinality, &formula.AllPaths{F: &formula.Globally{F: often}}, "TRUE proof"},
		{examinations.CTLCardinality, &formula.Not{F: &formula.ExistsPath{F: &formula.Finally{F: somewhere}}}, "FALSE proof"}, // what is met decides it, and branches lead there
		{examinations.CTLCardinality, &formula.AllPaths{F: &formula.Finally{F: atLeast(2, "p5")}}, ""},
		{examinations.LTLCardinality, &formula.AllPaths{F: &formula.Globally{F: &formula.Or{Fs: []formula.Formula{often, &formula.Next{F: never}}}}}, "TRUE proof"},
		{examinations.LTLCardinality, &formula.AllPaths{F: &formula.Globally{F: &formula.Or{Fs: []formula.Formula{&formula.Not{F: atLeast(200, "p1")},
			&formula.Not{F: atLeast(200, "p2")}, &formula.Next{F: atLeast(1, "p6")}}}}}, "TRUE proof"}, // the two never hold together
		{examinations.LTLCardinality, &formula.AllPaths{F: &formula.Until{Before: often, Reach: never}}, ""},
	} {
		p := &oracle.Proof{Exam: q.exam}
		properties := []formula.Property{{ID: "f", Formula: q.f}}
		h.facts = nil
		h.ask(properties)
		h.simplify(h.limited, p)
		got := ""
		for _, v := range p.Values {
			got = v.Text + " " + string(v.By)
		}
		if got != q.want || len(h.properties) != 1 || properties[0].Formula != q.f {
			t.Errorf("%s: %q and not %q", formula.Print(q.f), got, q.want)
		}
		for _, w := range h.net.witnesses {
			if got := replay.NewNet(view).Check(t.Context(), w, lookup(properties))[0]; got.State != witness.Confirmed {
				t.Errorf("%s: %+v", formula.Print(q.f), got)
			}
		}
	}
}

// TestInitially: what holds in the initial marking is looked at in time, or again later; nothing is said of
// a formula about places that the net does not have.
func TestInitially(t *testing.T) {
	h := heard(t, unfold.Plain(nettest.Ring(8, 300)), time.Minute, nil)
	h.facts = facts{}
	atLeast := func(n uint64, place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	for f, want := range map[formula.Formula][2]bool{atLeast(300, "p0"): {true, true}, atLeast(1, "p1"): {false, true}, atLeast(0, "q"): {}} {
		if _, known := h.initially(clocktest.Looks(0), f); known {
			t.Errorf("%s is looked at after the end", formula.Print(f))
		}
		if value, known := h.initially(t.Context(), f); [2]bool{value, known} != want {
			t.Errorf("%s: %v, %v", formula.Print(f), value, known)
		}
	}
}
