package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/oracle"
	"podium/examinations/output"
	"podium/internal/decisions"
	"podium/internal/judged"
)

// TestBehaviourOfModels: what the referee has proved stands before the vote, and what nobody
// knows is unknown.
func TestBehaviourOfModels(t *testing.T) {
	open := mustEdition("mcc2016-13")
	overrides, err := edition.ParseChange("certified=overrides")
	if err != nil {
		t.Fatal(err)
	}
	deciding, err := open.With(overrides)
	if err != nil {
		t.Fatal(err)
	}
	correct := &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.Correct, Examination: "ReachabilityDeadlock", Instance: "*", Value: "FALSE", Author: "Ada", Reason: "It was looked at."}}}
	for name, x := range map[string]struct {
		ed      *edition.Edition
		tools   int // that answer TRUE
		proved  examinations.Value
		decided *decisions.Record
		text    string
		how     string
	}{
		"a vote":              {open, 4, examinations.Value{}, nil, "yes", "by the vote"},
		"a proof beside it":   {open, 4, examinations.False, nil, "no", "proved"},
		"a proof that counts": {deciding, 4, examinations.False, nil, "no", "proved"},
		"the jury":            {open, 4, examinations.Value{}, correct, "no", "by the jury"},
		"one tool":            {open, 1, examinations.Value{}, nil, "unknown", ""},
		"nobody":              {open, 0, examinations.Value{}, nil, "unknown", ""},
		"a proof alone":       {open, 0, examinations.True, nil, "yes", "proved"},
	} {
		m := smallMaker()
		m.ed, m.decided = x.ed, x.decided
		for _, tool := range []string{"alpha", "beta", "gamma"}[:max(x.tools-1, 0)] {
			m.another(tool)
		}
		if x.tools == 0 {
			m.runs[0].said, m.runs[0].Participation = nil, output.CannotCompute
		}
		if !x.proved.IsZero() {
			m.proofs = &judged.Certificate{Certificate: &oracle.Certificate{}, Values: map[examinations.Key]examinations.Value{
				{Instance: m.instances[0].ID, Exam: examinations.ReachabilityDeadlock, Item: "ReachabilityDeadlock"}: x.proved}}
		}
		s := newSite(newView(m.contest()), nil)
		if got := s.behaviourIn(&s.cells[0]); got.Text != x.text || got.How != x.how || !strings.HasSuffix(got.Path, "#ReachabilityDeadlock") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestFormOfModels: sentences say which properties hold, and of which it is not known.
func TestFormOfModels(t *testing.T) {
	c := fixture(1, 4, 9)
	dir := publishedSite(t, c)
	model := c.Instances[0].ID.Family
	page, err := os.ReadFile(filepath.Join(dir, "models", model+".html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The structure of 1 of 2 nets was looked at. All of these are: ordinary, loop &lt;b&gt;free&lt;/b&gt;.", "Unknown, because only the unfolding of a coloured net could tell: connected &lt;i&gt;.",
		"without dead transitions", "by the vote"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say: %s", want)
		}
	}
}
