package examinations

import (
	"strings"
	"testing"
)

// TestWords reads back every word that files use.
func TestWords(t *testing.T) {
	for p := FirstCounts; p <= NoneCounts; p++ {
		if again, err := ParseRepeats(p.String()); err != nil || again != p {
			t.Errorf("%v: %v, %v", p, again, err)
		}
	}
	if _, err := ParseRepeats("both"); err == nil {
		t.Error("both is a policy")
	}
	abbreviations := map[string]bool{}
	for _, id := range All {
		if again, err := Parse(string(id)); err != nil || again != id {
			t.Errorf("%v: %v, %v", id, again, err)
		}
		if abbreviations[id.Abbreviation()] {
			t.Errorf("%s is an abbreviation of two examinations", id.Abbreviation())
		}
		abbreviations[id.Abbreviation()] = true
	}
	if _, err := Parse("Reachability"); err == nil {
		t.Error("Reachability is an examination")
	}
	for p, want := range map[Participation]string{Silent: "CC", Answered: "answered", CannotCompute: "CC", DoesNotCompete: "DNC"} {
		if p.String() != want {
			t.Errorf("%d is %s", p, p)
		}
	}
	for v, want := range map[Value]string{Truth(true): "TRUE", Truth(false): "FALSE", Infinite: "+inf"} {
		if v.String() != want {
			t.Errorf("%v, want %s", v, want)
		}
	}
	p := Property{ID: "a", Formula: &Not{&Deadlock{}}}
	if got := p.String(); got != "a: ! (deadlock)" {
		t.Error(got)
	}
}

func TestKnownTechnique(t *testing.T) {
	for word, want := range map[string]bool{"EXPLICIT": true, "K_INDUCTION(3)": true, "explicit": false, "": false, "HEURISTIC": false} {
		if KnownTechnique(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

func TestFindRule(t *testing.T) {
	for _, r := range Rules {
		if again, ok := FindRule(r.Code); !ok || again != r {
			t.Errorf("%s: %v", r.Code, again)
		}
	}
	if _, ok := FindRule("answer-nothing"); ok {
		t.Error("answer-nothing is a rule")
	}
}

// TestEveryRuleFires: a rule that no hostile output breaks would be untested.
func TestEveryRuleFires(t *testing.T) {
	fired := map[string]bool{"too-many-items": true} // TestReaderManyItems
	for _, h := range hostileOutputs {
		for _, code := range strings.Fields(h.want[strings.LastIndex(h.want, ";")+1:]) {
			fired[code] = true
		}
	}
	for _, r := range Rules {
		if !fired[r.Code[len("answer-"):]] {
			t.Errorf("no output breaks %s", r.Code)
		}
	}
}
