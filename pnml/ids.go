package pnml

import "slices"

// otherIDs remembers the ids of a document that are not those of places and
// transitions: of arcs above all, which are many and never looked up. Most files
// number them (arc0, arc1, ...), so the numbers behind a few prefixes are kept
// as bits; of all other ids only the 64-bit hash is kept, which takes two ids of
// one document for one with a chance of about 1 in 10^13 for a million ids.
type otherIDs struct {
	series []idSeries // at most maxSeries, the last one used first
	slots  []uint64   // of the hashes, a power of two; 0 is free
	used   int

	next       []byte // the id after the last one of series[0], which mostly comes next
	nextNumber uint32
}

// idSeries is the ids of one prefix and a number below 32 * len(bits).
type idSeries struct {
	prefix string
	bits   []uint32
	shared bool // places or transitions have ids of this form, too
}

const (
	maxSeries = 8
	maxNumber = 1 << 26
)

// numbered splits an id into a prefix and a number without leading zeros.
func numbered(id []byte) (prefix []byte, n uint32, ok bool) {
	k := len(id)
	for k > 0 && id[k-1]-'0' <= 9 {
		k--
	}
	if k == len(id) || len(id)-k > 8 || id[k] == '0' && len(id)-k > 1 {
		return nil, 0, false
	}
	for _, c := range id[k:] {
		n = 10*n + uint32(c-'0')
	}
	return id[:k], n, n < maxNumber
}

// choose moves the series of a prefix to the front, and makes it if there is
// room for another.
func (o *otherIDs) choose(prefix []byte, nodes *idSet) bool {
	i := slices.IndexFunc(o.series, func(s idSeries) bool { return s.prefix == string(prefix) })
	if i < 0 {
		if i = len(o.series); i == maxSeries {
			return false
		}
		o.series = append(o.series, idSeries{prefix: string(prefix), shared: nodes.anyNumbered(string(prefix))})
	}
	o.series[0], o.series[i] = o.series[i], o.series[0]
	return true
}

// count goes from the id in next to the one after it, or to none.
func (o *otherIDs) count() {
	if o.nextNumber++; o.nextNumber == maxNumber {
		o.next = o.next[:0]
		return
	}
	for k := len(o.next) - 1; k >= 0 && o.next[k]-'0' <= 9; k-- {
		if o.next[k]++; o.next[k] <= '9' {
			return
		}
		o.next[k] = '0'
	}
	o.next = o.next[:0] // one digit more
}

// claimNumber adds an id of series[0].
func (o *otherIDs) claimNumber(id []byte, n uint32, nodes *idSet) bool {
	series := &o.series[0]
	if !series.claim(n) {
		return false
	}
	if !series.shared {
		return true
	}
	_, _, taken := nodes.lookup(nodes.hash(id), id)
	return !taken
}

// claim adds an id; false when it, or a node of that id, was there before.
func (o *otherIDs) claim(id []byte, nodes *idSet) bool {
	if len(id) > 0 && string(id) == string(o.next) {
		n := o.nextNumber
		o.count()
		return o.claimNumber(id, n, nodes)
	}
	if prefix, n, ok := numbered(id); ok && o.choose(prefix, nodes) {
		o.next, o.nextNumber = append(o.next[:0], id...), n
		o.count()
		return o.claimNumber(id, n, nodes)
	}
	hash := nodes.hash(id)
	if _, _, taken := nodes.lookup(hash, id); taken {
		return false
	}
	return o.claimHash(max(hash, 1))
}

// has reports whether the id of a new node is taken, and notes its form.
func (o *otherIDs) has(id []byte, hash uint64) bool {
	if prefix, n, ok := numbered(id); ok {
		for i := range o.series {
			if s := &o.series[i]; s.prefix == string(prefix) {
				s.shared = true
				return int(n/32) < len(s.bits) && s.bits[n/32]>>(n%32)&1 != 0
			}
		}
	}
	return o.hasHash(hash)
}

func (s *idSeries) claim(n uint32) bool {
	word, bit := int(n/32), uint32(1)<<(n%32)
	if word >= len(s.bits) {
		grown := make([]uint32, max(256, 2*len(s.bits), word+1))
		copy(grown, s.bits)
		s.bits = grown
	}
	if s.bits[word]&bit != 0 {
		return false
	}
	s.bits[word] |= bit
	return true
}

// slot returns where a hash is, or belongs.
func (o *otherIDs) slot(hash uint64) (at uint64, there bool) {
	mask := uint64(len(o.slots) - 1)
	for at = hash & mask; o.slots[at] != 0; at = (at + 1) & mask {
		if o.slots[at] == hash {
			return at, true
		}
	}
	return at, false
}

func (o *otherIDs) hasHash(hash uint64) bool {
	if o.slots == nil {
		return false
	}
	_, there := o.slot(max(hash, 1))
	return there
}

func (o *otherIDs) claimHash(hash uint64) bool {
	if 4*(o.used+1) > 3*len(o.slots) {
		old := o.slots
		o.slots = make([]uint64, max(256, 2*len(old)))
		for _, h := range old {
			if h != 0 {
				at, _ := o.slot(h)
				o.slots[at] = h
			}
		}
	}
	at, there := o.slot(hash)
	if there {
		return false
	}
	o.slots[at] = hash
	o.used++
	return true
}

// anyNumbered reports whether a node's id is prefix and a number.
func (s *idSet) anyNumbered(prefix string) bool {
	return s.blocks[placeNode].anyNumbered(prefix) || s.blocks[transitionNode].anyNumbered(prefix)
}

func (b *idBlock) anyNumbered(prefix string) bool {
	for i := range b.len() {
		if isNumbered(b.at(i), prefix) {
			return true
		}
	}
	return false
}
