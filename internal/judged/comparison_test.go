package judged

import (
	"strings"
	"testing"

	"podium/scoring/whatif"
)

// A flipped value says what the certificate has to say of it.
func TestFlippedValuesAreHeldAgainstTheCertificate(t *testing.T) {
	var out strings.Builder
	_ = WriteComparison(&out, &whatif.Comparison{References: []whatif.ReferenceChange{
		{Instance: "Net-PT-1", Exam: "StateSpace", Item: "STATES", Before: "9", After: "8", Proved: "9", Refuted: true},
		{Instance: "Net-PT-1", Exam: "StateSpace", Item: "TRANSITIONS", Before: "3", After: "4", Proved: "4"},
		{Instance: "Net-PT-1", Exam: "OneSafe", Item: "OneSafe", Before: "TRUE", After: "?", Proved: "TRUE"},
		{Instance: "Net-PT-1", Exam: "Liveness", Item: "Liveness", Before: "TRUE", After: "FALSE"},
	}}, false)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"; refuted by proof: 9 is proved", "; proved", "; the value is known: TRUE is proved", ")"} {
		if !strings.HasSuffix(lines[i+2], want) {
			t.Errorf("%q should end with %q", lines[i+2], want)
		}
	}
}

// Many changed references are counted before the first of them, and all are shown when they are asked for.
func TestManyReferencesAreCountedFirst(t *testing.T) {
	var c whatif.Comparison
	for k := range mostReferences + 2 {
		exam := "OneSafe"
		if k%2 == 0 {
			exam = "Liveness"
		}
		c.References = append(c.References, whatif.ReferenceChange{Instance: "Net-PT-1", Exam: exam, Item: exam, Before: "TRUE", After: "?"})
	}
	for _, all := range []bool{false, true} {
		var out strings.Builder
		_ = WriteComparison(&out, &c, all)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if want := "42 reference values change: 21 of Liveness, 21 of OneSafe"; lines[1] != want {
			t.Errorf("%q, want %q", lines[1], want)
		}
		last, want := lines[len(lines)-1], 2+len(c.References)
		if !all {
			want = 2 + mostReferences + 1
		}
		if len(lines) != want || (last == "and 2 more reference values; --all shows them") == all {
			t.Errorf("all %v: %d lines, the last is %q", all, len(lines), last)
		}
	}
}
