package explicit

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
	"podium/pnml"
	"podium/pnml/unfold"
)

// builder returns a counter that goes up for ever.
func builder() *pnml.Net {
	b := &pnml.Builder{}
	p, q, t := b.Place("p", 0), b.Place("q", 1), b.Transition("t")
	b.In(q, t, 1)
	b.Out(t, q, 1)
	b.Out(t, p, 1)
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

func printed(t *testing.T, ctx context.Context, task engine.Task) string {
	t.Helper()
	var output bytes.Buffer
	if err := (Engine{}).Answer(ctx, task, engine.NewPrinter(&output, task.Exam)); err != nil {
		t.Fatal(err)
	}
	return output.String()
}

// TestAnswers: what is printed for an unbounded net, answered and not.
func TestAnswers(t *testing.T) {
	net := builder()
	const by = " TECHNIQUES EXPLICIT STATE_COMPRESSION SEQUENTIAL_PROCESSING STRUCTURAL_REDUCTION\n"
	if got, want := printed(t, t.Context(), engine.Task{Exam: examinations.StateSpace, View: unfold.Plain(net)}), "STATE_SPACE STATES +inf"+by; !strings.HasPrefix(got, want) || strings.Count(got, "+inf") != 4 {
		t.Errorf("printed %q", got)
	}
	if got, want := printed(t, t.Context(), engine.Task{Exam: examinations.QuasiLiveness, View: unfold.Plain(net)}), "FORMULA QuasiLiveness TRUE"+by; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	props := []formula.Property{
		{ID: "never", Formula: &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: []formula.Formula{
			&formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"p"}}},
			&formula.LessEqual{Left: &formula.TokensCount{Places: []string{"p"}}, Right: &formula.Number{N: 0}},
		}}}}},
		{ID: "soon", Formula: &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: 9}, Right: &formula.TokensCount{Places: []string{"p"}}}}}},
	}
	got := printed(t, t.Context(), engine.Task{Exam: examinations.ReachabilityCardinality, View: unfold.Plain(net), Properties: props, Memory: 64 << 20})
	if want := "FORMULA soon TRUE" + by + "FORMULA never CANNOT_COMPUTE\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// TestNoTime: an ended context ends the engine with nothing guessed.
func TestNoTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := printed(t, ctx, engine.Task{Exam: examinations.ReachabilityDeadlock, View: unfold.Plain(builder())}); got != "" {
		t.Errorf("printed %q", got)
	}
}

// TestBadFormula: a formula that does not fit the net is a fault of the input.
func TestBadFormula(t *testing.T) {
	var output bytes.Buffer
	props := []formula.Property{{ID: "f", Formula: &formula.Bound{Places: []string{"nowhere"}}}}
	err := Engine{}.Answer(t.Context(), engine.Task{Exam: examinations.UpperBounds, View: unfold.Plain(builder()), Properties: props}, engine.NewPrinter(&output, examinations.UpperBounds))
	if err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
}
