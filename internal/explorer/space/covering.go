package space

import (
	"fmt"

	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Covering proves a net unbounded: the run is fireable from the initial
// marking, and its last marking strictly covers the one after From steps, so
// that what lies between can be repeated for ever (Karp and Miller, 1969).
type Covering struct {
	Run  []uint32 // transitions
	From int      // of them lead to the covered marking
}

// check replays the run on the net. Its error says what is wrong with the proof.
func (c *Covering) check(net *pnml.Net) error {
	if c.From < 0 || c.From >= len(c.Run) {
		return fmt.Errorf("the covered marking must lie before the end of the run")
	}
	below, err := tokens.Replay(net, c.Run[:c.From])
	if err != nil {
		return err
	}
	above, err := tokens.Replay(net, c.Run)
	if err != nil {
		return err
	}
	if !tokens.StrictlyCovers(above, below) {
		return fmt.Errorf("the last marking of the run does not strictly cover the one after %d steps", c.From)
	}
	return nil
}

// Growing says of each place whether the repeated part of the run adds tokens to it.
func (c *Covering) Growing(net *pnml.Net) []bool {
	more := make([]bool, net.Places.Len())
	below, _ := tokens.Replay(net, c.Run[:c.From])
	above, err := tokens.Replay(net, c.Run)
	if err != nil {
		return more
	}
	for p := range more {
		more[p] = above[p] > below[p]
	}
	return more
}

// checkGrowth looks now and then whether the newest marking covers one of its
// ancestors; how often depends on how long that takes. It gives false when the
// search ends.
func (s *Search) checkGrowth() bool {
	if !s.growing || s.store.n < 2 || s.store.n < s.nextCheck {
		return true
	}
	newest := s.store.n - 1
	from, found, looked := s.coveredBy(s.parents.of(newest), s.store.at(newest), s.Layout.Covers)
	s.nextCheck = s.store.n + 256 + 32*uint32(looked)
	if !found {
		return true
	}
	return s.cover(s.RunTo(newest), len(s.RunTo(from)))
}

// cover takes a covering. It gives false when that ends the search.
func (s *Search) cover(run []uint32, from int) bool {
	c := &Covering{Run: run, From: from}
	if err := c.check(s.net); err != nil {
		panic("space: a covering does not replay: " + err.Error())
	}
	s.covering = c
	return s.afterCovering()
}

// afterCovering gives false when the covering ends the search.
func (s *Search) afterCovering() bool {
	s.growing = false
	if s.EndUnbounded {
		return s.end(Unbounded)
	}
	return s.OnCovering == nil || !s.OnCovering() || s.end(Enough)
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
