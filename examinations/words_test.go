package examinations

import (
	"strings"
	"testing"
)

// TestWords reads back every word that files use.
func TestWords(t *testing.T) {
	abbreviations := map[string]bool{}
	for _, id := range All() {
		if again, err := ParseID(string(id)); err != nil || again != id {
			t.Errorf("%v: %v, %v", id, again, err)
		}
		if abbreviations[id.Abbreviation()] {
			t.Errorf("%s is an abbreviation of two examinations", id.Abbreviation())
		}
		abbreviations[id.Abbreviation()] = true
	}
	_, err := ParseID("Reachability")
	if err == nil {
		t.Fatal("Reachability is an examination")
	}
	for _, id := range All() {
		if !strings.Contains(err.Error(), string(id)) {
			t.Errorf("%v: it does not name %s", err, id)
		}
		kind, word := Bool, "bool"
		if id == StateSpace || id == UpperBounds {
			kind, word = Nat, "nat"
		}
		if id.Kind() != kind || id.Kind().String() != word {
			t.Errorf("%s asks for %s", id, id.Kind())
		}
	}
	for id, want := range map[ID]string{StateSpace: "SS", CTLCardinality: "CTLC", ReachabilityDeadlock: "RD", "A[z@]Z": "AZ"} {
		if got := id.Abbreviation(); got != want {
			t.Errorf("%s is short for %s, want %s", got, id, want)
		}
	}
	for v, want := range map[Value]string{Truth(true): "TRUE", Truth(false): "FALSE", Infinite: "+inf"} {
		if v.String() != want {
			t.Errorf("%v, want %s", v, want)
		}
	}
}
