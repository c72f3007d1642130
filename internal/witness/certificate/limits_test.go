package certificate

import (
	"context"
	"errors"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// wide is a net of many places without transitions.
func wide(t *testing.T, places int) unfold.View {
	t.Helper()
	b := &pnml.Builder{}
	for i := range places {
		b.Place("p"+big.NewInt(int64(i)).String(), 0)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return unfold.Plain(net)
}

// tree is a proof of one tree about bad markings.
func tree(steps ...witness.Step) *witness.Proof {
	return &witness.Proof{Trees: []witness.Tree{{Steps: steps}}}
}

// check checks a proof whose trees are about the same markings.
func check(c *clock.Clock, view unfold.View, bad Bad, p *witness.Proof) error {
	return Begin(c, view).Check(c, p, func(witness.Head) (Bad, error) { return bad, nil })
}

// TestSplitsTakeLittle: a line that divides a case into many costs no more than the one
// case that begins.
func TestSplitsTakeLittle(t *testing.T) {
	view := wide(t, 5000)
	bad := NotOneSafe(view)
	p := tree(make([]witness.Step, 2000)...) // split 0, again and again
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := check(nil, view, bad, p); err == nil || err.Error() != "not all cases are closed" {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 50 {
		t.Errorf("2,000 lines took %d MB", used)
	}
}

// TestClausesTakeLittle: a line that divides a case by a clause costs no more than the one
// case that begins, and clauses that too many transitions could break are refused.
func TestClausesTakeLittle(t *testing.T) {
	view := wide(t, 4)
	clause := make(witness.Clause, 5000)
	for i := range clause {
		clause[i] = []witness.AtMost{{Bound: big.NewRat(int64(i), 1)}}
	}
	w := Begin(nil, view)
	if err := w.Clause(clause); err != nil {
		t.Fatal(err)
	}
	w.begin()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 2000 {
		if err := w.Step(witness.Step{Kind: witness.SplitClause}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 50 {
		t.Errorf("2,000 lines took %d MB", used)
	}
}

// TestCasesAssumeALimitedAmount: a case that is divided for ever ends at a limit.
func TestCasesAssumeALimitedAmount(t *testing.T) {
	view := wide(t, 1<<12)
	all := make([]uint32, 1<<12)
	for i := range all {
		all[i] = uint32(i)
	}
	one := part{kind: many, places: all, n: 1}
	bad := Bad{part{kind: some, parts: []part{one, one}}}
	p := tree(make([]witness.Step, 2000)...)
	if err := check(nil, view, bad, p); err == nil || !strings.Contains(err.Error(), "the cases above it assume more than 1048576 pieces") {
		t.Error(err)
	}
}

// fractions is a proof whose only leaf adds fractions with ever other denominators.
func fractions(n int) *witness.Proof {
	leaf := witness.Step{Kind: witness.Leaf}
	for i := range n {
		x := new(big.Int).Lsh(big.NewInt(1), 3000)
		leaf.Sum = append(leaf.Sum, witness.Part{Factor: new(big.Rat).SetFrac(big.NewInt(1), x.Add(x, big.NewInt(int64(2*i+1))))})
	}
	return tree(leaf)
}

// TestSumsHaveLimits: a sum of fractions does not grow without end.
func TestSumsHaveLimits(t *testing.T) {
	view := wide(t, 1)
	bad, err := MoreThan([]uint32{0}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(nil, view, bad, fractions(100)); err == nil || !strings.Contains(err.Error(), "a sum has more than 16384 binary digits") {
		t.Error(err)
	}
}

// busy is a net of one place from which each transition takes tokens.
func busy(t *testing.T, transitions int) unfold.View {
	t.Helper()
	b := &pnml.Builder{}
	p := b.Place("p", 0)
	for i := range transitions {
		b.In(p, b.Transition("t"+big.NewInt(int64(i)).String()), 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return unfold.Plain(net)
}

// TestCheckEndsInTime: a clock ends the check of facts, of cases, and of what heads of trees
// assume, and that of a proof of a large net.
func TestCheckEndsInTime(t *testing.T) {
	trap := witness.Fact{Kind: witness.Trap}
	for range 1 << 21 {
		trap.Terms = append(trap.Terms, witness.Term{})
	}
	// Each tree assumes something of every transition, and one line closes it.
	heads := &witness.Proof{}
	for range 1 << 8 {
		heads.Trees = append(heads.Trees, witness.Tree{Steps: []witness.Step{{Kind: witness.Leaf, Sum: []witness.Part{{Factor: big.NewRat(1, 1)}}}}})
	}
	many, small, large := wide(t, 5000), busy(t, 1<<9), busy(t, 1<<13)
	never := &formula.And{Fs: []formula.Formula{&formula.Constant{}, &formula.Deadlock{}}}
	if err := check(nil, small, Satisfying(never, false), heads); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		view unfold.View
		bad  Bad
		p    *witness.Proof
	}{
		"facts":       {many, NotOneSafe(many), &witness.Proof{Facts: []witness.Fact{trap}}},
		"cases":       {many, NotOneSafe(many), tree(make([]witness.Step, 1<<20)...)},
		"heads":       {small, Satisfying(never, false), heads},
		"a large net": {large, Satisfying(&formula.Constant{}, false), &witness.Proof{}},
	} {
		err := clock.Until(clocktest.Looks(1), func(c *clock.Clock) error { return check(c, tc.view, tc.bad, tc.p) })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// full is the diagram of all markings with at most some tokens in each place.
func full(places, tokens int) *witness.Diagram {
	d := &witness.Diagram{}
	for p := range places {
		node := make([]witness.Edge, tokens+1)
		for n := range node {
			node[n] = witness.Edge{Tokens: uint64(n), To: uint32(p)}
		}
		d.Places, d.Nodes = append(d.Places, uint32(p)), append(d.Nodes, node)
	}
	return d
}

// TestDiagramsEndInTime: a clock ends the check of a diagram, and what is asked of it.
func TestDiagramsEndInTime(t *testing.T) {
	for name, p := range map[string]*witness.Proof{
		"nodes":   {Diagrams: []*witness.Diagram{full(5000, 300)}},
		"closed":  {Diagrams: []*witness.Diagram{full(5000, 1)}},
		"outside": {Diagrams: []*witness.Diagram{full(1, 1)}, Trees: tree(witness.Step{Kind: witness.Outside}).Trees},
	} {
		b := &pnml.Builder{}
		for i := range 5000 {
			b.Place("p"+big.NewInt(int64(i)).String(), 0)
			b.In(i, b.Transition("t"+big.NewInt(int64(i)).String()), 1)
		}
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		view := unfold.Plain(net)
		if err := check(nil, view, NotOneSafe(view), p); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if err := clock.Until(clocktest.Looks(1), func(c *clock.Clock) error { return check(c, view, NotOneSafe(view), p) }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResultsOfDiagramsHaveLimits: a diagram of few words, from which ever other parts with many
// edges are taken, is refused before they fill the memory.
func TestResultsOfDiagramsHaveLimits(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 0)
	b.Place("q", 0)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	f := &formula.LessEqual{Left: &formula.TokensCount{Places: []string{"p", "q"}}, Right: &formula.Number{N: 1 << 13}}
	p := tree(witness.Step{Kind: witness.Outside})
	p.Diagrams = []*witness.Diagram{full(2, 1<<13)}
	if err := check(nil, unfold.Plain(net), Satisfying(f, false), p); err == nil || !strings.Contains(err.Error(), "takes too many steps") {
		t.Error(err)
	}
}

// TestDiagramsWithLargeWeights: a weight that no sum can hold does not lead back into a diagram.
func TestDiagramsWithLargeWeights(t *testing.T) {
	for _, weight := range []uint64{1<<64 - 1, 1<<64 - 5, 1 << 63} {
		b := &pnml.Builder{}
		b.Out(b.Transition("t"), b.Place("p", 5), weight)
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		p := tree(witness.Step{Kind: witness.Outside})
		p.Diagrams = []*witness.Diagram{full(1, 5)}
		if err := check(nil, unfold.Plain(net), Satisfying(&formula.Constant{}, false), p); err == nil || !strings.Contains(err.Error(), `transition "t" leads out of it`) {
			t.Errorf("%d: %v", weight, err)
		}
	}
}

// TestMovesAssumeALimitedAmount: moves of few words that take from many places are refused, and
// so are trees with moves that are not about a way back.
func TestMovesAssumeALimitedAmount(t *testing.T) {
	b := &pnml.Builder{}
	b.Transition("t")
	for i := range 1 << 11 {
		b.In(b.Place("p"+big.NewInt(int64(i)).String(), 1), 0, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	bad := Below(net.Initial)
	moves := make([][]uint32, 1<<10)
	for i := range moves {
		moves[i] = []uint32{0}
	}
	p := &witness.Proof{Trees: []witness.Tree{{Head: witness.Head{Kind: witness.Home}, Rank: tokens([]uint32{0}, 1), Moves: moves}}}
	if err := check(nil, unfold.Plain(net), bad, p); err == nil || !strings.Contains(err.Error(), "the moves take from more than 1048576 places") {
		t.Error(err)
	}
	p.Trees[0].Head.Kind = witness.Bad
	if err := check(nil, unfold.Plain(net), bad, p); err == nil || !strings.Contains(err.Error(), "not about a way back has moves") {
		t.Error(err)
	}
}
