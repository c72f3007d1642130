package diagram

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"podium/internal/clock"
	"podium/internal/parallel"
	"podium/pnml/unfold"
)

// Search explores one net under several orders of its places, in turns that grow: which
// order is good shows only when it is tried.
type Search struct {
	view    unfold.View
	memory  int        // of each order
	waiting [][]uint32 // orders that have no space yet
	spaces  []*Space   // those that may still come to an end
	turn    time.Duration
}

// firstTurn is how long each order is tried at first.
const firstTurn = 50 * time.Millisecond

// tooDeep reports whether diagrams of so many levels cannot be explored here: a browser ends programs
// that call themselves deeply, at 5,000 levels and sometimes less.
func tooDeep(levels int) bool { return runtime.GOOS == "js" && levels > 1500 }

// NewSearch prepares a search in some bytes of memory. It looks for orders in half of the time
// that the context leaves; the fewer it finds, the fewer are tried.
func NewSearch(ctx context.Context, view unfold.View, memory int) *Search {
	s := &Search{turn: firstTurn, view: view}
	if places := view.Net.Places.Len(); places == 0 || tooDeep(places) {
		return s
	}
	ctx, stop := clock.Part(ctx, 2)
	defer stop()
	s.waiting = orders(ctx, view.Net)
	s.memory = memory / len(s.waiting)
	return s
}

// prepare makes the spaces that are still wanting, until the clock ends.
func (s *Search) prepare(c *clock.Clock) error {
	for len(s.waiting) > 0 {
		if space, ok := newSpace(c, s.view, s.memory, s.waiting[0]); ok {
			s.spaces = append(s.spaces, space)
		}
		s.waiting = s.waiting[1:]
	}
	return nil
}

// Over reports whether there is nothing left to try.
func (s *Search) Over() bool { return len(s.spaces) == 0 && len(s.waiting) == 0 }

// Bytes is the memory that the search holds.
func (s *Search) Bytes() (n int) {
	for _, space := range s.spaces {
		n += space.bytes()
	}
	return n
}

// Explore goes on until the reachable markings are known under one order, of which it
// gives the space, until the context ends, or until nothing is left to try. It tries as
// many orders at a time as there are cores.
func (s *Search) Explore(ctx context.Context, cores int) *Space {
	if clock.Until(ctx, s.prepare) != nil {
		return nil // another call goes on with it
	}
	for ; !clock.Ended(ctx) && !s.Over(); s.turn *= 2 {
		var left []*Space
		for some := range slices.Chunk(s.spaces, max(cores, 1)) {
			failed := explore(ctx, some, s.turn)
			for i, space := range some {
				if space.Known() {
					s.spaces = []*Space{space}
					return space
				}
				if !failed[i] {
					left = append(left, space)
				}
			}
		}
		s.spaces = left
	}
	return nil
}

// explore tries orders at the same time, until one of them comes to an end.
func explore(ctx context.Context, spaces []*Space, turn time.Duration) (failed []bool) {
	ctx, stop := clock.Within(ctx, turn)
	defer stop()
	failed = make([]bool, len(spaces))
	var all parallel.Group
	for i, space := range spaces {
		all.Go(func() {
			err := clock.Until(ctx, space.Explore)
			failed[i] = errors.Is(err, ErrTooLarge)
			if space.Known() {
				stop()
			}
		})
	}
	all.Wait()
	return failed
}
