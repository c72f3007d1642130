package simplify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/nettest"
)

// TestCTL: on random nets, a formula made smaller has the same value in all reachable
// markings, whatever is known of these; and with what is known of the initial marking the
// same value there.
func TestCTL(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	constants, asked := 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		f := nettest.NewFormulas(rng, net).CTL(4)
		always := func(f formula.Formula) (value, known bool) {
			sat := g.Sat(f)
			return sat[0], rng.IntN(4) > 0 && !slices.Contains(sat, !sat[0])
		}
		smaller := CTL(f, always)
		if want, got := g.Sat(f), g.Sat(smaller); !slices.Equal(want, got) {
			t.Fatalf("%#v became %#v: %v and not %v on %v", f, smaller, got, want, g.Markings)
		}
		initial := Marking{
			Holds:   func(f formula.Formula) (value, known bool) { return g.Sat(f)[0], rng.IntN(8) > 0 },
			Reaches: func(f formula.Formula) bool { return rng.IntN(2) == 0 && slices.Contains(g.Sat(f), true) },
		}.Initially(smaller)
		if want, got := g.Sat(f)[0], g.Sat(initial)[0]; want != got {
			t.Fatalf("%#v became %#v: %v and not %v at first on %v", f, initial, got, want, g.Markings)
		}
		asked++
		if _, ok := initial.(*formula.Constant); ok {
			constants++
		}
	}
	if constants*3 < asked {
		t.Errorf("only %d of %d formulas became constants", constants, asked)
	}
}

// TestLaws: laws that need to know nothing of a net.
func TestLaws(t *testing.T) {
	p, q := &formula.Fireable{Transitions: []string{"p"}}, &formula.Fireable{Transitions: []string{"q"}}
	nothing := func(formula.Formula) (bool, bool) { return false, false }
	E := func(f formula.Formula) formula.Formula { return &formula.ExistsPath{F: f} }
	A := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	F := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	G := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	U := func(f, g formula.Formula) formula.Formula { return &formula.Until{Before: f, Reach: g} }
	not := func(f formula.Formula) formula.Formula { return &formula.Not{F: f} }
	for name, law := range map[string]struct{ from, to formula.Formula }{
		"not EF":       {not(E(F(p))), A(G(not(p)))},
		"EF EF":        {E(F(E(F(p)))), E(F(p))},
		"EF AF":        {E(F(A(F(p)))), E(F(p))},
		"AF EF":        {A(F(E(F(p)))), E(F(p))},
		"AG EG":        {A(G(E(G(p)))), A(G(p))},
		"EG AG":        {E(G(A(G(p)))), A(G(p))},
		"EF EU":        {E(F(E(U(p, q)))), E(F(q))},
		"AG not AU":    {A(G(not(A(U(p, q))))), A(G(not(q)))},
		"EU EF":        {E(U(p, E(F(q)))), E(F(q))},
		"EF or":        {E(F(&formula.Or{Fs: []formula.Formula{p, E(F(q))}})), &formula.Or{Fs: []formula.Formula{E(F(p)), E(F(q))}}},
		"EX true":      {E(&formula.Next{F: yes}), not(&formula.Deadlock{})},
		"AX false":     {A(&formula.Next{F: no}), &formula.Deadlock{}},
		"AF stays":     {A(F(p)), A(F(p))},
		"AG AF stays":  {A(G(A(F(p)))), A(G(A(F(p))))},
		"EG with AG":   {E(G(&formula.And{Fs: []formula.Formula{A(G(p)), E(F(q))}})), &formula.And{Fs: []formula.Formula{A(G(p)), E(G(E(F(q))))}}},
		"not AX":       {not(A(&formula.Next{F: E(F(p))})), E(&formula.Next{F: A(G(not(p)))})},
		"until of all": {A(U(yes, p)), A(F(p))},
	} {
		if got := formula.Print(CTL(law.from, nothing)); got != formula.Print(law.to) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
