package explorer

import (
	"math/bits"
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
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
	most             uint64       // tokens in one place
	sum              tokens.Total // tokens of one marking
	ends             []uint32     // of the successors of every marking
	events           []event

	// For several cores, see window.
	base      uint32     // index of the first new marking, 0 when it has none yet
	news      uint32     // new markings
	births    []uint16   // the same per marking
	fresh     []fresh    // ascending
	kept      []uint64   // packed markings of fresh, with room for all successors
	takeovers []takeover // of slots of other chunks
	found     []uint32   // per successor: its index or a ticket; kept when the edges are

	successors
	_ [64]byte // neighbours are written by other cores
}

// successors are those of the markings of a chunk.
type successors struct {
	batch  []uint64 // packed
	hashes []uint64
	labels []uint16 // action
	ready  []uint32 // for the actions that are enabled in a marking
}

// event is a transition enabled for the first time, or a dead marking.
type event struct {
	marking uint32
	action  int // -1: dead
}

const (
	chunkMarkings = 256 // no chunk crosses a multiple of it
	batchSize     = 512 // successors at a time
	manyWords     = 512 // of a marking so long that each successor counts as work
)

// snapshot is what expanding reads. It stays as it is while the search goes on
// to store markings.
type snapshot struct {
	markings
	layout   *layout
	program  *program
	labels   [][]uint16
	diamonds *diamonds // nil when all successors are wanted
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
		successors: successors{c.batch[:0], c.hashes[:0], c.labels[:0], c.ready}}
}

// expand finds the successors of the markings of a chunk.
func (v *snapshot) expand(c *chunk) {
	p := v.program
	if len(c.ready) < len(p.actions)+1 {
		c.ready = make([]uint32, len(p.actions)+1, len(p.actions)+64) // no line of the cache has parts of two
	}
	c.most = v.most
	ceiling := v.ceiling
	for c.next < c.end {
		i := c.next
		m := v.at(i)
		c.clock.Work(len(p.guards) / 16)
		ready := p.ready(m, c.ready)
		degree := len(ready)
		if v.observed {
			v.observe(c, i, ready)
		}
		if v.diamonds != nil {
			ready = v.diamonds.needed(ready, v.labels, i)
		}
		before := len(c.hashes)
		full := before+len(ready) > c.limit
		if !full {
			c.overflow = c.fire(p, m, ready)
		}
		if full || c.overflow >= 0 {
			c.hashes, c.labels, c.batch = c.hashes[:before], c.labels[:before], c.batch[:before*v.words]
			for len(c.events) > 0 && c.events[len(c.events)-1].marking == i {
				c.events = c.events[:len(c.events)-1]
			}
			return
		}
		c.ends = append(c.ends, uint32(len(c.hashes)))
		c.firings += uint64(degree)
		if !v.layout.covers(ceiling, m) {
			c.most = v.layout.most(m)
			ceiling = v.layout.ceiling(c.most)
		}
		if sum := v.layout.sum(m); c.sum.Less(sum) {
			c.sum = sum
		}
		c.next++
	}
}

// ready lists the actions that are enabled in m, in a list with room for all of
// them and one more.
func (p *program) ready(m []uint64, list []uint32) []uint32 {
	n := check(p.guards[:p.free], m, list, 0)
	for w, ones := range p.watched {
		for rest := m[w] & ones; rest != 0; {
			slot := &p.slots[w<<6|bits.TrailingZeros64(rest)]
			rest &^= slot.clear
			n = check(p.guards[slot.lo:slot.hi], m, list, n)
		}
	}
	return list[:n]
}

// check puts the actions that are enabled into the list from n on, and gives
// where it ends. No branch depends on what is enabled: the processor could not
// foresee it.
func check(guards []guard, m []uint64, list []uint32, n int) int {
	miss := uint64(0)
	for k := range guards {
		g := &guards[k]
		miss |= below(m[g.word], g.need, g.seams)
		list[n] = g.action
		if miss|g.keep == 0 {
			n++
		}
		miss &= g.keep
	}
	return n
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

// fire puts the markings after the actions into the batch. It gives the first
// action whose result does not fit the layout, else -1.
func (c *chunk) fire(p *program, m []uint64, ready []uint32) int {
	words, n := len(m), len(c.hashes)
	c.batch, c.hashes, c.labels = extend(c.batch, len(ready)*words), extend(c.hashes, len(ready)), extend(c.labels, len(ready))
	batch, hashes, labels := c.batch[n*words:], c.hashes[n:], c.labels[n:]
	from := hashSum(p.keys, m)
	c.clock.Work(len(ready))
	for k, a := range ready {
		if words > manyWords {
			c.clock.Work(words)
		}
		act := &p.actions[a]
		next := batch[k*words : (k+1)*words]
		for w := range next {
			next[w] = m[w]
		}
		full := act.spills
		touches := p.touches[act.touch:act.touchEnd]
		for k := range touches {
			t := &touches[k]
			full |= spills(next[t.word], t.gain, t.seams)
			next[t.word] += t.add
		}
		if full != 0 {
			return int(a)
		}
		sum := from
		sum.add(act.change)
		hashes[k], labels[k] = sum.mix(), uint16(a)
	}
	return -1
}

// extend makes a slice n longer; what is added is to be written.
func extend[T any](s []T, n int) []T { return slices.Grow(s, n)[:len(s)+n] }
