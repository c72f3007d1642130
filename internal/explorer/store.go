package explorer

import "math/bits"

// store is the set of packed markings. A marking gets the next index when it is
// new; markings stand one after the other in chunks. The hash table is cut into
// segments that grow one at a time, so that growing never needs a second table.
//
// A slot of the table is 0 when empty; else its low bits are index+1 and the
// bits above them the first bits of the hash, a tag that keeps most different
// markings from being looked at. As the indexes get longer, the tags get
// shorter, so four bytes serve for 2^32-2 markings.
type store struct {
	budget   *budget
	limit    uint32 // of n
	words    int
	perChunk uint // log2 of the markings in a chunk
	chunks   [][]uint64
	n        uint32
	low      uint32 // mask of the index bits of a slot
	segments [segments]segment
}

type segment struct {
	slots []uint32
	used  int
	room  int // used may not exceed it
}

const (
	segmentBits = 6
	segments    = 1 << segmentBits
	firstSlots  = 8
	maxMarkings = 1<<32 - 2
	chunkWords  = 1 << 15
)

// newStore gives an empty store, or nil when the budget does not hold it.
func newStore(b *budget, words int, limit uint32) *store {
	s := &store{budget: b, limit: limit, words: words, low: 1<<8 - 1}
	for words<<(s.perChunk+1) <= chunkWords || s.perChunk < 4 {
		s.perChunk++
	}
	for i := range s.segments {
		slots := allocate[uint32](b, firstSlots)
		if slots == nil {
			s.close()
			return nil
		}
		s.segments[i] = segment{slots: slots, room: roomOf(firstSlots)}
	}
	return s
}

// roomOf is how many of n slots are used before the segment grows.
func roomOf(n int) int { return n - n/4 }

func (s *store) closeTable() {
	for i := range s.segments {
		release(s.budget, s.segments[i].slots)
		s.segments[i] = segment{}
	}
}

// doneBefore gives back the chunks whose markings all have indexes below i. It
// is called with ascending indexes.
func (s *store) doneBefore(i uint32) {
	if i&(1<<s.perChunk-1) == 0 {
		release(s.budget, s.chunks[i>>s.perChunk-1])
		s.chunks[i>>s.perChunk-1] = nil
	}
}

// roomFor tells whether the budget holds the same markings in the given number
// of words, while this store is given back chunk by chunk.
func (s *store) roomFor(words int) bool {
	table := int64(0)
	for i := range s.segments {
		table += 4 * int64(len(s.segments[i].slots))
	}
	more := max(0, 8*int64(s.n)*int64(words-s.words)) + 4*8*chunkWords + 16*int64(s.words+words)*8
	return s.budget.limit-s.budget.used+table >= more+12*int64(s.n)
}

// warm touches the slots where the search for every hash begins, then the
// markings that their tags point to. The loads of each round do not depend on
// each other or on a branch, so the processor does many at a time.
func (s *store) warm(hashes []uint64) (sum uint64) {
	var first [warmSize]uint32
	low, shift, words := s.low, s.perChunk, s.words
	for len(hashes) > 0 {
		part := hashes[:min(warmSize, len(hashes))]
		hashes = hashes[len(part):]
		for k, h := range part {
			slots := s.segments[h>>(64-segmentBits)].slots
			first[k&(warmSize-1)] = slots[slotOf(h, len(slots))]
		}
		for k, h := range part {
			e := first[k&(warmSize-1)]
			i := e&low - 1
			if (e^tagOf(h))&^low != 0 || e == 0 {
				i = 0
			}
			sum += s.chunks[i>>shift][int(i&(1<<shift-1))*words]
		}
	}
	return sum
}

const warmSize = 128

func (s *store) close() {
	s.closeTable()
	for _, c := range s.chunks {
		release(s.budget, c)
	}
	s.chunks = nil
}

// at gives the packed marking with index i. It stays valid until the store is
// closed.
func (s *store) at(i uint32) []uint64 {
	k := int(i&(1<<s.perChunk-1)) * s.words
	return s.chunks[i>>s.perChunk][k : k+s.words : k+s.words]
}

func hash(m []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range m {
		hi, lo := bits.Mul64(h^w, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo
}

// slotOf is where a hash begins its search in n slots.
func slotOf(h uint64, n int) uint32 { return uint32(uint64(uint32(h)) * uint64(n) >> 32) }

// tagOf is the part of a hash that slots keep, above the index bits.
func tagOf(h uint64) uint32 { return uint32(h >> (64 - segmentBits - 32)) }

// insert gives the index of a marking and whether it is new. ok is false, and
// the marking not stored, when there is no room for it.
func (s *store) insert(m []uint64, h uint64) (index uint32, fresh, ok bool) {
	seg := &s.segments[h>>(64-segmentBits)]
	tag := tagOf(h) &^ s.low
	i := slotOf(h, len(seg.slots))
	for {
		e := seg.slots[i]
		if e == 0 {
			break
		}
		if e&^s.low == tag && s.equal(e&s.low-1, m) {
			return e&s.low - 1, false, true
		}
		if i++; int(i) == len(seg.slots) {
			i = 0
		}
	}
	if seg.used == seg.room {
		if !s.grow(seg) {
			return 0, false, false
		}
		i = seg.free(h)
	}
	if !s.append(m) {
		return 0, false, false
	}
	seg.slots[i] = tagOf(h)&^s.low | s.n
	seg.used++
	return s.n - 1, true, true
}

func (s *store) equal(i uint32, m []uint64) bool {
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

// append stores a new marking; the index bits are widened when they are used up.
func (s *store) append(m []uint64) bool {
	if s.n == s.limit {
		return false
	}
	if int(s.n>>s.perChunk) == len(s.chunks) {
		c := allocate[uint64](s.budget, s.words<<s.perChunk)
		if c == nil {
			return false
		}
		s.chunks = append(s.chunks, c)
	}
	copy(s.at(s.n), m)
	s.n++
	if s.n > s.low {
		s.retag()
	}
	return true
}

// retag gives the lowest bit of every tag to the indexes.
func (s *store) retag() {
	bit := s.low + 1
	s.low |= bit
	for i := range s.segments {
		slots := s.segments[i].slots
		for k := range slots {
			slots[k] &^= bit
		}
	}
}

// free gives the first empty slot for a hash.
func (seg *segment) free(h uint64) uint32 {
	i := slotOf(h, len(seg.slots))
	for seg.slots[i] != 0 {
		if i++; int(i) == len(seg.slots) {
			i = 0
		}
	}
	return i
}

// grow gives a segment twice as many slots, or only half as many again where
// the markings themselves are long: fewer slots cost less memory, but the
// hashes have to be computed anew more often.
func (s *store) grow(seg *segment) bool {
	old := seg.slots
	n := 2 * len(old)
	if s.words > 2 {
		n = len(old) + (len(old)+1)/2
	}
	slots := allocate[uint32](s.budget, n)
	if slots == nil {
		return false
	}
	seg.slots, seg.room = slots, roomOf(n)
	var entries [warmSize]uint32
	var hashes [warmSize]uint64
	for rest := old; len(rest) > 0; {
		part := rest[:min(warmSize, len(rest))]
		rest = rest[len(part):]
		k := 0
		for _, e := range part {
			entries[k] = e
			if e != 0 {
				k++
			}
		}
		for j, e := range entries[:k] {
			hashes[j] = hash(s.at(e&s.low - 1))
		}
		for j, e := range entries[:k] {
			seg.slots[seg.free(hashes[j])] = e
		}
	}
	release(s.budget, old)
	return true
}
