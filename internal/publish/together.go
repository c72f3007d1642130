package publish

import "podium/internal/together"

// compareTools counts what the tools did on the same values.
func (v *view) compareTools() *together.Counts {
	scored := v.c.scored()
	tools, exams, categories := make([]int, len(scored.Tools)), make([]int, len(scored.Exams)), []string(nil)
	for i := range tools {
		tools[i] = at(v.toolAt, scored.Tools[i].Name)
	}
	for i := range exams {
		exams[i] = at(v.examAt, scored.Exams[i].ID)
	}
	for k := range v.c.Categories {
		categories = append(categories, v.c.Categories[k].Name)
	}
	return together.Of(v.c.Judged.Result, tools, exams, categories)
}

// at is the number of a name, -1 without one.
func at[K comparable](numbers map[K]int, name K) int {
	if n, known := numbers[name]; known {
		return n
	}
	return -1
}
