package space

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
)

// window is a part of the queue on its way through a search on several cores:
//
//   - expand: every core takes chunks, finds the successors and looks them up in
//     the table, where the others insert theirs at the same time. What is new gets
//     a slot with a ticket, a number above all indexes, so that a second successor
//     that is the same is known. When the second one comes first in the queue, it
//     takes the slot over: in the end the slots have the tickets that they would
//     have on one core.
//   - assign: one core gives the new markings their indexes, in the order of the
//     queue, and sees to all that happens in that order.
//   - finish: every core puts the new markings of the chunks that it expanded, which
//     are in its cache, their labels and their slots where they belong.
//
// Those who do not assign indexes expand the next window meanwhile, and so does
// everybody who has finished.
type window struct {
	snapshot
	store      *store
	edges      bool
	chunks     []*chunk            // of all windows
	scratch    []packed.Successors // of all windows, by core: those of the chunk at hand, so that they stay in the cache
	first, n   int                 // its own among them
	hands      []hand              // by core
	start, end uint32              // markings
	size       uint32              // markings of a chunk, a power of two; no chunk crosses a multiple of it
	limit      int                 // of the successors of a chunk
	known      uint32              // markings that are in their place
	tickets    uint32              // the least one
	stride     int                 // log2 of the tickets of a chunk
	numbered   int                 // chunks that are numbered, in whole or in part
	expanding  *work
}

// hand is the chunks that one core has expanded.
type hand struct {
	chunks    []*chunk
	fresh     memory.Arena[fresh]
	kept      memory.Arena[uint64]
	n         int
	finishing atomic.Bool
	_         [128]byte // neighbours are written by other cores
}

// fresh is a successor of a chunk that is new.
type fresh struct {
	at    uint32 // among the successors
	slot  uint32 // nowhere when it was taken over
	tag   uint32 // in the table
	label uint16 // see sleepSets
}

// takeover is a successor that was new until another one of the same window took
// its slot over.
type takeover struct{ from, by uint32 } // tickets

const (
	windowChunks = 32  // per core
	windowSize   = 64  // markings per chunk
	leastWindow  = 128 // markings
	chunkBytes   = 1 << 18
	nowhere      = 1<<32 - 1
)

// newWindows makes windows to be used in turn. Tickets of a window are asked for
// while the next one is expanded, and with edges until that is numbered.
func newWindows(cores int, edges bool) []window {
	windows := make([]window, 2)
	if edges {
		windows = make([]window, 3)
	}
	n := windowChunks*cores + 1
	chunks := make([]*chunk, len(windows)*n)
	scratch := make([]packed.Successors, cores)
	for k := range windows {
		windows[k] = window{chunks: chunks, scratch: scratch, first: k * n, hands: make([]hand, cores)}
	}
	return windows
}

// take fills a window from marking first on and has it expanded. It reports whether
// there are enough markings, and enough slots and tickets for their successors
// beside those of a number of new markings.
func (w *window) take(s *Search, first uint32, news int, workers *workers) bool {
	w.n, w.numbered, w.expanding = 0, 0, &work{}
	// Half of the queue is left to be expanded while this is numbered. Three times
	// as many successors as usual have slots.
	half, degree, vacant := (s.store.n-first)/2, uint32(s.followed/uint64(s.expanded))+1, max(0, s.store.vacant()-news)
	most := min(half, uint32(vacant)/(3*degree))
	if s.learning() { // what is left out changes between two windows
		most = min(most, s.learnAfter-min(first, s.learnAfter))
	}
	chunks := min(max(most/max(1, s.leastWindow/4), uint32(s.cores)), uint32(windowChunks*s.cores))
	w.tickets = s.store.low/2 + 1
	w.stride = bits.Len32(w.tickets/uint32(len(w.chunks)+1)) - 1
	w.limit = min(1<<max(0, w.stride), max(1, chunkBytes/8/s.Layout.Words), vacant/(int(chunks)+1))
	size := min(most/chunks, windowSize, uint32(w.limit)/(3*degree))
	if 2*half < s.leastWindow || size == 0 || uint64(len(s.store.slots)) > uint64(w.tickets) {
		return false
	}
	w.size = 1 << (bits.Len32(size) - 1)
	w.start, w.end = first, first+min(most, chunks*w.size)
	w.n = int((w.end-1)/w.size - w.start/w.size + 1)
	w.snapshot, w.store, w.known, w.edges = s.snapshot(), s.store, s.store.n, s.edges != nil
	w.markings, w.fired = s.store.ahead(news), slices.Clone(w.fired)
	for k := range w.hands {
		h := &w.hands[k]
		h.n = 0
		h.fresh.Reset()
		h.kept.Reset()
		h.finishing.Store(false)
	}
	w.expanding = workers.offer(w.n, w.expand, nil)
	return true
}

// own returns the chunks of the window.
func (w *window) own() []*chunk { return w.chunks[w.first : w.first+w.n] }

func (w *window) expand(core, k int) {
	h := &w.hands[core]
	if h.n == len(h.chunks) {
		h.chunks = append(h.chunks, &chunk{ends: make([]uint32, 0, windowSize), births: make([]uint16, 0, windowSize)})
	}
	c := h.chunks[h.n]
	h.n++
	w.chunks[w.first+k] = c
	first := (w.start/w.size + uint32(k)) * w.size
	c.Successors = w.scratch[core]
	c.begin(max(first, w.start), min(first+w.size, w.end), w.limit)
	w.snapshot.expand(c)
	// Others read what is kept, so it does not move.
	c.kept, c.fresh = h.kept.Reserve(len(c.Batch)), h.fresh.Reserve(len(c.Hashes))[:0]
	w.insert(c, w.ticket(k))
	h.fresh.Take(len(c.fresh))
	h.kept.Take(len(c.fresh) * w.words)
	w.scratch[core], c.Successors = c.Successors, packed.Successors{}
}

