package space

import "slices"

// RunTo lists transitions that lead from the initial marking to marking i. They are
// those by which the search found it: no run is shorter.
func (s *Space) RunTo(i uint32) []uint32 {
	path := []uint32{i}
	for i != 0 {
		i = s.parents.of(i)
		path = append(path, i)
	}
	slices.Reverse(path)
	run := make([]uint32, 0, len(path)-1)
	for k := range len(path) - 1 {
		run = append(run, s.Firing(path[k], path[k+1]))
	}
	return run
}

// Firing is the first transition that leads from marking i to its successor j.
func (s *Space) Firing(i, j uint32) uint32 {
	next := make([]uint64, s.Layout.Words)
	for a := range uint32(s.Program.Actions()) {
		s.Clock.Work(len(next) + 4)
		copy(next, s.store.at(i))
		if s.Program.Fire(a, next) && slices.Equal(next, s.store.at(j)) {
			return s.Program.Transition(a)
		}
	}
	panic("space: a marking is not a successor of its parent")
}
