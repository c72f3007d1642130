package prover

import (
	"testing"

	"podium/examinations/formula"
	"podium/internal/witness/certificate"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestLargeWeights: a weight that no sum can hold is not taken for a negative number, which
// would lead where the net never is.
func TestLargeWeights(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 5)
	b.Place("r", 1)
	b.Transition("t")
	b.Transition("d")
	b.Out(0, 0, 1<<64-1)
	b.In(0, 1, 2)
	b.In(1, 1, 2)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	view := unfold.Plain(net)
	few := &formula.LessEqual{Left: &formula.TokensCount{Places: []string{"p"}}, Right: &formula.Number{N: 4}}
	bad := certificate.Satisfying(few, false)
	if found, err := NewNet(nil, view).Strengthen(nil, bad); err != nil || found.Found {
		t.Errorf("p never holds as few as 4 tokens, and a run is found: %+v, %v", found, err)
	}
}
