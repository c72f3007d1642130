package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/pnml/unfold"
)

// TestDiagramsDecideTheRest: what is open on a net of more markings than could be
// enumerated is decided by decision diagrams, and nothing is tried on a net without bound.
func TestDiagramsDecideTheRest(t *testing.T) {
	eats := &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"eat7"}}}
	properties := []formula.Property{
		{ID: "eats", Formula: &formula.ExistsPath{F: &formula.Finally{F: eats}}},
		{ID: "can", Formula: &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: eats}}}}},
		{ID: "known", Formula: eats},
	}
	h := heard(t, unfold.Plain(nettest.Philosophers(60)), time.Minute, properties)
	h.Memory, h.Cores = 1<<29, 2
	p := &oracle.Proof{Exam: examinations.CTLCardinality, Values: []oracle.ProvedValue{{Item: "known", Text: "FALSE"}}}
	h.drawRest(h.limited, p)
	got := map[string]string{}
	for _, v := range p.Values {
		got[v.Item] = v.Text + " " + string(v.By)
	}
	if len(got) != 3 || got["eats"] != "TRUE decision-diagrams" || got["can"] != "FALSE decision-diagrams" {
		t.Error(got)
	}
	states := &oracle.Proof{Exam: examinations.StateSpace}
	h.ask(nil)
	if h.drawRest(h.limited, states); len(states.Values) != 4 || states.Values[2].Text != "1" && states.Values[3].Text != "1" {
		t.Error(states.Values)
	}
	if h.count(states); h.size != large {
		t.Error("more than a million markings are to be visited again")
	}
	unbounded := heard(t, unfold.Plain(nettest.Unbounded()), time.Minute, properties)
	p = &oracle.Proof{Exam: examinations.UpperBounds, Values: []oracle.ProvedValue{{Item: "known", Text: examinations.Infinite.Text}}}
	if unbounded.drawRest(unbounded.limited, p); len(p.Values) != 1 || unbounded.drawing.space != nil {
		t.Error(p.Values)
	}
}
