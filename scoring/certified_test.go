package scoring_test

import (
	"fmt"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
	"podium/scoring/whatif"
)

// TestCertainty: A, B and C elect TRUE for every formula of Base-PT-1; the
// referee has proved two values, and one where nobody answers.
func TestCertainty(t *testing.T) {
	b := NewBuilder(exams2016)
	for _, e := range []Entry{run("A", "Base-PT-1", "TTT.", 5, 5), run("B", "Base-PT-1", "TTT.", 5, 5), run("C", "Base-PT-1", "TFT.", 5, 5)} {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	plain := b.Contest()
	key := examinations.Key{Instance: plain.Instances[0].ID, Exam: examinations.CTLFireability}
	proved := map[examinations.Key]examinations.Value{}
	for item, v := range map[string]examinations.Value{"formula-00": examinations.True, "formula-01": examinations.False, "formula-03": examinations.True, "elsewhere": examinations.True} {
		key.Item = item
		proved[key] = v
	}
	certified := plain.WithCertified(proved)
	for _, c := range []struct {
		name       string
		fn         confidence.CertifiedFunc
		references string // of the four formulas
		clauses    string
		maskC      string
	}{
		{"shown", nil, "TRUE TRUE TRUE ?", "global-agreement weighted-majority global-agreement no-value", "TXT?"},
		{"overrides", confidence.Overrides, "TRUE FALSE TRUE TRUE", "referee referee global-agreement referee", "TTT-"},
	} {
		scheme := scheme2016()
		scheme.Certified = c.fn
		r := scheme.Score(certified)
		var references, clauses, certainties []string
		for v := range certified.Items {
			text := "?"
			if value, ok := r.ReferenceValue(v); ok {
				text = value.Text
			}
			references, clauses = append(references, text), append(clauses, r.References[v].Clause.Word())
			certainties = append(certainties, r.Certainty(0, v).String())
		}
		if got := strings.Join(references, " "); got != c.references {
			t.Errorf("%s: references %s", c.name, got)
		}
		if got := strings.Join(clauses, " "); got != c.clauses {
			t.Errorf("%s: clauses %s", c.name, got)
		}
		if got := strings.Join(certainties, " "); got != "proved refuted undecided supplied" {
			t.Errorf("%s: the elected values are %s", c.name, got)
		}
		if got := r.Mask(0, 2); got != c.maskC {
			t.Errorf("%s: C has the mask %s", c.name, got)
		}
		if !r.Refutes(1, 0) || r.Refutes(1, 2) || r.Refutes(0, 0) || r.Refutes(2, 0) || r.Refutes(3, 0) {
			t.Errorf("%s: A is refuted in formula-01 and nowhere else", c.name)
		}
		if text := explain.Value(r, 0, 1).String(); !strings.Contains(text, "the referee has proved FALSE: the elected value is refuted") {
			t.Errorf("%s: %s", c.name, text)
		}
	}
	if r := scheme2016().Score(whatif.WithoutTools(certified, "A", "B")); r.Certainty(0, 1) != Supplied || r.Certainty(0, 0) != Supplied {
		t.Errorf("alone, C elects nothing: %s, %s", r.Certainty(0, 0), r.Certainty(0, 1))
	}
	if r := scheme2016().Score(plain); r.Certainty(0, 0) != Undecided || r.Refutes(1, 0) {
		t.Error("without a referee nothing is decided")
	}
}

// TestCertaintyAsDisplayed: a proved number is the elected one when both are
// displayed alike, be the votes exact or texts of a published file.
func TestCertaintyAsDisplayed(t *testing.T) {
	for _, c := range []struct {
		voted, proved string
		asDisplayed   bool
		want          Certainty
	}{
		{"123456789", "123456788", false, Proved},
		{"123456789", "123999999", false, Refuted},
		{"1.2346E+0008", "123456788", true, Proved},
		{"1.2346E+0008", "123999999", true, Refuted},
		{"17", "17", true, Proved},
		{"17", "18", false, Refuted},
	} {
		b := NewBuilder(exams2016)
		b.AsDisplayed = c.asDisplayed
		for _, tool := range []string{"A", "B", "C"} {
			e := Entry{Tool: tool, Instance: "M-PT-1", Exam: examinations.StateSpace, Run: Run{Participation: Answered},
				Answers: []AnsweredValue{{Item: "STATES", Value: examinations.Value{Kind: examinations.Nat, Text: c.voted}}}}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		contest := b.Contest()
		key := examinations.Key{Instance: contest.Instances[0].ID, Exam: examinations.StateSpace, Item: "STATES"}
		scheme := scheme2016()
		scheme.Display, scheme.Certified = Displayed, confidence.Overrides
		r := scheme.Score(contest.WithCertified(map[examinations.Key]examinations.Value{key: {Kind: examinations.Nat, Text: c.proved}}))
		if got := r.Certainty(0, 0); got != c.want {
			t.Errorf("%s voted, %s proved: %s", c.voted, c.proved, got)
		}
		if right := r.Mask(0, 0)[0] == 'T'; right != (c.want == Proved) {
			t.Errorf("%s voted, %s proved: the mask is %s", c.voted, c.proved, r.Mask(0, 0))
		}
	}
}

// TestCertaintyOfChanges: what changes is held against what is proved.
func TestCertaintyOfChanges(t *testing.T) {
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Base-PT-1", examinations.CTLFireability, "T T T T"), scoringtest.Everybody("D E", "Base-PT-1", examinations.CTLFireability, "T F F F"))
	key := examinations.Key{Instance: c.Instances[0].ID, Exam: examinations.CTLFireability}
	proved := map[examinations.Key]examinations.Value{}
	for item, truth := range map[string]bool{"formula-01": true, "formula-02": false} {
		key.Item = item
		proved[key] = examinations.Truth(truth)
	}
	c = c.WithCertified(proved)
	before := scoringtest.Plain().Score(c)
	after := scoringtest.Plain().Score(whatif.WithoutTools(c, "A", "B", "C"))
	var got []string
	for _, x := range whatif.Compare(before, after).References {
		got = append(got, fmt.Sprintf("%s %s>%s proved %q refuted %v", x.Item, x.Before, x.After, x.Proved, x.Refuted))
	}
	want := "formula-01 TRUE>FALSE proved \"TRUE\" refuted true\n" +
		"formula-02 TRUE>FALSE proved \"FALSE\" refuted false\n" +
		"formula-03 TRUE>FALSE proved \"\" refuted false"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	refuted := map[string]bool{}
	for _, m := range whatif.SensitivityOf(before).Margins {
		for _, d := range m.Decisions {
			refuted[d.Item+" "+d.Otherwise] = d.Refuted
		}
	}
	if !refuted["formula-01 FALSE"] || refuted["formula-02 FALSE"] || len(refuted) != 3 {
		t.Errorf("the podium hangs on %v", refuted)
	}
}

// TestProofsStandApart: a contest is not changed by what is proved of it, also where
// one proof follows another.
func TestProofsStandApart(t *testing.T) {
	ub := examinations.UpperBounds
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", ub, "1 2"))
	prove := func(c *Contest, item, text string) *Contest {
		key := examinations.Key{Instance: c.Instances[0].ID, Exam: ub, Item: item}
		return c.WithCertified(map[examinations.Key]examinations.Value{key: {Kind: examinations.Nat, Text: text}})
	}
	first := prove(c, "formula-00", "6") // has room for more values than it has
	first.Values = append(first.Values, examinations.Value{Kind: examinations.Nat, Text: "7"})
	eight, nine := prove(first, "formula-01", "8"), prove(first, "formula-01", "9")
	for want, c := range map[string]*Contest{"8": eight, "9": nine} {
		if got, _ := scoringtest.Plain().Score(c).Certified(1); got.Text != want {
			t.Errorf("proved %s, want %s", got, want)
		}
	}
}

// TestProofsOfTruthValues: a proof is compared as answers are displayed, and what is
// no answer is not displayed.
func TestProofsOfTruthValues(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", ctl, "T F . ."))
	proved := map[examinations.Key]examinations.Value{}
	for _, item := range []string{"formula-00", "formula-01"} {
		proved[examinations.Key{Instance: c.Instances[0].ID, Exam: ctl, Item: item}] = examinations.True
	}
	s := scoringtest.Plain()
	s.Certified = confidence.Overrides
	s.Display = func(v examinations.Value) string { return v.Text[:1] }
	r := s.Score(c.WithCertified(proved))
	if got := r.Mask(0, 0); got != "TX??" || r.Certainty(0, 0) != Proved || r.Certainty(0, 1) != Refuted {
		t.Errorf("mask %s, %s, %s", got, r.Certainty(0, 0), r.Certainty(0, 1))
	}
}
