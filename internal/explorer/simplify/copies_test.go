package simplify

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
)

// properties reads formulas in the text form, with the ids 0, 1, ...
func properties(t *testing.T, exam examinations.ID, formulas ...string) []formula.Property {
	t.Helper()
	var text strings.Builder
	for i, f := range formulas {
		fmt.Fprintf(&text, "Property %d\n \"\"\n is:\n  %s\n end.\n", i, f)
	}
	list, found := formula.ReadText(strings.NewReader(text.String()), "f.txt", exam)
	if len(found) > 0 || len(list) != len(formulas) {
		t.Fatal(found)
	}
	return list
}

// TestCopies: order, repetition and the laws of CTL make no other question; names do.
func TestCopies(t *testing.T) {
	for _, test := range []struct {
		exam     examinations.ID
		formulas string
		want     map[string]string
	}{
		{examinations.UpperBounds, `bound("p","q"); bound("q","p"); bound("p"); bound("p,q"); bound("p")`, map[string]string{"1": "0", "4": "2"}},
		{examinations.ReachabilityFireability, `E F ("t" ? & "u" ?); E F ("u"? & "t"? & "u"?); E F (("u"? & "t"?) & ("t"?)); E F ("t"?); A G ("t"?)`, map[string]string{"1": "0", "2": "0"}},
		{examinations.ReachabilityCardinality, `E F (((2) <= (#tokens("p","q")))); E F (((2) <= (#tokens("q","p")))); E F (((3) <= (#tokens("p","q")))); E F (((#tokens("p","q")) <= (2)))`, map[string]string{"1": "0"}},
		{examinations.CTLFireability, `E F (E F ("t"?)); E F ("t"?); A F ("t"?); A F (A F ("t"?)); A G (A G ("t"?)); A X (E F ("t"?))`, map[string]string{"1": "0", "3": "2"}},
		{examinations.LTLFireability, `A (F (G ("t"? | "u"?))); A (F (G ("u"? | "t"?))); A (G (F ("t"?))); A (F ("t"?)); A (X ("t"? U "u"?)); A (X ("u"? U "t"?))`, map[string]string{"1": "0"}},
	} {
		list := properties(t, test.exam, strings.Split(test.formulas, "; ")...)
		if got := Copies(list, test.exam); !maps.Equal(got, test.want) {
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
