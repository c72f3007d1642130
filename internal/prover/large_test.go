package prover

import (
	"fmt"
	"testing"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
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

// TestTwinsTakeNoRoom: transitions that change the same need one row of a table together, and each
// of them is still shown to keep what a proof says.
func TestTwinsTakeNoRoom(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 1)
	b.Place("q", 0)
	b.Place("r", 0)
	for k := range 12 { // to q and back; half of them only where r is marked
		b.Transition(fmt.Sprint("t", k))
		b.In(k%2, k, 1)
		b.Out(k, 1-k%2, 1)
		if k >= 6 {
			b.In(2, k, 1)
			b.Out(k, 2, 1)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(nil, unfold.Plain(net))
	for x := range n.Begin(nil).parts([]uint32{0}, 0, maxCells) {
		if len(x.transitions) != 2 {
			t.Errorf("a table has rows for transitions %v, but there are two different ones", x.transitions)
		}
	}
	two := &formula.LessEqual{Left: &formula.Number{N: 2}, Right: &formula.TokensCount{Places: []string{"p", "q"}}}
	for _, search := range []func(*clock.Clock, certificate.Bad) (Result, error){n.Prove, n.Strengthen} {
		if found, err := search(nil, certificate.Satisfying(two, false)); err != nil || found.Proof == nil {
			t.Errorf("no proof that there are never two tokens: %v", err)
		}
	}
}

// TestLooksWithinOneStep: one step of a large linear program looks at the clock several times.
func TestLooksWithinOneStep(t *testing.T) {
	const size = 1 << 10
	rows, bounds, cost := make([][]float64, size), make([]float64, size), make([]float64, size)
	for i := range rows {
		rows[i] = make([]float64, size)
		for k := range rows[i] {
			rows[i][k] = float64(1 + i ^ k)
		}
		bounds[i], cost[i] = 1, -1
	}
	few := clocktest.Looks(8) // 16 times as many cells change in a step as there is work between two looks
	if err := clock.Until(few, func(c *clock.Clock) error {
		newTableau(rows, bounds, cost).improve(c)
		return nil
	}); err == nil {
		t.Errorf("%d looks at the clock", few.Asked())
	}
}
