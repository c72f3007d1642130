package campaign

import "slices"

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
