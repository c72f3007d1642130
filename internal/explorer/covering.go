package explorer

import (
	"fmt"
	"slices"

	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Covering proves a net unbounded: the run is fireable from the initial
// marking, and its last marking strictly covers the one after From steps, so
// that what lies between can be repeated for ever (Karp and Miller, 1969).
type Covering struct {
	Run  []uint32 // transitions
	From int
}

// Check replays the run on the net and gives what is wrong with the proof.
func (c *Covering) Check(net *pnml.Net) error {
	if c.From < 0 || c.From >= len(c.Run) {
		return fmt.Errorf("the covered marking must lie before the end of the run")
	}
	below, err := Replay(net, c.Run[:c.From])
	if err != nil {
		return err
	}
	above, err := Replay(net, c.Run)
	if err != nil {
		return err
	}
	if !tokens.StrictlyCovers(above, below) {
		return fmt.Errorf("the last marking of the run does not strictly cover the one after %d steps", c.From)
	}
	return nil
}

func (c *Covering) witness() *Witness { return &Witness{Stem: c.Run[:c.From], Cycle: c.Run[c.From:]} }

// growing tells which places the repeated part of the run adds tokens to.
func (c *Covering) growing(net *pnml.Net) []bool {
	more := make([]bool, net.Places.Len())
	below, _ := Replay(net, c.Run[:c.From])
	above, err := Replay(net, c.Run)
	if err != nil {
		return more
	}
	for p := range more {
		more[p] = above[p] > below[p]
	}
	return more
}

// Replay fires a run from the initial marking and gives the marking it ends in,
// or the first step that cannot be fired.
func Replay(net *pnml.Net, run []uint32) ([]uint64, error) {
	m := slices.Clone(net.Initial)
	for i, t := range run {
		if int(t) >= net.Transitions.Len() {
			return nil, fmt.Errorf("step %d: there is no transition %d", i, t)
		}
		if !tokens.Enabled(net, int(t), m) {
			return nil, fmt.Errorf("step %d: transition %q is not enabled", i, net.Transitions.At(int(t)))
		}
		if !tokens.Fire(net, int(t), m) {
			return nil, fmt.Errorf("step %d: transition %q puts more than 2^64-1 tokens into a place", i, net.Transitions.At(int(t)))
		}
	}
	return m, nil
}

// Run gives transitions that lead from the initial marking to marking i, along
// the search tree, so no run is shorter.
func (s *Space) Run(i uint32) []uint32 {
	path := []uint32{i}
	for i != 0 {
		i = s.parents.of(i)
		path = append(path, i)
	}
	slices.Reverse(path)
	run := make([]uint32, 0, len(path)-1)
	for k := range len(path) - 1 {
		run = append(run, s.between(path[k], path[k+1]))
	}
	return run
}

// between gives the first transition that leads from marking i to its child j.
func (s *Space) between(i, j uint32) uint32 {
	next := make([]uint64, s.Layout.Words)
	for a := range uint32(s.Program.Actions()) {
		s.Clock.Work(len(next) + 4)
		copy(next, s.store.at(i))
		if s.Program.Fire(a, next) && slices.Equal(next, s.store.at(j)) {
			return s.Program.Transition(a)
		}
	}
	panic("explorer: a marking is not a successor of its parent")
}

// coveredBy looks for an ancestor of marking i, or i itself, that marking above
// strictly covers, and tells how many it looked at. Whether i itself may be the
// one is the caller's choice: above may be a successor that is not stored.
func (s *Space) coveredBy(i uint32, above []uint64, covers func(above, below []uint64) bool) (ancestor uint32, found bool, looked int) {
	for {
		looked++
		s.Clock.Work(s.Layout.Words)
		if covers(above, s.store.at(i)) {
			return i, true, looked
		}
		if i == 0 {
			return 0, false, looked
		}
		i = s.parents.of(i)
	}
}
