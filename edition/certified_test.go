package edition

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/scoring"
)

// TestCertifiedDecidesWhereTheEditionSaysSo: three tools elect TRUE, the referee
// has proved FALSE.
func TestCertifiedDecidesWhereTheEditionSaysSo(t *testing.T) {
	text, err := Source("mcc2016-13")
	if err != nil {
		t.Fatal(err)
	}
	load := func(line string) *Edition {
		t.Helper()
		e, found := Load("own.yaml", append([]byte(line+"\n"), text...))
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		return e
	}
	changed, err := load("# as it is").With(Change{Section: "certified", Value: "overrides"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edition *Edition
		want    string
	}{
		"no key":    {load("# as it is"), "TRUE"},
		"shown":     {load("certified: {fn: shown}"), "TRUE"},
		"overrides": {load("certified: {fn: overrides}"), "FALSE"},
		"changed":   {changed, "FALSE"},
	} {
		contest := build(t, c.edition, func(*scoring.Builder) {}, one("A", "M-PT-1", examinations.OneSafe, "TRUE", 1),
			one("B", "M-PT-1", examinations.OneSafe, "TRUE", 2), one("C", "M-PT-1", examinations.OneSafe, "TRUE", 3))
		key := examinations.Key{Instance: contest.Instances[0].ID, Exam: examinations.OneSafe, Item: "OneSafe"}
		r := c.edition.Score(contest.WithCertified(map[examinations.Key]examinations.Value{key: examinations.False}))
		if got, _ := r.ReferenceValue(0); got.Text != c.want || r.Certainty(0, 0) != scoring.Refuted {
			t.Errorf("%s: the reference is %s, the elected value %s", name, got, r.Certainty(0, 0))
		}
		if points := r.RunPoints(0, 0) > 0; points != (c.want == "TRUE") {
			t.Errorf("%s: A has %d units", name, r.RunPoints(0, 0))
		}
	}
	if _, found := Load("own.yaml", append([]byte("certified: {fn: sometimes}\n"), text...)); found.Err() == nil || !strings.Contains(found.Error(), "one of shown, overrides") {
		t.Errorf("an unknown function: %v", found)
	}
	if _, err := changed.With(Change{Section: "certified", Value: "sometimes"}); err == nil {
		t.Error("an unknown value is taken")
	}
}
