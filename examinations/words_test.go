package examinations

import (
	"testing"
)

// TestWords reads back every word that files use.
func TestWords(t *testing.T) {
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
	for v, want := range map[Value]string{Truth(true): "TRUE", Truth(false): "FALSE", Infinite: "+inf"} {
		if v.String() != want {
			t.Errorf("%v, want %s", v, want)
		}
	}
}
