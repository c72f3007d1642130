package whatif

import (
	"cmp"
	"slices"

	"podium/examinations"
	"podium/scoring"
)

// WithExaminations returns the contest as if its edition had asked other examinations: points,
// categories and order are those of the list. Examinations that the list lacks fall
// away. No tool answers what only the list has.
func WithExaminations(c *scoring.Contest, exams []scoring.Examination) *scoring.Contest {
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
	out := take(c, nil, sheets)
	for i := range out.Sheets {
		out.Sheets[i].Exam = exam(sheets[i])
	}
	out.Exams = exams
	return out
}

// OnlyCertified returns the contest in which values that no referee has proved are
// judged for nobody.
func OnlyCertified(c *scoring.Contest) *scoring.Contest {
	return c.WithUnjudged("no referee has proved the value", func(v int) bool { return c.Certified == nil || c.Certified[v] == 0 })
}

// OnlyReferences returns a contest of the values of a result, its own or one that asks other
// examinations, in which values whose reference in the result is none of some texts are judged
// for nobody.
func OnlyReferences(c *scoring.Contest, r *scoring.Result, texts ...string) *scoring.Contest {
	sheets, kept := r.Contest.SheetIndex(), make([]bool, len(c.Items))
	for _, s := range c.Sheets {
		other, has := sheets[scoring.SheetName{Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}]
		if !has {
			continue
		}
		for position := range int(s.Values) {
			v := int(s.First) + position
			if w := valueFrom(r.Contest, other, position, c.Items[v]); w >= 0 {
				kept[v] = slices.Contains(texts, referenceText(r, w))
			}
		}
	}
	return c.WithUnjudged("its reference is another value than the question keeps", func(v int) bool { return !kept[v] })
}

// WithoutTold returns the contest in which values that what runs are given states are judged for nobody.
func WithoutTold(c *scoring.Contest) *scoring.Contest {
	return c.WithUnjudged("what runs are given states the value", func(v int) bool { return c.Told != nil && c.Told[v] != 0 })
}
