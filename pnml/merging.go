package pnml

import "slices"

// Merging says which colours of its places a net need not tell apart: by place and component
// of the place's sort, see [Symmetric.Components], the first colour that each is merged with.
// A component without merged colours may be nil.
type Merging [][][]uint32

// mostMerged bounds the colours of a component that may be merged.
const mostMerged = 1 << 16

// Components are the factors of the sort of a place, where it is a product, or that sort.
func (n *Symmetric) Components(place int) []int {
	if s := &n.Sorts[n.PlaceSort[place]]; s.Kind == ProductSort {
		return s.Factors
	}
	return []int{n.PlaceSort[place]}
}

// CanMerge reports whether colours of a sort may be merged: those of enumerations and ranges
// that are not too large.
func (n *Symmetric) CanMerge(sort int) bool {
	s := &n.Sorts[sort]
	return slices.Contains([]SortKind{FiniteSort, CyclicSort, RangeSort}, s.Kind) && s.Size > 1 && s.Size <= mostMerged
}
