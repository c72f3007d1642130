package reduce

import (
	"errors"
	"fmt"
	"slices"

	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// maxLift bounds the runs that Lift makes.
const maxLift = 1 << 24

// ErrLong says that a run of the original net would be too long to write down.
var ErrLong = errors.New("the run of the original net is too long")

// Lift returns a run of the original net that does what a run of the reduced one
// does: the stem leads to the same observed counts, and, with the cycle
// repeated, through the same ones, stuttering apart. dead says that the stem
// ends in a dead marking; the lifted one then does so too.
func (r *Reduction) Lift(stem, cycle []uint32, dead bool) (liftedStem, liftedCycle []uint32, err error) {
	if !r.Changed() {
		return stem, cycle, nil
	}
	length := uint64(0)
	for _, n := range r.prefix {
		length += r.runs.length(n)
	}
	for _, t := range slices.Concat(stem, cycle) {
		length += r.runs.length(r.run[t])
	}
	if length > maxLift {
		return nil, nil, ErrLong
	}
	for _, n := range r.prefix {
		liftedStem = r.runs.expand(n, liftedStem)
	}
	for _, t := range stem {
		liftedStem = r.runs.expand(r.run[t], liftedStem)
	}
	for _, t := range cycle {
		liftedCycle = r.runs.expand(r.run[t], liftedCycle)
	}
	if dead {
		liftedStem, err = r.bury(liftedStem)
	}
	return liftedStem, liftedCycle, err
}

// bury fires the transitions that pre-agglomeration delays, as often as they
// can, so that a dead marking of the reduced net becomes one of the original:
// those of the last agglomeration first.
func (r *Reduction) bury(stem []uint32) ([]uint32, error) {
	if len(r.finish) == 0 {
		return stem, nil
	}
	m := slices.Clone(r.source.Initial)
	for i, t := range stem {
		if !fire(r.source, t, m) {
			return nil, fmt.Errorf("step %d of the lifted run cannot be fired", i)
		}
	}
	var delayed []uint32
	for _, n := range slices.Backward(r.finish) {
		delayed = r.runs.expand(n, delayed[:0])
		for next := slices.Clone(m); ; copy(m, next) {
			if copy(next, m); slices.ContainsFunc(delayed, func(t uint32) bool { return !fire(r.source, t, next) }) {
				break
			}
			if stem = append(stem, delayed...); len(stem) > maxLift {
				return nil, ErrLong
			}
		}
	}
	return stem, nil
}

// fire reports whether a transition is enabled, and fires it.
func fire(net *pnml.Net, t uint32, m []uint64) bool {
	return tokens.Enabled(net, int(t), m) && tokens.Fire(net, int(t), m)
}
