package space

import (
	"podium/internal/clock"
	"podium/internal/explorer/packed"
	"podium/pnml"
)

// chunk is a part of the queue on its way through the search: markings first to
// end are expanded, which only reads, and then their successors are looked up
// and stored. Expanding stops early at a marking with whose successors there
// would be more than limit, or one of which does not fit the layout.
type chunk struct {
	first, next, end uint32       // the markings from first to next are expanded
	limit            int          // of successors
	clock            *clock.Clock // nil for those who only help
	overflow         int          // action whose result does not fit, fired in marking next, else -1
	firings          uint64
	most             uint64     // tokens in one place
	sum              pnml.Total // tokens of one marking
	ends             []uint32   // of the successors of every marking
	events           []event

	// For several cores, see window.
	base      uint32     // index of the first new marking, 0 when it has none yet
	news      uint32     // new markings
	births    []uint16   // the same per marking
	fresh     []fresh    // ascending
	kept      []uint64   // packed markings of fresh, with room for all successors
	takeovers []takeover // of slots of other chunks
	found     []uint32   // per successor: its index or a ticket; kept when the edges are

	packed.Successors
	_ [64]byte // neighbours are written by other cores
}

// event is a transition enabled for the first time, or a dead marking.
type event struct {
	marking uint32
	action  int // -1: dead
}

const (
	chunkMarkings = 256 // no chunk crosses a multiple of it
	batchSize     = 512 // successors at a time
)

// snapshot is what expanding reads. It stays as it is while the search goes on
// to store markings.
type snapshot struct {
	markings
	layout   *packed.Layout
	program  *packed.Program
	labels   [][]uint16
	sleep    *sleepSets // nil when all successors are wanted
	observed bool
	fired    []bool
	most     uint64
	ceiling  []uint64 // most tokens in every place, packed
}

// keep is the place for the packed marking of the k-th new successor of a chunk.
func (c *chunk) keep(k, words int) []uint64 { return c.kept[k*words : (k+1)*words] }

// begin empties a chunk and gives it the markings from first to end.
func (c *chunk) begin(first, end uint32, limit int) {
	*c = chunk{first: first, next: first, end: end, limit: limit, clock: c.clock, overflow: -1,
		ends: c.ends[:0], events: c.events[:0],
		births: c.births[:0], takeovers: c.takeovers[:0], found: c.found[:0],
		Successors: c.Successors.Emptied()}
}

// expand finds the successors of the markings of a chunk.
func (v *snapshot) expand(c *chunk) {
	p := v.program
	c.most = v.most
	ceiling := v.ceiling
	for c.next < c.end {
		i := c.next
		m := v.at(i)
		ready := c.Enabled(c.clock, p, m)
		degree := len(ready)
		if v.observed {
			v.observe(c, i, ready)
		}
		if v.sleep != nil {
			ready = v.sleep.needed(ready, v.labels, i)
		}
		before := len(c.Hashes)
		full := before+len(ready) > c.limit
		if !full {
			c.overflow = c.Fire(c.clock, p, m, ready)
		}
		if full || c.overflow >= 0 {
			c.Truncate(before, v.words)
			for len(c.events) > 0 && c.events[len(c.events)-1].marking == i {
				c.events = c.events[:len(c.events)-1]
			}
			return
		}
		c.ends = append(c.ends, uint32(len(c.Hashes)))
		c.firings += uint64(degree)
		if !v.layout.Covers(ceiling, m) {
			c.most = v.layout.Most(m)
			ceiling = v.layout.Ceiling(c.most)
		}
		if sum := v.layout.Sum(m); c.sum.Less(sum) {
			c.sum = sum
		}
		c.next++
	}
}

// observe notes what an observer wants to know of marking i.
func (v *snapshot) observe(c *chunk, i uint32, ready []uint32) {
	if len(ready) == 0 {
		c.events = append(c.events, event{i, -1})
	}
	for _, a := range ready {
		if !v.fired[a] {
			c.events = append(c.events, event{i, int(a)})
		}
	}
}
