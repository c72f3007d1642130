package scoring_test

import (
	"fmt"
	"log"

	"podium/confidence"
	"podium/examinations"
	"podium/scoring"
)

// A small contest is scored by rules of one's own: a right value gives 16
// points, a wrong one costs 32.
func Example() {
	builder := scoring.NewBuilder([]scoring.Examination{{ID: examinations.Liveness, Category: "Global", Items: []string{"Liveness"}, Required: 1, Points: []int64{16}}})
	for tool, value := range map[string]bool{"ant": true, "bee": true, "cat": true, "dog": false} {
		err := builder.Add(scoring.Entry{Tool: tool, Instance: "Small-PT-1", Exam: examinations.Liveness, Run: scoring.Run{Participation: scoring.Answered},
			Answers: []scoring.AnsweredValue{{Item: "Liveness", Value: examinations.Truth(value)}}})
		if err != nil {
			log.Fatal(err)
		}
	}
	scheme := &scoring.Scheme{Name: "small", Unit: 1,
		Consistent: confidence.Majority(3, confidence.OfAnswering),
		Share:      confidence.OverAnswered,
		Elect:      confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100)}.Elect,
		Rules:      []scoring.Rule{{ID: "E-4.2", Apply: scoring.PointsPerValue}, {ID: "E-4.3", Apply: scoring.PenaltyPerWrong(2)}},
	}
	contest := builder.Contest()
	result := scheme.Score(contest)
	for _, p := range result.Categories[0].Places {
		fmt.Println(p.Rank, contest.Tools[p.Tool].Name, result.RunPoints(0, p.Tool))
	}
	// Output:
	// 1 ant 16
	// 1 bee 16
	// 1 cat 16
	// 4 dog -32
}
