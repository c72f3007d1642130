package space

import (
	"context"

	"podium/internal/clock"
)

// many searches on several cores, a window of the queue at a time. What is too
// small for that is left to one core.
func (s *Search) many(ctx context.Context) {
	workers := newWorkers(s.cores - 1)
	left := true // in the middle, by the clock
	defer func() {
		if workers.close(); left {
			workers.helpers.Wait() // they look at tables that are given back
		}
	}()
	s.windows(ctx, workers)
	left = false
}

func (s *Search) windows(ctx context.Context, workers *workers) {
	windows := newWindows(s.cores, s.edges != nil)
	for turn := 0; s.expanded < s.store.n; {
		if clock.Ended(ctx) {
			s.stop = Interrupted
			return
		}
		now, next := &windows[turn], &windows[(turn+1)%len(windows)]
		if now.n == 0 && !now.take(s, s.expanded, 0, workers) {
			if !s.step(s.chunkEnd(s.expanded)) {
				return
			}
			continue
		}
		s.parallel = true
		workers.complete(now.expanding)
		if !s.round(now, next, workers) {
			return
		}
		for s.expanded < now.end {
			if !s.step(now.end) {
				return
			}
		}
		now.n, turn = 0, (turn+1)%len(windows)
	}
}

// round takes a window that is expanded through what is left to do, and expands
// the next one. It returns false when the search ends.
func (s *Search) round(now, next *window, workers *workers) bool {
	whole, news := now.cut(), now.news()
	next.n, next.expanding = 0, &work{}
	if whole && int(s.store.n)+news <= s.store.room {
		next.take(s, now.end, news, workers)
	}
	more := s.assign(now)
	workers.complete(workers.offer(s.cores, now.finish, next.expanding), next.expanding)
	if !more {
		return false
	}
	if !whole { // there are tickets in the table of successors that are left away
		s.store.stale = true
		clear(s.store.slots)
	}
	if s.store.stale {
		workers.complete(workers.offer((len(s.store.slots)-1)/touchSlots+1, s.store.touch, nil))
		workers.complete(workers.offer(int(s.store.n/fillMarkings)+1, s.store.fillShared, nil))
		s.store.stale = false
	}
	return true
}
