package scoring_test

import (
	"strings"
	"testing"

	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// A run that is set aside says why and by which flag; its answers are no votes,
// neither right nor wrong, and 'all tools agree' does not stand above them.
func TestSetAsideIsExplained(t *testing.T) {
	c := scoringtest.Contest(t, nil,
		scoringtest.Everybody("A B C", "Net-COL-1", examinations.CTLFireability, "T T T T"), []Entry{scoringtest.Says("D", "Net-COL-1", examinations.CTLFireability, "T T F T")},
		scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T T T"), []Entry{scoringtest.Says("D", "Net-PT-1", examinations.CTLFireability, "T T T T")},
		[]Entry{{Tool: "E", Instance: "Net-PT-1", Exam: examinations.CTLFireability, Run: Run{Participation: Void}}})
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "twins", Rule: "E-9", Found: "it differs", Effect: SetAside, Detect: Twins(3, nil)}}
	r := s.Score(c)
	col, pt, d := c.SheetOf("Net-COL-1", examinations.CTLFireability), c.SheetOf("Net-PT-1", examinations.CTLFireability), c.ToolNamed("D")
	const why = "flag twins: it differs; the run is set aside: it has no points, no bonus and no votes (E-9)"
	for _, sheet := range []int{col, pt} {
		if got := r.NoScore(sheet, d); got != why {
			t.Errorf("D has no score: %q", got)
		}
		if text := explain.Run(r, sheet, d).String(); !strings.Contains(text, "the run has no score: "+why) || strings.Contains(text, "E-4.2") {
			t.Errorf("got\n%s", text)
		}
	}
	if got := r.NoScore(pt, c.ToolNamed("E")); !strings.Contains(got, "E-5.1") || !strings.Contains(got, "void") {
		t.Errorf("E has no score: %q", got)
	}
	if got := r.NoScore(pt, 0); got != "" {
		t.Errorf("A has no score: %q", got)
	}
	tally := r.Categories[0].Tallies[d]
	if tally.Right != 0 || tally.Wrong != 0 || tally.Aside != 8 || tally.SuccessCPU != 0 || tally.Runs != 2 {
		t.Errorf("D has %+v", tally)
	}
	first := int(c.Sheets[col].First)
	for value, clause := range map[int]string{first: "E-3.1 all tools agree", first + 2: "E-3.1 all tools whose answers count agree"} {
		if got := r.ClauseText(col, value); got != clause {
			t.Errorf("%s: %s", c.Items[value], got)
		}
	}
	if list := r.Uncounted(col, first); len(list) != 1 || list[0].Tool != d || list[0].Why != why {
		t.Errorf("no votes: %+v", list)
	}
	if text := explain.Value(r, col, first+2).String(); !strings.Contains(text, "D answers FALSE with confidence") || !strings.Contains(text, "does not count: "+why) {
		t.Errorf("got\n%s", text)
	}
}

func TestSiblingsWithoutVoteAreSaid(t *testing.T) {
	c := scoringtest.Contest(t, func(b *Builder) {
		b.Tool(Tool{Name: "A", Family: "F"})
		b.Tool(Tool{Name: "B", Family: "F"})
	}, scoringtest.Everybody("A B C D", "Net-PT-1", examinations.ReachabilityDeadlock, "T"))
	s := scoringtest.Plain()
	s.OnePerFamily = true
	r := s.Score(c)
	if list := r.Uncounted(0, 0); len(list) != 1 || list[0].Why != "the variants of a tool have one vote together" {
		t.Errorf("no votes: %+v", list)
	}
}

// TestTasksOfAMixedContestHaveNoVotes: beside nets, answers to tasks are no votes, and that is
// the reason.
func TestTasksOfAMixedContestHaveNoVotes(t *testing.T) {
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B", "Net-PT-1", examinations.ReachabilityDeadlock, "T"), scoringtest.Everybody("A B", "Net-PT-1", examinations.OneSafe, "T"))
	c.Exams[c.Sheets[1].Exam].Task = true
	if list := scoringtest.Plain().Score(c).Uncounted(1, int(c.Sheets[1].First)); len(list) != 2 || !strings.Contains(list[0].Why, "task") {
		t.Errorf("no votes: %+v", list)
	}
}
