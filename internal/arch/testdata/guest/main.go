// Program guest, of another module, reads a net, scores a small contest and prints the podium.
package main

import (
	"fmt"
	"log"
	"strings"

	"podium/confidence"
	"podium/edition"
	"podium/examinations"
	"podium/pnml"
	"podium/scoring"
)

func main() {
	const net = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>`
	doc, found := pnml.Read(strings.NewReader(net), "net.pnml")
	rules, err := edition.Named("mcc2025")
	if err != nil || found.Err() != nil {
		log.Fatal(err, found)
	}
	builder, exam := rules.Builder(), examinations.ReachabilityDeadlock
	for tool, deadlock := range map[string]bool{"ant": true, "bee": true, "cat": true, "dog": false} {
		answers := []scoring.AnsweredValue{{Item: string(exam), Value: examinations.Truth(deadlock)}}
		if err := builder.Add(scoring.Entry{Tool: tool, Instance: "Small-PT-1", Exam: exam, Run: scoring.Run{Participation: scoring.Answered}, Answers: answers}); err != nil {
			log.Fatal(err)
		}
	}
	result := rules.Score(builder.Contest())
	fmt.Println("places:", doc.Net.Places.Len(), "all sure:", result.Confidence[0] == confidence.NewRatio(1, 1))
	for _, p := range result.Categories[0].Places {
		fmt.Println(p.Rank, result.Contest.Tools[p.Tool].Name, result.Categories[0].OnPodium(p))
	}
}
