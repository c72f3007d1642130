package whatif

import (
	"slices"

	"podium/confidence"
	"podium/scoring"
)

// Keeping returns a contest of the runs of a result, its own or one that asks other
// examinations, in which only runs of some outcomes said anything. A run that the result
// does not have has no outcome.
func Keeping(c *scoring.Contest, r *scoring.Result, outcomes ...scoring.Outcome) *scoring.Contest {
	sheets, tools := r.Contest.SheetIndex(), map[string]int{}
	for t := range r.Contest.Tools {
		tools[r.Contest.Tools[t].Name] = t
	}
	return silencing(c, scoring.CannotCompute, func(sheet, tool int, _ *scoring.Run) bool {
		s := c.Sheets[sheet]
		sheet, asked := sheets[scoring.SheetName{Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}]
		tool, there := tools[c.Tools[tool].Name]
		return !asked || !there || !slices.Contains(outcomes, r.Outcome(sheet, tool))
	})
}

// silencing returns the contest in which answered runs for which the function is true said
// nothing, and ended otherwise.
func silencing(c *scoring.Contest, ended scoring.Participation, silent func(sheet, tool int, run *scoring.Run) bool) *scoring.Contest {
	out, ballots := *c, *c.Ballots
	out.Runs, ballots.Cells = slices.Clone(c.Runs), slices.Clone(c.Ballots.Cells)
	out.Ballots = &ballots
	for i, s := range c.Sheets {
		for t := range c.Tools {
			run := out.Run(i, t)
			if run.Participation != scoring.Answered || !silent(i, t, run) {
				continue
			}
			run.Participation = ended
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				ballots.Cells[v*len(c.Tools)+t] = confidence.None
			}
		}
	}
	return &out
}
