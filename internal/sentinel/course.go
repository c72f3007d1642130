package sentinel

import (
	"maps"
	"slices"
	"time"
)

// Step is a reading beside what is usual on its core: 1 is as usual, 1.1 is 10 % slower.
type Step struct {
	Core                  int
	At                    time.Time
	Compute, Stream, Jump float64
}

// Course returns the readings of the computer in the order of their times.
func (h *Host) Course() (steps []Step) {
	ratio := func(p part, r Reading) float64 {
		is, usual := p.of(r), p.of(h.usual[r.Core])
		if is <= 0 || usual <= 0 {
			return 1
		}
		return float64(is) / float64(usual)
	}
	for _, core := range slices.Sorted(maps.Keys(h.cores)) {
		for _, r := range h.cores[core] {
			steps = append(steps, Step{core, r.At, ratio(computing, r), ratio(streaming, r), ratio(jumping, r)})
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) })
	return steps
}

// Bound is how much slower or faster than usual computing and jumps may be.
func Bound() float64 { return computing.bound }
