package scoring_test

import (
	"testing"

	"podium/confidence"
	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// TestOnlyKeepsWhatWasEarned: some runs of a result are explained as among all runs,
// bonuses included, and the others are not there.
func TestOnlyKeepsWhatWasEarned(t *testing.T) {
	bonus := scoringtest.Plain()
	bonus.Rules = append(bonus.Rules, Rule{"E-4.1", Bonus{Metric: CPUTime, Letter: Fastest, Points: 4, MinShare: confidence.NewRatio(1, 2)}.Apply})
	lots := scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T T T")
	lots[1].CPU, lots[2].CPU = 4, 6
	for _, r := range []*Result{scoringtest.Small(t), bonus.Score(scoringtest.Contest(t, nil, lots))} {
		for tool := range r.Contest.Tools {
			only := r.Only(func(_, k int) bool { return k == tool })
			for sheet := range r.Contest.Sheets {
				if got, want := explain.Run(only, sheet, tool).String(), explain.Run(r, sheet, tool).String(); got != want {
					t.Errorf("alone:\n%s\namong all:\n%s", got, want)
				}
				for k := range r.Contest.Tools {
					if k != tool && (only.HasScore(sheet, k) || only.Contest.Run(sheet, k).Participation != Absent) {
						t.Errorf("a run of %s is there", r.Contest.Tools[k].Name)
					}
				}
				if absent := r.Contest.Run(sheet, tool).Participation == Absent; only.Contest.HasRuns(sheet) == absent {
					t.Errorf("sheet %d without runs: %v, want %v", sheet, !absent, absent)
				}
			}
			for k := range r.Contest.Tools {
				if only.Contest.ToolHasRuns(k) != (k == tool) {
					t.Errorf("%s without runs: %v", r.Contest.Tools[k].Name, k == tool)
				}
			}
		}
	}
}
