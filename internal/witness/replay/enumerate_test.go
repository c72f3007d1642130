package replay

import (
	"bytes"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
)

// TestEnumeration: a witness that asks for enumeration is written, read, and confirmed
// or refuted.
func TestEnumeration(t *testing.T) {
	n := mutex(t)
	var text bytes.Buffer
	w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.Liveness, Claims: []witness.Claim{{Item: "Liveness", Value: examinations.True}}, Enumerate: true}
	if err := n.Write(&text, w); err != nil {
		t.Fatal(err)
	}
	good := text.String()
	head := "format podium-witness/1\ninstance N-PT-1\n"
	for _, c := range []struct{ text, want string }{
		{good, "confirmed Liveness TRUE: by enumeration"},
		{strings.Replace(good, "TRUE", "FALSE", 1), "refuted Liveness FALSE: by enumeration"},
		{strings.Replace(good, "value Liveness", "value Nonsense", 1), "unconfirmed Nonsense TRUE: enumeration does not show it: Liveness has no value"},
		{head + "examination UpperBounds\nvalue b >=1\nenumerate\nend\n", "confirmed b >=1"},
		{head + "examination UpperBounds\nvalue b >=2\nenumerate\nend\n", "refuted b >=2"},
		{strings.Replace(good, "enumerate", "enumerate 9", 1), "w:5:11: nothing follows the word enumerate"},
		{strings.Replace(good, "enumerate", "enumerate\nenumerate", 1), "w:6:1: the line enumerate stands twice"},
		{strings.Replace(good, "enumerate", "enumerate\nrun", 1), "w:6:1: a run stands beside the line enumerate"},
		{strings.Replace(good, "enumerate", "enumerate\nproof", 1), "w:6:1: a proof stands beside the line enumerate"},
		{strings.Replace(good, "enumerate", "run\nenumerate", 1), "w:6:1: the line enumerate stands twice, or beside a run"},
		{head + "enumerate\nend\n", "w:3:1: the line enumerate stands before the lines"},
	} {
		if got := replayed(n, c.text, &formula.Bound{Places: []string{n.net.Places.At(0)}}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.want, got)
		}
	}
	few := mutex(t)
	few.small = enumeration.Limits{Markings: 1, Memory: 1 << 20}
	if got := replayed(few, good, nil); !strings.Contains(got, "unconfirmed Liveness TRUE: enumeration does not show it: the net has more than 1 markings") {
		t.Error(got)
	}
}
