package scoring

import (
	"cmp"
	"slices"

	"podium/examinations"
)

// WithExaminations returns the contest as if its edition had asked other examinations: points,
// categories and order are those of the list. Examinations that the list lacks fall
// away. No tool answers what only the list has.
func (c *Contest) WithExaminations(exams []Examination) *Contest {
	at := map[examinations.ID]int32{}
	for i := range exams {
		at[exams[i].ID] = int32(i)
	}
	var sheets []int
	for i, s := range c.Sheets {
		if _, asked := at[c.Exams[s.Exam].ID]; asked {
			sheets = append(sheets, i)
		}
	}
	exam := func(sheet int) int32 { return at[c.Exams[c.Sheets[sheet].Exam].ID] }
	slices.SortStableFunc(sheets, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.Sheets[i].Instance, c.Sheets[j].Instance), cmp.Compare(exam(i), exam(j)))
	})
	out := c.take(nil, sheets)
	for i := range out.Sheets {
		out.Sheets[i].Exam = exam(sheets[i])
	}
	out.Exams = exams
	return out
}

// OnlyCertified returns the contest in which values that no referee has proved are
// judged for nobody.
func (c *Contest) OnlyCertified() *Contest {
	return c.unjudged("no referee has proved the value", func(v int) bool { return c.Certified == nil || c.Certified[v] == 0 })
}

// WithoutTold returns the contest in which values that what runs are given states are judged for nobody.
func (c *Contest) WithoutTold() *Contest {
	return c.unjudged("what runs are given states the value", func(v int) bool { return c.Told != nil && c.Told[v] != 0 })
}

// unjudged gives the contest in which some values are judged for nobody.
func (c *Contest) unjudged(reason string, is func(value int) bool) *Contest {
	out := *c
	out.ruled = c.ruled.clone(c)
	why := int32(len(out.ruled.reasons))
	out.ruled.reasons = append(out.ruled.reasons, reason)
	for v := range c.Items {
		if is(v) && out.ruled.values[v] == 0 {
			out.ruled.values[v] = why
		}
	}
	return &out
}
