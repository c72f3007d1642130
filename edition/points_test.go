package edition

import (
	"fmt"
	"slices"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/scoring"
)

// applied returns the points and letters of the runs of a contest under one rule: ant
// and bee are right, cat takes longer and less memory, and dog has a wrong value.
func applied(t *testing.T, rule func(*scoring.Peers, string)) (points []int64, letters []string) {
	b := scoring.NewBuilder([]scoring.Examination{{ID: examinations.CTLCardinality, Category: "CTL", Required: 4, Points: []int64{10}}})
	for _, run := range []struct {
		tool              string
		cpu, wall, memory int64
		last              bool
	}{{"ant", 5, 6, 7, false}, {"bee", 5, 7, 7, false}, {"cat", 8, 8, 6, false}, {"dog", 9, 9, 9, true}} {
		e := scoring.Entry{Tool: run.tool, Instance: "Net-PT-1", Exam: examinations.CTLCardinality,
			Run: scoring.Run{Participation: scoring.Answered, CPU: run.cpu, Wall: run.wall, Memory: run.memory}}
		for i := range 4 {
			e.Answers = append(e.Answers, scoring.AnsweredValue{Item: fmt.Sprintf("formula-%02d", i), Value: examinations.Truth(i < 3 || run.last)})
		}
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	s := &scoring.Scheme{Unit: 1, Consistent: confidence.Majority(3, confidence.OfAnswering), Share: confidence.OverAnswered,
		Elect: confidence.WeightedMajorityPolicy{}.Elect, Rules: []scoring.Rule{{ID: "x", Apply: rule}}}
	r := s.Score(b.Contest())
	for tool := range r.Contest.Tools {
		points = append(points, r.RunPoints(0, tool))
		letters = append(letters, r.RunLetters(0, tool).String())
	}
	return points, letters
}

// TestRuleFunctions: each function gets its parameters, with the defaults of those
// that need not be given.
func TestRuleFunctions(t *testing.T) {
	for _, c := range []struct {
		name            string
		given           map[string]string
		points, letters string
	}{
		{"points-per-value", nil, "[40 40 40 30]", "[-- -- -- --]"},
		{"points-per-confirmed", nil, "[0 0 0 0]", "[-- -- -- --]"}, // these answers have no witness
		{"penalty-per-wrong", nil, "[0 0 0 -20]", "[-- -- -- --]"},
		{"penalty-per-wrong", map[string]string{"factor": "3"}, "[0 0 0 -30]", "[-- -- -- --]"},
		{"need-right-value", nil, "[0 0 0 0]", "[-- -- -- --]"},
		{"bonus-least", map[string]string{"metric": "memory", "points": "4"}, "[0 0 4 0]", "[-- -- -M --]"},
		{"bonus-least", map[string]string{"metric": "cpu"}, "[0 0 0 0]", "[P- P- -- --]"},
		{"bonus-least", map[string]string{"metric": "cpu", "equals": "first"}, "[0 0 0 0]", "[P- -- -- --]"},
		{"bonus-least", map[string]string{"metric": "cpu", "within": "3/5", "points": "2"}, "[2 2 2 0]", "[P- P- P- --]"},
		{"bonus-least", map[string]string{"metric": "wall"}, "[0 0 0 0]", "[P- -- -- --]"},
		{"multiply-by-class", map[string]string{"surprise": "5"}, "[0 0 0 0]", "[-- -- -- --]"},
		{"family-weight", map[string]string{"base": "100", "floor": "10", "whole": "0"}, "[0 0 0 0]", "[-- -- -- --]"},
		{"points-by-verdict", map[string]string{"correct_true": "2", "correct_false": "1", "wrong_true": "-32", "wrong_false": "-16"}, "[7 7 7 -26]", "[-- -- -- --]"},
	} {
		at := slices.IndexFunc(functionsOf(ruleFunctions), func(f function) bool { return f.Name == c.name })
		args, wrong := ruleFunctions[at].check(c.given)
		if len(wrong) > 0 {
			t.Fatalf("%s: %v", c.name, wrong)
		}
		if points, letters := applied(t, ruleFunctions[at].Make(args)); fmt.Sprint(points) != c.points || fmt.Sprint(letters) != c.letters {
			t.Errorf("%s %v: %v %v, want %s %s", c.name, c.given, points, letters, c.points, c.letters)
		}
	}
}

// TestFlagAndRankingFunctions: what the words of an edition stand for.
func TestFlagAndRankingFunctions(t *testing.T) {
	for _, f := range flagFunctions {
		args, wrong := f.check(nil)
		if detect := f.Make(args); len(wrong) > 0 || (detect == nil) != (f.Name == "any-wrong") {
			t.Errorf("%s: wrong kind of flag, %v", f.Name, wrong)
		}
	}
	ranking := rankingFunctions[0]
	args, _ := ranking.check(map[string]string{"podium": "every-tool", "ties": "success-cpu", "who": "participants", "negative": "dash"})
	if got, all := ranking.Make(args), (scoring.Ranking{TieBySuccessCPU: true, EveryParticipant: true, NegativeIsZero: true}); got != all {
		t.Errorf("sum-by-category: %+v", got)
	}
	args, _ = ranking.check(nil)
	if got, least := ranking.Make(args), (scoring.Ranking{BestVariant: true}); got != least {
		t.Errorf("sum-by-category by default: %+v", got)
	}
}
