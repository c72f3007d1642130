package forecast

import (
	"slices"
	"testing"
)

// TestUnits: a run that is known is expected to take what it took; where nothing is
// known, all runs are equally long.
func TestUnits(t *testing.T) {
	p, took := generated(1, 6, 3, 2)
	for _, u := range unitsOf(p, known(p, took, all)) {
		i := 0
		for run := range p.RunsOf(u.Name) {
			taken := took[run]
			if want := taken.under(limitsOf(p.Sequential)).wall; i >= len(u.Runs) || u.Runs[i] != want {
				t.Fatalf("%s: run %d is to take %d", u.Name, i, want)
			}
			i++
		}
	}
	units, err := Units(t.Context(), p, nil, func(string) {})
	if err != nil || len(units) != 6 {
		t.Fatalf("%d models, %v", len(units), err)
	}
	for _, u := range units {
		if len(slices.Compact(slices.Sorted(slices.Values(u.Runs)))) != 1 || u.Runs[0] <= 0 {
			t.Errorf("%+v", u)
		}
	}
	if _, err := Units(t.Context(), p, []string{"nowhere"}, nil); err == nil {
		t.Error("a source that is not there was read")
	}
}
