package scoring

import "slices"

// Unrun tells that no tool has a run on a sheet.
func (c *Contest) Unrun(sheet int) bool {
	n := len(c.Tools)
	return !slices.ContainsFunc(c.Runs[sheet*n:(sheet+1)*n], func(r Run) bool { return r.Participation != Absent })
}

// Idle tells that a tool has no run.
func (c *Contest) Idle(tool int) bool {
	for sheet := range c.Sheets {
		if c.Run(sheet, tool).Participation != Absent {
			return false
		}
	}
	return true
}

// Only gives the results of some runs: the others are as if they were absent. What the
// runs earned stays as it was computed from all of them, and so do references,
// confidences and rankings.
func (r *Result) Only(chosen func(sheet, tool int) bool) *Result {
	c := *r.Contest
	c.Runs = slices.Clone(c.Runs)
	for sheet := range c.Sheets {
		for tool := range c.Tools {
			if !chosen(sheet, tool) {
				*c.Run(sheet, tool) = Run{}
			}
		}
	}
	only := *r
	only.Contest, only.whole = &c, r
	return &only
}
