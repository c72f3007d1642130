package scoring

import "slices"

// HasRuns reports whether some tool has a run on a sheet.
func (c *Contest) HasRuns(sheet int) bool {
	n := len(c.Tools)
	return slices.ContainsFunc(c.Runs[sheet*n:(sheet+1)*n], func(r Run) bool { return r.Participation != Absent })
}

// ToolHasRuns reports whether a tool has a run on some sheet.
func (c *Contest) ToolHasRuns(tool int) bool {
	for sheet := range c.Sheets {
		if c.Run(sheet, tool).Participation != Absent {
			return true
		}
	}
	return false
}

// Only returns the results of some runs: the others are as if they were absent. What the
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
