package certificate

import (
	"testing"

	"podium/examinations/formula"
)

// TestConclude: what is left of a formula is a formula again: where an operator goes, so does
// the quantifier before it, unless what is left is about a path.
func TestConclude(t *testing.T) {
	a := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	e := func(f formula.Formula) formula.Formula { return &formula.ExistsPath{F: f} }
	p, q := &formula.Fireable{Transitions: []string{"p"}}, &formula.Fireable{Transitions: []string{"q"}}
	later := &formula.Finally{F: q}
	next := func(f formula.Formula) formula.Formula { return &formula.Next{F: f} }
	for _, c := range []struct {
		f       formula.Formula
		known   map[int]bool
		stutter bool
		want    formula.Formula
	}{
		{a(&formula.Until{Before: p, Reach: e(later)}), map[int]bool{0: false}, false, e(later)},
		{e(&formula.Until{Before: p, Reach: a(later)}), map[int]bool{0: false}, false, a(later)},
		{e(&formula.Until{Before: p, Reach: a(later)}), map[int]bool{0: true}, false, e(&formula.Finally{F: a(later)})},
		{a(&formula.Until{Before: p, Reach: e(later)}), map[int]bool{1: true}, false, &formula.Constant{Value: true}},
		{a(&formula.Until{Before: p, Reach: later}), map[int]bool{0: false}, true, a(later)},
		{a(&formula.Until{Before: p, Reach: &formula.And{Fs: []formula.Formula{next(p), later}}}), map[int]bool{0: false}, true, a(&formula.And{Fs: []formula.Formula{next(p), later}})},
		{a(next(p)), map[int]bool{0: false}, false, a(next(&formula.Constant{}))},
		{a(next(p)), map[int]bool{0: false}, true, &formula.Constant{}},
		{a(next(p)), map[int]bool{0: true}, false, &formula.Constant{Value: true}},
	} {
		if got := Conclude(c.f, Known{States: c.known}, c.stutter); formula.Print(got) != formula.Print(c.want) {
			t.Errorf("%s with %v: %s, not %s", formula.Print(c.f), c.known, formula.Print(got), formula.Print(c.want))
		}
	}
}
