package explorer

import (
	"context"
	"sync/atomic"
)

// many searches on several cores, a window of the queue at a time. What is too
// small for that is left to one core.
func (s *search) many(ctx context.Context) {
	crew := newCrew(s.cores - 1)
	defer crew.close()
	now, next := &window{}, &window{}
	for s.expanded < s.store.n {
		if ctx.Err() != nil {
			s.stop = Interrupted
			return
		}
		if now.n == 0 && !now.take(s, s.expanded, crew) {
			if !s.step(s.chunkEnd(s.expanded)) {
				return
			}
			continue
		}
		s.parallel = true
		crew.complete(now.expanding)
		whole := now.cut()
		next.n = 0
		if !now.roomy() {
			if !s.commitAll(now) {
				return
			}
		} else if !s.round(now, next, whole, crew) {
			return
		}
		for s.expanded < now.end {
			if !s.step(now.end) {
				return
			}
		}
		now, next = next, now
	}
}

// round takes a window that is expanded through what is left to do, and expands
// the next one. It gives false when the search ends.
func (s *search) round(now, next *window, whole bool, crew *crew) bool {
	crew.complete(crew.offer(len(now.shards), now.settle, nil))
	var expanding *work
	if whole && next.take(s, now.end, crew) {
		expanding = next.expanding
	}
	more := s.number(now)
	crew.complete(crew.offer(now.numbered, now.finish, expanding))
	if expanding != nil {
		crew.complete(expanding)
	}
	if more && s.store.stale {
		crew.complete(crew.offer((len(s.store.slots)-1)/touchSlots+1, s.store.touch, nil))
		crew.complete(crew.offer(int(s.store.n/fillMarkings)+1, s.store.fillShared, nil))
		s.store.stale = false
	}
	return more
}

// commitAll commits the chunks of a window on one core. It gives false when the
// search ends.
func (s *search) commitAll(w *window) bool {
	for k := range w.n {
		if !s.commit(&w.chunks[k]) {
			return false
		}
	}
	return true
}

// crew is a number of cores that help. Nobody waits for one that is late, only
// for work that was begun.
type crew struct {
	work     atomic.Pointer[work] // offered last
	asleep   atomic.Int32         // helpers
	wake     chan struct{}
	awaiting atomic.Pointer[work] // what the one who offers sleeps for
	rested   chan struct{}
	closed   atomic.Bool
}

// work is a number of pieces that can be done in any order and at one time.
type work struct {
	do          func(k int)
	n           int32
	begun, done atomic.Int32
	other       *work // what there is to do besides, may be nil
}

// patience is how often one who waits looks before going to sleep, for some tens
// of microseconds in all: to wake up takes longer.
const patience = 1 << 14

func newCrew(helpers int) *crew {
	c := &crew{wake: make(chan struct{}, helpers), rested: make(chan struct{}, 1)}
	for range helpers {
		go c.help()
	}
	return c
}

func (c *crew) close() {
	c.closed.Store(true)
	close(c.wake)
}

// offer offers n pieces of work to the crew.
func (c *crew) offer(n int, do func(k int), other *work) *work {
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
func (c *crew) piece(w *work) bool {
	if w.begun.Load() >= w.n {
		return false
	}
	k := w.begun.Add(1) - 1
	if k >= w.n {
		return false
	}
	w.do(int(k))
	if w.done.Add(1) == w.n && c.awaiting.CompareAndSwap(w, nil) {
		c.rested <- struct{}{}
	}
	return true
}

// complete does what is left of the work and waits for the others.
func (c *crew) complete(w *work) {
	for c.piece(w) {
	}
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

// help is the life of a helper.
func (c *crew) help() {
	for idle := 0; !c.closed.Load(); idle++ {
		w := c.work.Load()
		switch {
		case w != nil && (c.piece(w) || w.other != nil && c.piece(w.other)):
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
