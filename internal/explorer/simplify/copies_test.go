package simplify

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
)

// TestCopies: order, repetition and the laws of CTL make no other question; names do.
func TestCopies(t *testing.T) {
	type list = []formula.Formula
	E := func(f formula.Formula) formula.Formula { return &formula.ExistsPath{F: f} }
	A := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	F := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	G := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	X := func(f formula.Formula) formula.Formula { return &formula.Next{F: f} }
	U := func(f, g formula.Formula) formula.Formula { return &formula.Until{Before: f, Reach: g} }
	and := func(fs ...formula.Formula) formula.Formula { return &formula.And{Fs: fs} }
	or := func(fs ...formula.Formula) formula.Formula { return &formula.Or{Fs: fs} }
	bound := func(places ...string) formula.Formula { return &formula.Bound{Places: places} }
	n := func(n uint64) formula.Integer { return &formula.Number{N: n} }
	tokens := func(places ...string) formula.Integer { return &formula.TokensCount{Places: places} }
	le := func(left, right formula.Integer) formula.Formula {
		return &formula.LessEqual{Left: left, Right: right}
	}
	T, V := &formula.Fireable{Transitions: []string{"t"}}, &formula.Fireable{Transitions: []string{"u"}}
	for _, test := range []struct {
		exam     examinations.ID
		formulas list
		want     map[string]string
	}{
		{examinations.UpperBounds, list{bound("p", "q"), bound("q", "p"), bound("p"), bound("p,q"), bound("p")}, map[string]string{"1": "0", "4": "2"}},
		{examinations.ReachabilityFireability, list{E(F(and(T, V))), E(F(and(V, T, V))), E(F(and(and(V, T), T))), E(F(T)), A(G(T))}, map[string]string{"1": "0", "2": "0"}},
		{examinations.ReachabilityCardinality, list{E(F(le(n(2), tokens("p", "q")))), E(F(le(n(2), tokens("q", "p")))), E(F(le(n(3), tokens("p", "q")))), E(F(le(tokens("p", "q"), n(2))))},
			map[string]string{"1": "0"}},
		{examinations.CTLFireability, list{E(F(E(F(T)))), E(F(T)), A(F(T)), A(F(A(F(T)))), A(G(A(G(T)))), A(X(E(F(T))))}, map[string]string{"1": "0", "3": "2"}},
		{examinations.LTLFireability, list{A(F(G(or(T, V)))), A(F(G(or(V, T)))), A(G(F(T))), A(F(T)), A(X(U(T, V))), A(X(U(V, T)))}, map[string]string{"1": "0"}},
	} {
		var properties []formula.Property
		for i, f := range test.formulas {
			properties = append(properties, formula.Property{ID: strconv.Itoa(i), Formula: f})
		}
		if got := Copies(properties, test.exam); !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.exam, got, test.want)
		}
	}
}

// TestEqualKeysAreEqual: on random nets, formulas of one key hold in the same markings,
// and a formula whose operands change places keeps its key.
func TestEqualKeysAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	same := 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(300)) {
		draw := nettest.NewFormulas(rng, net)
		seen := map[string][]bool{}
		for range 30 {
			f := draw.CTL(2)
			k, sat := Key(f, examinations.CTLFireability), g.Sat(f)
			if before, ok := seen[k]; ok {
				same++
				if !slices.Equal(before, sat) {
					t.Fatalf("%s holds in other markings than another formula of its key %s", formula.Print(f), k)
				}
			}
			seen[k] = sat
			for _, join := range []func([]formula.Formula) formula.Formula{func(fs []formula.Formula) formula.Formula { return &formula.And{Fs: fs} }, func(fs []formula.Formula) formula.Formula { return &formula.Or{Fs: fs} }} {
				other := draw.CTL(2)
				for _, exam := range []examinations.ID{examinations.CTLFireability, examinations.LTLFireability} {
					if one, two := Key(join([]formula.Formula{f, other}), exam), Key(join([]formula.Formula{other, f, other}), exam); one != two {
						t.Fatalf("%s and %s: the order makes another question", one, two)
					}
				}
			}
		}
	}
	if same < 100 {
		t.Errorf("only %d formulas had the key of another", same)
	}
}
