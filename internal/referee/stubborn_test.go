package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/pnml/unfold"
)

// TestStubbornSetsDecideTheRest: what is open of LTL is decided with stubborn sets, by a run
// where there is one.
func TestStubbornSetsDecideTheRest(t *testing.T) {
	doc, err := loopInstance(t).Document()
	if err != nil {
		t.Fatal(err)
	}
	view, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	ltl := func(id string, f formula.Formula) formula.Property {
		return formula.Property{ID: id, Formula: &formula.AllPaths{F: f}}
	}
	h := heard(t, view, time.Minute, []formula.Property{
		ltl("leaves", &formula.Globally{F: tokens("a")}),
		ltl("both", &formula.Globally{F: &formula.Not{F: &formula.And{Fs: []formula.Formula{tokens("b"), tokens("c")}}}}),
		ltl("done", &formula.Globally{F: tokens("b")}),
	})
	p := &oracle.Proof{Exam: examinations.LTLCardinality, Values: []oracle.ProvedValue{{Item: "done", Text: "FALSE"}}}
	h.reachRest(h.limited, p)
	got := map[string]string{}
	for _, v := range p.Values[1:] {
		got[v.Item] = v.Text + " " + string(v.By)
	}
	for item, want := range map[string]string{"leaves": "FALSE run", "both": "TRUE stubborn-sets"} {
		if got[item] != want {
			t.Errorf("%s: %q, not %s", item, got[item], want)
		}
	}
	if len(got) != 2 || len(h.net.witnesses) != 1 {
		t.Errorf("%v, %d witnesses", got, len(h.net.witnesses))
	}
}
