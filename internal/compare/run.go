package compare

import (
	"math"

	"podium/examinations"
	"podium/scoring"
)

// run compares the values of one run, and its time and memory.
func (c *comparison) run(s [2]int) {
	a, b := c.before.Result.Contest, c.after.Result.Contest
	sheet := a.Sheets[s[0]]
	exam, instance := a.Exams[sheet.Exam].ID, &a.Instances[sheet.Instance]
	model := instance.ID.Family
	limits := [2]bool{c.before.Result.Contest.Run(s[0], c.a).Ending.ByLimit(), c.after.Result.Contest.Run(s[1], c.b).Ending.ByLimit()}
	row := c.row(exam)
	var answered [2]int
	common := 0
	for _, v := range pairItems(a, b, s) {
		before, was := c.before.answer(s[0], c.a, v.before)
		after, is := c.after.answer(s[1], c.b, v.after)
		if !before.IsZero() {
			answered[0]++
		}
		if !after.IsZero() {
			answered[1]++
		}
		if !before.IsZero() && !after.IsZero() {
			common++
		}
		kind := kindOf(before, after, was, is)
		if a.AsDisplayed || b.AsDisplayed {
			kind = kindOf(shown(before), shown(after), was, is)
		}
		limit := kind == Lost && limits[1]
		row.counts.add(kind, limit, before)
		c.all.counts.add(kind, limit, before)
		if kind == "" {
			continue
		}
		if limit {
			c.limitByModel[model]--
		} else if kind == Gained && limits[0] {
			c.limitByModel[model]++
		}
		c.tool.Changes = append(c.tool.Changes, Change{kind, instance.Name, exam, v.item, before.Text, after.Text, limit})
	}
	x, y := c.times(s, instance.Name, exam)
	c.tool.points = append(c.tool.points, point{plotted(x, answered[0]), plotted(y, answered[1])})
	if common > 0 && common == answered[0] && common == answered[1] && !limits[0] && !limits[1] {
		row.measure(model, x, y)
		c.all.measure(model, x, y)
	}
}

// itemPair is a value by its numbers on both sides, -1 where a side lacks it.
type itemPair struct {
	item          string
	before, after int
}

// pairItems returns the values of a sheet that any side has.
func pairItems(a, b *scoring.Contest, s [2]int) []itemPair {
	var list []itemPair
	at := map[string]int{}
	first := int(a.Sheets[s[0]].First)
	for v := first; v < first+int(a.Sheets[s[0]].Values); v++ {
		at[a.Items[v]] = len(list)
		list = append(list, itemPair{a.Items[v], v, -1})
	}
	first = int(b.Sheets[s[1]].First)
	for v := first; v < first+int(b.Sheets[s[1]].Values); v++ {
		if i, ok := at[b.Items[v]]; ok {
			list[i].after = v
		} else {
			list = append(list, itemPair{b.Items[v], -1, v})
		}
	}
	return list
}

// answer returns what a tool answered to a value, by its number, and how it is judged.
func (s *Source) answer(sheet, tool, value int) (examinations.Value, scoring.Mark) {
	if value < 0 {
		return examinations.Value{}, scoring.Open
	}
	return s.Result.Contest.Answer(value, tool), s.Result.ValueMark(sheet, tool, value)
}

// shown is a value as published files show it, where numbers are rounded.
func shown(v examinations.Value) examinations.Value {
	if !v.IsZero() {
		v.Text = examinations.Displayed(v)
	}
	return v
}

// kindOf is what became of a value; empty where both sides answer the same, however
// the sides judge it: the votes of others are not the tool's doing.
func kindOf(before, after examinations.Value, was, is scoring.Mark) Kind {
	switch {
	case before == after:
		return ""
	case is == scoring.Wrong && was != scoring.Wrong:
		return Wrong
	case was == scoring.Wrong && is != scoring.Wrong:
		return Mended
	case before.IsZero():
		return Gained
	case after.IsZero():
		return Lost
	}
	return Changed
}

func (c *Counts) add(kind Kind, limit bool, before examinations.Value) {
	switch kind {
	case Gained:
		c.Gained++
	case Lost:
		c.Lost++
		if limit {
			c.LostAtLimit++
		}
	case Changed:
		c.Changed++
	case Wrong:
		c.Wrong++
	case Mended:
		c.Mended++
	default:
		if !before.IsZero() {
			c.Same++
		}
	}
}

// measure adds the ratios of a run, where both sides were measured.
func (g *collected) measure(model string, x, y *scoring.Run) {
	if g.time == nil {
		g.time, g.memory = map[string][]float64{}, map[string][]float64{}
	}
	if x.CPU > 0 && y.CPU > 0 {
		g.time[model] = append(g.time[model], math.Log(float64(y.CPU)/float64(x.CPU)))
	}
	if x.Memory > 0 && y.Memory > 0 {
		g.memory[model] = append(g.memory[model], math.Log(float64(y.Memory)/float64(x.Memory)))
	}
}

// plotted is the CPU time of a run in seconds: negative where it answered nothing,
// not a number where it was not measured.
func plotted(r *scoring.Run, answered int) float64 {
	switch {
	case answered == 0:
		return -1
	case r.CPU == scoring.Unmeasured:
		return math.NaN()
	}
	return float64(r.CPU) / 1e6
}
