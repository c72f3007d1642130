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
