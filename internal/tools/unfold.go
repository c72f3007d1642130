package tools

import (
	"errors"

	"podium/pnml"
	"podium/pnml/unfold"
)

// defaultMemory is taken when the contest does not say how much there is.
const defaultMemory = 4 << 30

// GrantedMemory is the memory of the task, or a default, in bytes.
func (t Task) GrantedMemory() int64 {
	if t.Memory == 0 {
		return defaultMemory
	}
	return t.Memory
}

// Unfold unfolds a coloured net within a quarter of the memory, at some sixty
// bytes for an arc or a node. It is nil when the unfolding is larger.
func (t Task) Unfold(net *pnml.Symmetric) (*unfold.Unfolding, error) {
	n := uint64(t.GrantedMemory()) / 4 / 64
	u, err := unfold.Unfold(net, unfold.Limits{Places: n, Transitions: n, Arcs: n})
	if large := (*unfold.TooLarge)(nil); errors.As(err, &large) {
		return nil, nil
	}
	return u, err
}
