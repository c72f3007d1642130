package campaign

import (
	"slices"

	"podium/examinations"
)

// OptsOut returns the categories, and meta categories, in which a tool shows no results: those
// that it names, and of a property that it names every category that has tasks of it. Its runs
// are made and count in meta categories all the same.
func (p *Plan) OptsOut(t *PlannedTool) []string {
	var list []string
	for _, name := range t.OptOut {
		of, _ := p.CategoriesOf(name)
		if list = append(list, of...); len(of) == 0 {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// CategoriesOf returns the categories that have tasks of a property, none where no task has it.
// mixed is one of them that has tasks of other properties, too; empty where there is none.
func (p *Plan) CategoriesOf(property string) (list []string, mixed string) {
	has, other := map[examinations.ID]bool{}, map[examinations.ID]bool{}
	for _, i := range p.Instances {
		if i.Task == nil {
			continue
		}
		for _, c := range i.Task.Categories {
			if i.Task.Property == property {
				has[c] = true
			} else {
				other[c] = true
			}
		}
	}
	for _, c := range p.Examinations {
		if has[c] {
			list = append(list, string(c))
			if other[c] {
				mixed = string(c)
			}
		}
	}
	return list, mixed
}
