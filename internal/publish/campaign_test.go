package publish

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/scoring/whatif"
	"podium/vm"
)

// TestPlacesNeedPoints: a tool without points has a rank and no place on the
// podium, and its standing says why.
func TestPlacesNeedPoints(t *testing.T) {
	ed, _, err := judged.LoadEdition("mcc2020")
	if err != nil {
		t.Fatal(err)
	}
	b := ed.Builder()
	const instance = "Net-PT-001"
	b.Instance(instance, models.Known)
	for tool, answers := range map[string][2]examinations.Value{"A": {examinations.True, {}}, "B": {examinations.True, {}}, "C": {examinations.False, {}},
		"D": {{}, examinations.True}} {
		for i, exam := range []examinations.ID{examinations.Liveness, examinations.OneSafe} {
			e := scoring.Entry{Tool: tool, Instance: instance, Exam: exam, Run: scoring.Run{Participation: scoring.CannotCompute}}
			if !answers[i].IsZero() {
				e.Participation, e.Answers = scoring.Answered, []scoring.AnsweredValue{{Item: string(exam), Value: answers[i]}}
			}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range ed.Score(b.Contest()).Boards()[0].Standings {
		if positive := s.Points.Sign() > 0; positive != (s.Place > 0) || positive != (s.Note == "") || s.Rank == 0 {
			t.Errorf("%+v", s)
		}
	}
}

// TestConfidenceThatTellsNothing wants a word where three tools have to agree and no
// more than three answer, and none with a fourth or in an edition without votes.
func TestConfidenceThatTellsNothing(t *testing.T) {
	for _, tc := range []struct {
		edition, tools string
		warned         bool
	}{{"mcc2016", "ABC", true}, {"mcc2016", "ABCD", false}, {"svcomp2019", "ABC", false}} {
		ed, _, err := judged.LoadEdition(tc.edition)
		if err != nil {
			t.Fatal(err)
		}
		b := ed.Builder()
		b.Instance("Net-PT-001", models.Known)
		for _, tool := range strings.Split(tc.tools, "") {
			err := b.Add(scoring.Entry{Tool: tool, Instance: "Net-PT-001", Exam: examinations.ReachabilityDeadlock, Run: scoring.Run{Participation: scoring.Answered},
				Answers: []scoring.AnsweredValue{{Item: string(examinations.ReachabilityDeadlock), Value: examinations.True}}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(confidenceWarning(ed.Score(b.Contest())), " "); strings.Contains(got, "confidences say nothing") != tc.warned {
			t.Errorf("%s with %d tools: %q", tc.edition, len(tc.tools), got)
		}
	}
}

// TestDriftedRunsAreNamed wants a word about runs whose computer was not as fast as
// usual, and what to do.
func TestDriftedRunsAreNamed(t *testing.T) {
	m := newMaker(1, 1, 2) // Philosophers and Kanban
	if got := drifted(m.contest().runs); len(got) != 0 {
		t.Errorf("%q", got)
	}
	for _, at := range []int{0, 3, len(m.runs) - 1} {
		m.runs[at].Drift = []string{"slower"}
	}
	got := strings.Join(drifted(m.contest().runs), "")
	if !strings.HasPrefix(got, "Around 3 of 26 runs the computer was slower or faster than usual") || !strings.Contains(got, "`podium run --again Kanban,Philosophers`") {
		t.Errorf("%q", got)
	}
}

// TestUnmeasuredRunsAreNamed wants a word about runs whose figures earn no bonus.
func TestUnmeasuredRunsAreNamed(t *testing.T) {
	of := func(figures ...vm.Figure) run { return run{Ran: judged.Ran{Outcome: &vm.Outcome{Unmeasured: figures}}} }
	if got := unmeasuredRuns([]run{of(), of()}, true); len(got) != 0 {
		t.Errorf("%q", got)
	}
	got := unmeasuredRuns([]run{of(vm.Times), of(), of(vm.Times, vm.Memory)}, true)
	if len(got) != 2 || !strings.HasPrefix(got[0], "In 2 of 3 runs times could not be measured, and earn no bonus;") || !strings.HasPrefix(got[1], "In 1 of 3 runs memory could not be measured, and earns no bonus;") {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]bool{"mcc2020": true, "svcomp2019": false} { // SV-COMP has no bonuses
		if got := unmeasuredRuns([]run{of(vm.Times)}, mustEdition(name).HasBonuses()); len(got) != 1 || strings.Contains(got[0], "bonus") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOvertaking wants a word where a tool stands higher without another one by more than
// the place that becomes free.
func TestOvertaking(t *testing.T) {
	ranks := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	for _, tc := range []struct {
		without, tool string
		before, after int
		want          bool
	}{{"a", "b", 2, 1, false}, {"a", "c", 3, 1, true}, {"d", "b", 2, 1, true}, {"d", "b", 2, 3, false}, {"a", "a", 1, 0, false}, {"d", "x", 9, 5, false}} {
		m := whatif.Move{Tool: tc.tool, RankBefore: tc.before, RankAfter: tc.after}
		if got := overtakes(ranks[tc.without], m, tc.without); got != tc.want {
			t.Errorf("%+v: %v", tc, got)
		}
	}
}
