package edition

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"podium/scoring"
)

// TestEditionsSayTheirRules: every edition says every rule that its points name, once
// under each title, in the order of reading.
func TestEditionsSayTheirRules(t *testing.T) {
	for _, id := range Names() {
		e, err := Named(id)
		if err != nil {
			t.Fatal(err)
		}
		words := e.Words()
		for _, r := range e.Scheme.Rules {
			if !slices.ContainsFunc(words, func(w Words) bool { return w.Rule == r.ID }) {
				t.Errorf("%s says nothing of rule %s", id, r.ID)
			}
		}
		for i, w := range words {
			if w.Text == "" || slices.ContainsFunc(words[:i], func(x Words) bool { return x.Rule == w.Rule && x.Title == w.Title }) {
				t.Errorf("%s: %s, rule %q is there twice, or empty", id, w.Title, w.Rule)
			}
			if at := slices.Index(titles, w.Title); at < 0 || i > 0 && at < slices.Index(titles, words[i-1].Title) {
				t.Errorf("%s: %q stands at a wrong place", id, w.Title)
			}
			for line := range strings.Lines(w.Text) {
				if strings.Contains(line, "  ") || strings.Contains(line, "..") || !strings.HasSuffix(strings.TrimSpace(line), ".") {
					t.Errorf("%s: no sentence: %q", id, line)
				}
			}
		}
	}
}

// TestEveryFunctionIsSaid: every function has a sentence, and every word of each of its
// parameters changes it, as does every number and flag.
func TestEveryFunctionIsSaid(t *testing.T) {
	s := &scoring.Scheme{Unit: 1}
	for _, table := range [][]function{functionsOf(consistentFunctions), functionsOf(shareFunctions), functionsOf(electFunctions), functionsOf(certifiedFunctions),
		functionsOf(ruleFunctions), functionsOf(flagFunctions), functionsOf(rankingFunctions)} {
		for _, f := range table {
			said, known := sentences[f.Name]
			if !known || !slices.Contains(titles, said.title) {
				t.Errorf("nothing says what %s does", f.Name)
				continue
			}
			given := map[string]string{}
			for _, p := range f.Params {
				given[p.Name] = p.Default
				if p.Default == "" && p.Type == intParam {
					given[p.Name] = "3"
				}
			}
			text := said.say(s, given)
			for _, p := range f.Params {
				for _, other := range map[paramType][]string{intParam: {"7"}, fractionParam: {"1/3"}, flagParam: {"true"}, listParam: {"Sudoku"}, wordParam: p.Words}[p.Type] {
					changed := maps.Clone(given)
					changed[p.Name] = other
					if got := said.say(s, changed); (got == text) != (other == given[p.Name]) {
						t.Errorf("%s with %s %s says: %s", f.Name, p.Name, other, got)
					}
				}
			}
		}
	}
}

func TestWordsOf2016(t *testing.T) {
	e, err := Named("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	at := func(e *Edition, rule string) string {
		n := slices.IndexFunc(e.Words(), func(w Words) bool { return w.Rule == rule })
		return e.Words()[n].Title + ": " + e.Words()[n].Text
	}
	for rule, want := range map[string]string{
		"E-4.3": "Penalties: A wrong value loses twice the points that it would have earned.",
		"E-4.1": "Bonuses: Of the runs of an instance and examination, the one with the least CPU time earns 4 points. It must have answered half of the values that are asked, at least, one of them right, and none of them wrong. Of equally good runs each counts.\n" +
			"Of the runs of an instance and examination, the one with the least memory earns 4 points. It must have answered half of the values that are asked, at least, one of them right, and none of them wrong. Of equally good runs each counts.",
		"E-3.1": "References: The weight of an answer is the sum of the confidences of the tools that gave it. The reference is the answer of the greatest weight. Where two answers have the same greatest weight, there is no reference. " +
			"Where one tool alone answered, its answer is the reference if its confidence is above 93/100.\nEvery tool has a vote.",
	} {
		if got := at(e, rule); got != want {
			t.Errorf("mcc2016 says of %s: %s", rule, got)
		}
	}
	changed, err := e.With(Change{"scoring", "penalty-per-wrong", "factor", "3"})
	if err != nil || !strings.Contains(at(changed, "E-4.3"), "loses 3 times the points") {
		t.Errorf("after a change: %v", err)
	}
}
