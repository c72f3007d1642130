package pnml

import (
	"hash/maphash"
	"strings"
	"sync"
)

// Names is an ordered set of ids: from index to id and from id to index. The
// ids of a net that was read lie one after the other in two blocks of memory,
// and one hash table serves places and transitions: an id costs its bytes and
// about 20 more. The ids of a net that was computed are made on demand.
type Names struct {
	set  *idSet
	kind nodeKind
	made *madeNames
}

// NameSource makes ids from indexes. All ids of a source are different.
type NameSource interface {
	Len() int
	AppendName(dst []byte, i int) []byte
}

// NamesFrom returns the ids of a source. The first call of Find builds its index.
func NamesFrom(source NameSource) Names { return Names{made: &madeNames{source: source}} }

type madeNames struct {
	source NameSource
	once   sync.Once
	index  map[string]int
}

func (m *madeNames) find(id string) (int, bool) {
	m.once.Do(func() {
		m.index = make(map[string]int, m.source.Len())
		for i := range m.source.Len() {
			m.index[string(m.source.AppendName(nil, i))] = i
		}
	})
	i, ok := m.index[id]
	return i, ok
}

// Len is the number of ids.
func (n *Names) Len() int {
	switch {
	case n.made != nil:
		return n.made.source.Len()
	case n.set == nil:
		return 0
	}
	return n.set.blocks[n.kind].len()
}

// At returns the id at an index, without allocating if the net was read.
func (n *Names) At(i int) string {
	if n.made != nil {
		return string(n.made.source.AppendName(nil, i))
	}
	return n.set.blocks[n.kind].at(i)
}

// Find returns the index of an id, and false when there is no such id.
func (n *Names) Find(id string) (int, bool) {
	switch {
	case n.made != nil:
		return n.made.find(id)
	case n.set == nil:
		return 0, false
	}
	return n.set.find(n.kind, n.set.hashString(id), id)
}

// gathered returns names whose At does not allocate: made ones are written into
// one block of memory, if they fit.
func (n *Names) gathered() Names {
	if n.made == nil {
		return *n
	}
	set := &idSet{}
	b := &set.blocks[placeNode]
	var id []byte
	for i := range n.made.source.Len() {
		id = n.made.source.AppendName(id[:0], i)
		if set.full(placeNode, len(id)) {
			return *n
		}
		b.text.Write(id)
		b.ends = append(b.ends, uint32(b.text.Len()))
	}
	return Names{set: set, kind: placeNode}
}

// anyNumbered reports whether an id is prefix and a number.
func (n *Names) anyNumbered(prefix string) bool {
	switch {
	case n.made != nil:
		var id []byte
		for i := range n.made.source.Len() {
			id = n.made.source.AppendName(id[:0], i)
			if isNumbered(id, prefix) {
				return true
			}
		}
		return false
	case n.set == nil:
		return false
	}
	return n.set.blocks[n.kind].anyNumbered(prefix)
}

// nodeKind tells the sets of ids of a net apart.
type nodeKind uint32

const (
	placeNode nodeKind = iota
	transitionNode
	nodeKinds
)

// idSet holds the ids of the nodes of a net. A slot of the table is 0 or the
// upper half of the hash, the kind (1 bit) and the index plus one (31 bits).
type idSet struct {
	seed   maphash.Seed
	slots  []uint64 // a power of two
	used   int
	blocks [nodeKinds]idBlock
}

const maxNodes = 1<<31 - 2

type idBlock struct {
	text strings.Builder
	ends []uint32
}

func (b *idBlock) len() int { return len(b.ends) }

func (b *idBlock) at(i int) string {
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.text.String()[from:b.ends[i]]
}

func newIDSet() *idSet {
	return &idSet{seed: maphash.MakeSeed(), slots: make([]uint64, 64)}
}

func (s *idSet) hash(id []byte) uint64       { return maphash.Bytes(s.seed, id) }
func (s *idSet) hashString(id string) uint64 { return maphash.String(s.seed, id) }

const tagMask = 0xFFFFFFFF_00000000

// find returns the index of an id of one kind.
func (s *idSet) find(kind nodeKind, hash uint64, id string) (int, bool) {
	mask := uint64(len(s.slots) - 1)
	for at := hash & mask; s.slots[at] != 0; at = (at + 1) & mask {
		slot := s.slots[at]
		if (slot^hash)&tagMask != 0 || nodeKind(slot>>31&1) != kind {
			continue
		}
		if i := int(slot&0x7FFFFFFF) - 1; s.blocks[kind].at(i) == id {
			return i, true
		}
	}
	return 0, false
}

// lookup returns kind and index of an id of either kind.
func (s *idSet) lookup(hash uint64, id []byte) (nodeKind, uint32, bool) {
	mask := uint64(len(s.slots) - 1)
	for at := hash & mask; s.slots[at] != 0; at = (at + 1) & mask {
		slot := s.slots[at]
		if (slot^hash)&tagMask != 0 {
			continue
		}
		kind, i := nodeKind(slot>>31&1), int(slot&0x7FFFFFFF)-1
		if s.blocks[kind].at(i) == string(id) {
			return kind, uint32(i), true
		}
	}
	return 0, 0, false
}

// full reports whether an id of n bytes has no room: offsets have 32 bits.
func (s *idSet) full(kind nodeKind, n int) bool {
	b := &s.blocks[kind]
	return b.len() >= maxNodes || b.text.Len()+n > 1<<32-1
}

// add appends an id that is not there yet, and for which there is room.
func (s *idSet) add(kind nodeKind, hash uint64, id []byte) int {
	b := &s.blocks[kind]
	b.text.Write(id)
	b.ends = append(b.ends, uint32(b.text.Len()))
	if 4*(s.used+1) > 3*len(s.slots) {
		s.grow()
	}
	s.used++
	s.put(hash&tagMask|uint64(kind)<<31|uint64(b.len()), hash)
	return b.len() - 1
}

func (s *idSet) put(slot, hash uint64) {
	mask := uint64(len(s.slots) - 1)
	at := hash & mask
	for s.slots[at] != 0 {
		at = (at + 1) & mask
	}
	s.slots[at] = slot
}

// grow doubles the table; the lower halves of the hashes are computed again.
func (s *idSet) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	for _, slot := range old {
		if slot != 0 {
			id := s.blocks[slot>>31&1].at(int(slot&0x7FFFFFFF) - 1)
			s.put(slot, s.hashString(id))
		}
	}
}
