// Program guest is a program of another module: it reads a net, what two tools
// print about it, scores a small contest and prints the podium.
package main

import (
	"fmt"
	"log"
	"strings"

	"podium/confidence"
	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/pnml"
	"podium/scoring"
)

const net = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>`

func main() {
	doc, found := pnml.Read(strings.NewReader(net), "net.pnml")
	rules, err := edition.Named("mcc2025")
	if err != nil || found.Err() != nil {
		log.Fatal(err, found)
	}
	builder, exam := rules.Builder(), examinations.ReachabilityDeadlock
	for tool, word := range map[string]string{"ant": "TRUE", "bee": "TRUE", "cat": "TRUE", "dog": "FALSE"} {
		r := output.NewReader(strings.NewReader("FORMULA "+string(exam)+" "+word+" TECHNIQUES EXPLICIT\n"), exam, output.ReaderOptions{})
		entry := scoring.Entry{Tool: tool, Instance: "Small-PT-1", Exam: exam, Run: scoring.Run{Participation: scoring.Answered, CPU: int64(len(tool))}}
		for r.Scan() {
			entry.Answers = append(entry.Answers, scoring.AnsweredValue{Item: r.Answer().Item, Value: r.Answer().Value})
		}
		if err := builder.Add(entry); err != nil {
			log.Fatal(err)
		}
	}
	contest := builder.Contest()
	result := rules.Score(contest)
	fmt.Println("places:", doc.Net.Places.Len(), "all sure:", result.Confidence[0] == confidence.NewRatio(1, 1))
	for _, p := range result.Categories[0].Places {
		fmt.Println(p.Rank, contest.Tools[p.Tool].Name, result.Categories[0].OnPodium(p))
	}
}
