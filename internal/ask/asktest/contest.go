// Package asktest has a contest to ask about, for tests.
package asktest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/ask"
	"podium/scoring"
)

// Contest is a contest of five tools on twenty-four instances of both kinds, some
// answers of which are wrong or missing.
func Contest(t testing.TB) (*scoring.Contest, *edition.Edition) {
	t.Helper()
	ed, err := edition.Named("mcc2019")
	if err != nil {
		t.Fatal(err)
	}
	rng, times, b := rand.New(rand.NewPCG(19, 4)), rand.New(rand.NewPCG(19, 5)), ed.Builder()
	tools := []scoring.Tool{{Name: "alpha"}, {Name: "beta.seq", Family: "beta"}, {Name: "beta.par", Family: "beta"}, {Name: "gamma"}, {Name: "delta"}}
	for _, tool := range tools {
		b.Tool(tool)
	}
	for family := range 6 {
		for _, kind := range []string{"PT", "COL"} {
			for param := range 2 {
				inst := fmt.Sprintf("Family%d-%s-%02d", family, kind, param)
				for _, exam := range []examinations.ID{examinations.StateSpace, examinations.ReachabilityCardinality, examinations.CTLFireability} {
					for i, tool := range tools {
						if err := b.Add(entry(rng, times, inst, exam, tool.Name, i)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	return proved(b.Contest()), ed
}

// proved adds a referee who has proved every other formula, and what runs are given states the first of each file.
func proved(c *scoring.Contest) *scoring.Contest {
	proofs, told := map[examinations.Key]examinations.Value{}, map[examinations.Key]examinations.Value{}
	for _, s := range c.Sheets {
		if exam := c.Exams[s.Exam].ID; exam.HasFormulas() {
			told[examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: exam, Item: c.Items[s.First]}] = examinations.True
			for v := s.First; v < s.First+s.Values; v += 2 {
				proofs[examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: exam, Item: c.Items[v]}] = examinations.Truth((v-s.First)%3 == 0)
			}
		}
	}
	return c.WithCertified(proofs).WithTold(told)
}

// entry is a run; tool i errs in one of 10+10i answers.
func entry(rng, times *rand.Rand, inst string, exam examinations.ID, tool string, i int) scoring.Entry {
	e := scoring.Entry{Tool: tool, Instance: inst, Exam: exam,
		Run: scoring.Run{Participation: scoring.Answered, CPU: rng.Int64N(3600e6), Wall: rng.Int64N(3600e6), Memory: rng.Int64N(16e9),
			Ending: []scoring.Ending{scoring.ByItself, scoring.AtTimeLimit, scoring.AtMemoryLimit, scoring.Crashed}[rng.IntN(4)]}}
	var items []string
	if exam == examinations.StateSpace {
		items = examinations.StateSpaceItems
	} else {
		for k := range 16 {
			items = append(items, fmt.Sprintf("%s-%s-2019-%02d", inst, exam, k))
		}
	}
	for k, item := range items {
		if rng.IntN(6) == 0 {
			continue
		}
		wrong := rng.IntN(10+10*i) == 0
		v := examinations.Truth((k%3 == 0) != wrong)
		if exam == examinations.StateSpace {
			v = examinations.Value{Kind: examinations.Nat, Text: fmt.Sprint(7*(k+1) + map[bool]int{true: 1}[wrong])}
		}
		e.Answers = append(e.Answers, scoring.AnsweredValue{Item: item, Value: v, AnsweredAt: said(times, &e.Run)})
	}
	return e
}

// said is when a run gave an answer; now and then it is not known.
func said(rng *rand.Rand, of *scoring.Run) int32 {
	if rng.IntN(16) == 0 {
		return 0
	}
	return scoring.AnswerTime(rng.Int64N(of.Wall + 1))
}

// changes are changes of parameters that editions of the contest have, or have not.
var changes = []string{"elect.single_above=1/2", "elect.single_above=99/100", "elect.majority=absolute", "consistent.min_agree=2", "consistent.min_agree=4", "scoring.penalty-per-wrong.factor=8", "votes=one-per-family"}

// Question returns a question about the contest.
func Question(rng *rand.Rand, n ask.Names) (q ask.Question) {
	pick := func(list []string, most int) (chosen []string) {
		for range rng.IntN(most + 1) {
			chosen = append(chosen, list[rng.IntN(len(list))])
		}
		return chosen
	}
	q.Tools, q.Models = pick(n.Tools, 2), pick(n.Models, 3)
	if len(n.Families) > 0 && rng.IntN(4) == 0 {
		q.Families = pick(n.Families, 1)
	}
	if rng.IntN(3) == 0 {
		q.Instances = pick(n.Instances, 4)
	}
	if rng.IntN(4) == 0 {
		q.Classes = pick(n.Classes, 2)
	}
	if rng.IntN(5) == 0 {
		q.Values = pick(n.Truths, 1)
	}
	if rng.IntN(3) == 0 {
		q.Changes = pick(changes, 2)
	}
	if rng.IntN(3) == 0 {
		q.Kinds = pick(n.Kinds, 1)
	}
	if rng.IntN(3) == 0 {
		q.Exams = []string{string(n.Examinations[rng.IntN(len(n.Examinations))])}
	}
	if rng.IntN(2) == 0 {
		q.CPU = time.Duration(1+rng.IntN(3000)) * time.Second
	}
	if rng.IntN(3) == 0 {
		q.Wall = time.Duration(1+rng.IntN(3000)) * []time.Duration{time.Millisecond, time.Second}[rng.IntN(2)]
	}
	if rng.IntN(4) == 0 {
		q.Under = n.Editions[rng.IntN(len(n.Editions))]
	}
	if n.Certified && rng.IntN(4) == 0 {
		q.Certified = true
	}
	if n.Told && rng.IntN(4) == 0 {
		q.Untold = true
	}
	if rng.IntN(3) == 0 {
		for _, outcome := range n.Outcomes {
			if rng.IntN(2) == 0 {
				q.Outcomes = append(q.Outcomes, string(outcome))
			}
		}
	}
	if rng.IntN(4) == 0 {
		q.Memory = int64(1+rng.IntN(16)) * 1e9
	}
	return q
}
