package edition

import "testing"

// TestAsksWitness: an answer is asked for a witness unless the rules take none, or only in
// demo mode (the table of the section Witnesses of SV-COMP's rules).
func TestAsksWitness(t *testing.T) {
	ed, err := Named("svcomp2026")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, property, part, category string
		want                           bool
	}{
		{"correctness", "termination", "", "Termination", false},
		{"correctness", "unreach-call", "", "ReachSafety-Arrays", false},
		{"correctness", "unreach-call", "", "ReachSafety-Loops", true},
		{"correctness", "no-overflow", "", "ConcurrencySafety-NoOverflows", false},
		{"correctness", "valid-memsafety", "", "MemSafety", false},
		{"violation", "termination", "", "Termination", true},
		{"violation", "valid-memsafety", "valid-deref", "MemSafety", true},
	} {
		if got := ed.AsksWitness(c.kind, c.property, c.part, c.category); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if silent := (&Edition{}); !silent.AsksWitness("correctness", "termination", "", "Termination") {
		t.Error("an edition that says nothing of witnesses asks for all")
	}
}
