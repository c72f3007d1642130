package scoring

import (
	"fmt"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
)

// exams are examinations of every form: named values, one value, formula ids.
var exams = []Examination{
	{ID: examinations.StateSpace, Category: "StateSpace", Items: examinations.StateSpaceItems[:], Required: 4, Points: []int64{4}},
	{ID: examinations.OneSafe, Category: "Global", Items: []string{"OneSafe"}, Required: 1, Points: []int64{16}},
	{ID: examinations.Liveness, Category: "Global", Items: []string{"Liveness"}, Required: 1, Points: []int64{16}},
	{ID: examinations.QuasiLiveness, Category: "Global", Items: []string{"QuasiLiveness"}, Required: 1, Points: []int64{16}},
	{ID: examinations.StableMarking, Category: "Global", Required: 1, Points: []int64{16}},
	{ID: examinations.ReachabilityDeadlock, Category: "Reachability", Items: []string{"ReachabilityDeadlock"}, Required: 1, Points: []int64{16}},
	{ID: examinations.UpperBounds, Category: "UpperBounds", Required: 2, Points: []int64{8}},
	{ID: examinations.CTLFireability, Category: "CTL", Required: 4, Points: []int64{4}},
	{ID: examinations.LTLFireability, Category: "LTL", Required: 4, Points: []int64{4}},
}

// says is a run that gives the words as values of an examination, in the order of
// its items or as formula-00, formula-01 and so on; "." stands for no answer. All
// runs take the same time and memory.
func says(tool, instance string, exam examinations.ID, words string) Entry {
	e := Entry{Tool: tool, Instance: instance, Exam: exam, Run: Run{Participation: Answered, CPU: 5, Wall: 6, Memory: 7}}
	for i, word := range strings.Fields(words) {
		a := AnsweredValue{Item: fmt.Sprintf("formula-%02d", i)}
		for _, x := range exams {
			if x.ID == exam && x.Items != nil {
				a.Item = x.Items[i]
			}
		}
		switch word {
		case ".":
		case "T", "F":
			a.Value = examinations.Truth(word == "T")
		case "+inf":
			a.Value = examinations.Infinite
		default:
			a.Value = examinations.Value{Kind: examinations.Nat, Text: word}
		}
		e.Answers = append(e.Answers, a)
	}
	return e
}

// everybody says the same.
func everybody(tools, instance string, exam examinations.ID, words string) []Entry {
	var list []Entry
	for _, tool := range strings.Fields(tools) {
		list = append(list, says(tool, instance, exam, words))
	}
	return list
}

// contest builds a contest of the examinations above.
func contest(t *testing.T, declare func(*Builder), entries ...[]Entry) *Contest {
	t.Helper()
	b := NewBuilder(exams)
	if declare != nil {
		declare(b)
	}
	for _, list := range entries {
		for _, e := range list {
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Contest()
}

// plain is the vote of 2016 with points and penalties and without bonuses. All
// confidences are the share of agreement among the values that a tool answered.
func plain() *Scheme {
	return &Scheme{
		Name: "plain", Unit: 1,
		Consistent: confidence.Majority(3, confidence.OfAnswering),
		Share:      confidence.OverAnswered,
		Elect:      confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100)}.Elect,
		Rules:      []Rule{{"E-4.2", PointsPerValue}, {"E-4.3", PenaltyPerWrong(2)}},
		Ranking:    Ranking{BestVariant: true},
	}
}

// ranks writes a ranking: "1 A 24, 2 B 20".
func ranks(r *Result, category string) string {
	for _, b := range r.Boards() {
		if b.Name == category {
			var list []string
			for _, p := range b.Places {
				list = append(list, fmt.Sprintf("%d %s %s", p.Rank, r.Contest.Tools[p.Tool].Name, b.Standings[p.Tool].Points.RatString()))
			}
			return strings.Join(list, ", ")
		}
	}
	return "no such category"
}
