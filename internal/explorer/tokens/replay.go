package tokens

import (
	"fmt"
	"slices"

	"podium/pnml"
)

// Replay fires a run of transitions from the initial marking and returns the marking
// that it ends in. Its error names the first step, counted from 0, that cannot be
// fired.
func Replay(net *pnml.Net, run []uint32) ([]uint64, error) {
	m := slices.Clone(net.Initial)
	for i, t := range run {
		if int(t) >= net.Transitions.Len() {
			return nil, fmt.Errorf("step %d: there is no transition %d", i, t)
		}
		if !Enabled(net, int(t), m) {
			return nil, fmt.Errorf("step %d: transition %q is not enabled", i, net.Transitions.At(int(t)))
		}
		if !Fire(net, int(t), m) {
			return nil, fmt.Errorf("step %d: transition %q puts more than 2^64-1 tokens into a place", i, net.Transitions.At(int(t)))
		}
	}
	return m, nil
}
