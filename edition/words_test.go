package edition

import (
	"slices"
	"strings"
	"testing"
)

// TestEditionsSayTheirRules: every edition says every rule that its points name, with
// the parameters that it sets.
func TestEditionsSayTheirRules(t *testing.T) {
	for _, id := range Names() {
		e, err := Named(id)
		if err != nil {
			t.Fatal(err)
		}
		words := e.Words()
		for _, r := range e.Scheme.Rules {
			if !slices.ContainsFunc(words, func(w Words) bool { return w.Rule == r.ID && strings.Contains(w.Text, "Points: ") }) {
				t.Errorf("%s says nothing of rule %s", id, r.ID)
			}
		}
		for i, w := range words {
			if w.Text == "" || slices.ContainsFunc(words[:i], func(x Words) bool { return x.Rule == w.Rule }) {
				t.Errorf("%s: rule %q is there twice, or empty", id, w.Rule)
			}
		}
	}
	e, err := Named("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(e.Words(), func(w Words) bool { return w.Rule == "E-4.3" })
	if want := "Points: a wrong value loses a multiple of the points of the value (E-4.3). With factor 2 (how many times the points of the value are lost)."; at < 0 || e.Words()[at].Text != want {
		t.Errorf("mcc2016 says of E-4.3: %v", e.Words())
	}
	changed, err := e.With(Change{"scoring", "penalty-per-wrong", "factor", "3"})
	if err != nil || !strings.Contains(changed.Words()[at].Text, "factor 3 (") {
		t.Errorf("after a change: %v, %v", changed.Words()[at], err)
	}
}
