package explorer

import (
	"context"
	"slices"
	"sync/atomic"
)

// many searches on several cores, in rounds over a window of the queue. First
// all cores expand its chunks, where that is not done yet, and look their
// successors up, while nothing is written. Then one core stores, in the order of
// the queue, what was not known, while the others expand the next window as far
// as the queue reaches already. A window too small for that is left to one core.
func (s *search) many(ctx context.Context) {
	crew := newCrew(s.cores - 1)
	defer crew.close()
	now, next := &window{}, &window{}
	for s.expanded < s.store.n {
		if ctx.Err() != nil {
			s.stop = Interrupted
			return
		}
		if now.n == 0 && !now.take(s, s.expanded) {
			if !s.step(s.chunkEnd(s.expanded)) {
				return
			}
			continue
		}
		s.parallel = true
		crew.start(now.lookUp)
		now.lookUp()
		crew.wait()

		next.take(s, now.end)
		crew.start(next.expand)
		layout := s.layout
		more := s.commitAll(now, crew)
		next.expand()
		crew.wait()
		if !more {
			return
		}
		if s.layout != layout {
			next.n = 0
		}
		now, next = next, now
		next.n = 0
	}
}

// commitAll commits the chunks of a window, and what is left of a chunk that
// stopped early. After a change of the layout the other chunks are given up. It
// gives false when the search ends.
func (s *search) commitAll(w *window, crew *crew) bool {
	layout := s.layout
	for k := 0; k < w.n && s.layout == layout; k++ {
		c := &w.chunks[k]
		if !s.commit(c) {
			return false
		}
		if c.next < c.end {
			crew.wait()
		}
		for s.expanded < c.end {
			if !s.step(c.end) {
				return false
			}
		}
	}
	return true
}

// window is a part of the queue that several cores work on.
type window struct {
	snapshot
	store  *store
	chunks []chunk
	n      int // chunks in use
	end    uint32
	toDo   [2]atomic.Int32 // first chunk that no core has begun to expand, to look up
}

const (
	windowChunks = 8   // per core
	leastWindow  = 128 // markings
	chunkBytes   = 1 << 19
)

// take fills a window from marking first on. It tells whether there are enough
// markings.
func (w *window) take(s *search, first uint32) bool {
	w.n, w.end = 0, first
	w.toDo[0].Store(0)
	w.toDo[1].Store(0)
	left := s.store.n - first
	if left < s.leastWindow {
		return false
	}
	w.snapshot, w.store = s.snapshot(), s.store
	w.fired = slices.Clone(w.fired)
	limit := max(1, chunkBytes/8/w.words)
	degree := s.firings/uint64(s.expanded) + 1
	size := min(left/uint32(4*s.cores), chunkMarkings, uint32(uint64(limit)/(2*degree)))
	for w.n < windowChunks*s.cores && w.end < s.store.n {
		if w.n == len(w.chunks) {
			w.chunks = append(w.chunks, chunk{})
		}
		end := min(s.chunkEnd(w.end), w.end+max(size, 1))
		w.chunks[w.n].begin(w.end, end, limit)
		w.end = end
		w.n++
	}
	return true
}

// expand expands the chunks that no other core has begun.
func (w *window) expand() {
	for k := w.begin(0); k < w.n; k = w.begin(0) {
		w.snapshot.expand(&w.chunks[k])
	}
}

func (w *window) begin(work int) int { return int(w.toDo[work].Add(1)) - 1 }

// lookUp looks up the successors in the chunks that no other core has begun, and
// expands those that are not expanded yet.
func (w *window) lookUp() {
	for k := w.begin(1); k < w.n; k = w.begin(1) {
		c := &w.chunks[k]
		if !c.expanded {
			w.snapshot.expand(c)
		}
		w.store.lookUp(c)
	}
}

// crew is a number of cores that wait for work.
type crew struct {
	work    []chan func()
	done    chan struct{}
	working int
}

func newCrew(n int) *crew {
	c := &crew{work: make([]chan func(), n), done: make(chan struct{}, n)}
	for k := range c.work {
		work := make(chan func(), 1)
		c.work[k] = work
		go func() {
			for f := receive(work); f != nil; f = receive(work) {
				f()
				c.done <- struct{}{}
			}
		}()
	}
	return c
}

func (c *crew) close() {
	for _, work := range c.work {
		close(work)
	}
}

// start lets every core of the crew do f.
func (c *crew) start(f func()) {
	for _, work := range c.work {
		work <- f
	}
	c.working = len(c.work)
}

// wait waits until all have done their work.
func (c *crew) wait() {
	for ; c.working > 0; c.working-- {
		receive(c.done)
	}
}

// receive looks a number of times before it goes to sleep: rounds are short, and
// to wake up takes long.
func receive[T any](from chan T) T {
	for range 500 {
		select {
		case x := <-from:
			return x
		default:
		}
	}
	return <-from
}
