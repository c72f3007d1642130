package space

import (
	"context"
	"sync"
	"sync/atomic"
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
		if ctx.Err() != nil {
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
// the next one. It gives false when the search ends.
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

// workers is a number of cores that help. Nobody waits for one that is late, only
// for work that was begun.
type workers struct {
	work     atomic.Pointer[work] // offered last
	asleep   atomic.Int32         // helpers
	wake     chan struct{}
	awaiting atomic.Pointer[work] // what the one who offers sleeps for
	rested   chan struct{}
	closed   atomic.Bool
	helpers  sync.WaitGroup
}

// work is a number of pieces that can be done in any order and at one time.
type work struct {
	do          func(core, k int)
	n           int32
	begun, done atomic.Int32
	other       *work // what there is to do besides, may be nil
}

// patience is how often one who waits looks before going to sleep, for some tens
// of microseconds in all: to wake up takes longer.
const patience = 1 << 15

func newWorkers(helpers int) *workers {
	c := &workers{wake: make(chan struct{}, helpers), rested: make(chan struct{}, 1)}
	for k := range helpers {
		c.helpers.Go(func() { c.help(k + 1) })
	}
	return c
}

func (c *workers) close() {
	c.closed.Store(true)
	close(c.wake)
}

// offer offers n pieces of work to the workers.
func (c *workers) offer(n int, do func(core, k int), other *work) *work {
	w := &work{do: do, n: int32(n), other: other}
	c.work.Store(w)
	for range c.asleep.Load() {
		select {
		case c.wake <- struct{}{}:
		default: // enough are about to wake up
		}
	}
	return w
}

// piece does a piece of the work, if any is left that nobody has begun.
func (c *workers) piece(w *work, core int) bool {
	if w.begun.Load() >= w.n {
		return false
	}
	k := w.begun.Add(1) - 1
	if k >= w.n {
		return false
	}
	w.do(core, int(k))
	if w.done.Add(1) == w.n && c.awaiting.CompareAndSwap(w, nil) {
		c.rested <- struct{}{}
	}
	return true
}

// complete does what is left of the work and waits for the others.
func (c *workers) complete(all ...*work) {
	for _, w := range all {
		for c.piece(w, 0) {
		}
	}
	for _, w := range all {
		c.await(w)
	}
}

func (c *workers) await(w *work) {
	for range patience {
		if w.done.Load() >= w.n {
			return
		}
	}
	c.awaiting.Store(w)
	if w.done.Load() >= w.n && c.awaiting.CompareAndSwap(w, nil) {
		return
	}
	<-c.rested
}

// help is the life of a helper. The one who offers is core 0.
func (c *workers) help(core int) {
	for idle := 0; !c.closed.Load(); idle++ {
		w := c.work.Load()
		switch {
		case w != nil && (c.piece(w, core) || w.other != nil && c.piece(w.other, core)):
			idle = 0
		case idle > patience:
			c.asleep.Add(1)
			if c.work.Load() == w {
				<-c.wake
			}
			c.asleep.Add(-1)
			idle = 0
		}
	}
}