// ticket is that of the first new successor of the k-th chunk.
func (w *window) ticket(k int) uint32 { return w.tickets + uint32(w.first+k)<<w.stride }

// holder returns the new successor with a ticket.
func (w *window) holder(ticket uint32) (c *chunk, k int) {
	ticket -= w.tickets
	return w.chunks[ticket>>w.stride], int(ticket & (1<<w.stride - 1))
}

// insert looks the successors of a chunk up and inserts what is new, with tickets
// from first on. What others have to read of a chunk is there before its first
// ticket is.
func (w *window) insert(c *chunk, first uint32) {
	slots, low, tickets, words, end := w.store.slots, w.store.low, w.tickets, w.words, w.ticket(w.n)
	news, births, at := c.fresh, c.births, 0 // not written to the chunk, of which others read
	if w.edges {
		c.found = slices.Grow(c.found, len(c.Hashes))[:len(c.found)+len(c.Hashes)]
	}
	for _, stop := range c.ends {
		before := len(news)
		for ; at < int(stop); at++ {
			if at%warmSize == 0 {
				w.store.warm(&w.markings, w.known, c.Hashes[at:min(at+warmSize, len(c.Hashes))])
			}
			m, h, i := c.Batch[at*words:(at+1)*words], c.Hashes[at], first+uint32(len(news))
			tag, slot := uint32(h)&^low, slotOf(h, len(slots))
			for {
				e := atomic.LoadUint32(&slots[slot])
				j := e&low - 1
				ours := e == 0
				switch {
				case ours || e&^low != tag:
				case j < tickets:
					if w.equal(j, m) {
						i = j
					}
				default:
					if d, k := w.holder(j); slices.Equal(d.keep(k, words), m) {
						if ours = j > i && j < end; !ours {
							i = j
						}
					}
				}
				if i == j {
					break
				}
				if !ours {
					if slot++; slot == len(slots) {
						slot = 0
					}
					continue
				}
				for k, word := range m {
					c.kept[len(news)*words+k] = word
				}
				if atomic.CompareAndSwapUint32(&slots[slot], e, tag|(i+1)) {
					news = append(news, fresh{uint32(at), uint32(slot), tag, c.Labels[at]})
					if e != 0 {
						c.takeovers = append(c.takeovers, takeover{j, i})
					}
					break
				}
			}
			if w.edges {
				c.found[at] = i
			}
		}
		births = append(births, uint16(len(news)-before))
	}
	c.fresh, c.births, c.news = news, births, uint32(len(news))
}

// cut leaves away what comes after a chunk whose expansion stopped early. It
// reports whether there was none.
func (w *window) cut() bool {
	for k, c := range w.own() {
		if c.next < c.end {
			w.n, w.end = k+1, c.end
			return false
		}
	}
	return true
}

// news is how many new markings there may be.
func (w *window) news() (n int) {
	for _, c := range w.own() {
		n += len(c.fresh)
	}
	return n
}

// yield takes what was taken over from the new successors.
func (w *window) yield() {
	for _, c := range w.own() {
		for _, t := range c.takeovers {
			d, k := w.holder(t.from)
			f := &d.fresh[k]
			f.slot = nowhere
			parent, _ := slices.BinarySearch(d.ends, f.at+1)
			d.births[parent]--
			d.news--
			if w.edges {
				d.found[f.at] = t.by
			}
		}
	}
}

// freshFrom returns the first of the new successors that is not before the given one.
func (c *chunk) freshFrom(at uint32) int {
	k, _ := slices.BinarySearchFunc(c.fresh, at, func(f fresh, at uint32) int { return int(f.at) - int(at) })
	return k
}

// finish finishes the chunks of the core itself or, when another one has done so,
// those of a core that is late.
func (w *window) finish(core, _ int) {
	for !w.hands[core].finishing.CompareAndSwap(false, true) {
		core = (core + 1) % len(w.hands)
	}
	h := &w.hands[core]
	for _, c := range h.chunks[:h.n] {
		if c.base > 0 {
			w.put(c)
		}
	}
}

// put puts the new markings of a chunk where they belong, as far as the search
// came; their slots after all of them, since an atomic store waits for the stores
// before it.
func (w *window) put(c *chunk) {
	s, i := w.store, c.base
	for k, f := range c.fresh {
		if f.slot == nowhere || i >= s.n {
			continue
		}
		to := s.at(i)
		for k, word := range c.keep(k, w.words) {
			to[k] = word
		}
		if w.sleep != nil {
			w.sleep.labels[i/labelBlock][i%labelBlock] = f.label
		}
		i++
	}
	if s.stale {
		return
	}
	i = c.base
	for _, f := range c.fresh {
		if f.slot == nowhere || i >= s.n {
			continue
		}
		i++
		atomic.StoreUint32(&s.slots[f.slot], f.tag|i)
	}
}

// putNewest stores the newest marking before its time.
func (w *window) putNewest() {
	for _, c := range slices.Backward(w.own()[:w.numbered]) {
		for k, f := range slices.Backward(c.fresh) {
			if f.slot != nowhere {
				copy(w.store.at(w.store.n-1), c.keep(k, w.words))
				return
			}
		}
	}
}
