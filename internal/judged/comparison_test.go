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
	}})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"; refuted by proof: 9 is proved", "; proved", "; the value is known: TRUE is proved", ")"} {
		if !strings.HasSuffix(lines[i+1], want) {
			t.Errorf("%q should end with %q", lines[i+1], want)
		}
	}
}
