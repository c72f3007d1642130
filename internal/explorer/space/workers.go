package space

import (
	"sync"
	"sync/atomic"

	"podium/internal/parallel"
)

// workers are goroutines that help the search, each on a core. Nobody waits for one
// that is late: whoever is free does the next piece. One waits only for pieces that
// somebody has begun.
type workers struct {
	work     atomic.Pointer[work] // offered last
	asleep   atomic.Int32         // helpers
	wake     chan struct{}
	awaiting atomic.Pointer[work] // whose end the one who offers work sleeps for
	rested   chan struct{}
	closed   atomic.Bool
	helpers  sync.WaitGroup
	failed   atomic.Pointer[parallel.Panic] // of a helper
}

// work is a number of pieces that can be done in any order and at the same time.
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
	c.do(w, core, int(k))
	if w.done.Add(1) == w.n && c.awaiting.CompareAndSwap(w, nil) {
		c.rested <- struct{}{}
	}
	return true
}

// do does a piece of the work. A panic of a helper is kept for the one who waits for it.
func (c *workers) do(w *work, core, k int) {
	if core > 0 {
		defer func() {
			if value := recover(); value != nil {
				c.failed.CompareAndSwap(nil, parallel.Caught(value))
			}
		}()
	}
	w.do(core, k)
}

// complete does what is left of the work and waits for the others. It panics where a helper
// did.
func (c *workers) complete(all ...*work) {
	for _, w := range all {
		for c.piece(w, 0) {
		}
	}
	for _, w := range all {
		c.await(w)
	}
	if failed := c.failed.Load(); failed != nil {
		panic(failed)
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
