package publish

import "podium/internal/together"

// compareTools counts what the tools did on the same values.
func (v *view) compareTools() *together.Counts {
	t := together.New(len(v.tools), len(v.c.Examinations), len(v.c.Categories))
	var in [][]int // by examination: its categories
	for _, exam := range v.c.Examinations {
		var list []int
		for k := range v.c.Categories {
			if v.within(v.c.Categories[k].Name, exam.Category) {
				list = append(list, k)
			}
		}
		in = append(in, list)
	}
	for i := range v.cells {
		c := &v.cells[i]
		counted := together.Cell{Exam: c.exam, Categories: in[c.exam], Values: len(c.refs)}
		var masks [][]Mark
		for n, r := range c.runs {
			if r.Void == "" && r.Participation != DoNotCompete {
				counted.Runs = append(counted.Runs, together.Run{Tool: v.toolAt[r.Tool], CPU: r.CPU.Microseconds(), Timed: !r.NoTimes})
				masks = append(masks, c.masks[n])
			}
		}
		counted.Mark = func(run, value int) together.Mark { return comparedAs[masks[run][value]] }
		t.Add(&counted)
	}
	return t
}

// comparedAs are the marks of values that the comparison counts.
var comparedAs = map[Mark]together.Mark{Right: together.Right, Wrong: together.Wrong, Missing: together.Silent, Unjudged: together.Other, Aside: together.Other}
