// Package scoringtest makes small contests for tests of scoring.
package scoringtest

import (
	"fmt"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/scoring"
)

// Exams are examinations of every form: named values, one value, formula ids.
var Exams = []scoring.Examination{
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

// Says is a run that gives the words as values of an examination, in the order of
// its items or as formula-00, formula-01 and so on; "." stands for no answer. All
// runs take the same time and memory.
func Says(tool, instance string, exam examinations.ID, words string) scoring.Entry {
	e := scoring.Entry{Tool: tool, Instance: instance, Exam: exam, Run: scoring.Run{Participation: scoring.Answered, CPU: 5, Wall: 6, Memory: 7}}
	for i, word := range strings.Fields(words) {
		a := scoring.AnsweredValue{Item: fmt.Sprintf("formula-%02d", i)}
		for _, x := range Exams {
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

// Everybody is [Says] of several tools.
func Everybody(tools, instance string, exam examinations.ID, words string) []scoring.Entry {
	var list []scoring.Entry
	for _, tool := range strings.Fields(tools) {
		list = append(list, Says(tool, instance, exam, words))
	}
	return list
}

// Contest builds a contest of the examinations above.
func Contest(t *testing.T, declare func(*scoring.Builder), entries ...[]scoring.Entry) *scoring.Contest {
	t.Helper()
	b := scoring.NewBuilder(Exams)
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

// Plain is the vote of 2016 with points and penalties and without bonuses. All
// confidences are the share of agreement among the values that a tool answered.
func Plain() *scoring.Scheme {
	return &scoring.Scheme{
		Name: "plain", Unit: 1,
		Consistent: confidence.Majority(3, confidence.OfAnswering),
		Share:      confidence.OverAnswered,
		Elect:      confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100)}.Elect,
		Rules:      []scoring.Rule{{ID: "E-4.2", Apply: scoring.PointsPerValue}, {ID: "E-4.3", Apply: scoring.PenaltyPerWrong(2)}},
		Ranking:    scoring.Ranking{BestVariant: true},
	}
}

// Weighted is the scoring of 2025: hundredths, a weight of families, a factor of
// surprise models.
func Weighted() *scoring.Scheme {
	s := Plain()
	s.Unit = 100
	s.Rules = append(s.Rules, scoring.Rule{ID: "E-4.5", Apply: scoring.FamilyWeight(16, 10000, 255)},
		scoring.Rule{ID: "E-4.4", Apply: scoring.ClassFactors([3]int64{1, 1, 13})})
	return s
}

// Small is a contest in which C differs once, and where A has a variant.
func Small(t *testing.T) *scoring.Result {
	ctl := examinations.CTLFireability
	return Plain().Score(Contest(t, func(b *scoring.Builder) { b.Tool(scoring.Tool{Name: "A2", Family: "A"}) },
		Everybody("A A2 B", "Net-PT-1", ctl, "T T T T"), Everybody("C", "Net-PT-1", ctl, "T T T F"),
		Everybody("A B", "Other-PT-1", ctl, "T T . ."), Everybody("C", "Other-PT-1", ctl, "F F . ."),
		Everybody("C", "Third-PT-1", examinations.UpperBounds, "4 +inf")))
}

// Ranks writes a ranking: "1 A 24, 2 B 20".
func Ranks(r *scoring.Result, category string) string {
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
