package together

import "podium/scoring"

// Of counts what the tools of a result did on the same values, for these categories. Tools and
// exams give those of the result their numbers in the counts, -1 to leave them out; nil keeps the
// numbers.
func Of(r *scoring.Result, tools, exams []int, categories []string) *Counts {
	c := r.Contest
	in := make([][]int, len(c.Exams)) // by examination: its categories
	for e := range c.Exams {
		for k, name := range categories {
			if r.Covers(name, c.Exams[e].Category) {
				in[e] = append(in[e], k)
			}
		}
	}
	counts := New(kept(tools, len(c.Tools)), kept(exams, len(c.Exams)), len(categories))
	for i, s := range c.Sheets {
		if exams != nil && exams[s.Exam] < 0 {
			continue
		}
		cell, of := Cell{Exam: number(exams, int(s.Exam)), Categories: in[s.Exam], Values: int(s.Values)}, []int(nil)
		for tool := range c.Tools {
			run := c.Run(i, tool)
			switch run.Participation {
			case scoring.Absent, scoring.Void, scoring.DoNotCompete:
				continue
			}
			if at := number(tools, tool); at >= 0 && !c.OptedOut(i, tool) {
				cell.Runs, of = append(cell.Runs, Run{Tool: at, CPU: run.CPU, Timed: run.CPU != scoring.Unmeasured}), append(of, tool)
			}
		}
		cell.Mark = func(run, value int) Mark {
			switch mark := r.ValueMark(i, of[run], int(s.First)+value); {
			case !mark.Given():
				return Silent
			case r.SetAside(i, of[run]):
				return Other
			case mark == scoring.Right:
				return Right
			case mark == scoring.Wrong:
				return Wrong
			}
			return Other
		}
		counts.Add(&cell)
	}
	return counts
}

func number(of []int, i int) int {
	if of == nil {
		return i
	}
	return of[i]
}

// kept is how many of n have a number.
func kept(of []int, n int) int {
	for _, at := range of {
		if at < 0 {
			n--
		}
	}
	return n
}
