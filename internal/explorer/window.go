package explorer

import (
	"math/bits"
	"slices"
)

// window is a part of the queue on its way through a search on several cores:
//
//   - expand: every core takes chunks, finds the successors, and sorts them by
//     the shard of the table in which their search begins. A shard is an interval
//     of slots, and of hashes.
//   - settle: every core takes shards and looks the successors up in the order
//     of the queue. What is not known gets a slot with a number for the time
//     being: that of the successor in the window, above all indexes. So a second
//     successor that is the same is known.
//   - number: one core gives the new markings their indexes, in the order of the
//     queue, and sees to all that happens in that order.
//   - finish: every core takes chunks and puts the new markings, their labels and
//     their slots where they belong.
//
// Those who do not number expand the next window meanwhile.
type window struct {
	snapshot
	store     *store
	edges     bool
	chunks    []chunk
	shards    []shard
	n         int // chunks in use
	end       uint32
	known     uint32 // markings in the store before
	stride    int    // log2 of the numbers for the time being that a chunk has
	late      []late // new successors whose slot lies beyond their shard
	numbered  int    // chunks that are numbered, in whole or in part
	expanding *work
}

// shard is what the core found that settled one shard.
type shard struct {
	fresh []fresh
	ends  []int  // of the fresh ones of every chunk
	late  []late // successors whose search leaves the shard; their slot is not known
	_     [128]byte
}

// fresh is a successor of a chunk that is new.
type fresh struct {
	at   uint32 // in the chunk
	slot uint32 // from the first one of the shard
}

type late struct {
	chunk int
	place uint32 // in the order of the chunk
	slot  int
}

const (
	windowChunks = 8   // per core
	leastWindow  = 128 // markings
	chunkBytes   = 1 << 19
)

// take fills a window from marking first on and has it expanded. It tells whether
// there are enough markings.
func (w *window) take(s *search, first uint32, crew *crew) bool {
	w.n, w.end, w.numbered = 0, first, 0
	left := s.store.n - first
	if left < s.leastWindow {
		return false
	}
	w.snapshot, w.store, w.edges = s.snapshot(), s.store, s.edges != nil
	w.fired = slices.Clone(w.fired)
	w.shards = extend(w.shards[:0], s.cores)
	limit := max(1, chunkBytes/8/w.words)
	degree := s.followed/uint64(s.expanded) + 1
	chunks := windowChunks * s.cores
	// Half of the queue is left to be expanded while this is numbered.
	all := min(left/2, uint32(uint64(s.store.vacant())/(2*degree)))
	size := max(1, min(max(all/uint32(chunks), s.leastWindow/2), all/uint32(s.cores), chunkMarkings, uint32(uint64(limit)/(2*degree))))
	chunks = min(chunks, max(int(all/size), 1))
	for w.n < chunks && w.end < s.store.n {
		if w.n == len(w.chunks) {
			w.chunks = append(w.chunks, chunk{})
		}
		end := min(s.chunkEnd(w.end), w.end+size)
		w.chunks[w.n].begin(w.end, end, limit)
		w.end = end
		w.n++
	}
	w.expanding = crew.offer(w.n, w.expand, nil)
	return true
}

func (w *window) expand(chunk int) {
	w.snapshot.expand(&w.chunks[chunk])
	w.chunks[chunk].sort(len(w.shards), w.edges)
}

// sort sorts the successors of a chunk by shard.
func (c *chunk) sort(shards int, edges bool) {
	n := len(c.hashes)
	c.order, c.sorted = extend(c.order[:0], n), extend(c.sorted[:0], n)
	if edges {
		c.found = extend(c.found[:0], n)
	}
	c.starts = extend(c.starts[:0], shards+2)
	clear(c.starts)
	for _, h := range c.hashes {
		c.starts[slotOf(h, shards)+2]++
	}
	for k := range shards {
		c.starts[k+2] += c.starts[k+1]
	}
	for k, h := range c.hashes {
		at := &c.starts[slotOf(h, shards)+1] // the end of a shard, once all are there
		c.order[*at], c.sorted[*at] = uint32(k), h
		*at++
	}
}

// cut leaves away what comes after a chunk whose expansion stopped early. It
// tells whether there was none.
func (w *window) cut() bool {
	for k := range w.n {
		if c := &w.chunks[k]; c.next < c.end {
			w.n, w.end = k+1, c.end
			return false
		}
	}
	return true
}

// roomy readies a window to be settled. It tells whether the table holds all
// its successors, should they all be new.
func (w *window) roomy() bool {
	most, sum := 1, 0
	for k := range w.n {
		most, sum = max(most, len(w.chunks[k].hashes)), sum+len(w.chunks[k].hashes)
	}
	w.known, w.stride = w.store.n, bits.Len(uint(most-1))
	return sum <= w.store.vacant() && len(w.store.slots) <= 1<<32 && uint64(w.known)+uint64(w.n)<<w.stride < uint64(w.store.low)
}

// border is the first slot of a shard.
func (w *window) border(shard int) int {
	if shard == len(w.shards) {
		return len(w.store.slots)
	}
	first, rest := bits.Div64(uint64(shard), 0, uint64(len(w.shards))) // hash
	if rest > 0 {
		first++
	}
	return slotOf(first, len(w.store.slots))
}

