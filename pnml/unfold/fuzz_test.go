package unfold

import (
	"slices"
	"strings"
	"testing"

	"podium/pnml"
)

// FuzzUnfold unfolds whatever the reader accepts: it must not panic, and the
// pruned unfolding must be the exact one without what never happens.
func FuzzUnfold(f *testing.F) {
	head := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>` + abc + `</declarations></structure></declaration><page id="page">`
	for _, page := range []string{
		place("p", "L", all) + transition("t", op("lessthan", x, y)) + arc("p", "t", op("add", x, op("successor", y))),
		place("p", "LL", op("tuple", a, all)) + transition("t", "") + arc("p", "t", op("subtract", op("tuple", x, all), op("tuple", x, y))) + arc("t", "p", op("tuple", y, x)),
	} {
		f.Add(head + page + `</page></net></pnml>`)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		d, diags := pnml.Read(strings.NewReader(doc), "fuzz")
		if d.Symmetric == nil || diags.Err() != nil {
			return
		}
		limits := Limits{Places: 500, Transitions: 500, Arcs: 5000, Steps: 100_000}
		pruned, err := Unfold(d.Symmetric, limits)
		if err != nil {
			return
		}
		limits.Exact = true
		exact, err := Unfold(d.Symmetric, limits)
		if err != nil {
			return
		}
		if got, want := lines(pruned.Net), slowPruned(exact.Net); !slices.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	})
}
