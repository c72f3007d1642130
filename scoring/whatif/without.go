package whatif

import (
	"slices"

	"podium/confidence"
	"podium/scoring"
)

// Without returns the contest without the tools and instances for which the
// functions are true; a nil function removes none. The number of instances of a
// family stays as it was, because it belongs to the contest and not to the
// selection.
func Without(c *scoring.Contest, tool func(*scoring.Tool) bool, instance func(*scoring.Instance) bool) *scoring.Contest {
	if instance == nil {
		return without(c, tool, nil)
	}
	return without(c, tool, func(i *scoring.Instance, _ *scoring.Examination) bool { return instance(i) })
}

// WithoutSheets returns the contest without the examinations of instances for which
// the function is true.
func WithoutSheets(c *scoring.Contest, sheet func(*scoring.Instance, *scoring.Examination) bool) *scoring.Contest {
	return without(c, nil, sheet)
}

func without(c *scoring.Contest, tool func(*scoring.Tool) bool, sheet func(*scoring.Instance, *scoring.Examination) bool) *scoring.Contest {
	var sheets []int
	for i, s := range c.Sheets {
		if sheet == nil || !sheet(&c.Instances[s.Instance], &c.Exams[s.Exam]) {
			sheets = append(sheets, i)
		}
	}
	return take(c, tool, sheets)
}

// take returns the contest with some of its sheets, in the order given, and without
// some tools.
func take(c *scoring.Contest, tool func(*scoring.Tool) bool, sheets []int) *scoring.Contest {
	out := &scoring.Contest{Instances: c.Instances, Exams: c.Exams, Values: c.Values, AsDisplayed: c.AsDisplayed}
	var kept []int
	for i := range c.Tools {
		if tool == nil || !tool(&c.Tools[i]) {
			kept = append(kept, i)
			out.Tools = append(out.Tools, c.Tools[i])
		}
	}
	values := 0
	for _, i := range sheets {
		values += int(c.Sheets[i].Values)
	}
	out.Ballots = &confidence.Ballots{Tools: len(kept), Cells: make([]confidence.Answer, 0, values*len(kept))}
	out.Runs, out.Sheets, out.Items = make([]scoring.Run, 0, len(sheets)*len(kept)), make([]scoring.Sheet, 0, len(sheets)), make([]string, 0, values)
	ruled := c.Ruled()
	left, isRuled := scoring.Ruled{Reasons: ruled.Reasons}, len(ruled.Reasons) > 0
	if isRuled {
		for _, t := range kept {
			left.Places = append(left.Places, ruled.Places[t])
		}
	}
	for _, i := range sheets {
		s := c.Sheets[i]
		for _, t := range kept {
			out.Runs = append(out.Runs, c.Runs[i*len(c.Tools)+t])
		}
		from, to := int(s.First), int(s.First+s.Values)
		if isRuled {
			keep(&left, &ruled, i, from, to, len(c.Tools), kept)
		}
		s.First = int32(len(out.Items))
		out.Sheets = append(out.Sheets, s)
		out.Items = append(out.Items, c.Items[from:to]...)
		if c.Certified != nil {
			out.Certified = append(out.Certified, c.Certified[from:to]...)
		}
		if c.Copies != nil {
			out.Copies = append(out.Copies, c.Copies[from:to]...)
		}
		if c.Told != nil {
			out.Told = append(out.Told, c.Told[from:to]...)
		}
		if c.Oracle != nil {
			out.Oracle = append(out.Oracle, c.Oracle[from:to]...)
		}
		for v := from; v < to; v++ {
			for _, t := range kept {
				out.Ballots.Cells = append(out.Ballots.Cells, c.Ballots.Cells[v*len(c.Tools)+t])
				if c.Witnesses != nil {
					out.Witnesses = append(out.Witnesses, c.Witnesses[v*len(c.Tools)+t])
				}
				if c.AnsweredAt != nil {
					out.AnsweredAt = append(out.AnsweredAt, c.AnsweredAt[v*len(c.Tools)+t])
				}
			}
		}
	}
	return out.WithRuled(left)
}

// keep copies to out, the rulings of a smaller contest, what stands of a sheet.
func keep(out, k *scoring.Ruled, sheet, from, to, tools int, kept []int) {
	for _, t := range kept {
		out.Runs = append(out.Runs, k.Runs[sheet*tools+t])
	}
	out.Values = append(out.Values, k.Values[from:to]...)
	out.References = append(out.References, k.References[from:to]...)
	out.Set = append(out.Set, k.Set[from:to]...)
	for v := from; v < to; v++ {
		for _, t := range kept {
			out.Votes = append(out.Votes, k.Votes[v*tools+t])
		}
	}
}

// WithoutTools returns the contest without some tools.
func WithoutTools(c *scoring.Contest, names ...string) *scoring.Contest {
	return Without(c, func(t *scoring.Tool) bool { return slices.Contains(names, t.Name) }, nil)
}

// WithoutToolFamilies returns the contest without all tools of some families.
func WithoutToolFamilies(c *scoring.Contest, names ...string) *scoring.Contest {
	return Without(c, func(t *scoring.Tool) bool { return slices.Contains(names, t.FamilyName()) }, nil)
}