func (w *window) settle(shard int) {
	s := &w.shards[shard]
	news, lates, ends := s.fresh[:0], s.late[:0], s.ends[:0]
	slots, low, first, end := w.store.slots, w.store.low, w.border(shard), w.border(shard+1)
	for k := range w.n {
		c := &w.chunks[k]
		from, to := c.starts[shard], c.starts[shard+1]
		hashes, order := c.sorted[from:to], c.order[from:to]
		w.store.warm(hashes, end)
		for i, h := range hashes {
			at := order[i]
			slot, e := w.find(c.successor(at, w.words), h, slotOf(h, len(slots)), end)
			if slot >= end {
				lates = append(lates, late{chunk: k, place: from + uint32(i)})
				continue
			}
			if e == 0 {
				e = uint32(h)&^low | w.number(k, at) + 1
				slots[slot] = e
				news = append(news, fresh{at, uint32(slot - first)})
			}
			if w.edges {
				c.found[from+uint32(i)] = e&low - 1
			}
		}
		ends = append(ends, len(news))
	}
	s.fresh, s.late, s.ends = news, lates, ends
}

// number is what a new successor has for an index for the time being.
func (w *window) number(chunk int, at uint32) uint32 {
	return w.known + uint32(chunk)<<w.stride + at
}

// index is what becomes of such a number.
func (w *window) index(number uint32) uint32 {
	if number < w.known {
		return number
	}
	number -= w.known
	c := &w.chunks[number>>w.stride]
	return c.base + c.rank(number&(1<<w.stride-1))
}

// find searches for a marking from slot i to end. It gives the slot where the
// search ends and what is there: 0 when the marking is not known.
func (w *window) find(m []uint64, h uint64, i, end int) (slot int, e uint32) {
	slots, low := w.store.slots, w.store.low
	for ; i < end; i++ {
		e := slots[i]
		if e == 0 {
			return i, 0
		}
		if (e^uint32(h))&^low == 0 && w.equal(e&low-1, m) {
			return i, e
		}
	}
	return i, 0
}

func (w *window) equal(i uint32, m []uint64) bool {
	if i < w.known {
		return w.store.equal(i, m)
	}
	i -= w.known
	return slices.Equal(w.chunks[i>>w.stride].successor(i&(1<<w.stride-1), w.words), m)
}

// settleLate settles the successors whose search leaves their shard. All that
// are the same are among them, or none.
func (w *window) settleLate() {
	w.late = w.late[:0]
	slots, low := w.store.slots, w.store.low
	for k := range w.shards {
		for _, l := range w.shards[k].late {
			c := &w.chunks[l.chunk]
			h, at := c.sorted[l.place], c.order[l.place]
			m := c.successor(at, w.words)
			slot, e := w.find(m, h, slotOf(h, len(slots)), len(slots))
			if slot == len(slots) {
				slot, e = w.find(m, h, 0, len(slots))
			}
			if e == 0 {
				e = uint32(h)&^low | w.number(l.chunk, at) + 1
				slots[slot], l.slot = e, slot
				w.late = append(w.late, l)
			}
			if w.edges {
				c.found[l.place] = e&low - 1
			}
		}
	}
	slices.SortFunc(w.late, func(a, b late) int { return a.chunk - b.chunk })
}

// ranks makes the set of the new successors of a chunk.
func (w *window) ranks(k int) {
	c := &w.chunks[k]
	n := len(c.hashes)/64 + 1
	c.bits, c.before = extend(c.bits[:0], n), extend(c.before[:0], n)
	clear(c.bits)
	for s := range w.shards {
		for _, f := range w.shards[s].of(k) {
			c.bits[f.at/64] |= 1 << (f.at % 64)
		}
	}
	for _, l := range w.late {
		if l.chunk == k {
			at := c.order[l.place]
			c.bits[at/64] |= 1 << (at % 64)
		}
	}
	sum := uint32(0)
	for k, b := range c.bits {
		c.before[k] = sum
		sum += uint32(bits.OnesCount64(b))
	}
}

// of gives the new successors of a chunk.
func (s *shard) of(chunk int) []fresh {
	from := 0
	if chunk > 0 {
		from = s.ends[chunk-1]
	}
	return s.fresh[from:s.ends[chunk]]
}

// rank is how many successors before the given one are new.
func (c *chunk) rank(at uint32) uint32 {
	return c.before[at/64] + uint32(bits.OnesCount64(c.bits[at/64]&(1<<(at%64)-1)))
}

func (c *chunk) fresh(at uint32) bool { return c.bits[at/64]>>(at%64)&1 != 0 }

func (w *window) finish(chunk int) {
	c := &w.chunks[chunk]
	for s := range w.shards {
		first := w.border(s)
		for _, f := range w.shards[s].of(chunk) {
			w.put(c, f.at, first+int(f.slot))
		}
	}
}

// put puts a new marking where it belongs, unless the search ended before it.
func (w *window) put(c *chunk, at uint32, slot int) {
	i := c.base + c.rank(at)
	if i >= w.store.n {
		return
	}
	copy(w.store.at(i), c.successor(at, w.words))
	if w.diamonds != nil {
		w.diamonds.labels[i/labelBlock][i%labelBlock] = c.labels[at]
	}
	if s := w.store; !s.stale {
		s.slots[slot] = uint32(c.hashes[at])&^s.low | (i + 1)
	}
}

// putNewest stores the newest marking before its time.
func (w *window) putNewest() {
	for k := w.numbered - 1; ; k-- {
		c := &w.chunks[k]
		for at := uint32(len(c.hashes)); at > 0; {
			if at--; c.fresh(at) {
				copy(w.store.at(w.store.n-1), c.successor(at, w.words))
				return
			}
		}
	}
}
