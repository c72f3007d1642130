package space

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
)

// store is the set of packed markings. A marking gets the next index when it is
// new; markings stand one after the other in chunks. The hash table grows by
// being made again from the markings, in their order, so that growing never needs
// two tables.
//
// A slot of the table is 0 when empty; else its low bits are index+1 and the
// bits above them bits of the hash, a tag that keeps most different markings
// from being looked at. The larger the table, the shorter the tags, so four bytes
// serve for 2^32-2 markings. The low bits have room for at least twice the indexes
// that there may be: the upper half are tickets (see window).
type store struct {
	markings
	budget *memory.Budget
	limit  uint32      // of n
	keys   packed.Keys // of the hash
	n      uint32
	low    uint32 // mask of the bits of a slot that are no tag
	slots  []uint32
	room   int  // of n before the table grows
	stale  bool // the table was emptied to grow and is not filled yet
}

// markings are packed markings by index. A copy serves readers while the store
// grows: what it holds is never written again.
type markings struct {
	words    int
	perChunk uint // log2 of the markings in a chunk
	chunks   [][]uint64
}

const (
	firstSlots  = 1 << 9
	smallSlots  = 1 << 19
	MaxMarkings = 1<<32 - 2
	chunkWords  = 1 << 15
	leastLow    = 1 << 22 // so that there are tickets enough, and tags of ten bits
)

// newStore returns an empty store, or nil when the budget does not hold it.
func newStore(b *memory.Budget, words int, limit uint32) *store {
	s := &store{markings: markings{words: words}, budget: b, limit: limit, keys: packed.NewKeys(words)}
	for words<<(s.perChunk+1) <= chunkWords || s.perChunk < 4 {
		s.perChunk++
	}
	if !s.resize(firstSlots) {
		return nil
	}
	return s
}

func (s *store) closeTable() {
	memory.Release(s.budget, s.slots)
	s.slots = nil
}

// doneBefore gives back the chunks whose markings all have indexes below i. It
// is called with ascending indexes.
func (s *store) doneBefore(i uint32) {
	if i&(1<<s.perChunk-1) == 0 {
		memory.Release(s.budget, s.chunks[i>>s.perChunk-1])
		s.chunks[i>>s.perChunk-1] = nil
	}
}

// roomFor reports whether the budget holds the same markings in the given number
// of words, while this store is given back chunk by chunk.
func (s *store) roomFor(words int) bool {
	more := max(0, 8*int64(s.n)*int64(words-s.words)) + 4*8*chunkWords + 16*int64(s.words+words)*8
	return s.budget.Free()+4*int64(len(s.slots)) >= more+12*int64(s.n)
}

// warm touches the slots where the search for each of at most warmSize hashes
// begins, then the markings below n that their tags point to. The loads of each
// round do not depend on each other or on a branch, so the processor does many at
// a time.
func (s *store) warm(v *markings, n uint32, hashes []uint64) (sum uint64) {
	var first [warmSize]uint32
	low, shift, words, slots := s.low, v.perChunk, v.words, s.slots
	for k, h := range hashes {
		first[k&(warmSize-1)] = atomic.LoadUint32(&slots[slotOf(h, len(slots))])
	}
	for k, h := range hashes {
		e := first[k&(warmSize-1)]
		i := e&low - 1
		if (e^uint32(h))&^low != 0 || i >= n {
			i = 0
		}
		sum += v.chunks[i>>shift][int(i&(1<<shift-1))*words]
	}
	return sum
}

const warmSize = 128 // so that the lines stay in the nearest cache until they are used

func (s *store) close() {
	s.closeTable()
	for _, c := range s.chunks {
		memory.Release(s.budget, c)
	}
	s.chunks = nil
}

// at returns the packed marking with index i. It stays valid until the store is
// closed.
func (s *markings) at(i uint32) []uint64 {
	k := int(i&(1<<s.perChunk-1)) * s.words
	return s.chunks[i>>s.perChunk][k : k+s.words : k+s.words]
}

// slotOf is where a hash begins its search in n slots. It depends on the upper
// bits of the hash most, the tag is taken from the lower half.
func slotOf(h uint64, n int) int {
	slot, _ := bits.Mul64(h, uint64(n))
	return int(slot)
}

// insert returns the index of a marking and whether it is new. ok is false, and
// the marking not stored, when there is no room for it.
func (s *store) insert(m []uint64, h uint64) (index uint32, fresh, ok bool) {
	index, slot, found := s.find(m, h)
	if found {
		return index, false, true
	}
	if !s.admit() {
		return 0, false, false
	}
	if s.stale {
		s.fill(0, s.n-1)
		s.stale = false
		slot = s.free(h)
	}
	copy(s.at(s.n-1), m)
	s.slots[slot] = uint32(h)&^s.low | s.n
	return s.n - 1, true, true
}

