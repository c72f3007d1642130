package examinations

import "slices"

// Items lists the names of the values that the examination asks for: the four
// numbers of StateSpace, the ids of the formulas in the order of their file, or
// the examination's own name. The parameter holds the ids of the formula file;
// it is used for formula examinations only.
func (id ID) Items(formulas []string) []string {
	switch {
	case id == StateSpace:
		return slices.Clone(StateSpaceItems)
	case !id.HasFormulas():
		return []string{string(id)}
	}
	return slices.Clone(formulas)
}

// Ranked returns the items sorted by their bytes. Oracles and published vectors
// know a formula by its position in this order, and not by the number at the
// end of its id: one file may hold formulas of several years.
func Ranked(items []string) []string {
	ranked := slices.Clone(items)
	slices.Sort(ranked)
	return ranked
}

// FormulasPerFile is the number of formulas of every formula file of the
// contest (E-1.3 to E-1.6).
const FormulasPerFile = 16
