package pnml

// otherIDs remembers the ids of a document that are not those of places and
// transitions: of arcs above all, which are many and never looked up. Most files
// number them (arc0, arc1, ...), so the numbers behind a few prefixes are kept
// as bits; of all other ids only the 64-bit hash is kept, which takes two ids of
// one document for one with a chance of about 1 in 10^13 for a million ids.
type otherIDs struct {
	series []idSeries // at most maxSeries, the last one used first
	slots  []uint64   // of the hashes, a power of two; 0 is free
	used   int
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

// find gives the series of a prefix and moves it to the front.
func (o *otherIDs) find(prefix []byte) *idSeries {
	for i := range o.series {
		if o.series[i].prefix == string(prefix) {
			o.series[0], o.series[i] = o.series[i], o.series[0]
			return &o.series[0]
		}
	}
	return nil
}

// claim adds an id; false when it, or a node of that id, was there before.
func (o *otherIDs) claim(id []byte, nodes *idSet) bool {
	prefix, n, ok := numbered(id)
	var series *idSeries
	if ok {
		series = o.find(prefix)
		if series == nil && len(o.series) < maxSeries {
			o.series = append(o.series, idSeries{prefix: string(prefix), shared: nodes.anyNumbered(string(prefix))})
			series = o.find(prefix)
		}
	}
	if series != nil {
		if !series.claim(n) {
			return false
		}
		if !series.shared {
			return true
		}
		_, _, taken := nodes.lookup(nodes.hash(id), id)
		return !taken
	}
	hash := nodes.hash(id)
	if _, _, taken := nodes.lookup(hash, id); taken {
		return false
	}
	return o.claimHash(max(hash, 1))
}

// has tells whether the id of a new node is taken, and notes its form.
func (o *otherIDs) has(id []byte, hash uint64) bool {
	if prefix, n, ok := numbered(id); ok {
		for i := range o.series {
			if s := &o.series[i]; s.prefix == string(prefix) {
				s.shared = true
				return int(n/32) < len(s.bits) && s.bits[n/32]>>(n%32)&1 != 0
			}
		}
	}
	if o.slots == nil {
		return false
	}
	_, there := o.slot(max(hash, 1))
	return there
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

// slot gives where a hash is, or belongs.
func (o *otherIDs) slot(hash uint64) (at uint64, there bool) {
	mask := uint64(len(o.slots) - 1)
	for at = hash & mask; o.slots[at] != 0; at = (at + 1) & mask {
		if o.slots[at] == hash {
			return at, true
		}
	}
	return at, false
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

// anyNumbered tells whether a node's id is prefix and a number.
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
