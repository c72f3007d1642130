package engine

import (
	"context"
	"podium/pnml"
	"podium/pnml/unfold"
)

// defaultMemory is taken when the contest does not say how much there is.
const defaultMemory = 4 << 30

// GrantedMemory returns the memory of the task in bytes, or a default when it is
// unknown.
func (t Task) GrantedMemory() int64 {
	if t.Memory == 0 {
		return defaultMemory
	}
	return t.Memory
}

// Unfold returns the net of a document, a coloured one unfolded within a quarter of
// the memory, at some sixty bytes for an arc or a node; a larger one is an
// *[unfold.TooLarge].
func (t Task) Unfold(ctx context.Context, doc *pnml.Document) (unfold.View, error) {
	n := uint64(t.GrantedMemory()) / 4 / 64
	return unfold.Of(ctx, doc, unfold.Limits{Places: n, Transitions: n, Arcs: n})
}
