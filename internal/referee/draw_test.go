package referee

import (
	"context"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/explorer/naive"
	"podium/pnml/unfold"
)

// TestDiagramsDecideTheRest: what is open on a net of more markings than could be
// enumerated is decided by decision diagrams, and nothing is tried on a net without bound.
func TestDiagramsDecideTheRest(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 29, Budget: time.Minute, Cores: 2}}, net: &net{View: unfold.Plain(naive.Philosophers(60))}, limited: ctx}
	eats := &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"eat7"}}}
	properties := []formula.Property{
		{ID: "eats", Formula: &formula.ExistsPath{F: &formula.Finally{F: eats}}},
		{ID: "can", Formula: &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: eats}}}}},
		{ID: "known", Formula: eats},
	}
	p := &oracle.Proof{Exam: examinations.CTLCardinality, Values: []oracle.ProvedValue{{Item: "known", Text: "FALSE"}}}
	h.drawRest(p, properties)
	got := map[string]string{}
	for _, v := range p.Values {
		got[v.Item] = v.Text + " " + string(v.By)
	}
	if len(got) != 3 || got["eats"] != "TRUE decision-diagrams" || got["can"] != "FALSE decision-diagrams" {
		t.Error(got)
	}
	states := &oracle.Proof{Exam: examinations.StateSpace}
	if h.drawRest(states, nil); len(states.Values) != 4 || states.Values[2].Text != "1" && states.Values[3].Text != "1" {
		t.Error(states.Values)
	}
	if h.count(states); h.size != large {
		t.Error("more than a million markings are to be visited again")
	}
	unbounded := &hearing{Referee: h.Referee, net: &net{View: unfold.Plain(naive.Unbounded())}, limited: ctx}
	p = &oracle.Proof{Exam: examinations.UpperBounds, Values: []oracle.ProvedValue{{Item: "known", Text: examinations.Infinite.Text}}}
	if unbounded.drawRest(p, properties); len(p.Values) != 1 || unbounded.drawing.space != nil {
		t.Error(p.Values)
	}
}
