package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/pnml/unfold"
)

// TestStubbornSetsDecideTheRest: what is open is decided with stubborn sets, by a run
// where there is one.
func TestStubbornSetsDecideTheRest(t *testing.T) {
	doc, err := loopInstance(t).Document()
	if err != nil {
		t.Fatal(err)
	}
	view, err := unfold.Of(doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	properties := []formula.Property{
		{ID: "reached", Formula: &formula.ExistsPath{F: &formula.Finally{F: tokens("c")}}},
		{ID: "both", Formula: &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: []formula.Formula{tokens("b"), tokens("c")}}}}},
		{ID: "left", Formula: &formula.AllPaths{F: &formula.Globally{F: tokens("a")}}},
		{ID: "done", Formula: &formula.AllPaths{F: &formula.Globally{F: tokens("b")}}},
	}
	h := heard(t, view, time.Minute, properties)
	p := &oracle.Proof{Exam: examinations.ReachabilityCardinality, Values: []oracle.ProvedValue{{Item: "done", Text: "FALSE"}}}
	h.reachRest(h.limited, p)
	deadlock := &oracle.Proof{Exam: examinations.ReachabilityDeadlock}
	h.properties = nil
	h.reachRest(h.limited, deadlock)
	got := map[string]string{}
	for _, v := range append(p.Values[1:], deadlock.Values...) {
		got[v.Item] = v.Text + " " + string(v.By)
	}
	for item, want := range map[string]string{"reached": "TRUE run", "both": "FALSE stubborn-sets", "left": "FALSE run", "ReachabilityDeadlock": "FALSE stubborn-sets"} {
		if got[item] != want {
			t.Errorf("%s: %q, not %s", item, got[item], want)
		}
	}
	if len(got) != 4 || len(h.net.witnesses) != 2 {
		t.Errorf("%v, %d witnesses", got, len(h.net.witnesses))
	}
}
