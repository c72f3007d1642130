package scoring_test

import (
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// intervals is a contest about the bounds of one net, by tool; "|" parts values. Tool S is set aside.
func intervals(t *testing.T, take bool, answers map[string]string) *Result {
	exams := append([]Examination(nil), scoringtest.Exams...)
	for i := range exams {
		exams[i].Intervals = take && exams[i].ID == examinations.UpperBounds
	}
	b := NewBuilder(exams)
	for tool, words := range answers {
		e := Entry{Tool: tool, Instance: "Net-PT-1", Exam: examinations.UpperBounds, Run: Run{Participation: Answered}}
		for i, word := range strings.Split(words, "|") {
			v, ok := examinations.ParseInterval(word)
			if !ok {
				v, _ = examinations.ParseValue(word, examinations.Nat)
			}
			e.Answers = append(e.Answers, AnsweredValue{Item: fmt.Sprintf("formula-%02d", i), Value: v})
		}
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	c := b.Contest().WithRulings(Ruling{Effect: StrikesRuns, Tool: func(t *Tool) bool { return t.Name == "S" }})
	return scoringtest.Plain().Score(c)
}

// TestE32ReferenceSetOfAContest: S = {x: f(x) = y}, where f(x) counts the tools whose interval
// contains x and y is its maximum. Of [1,4], [3,6] and 5, f is 1 for 1 and 2, 2 for 3 to 5, and
// 1 for 6.
func TestE32ReferenceSetOfAContest(t *testing.T) {
	for _, c := range []struct {
		answers map[string]string
		want    string
	}{
		{map[string]string{"A": "[1,4]", "B": "[3,6]", "C": "5"}, "2 tools locate it in [3, 5]"},
		{map[string]string{"A": "[1,4]", "B": "[3,6]", "C": "3"}, "3 tools locate it in 3"},
		{map[string]string{"A": "[1,2]", "B": "[4,5]", "C": "9"}, "1 tool locates it in [1, 2] or [4, 5] or 9"},
		{map[string]string{"A": "[2,inf]", "B": "[3,inf]"}, "2 tools locate it in [3, inf]"},
		{map[string]string{"A": "[2,inf]", "B": "+inf"}, "1 tool locates it in [2, inf]"},
		{map[string]string{"A": "[1,4]", "B": "[3,6]", "S": "[6,7]"}, "2 tools locate it in [3, 4]"},
		{map[string]string{"A": "[1,4]"}, "1 tool locates it in [1, 4]"},
		{map[string]string{"A": "4", "B": "4"}, ""},
	} {
		r := intervals(t, true, c.answers)
		_, got, _ := strings.Cut(r.ClauseText(0, 0), "; for information, ")
		if got = strings.TrimSuffix(got, " (E-3.2)"); got != c.want {
			t.Errorf("E-3.2 %v: %q, want %q", c.answers, got, c.want)
		}
		if text := explain.Value(r, 0, 0).String(); c.want != "" && !strings.Contains(text, c.want) {
			t.Errorf("E-3.2 %v: explain says %s", c.answers, text)
		}
		if got := intervals(t, false, c.answers).ClauseText(0, 0); strings.Contains(got, "E-3.2") {
			t.Errorf("E-3.2 in an edition without it: %s", got)
		}
	}
}

// TestE32IntervalsAreForInformation: no points, no penalty, no vote, whatever the reference is.
func TestE32IntervalsAreForInformation(t *testing.T) {
	r := intervals(t, true, map[string]string{"A": "4|1", "B": "4|[0,3]", "C": "[3,5]|[7,8]", "D": "[1,2]", "E": "4|1", "F": "4|1"})
	c := r.Contest
	if ref, known := r.ReferenceValue(0); !known || ref.Text != "4" {
		t.Errorf("the reference is %v", ref)
	}
	for tool, want := range map[string]string{"A": "TT 16", "B": "T- 8", "C": "-- 0", "D": "-- 0", "E": "TT 16"} {
		n := c.ToolNamed(tool)
		if got := fmt.Sprint(r.Mask(0, n), " ", r.RunPoints(0, n)); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
	alone := intervals(t, true, map[string]string{"A": "4|1", "E": "4|1", "F": "4|1"})
	for _, tool := range []string{"A", "E", "F"} {
		if got, want := r.Confidence[c.ToolNamed(tool)], alone.Confidence[alone.Contest.ToolNamed(tool)]; got != want {
			t.Errorf("the confidence of %s is %s, without intervals %s", tool, got, want)
		}
	}
	if got := r.ClauseText(0, 0); got != "E-3.1 all tools whose answers count agree; for information, 5 tools locate it in 4 (E-3.2)" {
		t.Errorf("clause: %s", got)
	}
	var why []string
	for _, u := range r.Uncounted(0, 0) {
		why = append(why, c.Tools[u.Tool].Name+" "+c.Values[u.Answer].Text+": "+u.Why)
	}
	if got := strings.Join(why, ", "); got != "C [3,5]: an interval is no vote and is not judged, D [1,2]: an interval is no vote and is not judged" {
		t.Errorf("no votes: %s", got)
	}
	if r.Disagree(0) {
		t.Error("an interval disagrees with a number")
	}
	ranges := r.Ranges(func(_, tool int) bool { return c.Tools[tool].Name == "A" })
	for _, b := range ranges.Boards {
		if d := c.ToolNamed("D"); b.Least[d].Points.Sign() != 0 || b.Greatest[d].Points.Sign() != 0 {
			t.Errorf("D can have %s to %s points", b.Least[d].Points, b.Greatest[d].Points)
		}
	}
}