// find returns the index of a marking, or else the slot where it would stand.
func (s *store) find(m []uint64, h uint64) (index uint32, slot int, found bool) {
	slots, low := s.slots, s.low
	for i := slotOf(h, len(slots)); ; {
		e := slots[i]
		if e == 0 {
			return 0, i, false
		}
		if (e^uint32(h))&^low == 0 && s.equal(e&low-1, m) {
			return e&low - 1, i, true
		}
		if i++; i == len(slots) {
			i = 0
		}
	}
}

func (s *markings) equal(i uint32, m []uint64) bool {
	c := s.chunks[i>>s.perChunk]
	k := int(i&(1<<s.perChunk-1)) * s.words
	for _, w := range m {
		if c[k] != w {
			return false
		}
		k++
	}
	return true
}

// admit makes room for one more marking, which gets the next index. The table is
// emptied when it has to grow.
func (s *store) admit() bool {
	if int(s.n) == s.room && !s.grow() || s.n == s.limit {
		return false
	}
	if int(s.n>>s.perChunk) == len(s.chunks) {
		c := memory.Allocate[uint64](s.budget, s.words<<s.perChunk)
		if c == nil {
			return false
		}
		s.chunks = append(s.chunks, c)
	}
	s.n++
	return true
}

// vacant is for how many markings there are slots, so that enough stay empty.
func (s *store) vacant() int { return len(s.slots) - len(s.slots)/16 - int(s.n) }

// ahead returns the markings for readers who meet, in the table, also some of the
// next n that are stored.
func (s *store) ahead(n int) markings {
	s.chunks = slices.Grow(s.chunks, n>>s.perChunk+1)
	v := s.markings
	v.chunks = s.chunks[:cap(s.chunks)]
	return v
}

// spare is how many markings can be admitted without any allocation.
func (s *store) spare() uint32 {
	return uint32(min(s.room, int(s.limit), len(s.chunks)<<s.perChunk)) - s.n
}

// free returns the first empty slot for a hash.
func (s *store) free(h uint64) int {
	i := slotOf(h, len(s.slots))
	for s.slots[i] != 0 {
		if i++; i == len(s.slots) {
			i = 0
		}
	}
	return i
}

// grow returns the table twice as many slots, or only half as many again where
// the markings themselves are long: fewer slots cost less memory, but the table
// has to be made again more often. A small one becomes four times as large.
func (s *store) grow() bool {
	n := 2 * len(s.slots)
	switch {
	case len(s.slots) < smallSlots:
		n = 4 * len(s.slots)
	case s.words > 2:
		n = len(s.slots) / 2 * 3
	}
	if s.budget.Free() < 4*int64(n-len(s.slots)) {
		return false
	}
	s.closeTable()
	s.stale = true
	return s.resize(n)
}

// fill puts the markings from first to end into the table.
func (s *store) fill(first, end uint32) {
	var hashes [warmSize]uint64
	for i := first; i < end; {
		part := hashes[:min(warmSize, end-i)]
		for k := range part {
			part[k] = s.keys.Hash(s.at(i + uint32(k)))
		}
		for _, h := range part {
			i++
			s.slots[s.free(h)] = uint32(h)&^s.low | i
		}
	}
}

// fillMarkings are as many as one core at a time puts into a table that several
// cores fill.
const fillMarkings = 16 * warmSize

// touch makes the system give the k-th touchSlots slots of a new table their pages:
// two cores that meet in a page would both clear it.
func (s *store) touch(_, k int) {
	part := s.slots[k*touchSlots:]
	for i := 0; i < min(touchSlots, len(part)); i += 1 << 10 {
		part[i] = 0
	}
}

const touchSlots = 1 << 19 // of a huge page

// fillShared puts the k-th fillMarkings markings into the table, others may do so
// with other ones.
func (s *store) fillShared(_, k int) {
	var hashes [warmSize]uint64
	slots, i := s.slots, uint64(k)*fillMarkings
	for end := min(i+fillMarkings, uint64(s.n)); i < end; {
		part := hashes[:min(warmSize, end-i)]
		for k := range part {
			part[k] = s.keys.Hash(s.at(uint32(i) + uint32(k)))
		}
		for _, h := range part { // these loads do not wait for each other, as what follows does
			atomic.LoadUint32(&slots[slotOf(h, len(slots))])
		}
		for _, h := range part {
			i++
			e := uint32(h)&^s.low | uint32(i)
			for slot := slotOf(h, len(slots)); !atomic.CompareAndSwapUint32(&slots[slot], 0, e); {
				if slot++; slot == len(slots) {
					slot = 0
				}
			}
		}
	}
}

// resize makes an empty table of n slots, of which a quarter stays empty.
func (s *store) resize(n int) bool {
	s.slots, s.room, s.low = memory.Allocate[uint32](s.budget, n), n-n/4, uint32(min(max(2<<bits.Len(uint(n-1)), leastLow), 1<<32)-1)
	return s.slots != nil
}
