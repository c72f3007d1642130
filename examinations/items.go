package examinations

import "slices"

// Items lists the values that a complete answer holds: the four numbers of
// StateSpace, the ids of the formulas in the order of their file, or the
// examination's own name. formulas are the ids of the formula file and count for
// formula examinations only.
func (id ID) Items(formulas []string) []string {
	switch {
	case id == StateSpace:
		return slices.Clone(StateSpaceItems)
	case !id.HasFormulas():
		return []string{string(id)}
	}
	return slices.Clone(formulas)
}

// Ranked sorts items by their bytes. The position of a formula in oracles and
// in published vectors is its rank in this order, never the number at the end
// of its id: files mix ids of several years.
func Ranked(items []string) []string {
	ranked := slices.Clone(items)
	slices.Sort(ranked)
	return ranked
}
