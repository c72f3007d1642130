package edition_test

import (
	"fmt"
	"log"

	"podium/edition"
	"podium/examinations"
	"podium/scoring"
)

// A small contest is scored by the rules of 2025.
func Example() {
	rules, err := edition.Named("mcc2025")
	if err != nil {
		log.Fatal(err)
	}
	builder := rules.Builder()
	for tool, value := range map[string]examinations.Value{"ant": examinations.True, "bee": examinations.True, "cat": examinations.True, "dog": examinations.False} {
		err := builder.Add(scoring.Entry{Tool: tool, Instance: "Small-PT-1", Exam: examinations.Liveness,
			Run: scoring.Run{Participation: scoring.Answered}, Answers: []scoring.AnsweredValue{{Item: "Liveness", Value: value}}})
		if err != nil {
			log.Fatal(err)
		}
	}
	contest := builder.Contest()
	category := rules.Score(contest).Categories[0]
	for _, p := range category.Places {
		fmt.Println(p.Rank, contest.Tools[p.Tool].Name, category.OnPodium(p))
	}
	// Output:
	// 1 ant true
	// 1 bee true
	// 1 cat true
	// 4 dog false
}
