package explorer

import (
	"math/bits"
	"slices"

	"podium/pnml"
)

// field places the tokens of one place inside a packed marking. The count is
// base plus the bits; base is not 0 only where no bits are spent, for places
// that no transition can change.
type field struct {
	mask  uint64 // of the bits, before they are shifted up
	base  uint64
	word  uint32
	shift uint8
	width uint8 // 0 to 64 bits, never across words
}

func (f *field) of(m []uint64) uint64 { return f.base + m[f.word]>>f.shift&f.mask }

// layout is the place of every field. It is not changed once made.
type layout struct {
	fields []field
	words  int      // length of a packed marking, at least 1
	single []uint64 // per word: the fields of one bit
	wide   []uint32 // places whose fields have two bits or more
}

// newLayout places fields of the given widths, in order, each into the first
// word that has room.
func newLayout(net *pnml.Net, widths []uint8) *layout {
	l := &layout{fields: make([]field, len(widths)), words: 1}
	used := []uint8{0}
	first := 0 // words before it are full
	for p, width := range widths {
		if width == 0 {
			l.fields[p].base = net.Initial[p]
			continue
		}
		for first < len(used)-1 && used[first] == 64 {
			first++
		}
		w := first
		for w < len(used) && used[w]+width > 64 {
			w++
		}
		if w == len(used) {
			used = append(used, 0)
		}
		l.fields[p] = field{mask: ^uint64(0) >> (64 - width), word: uint32(w), shift: used[w], width: width}
		used[w] += width
		if width > 1 {
			l.wide = append(l.wide, uint32(p))
		}
	}
	l.words = len(used)
	l.single = make([]uint64, l.words)
	for _, f := range l.fields {
		if f.width == 1 {
			l.single[f.word] |= 1 << f.shift
		}
	}
	return l
}

// loosen spends the bits that are left over in the words on the fields that
// have two bits or more, a bit for each of them at a time, so that they are
// exceeded less often.
func loosen(net *pnml.Net, widths []uint8) []uint8 {
	words := newLayout(net, widths).words
	for range 8 {
		wider := slices.Clone(widths)
		for p, w := range wider {
			if w > 1 && w < 64 {
				wider[p]++
			}
		}
		if newLayout(net, wider).words > words {
			break
		}
		widths = wider
	}
	return widths
}

// pack writes the marking into packed, which holds l.words words.
func (l *layout) pack(marking, packed []uint64) {
	clear(packed)
	for p := range l.fields {
		f := &l.fields[p]
		packed[f.word] |= (marking[p] - f.base) << f.shift
	}
}

// unpack writes the tokens of every place into marking.
func (l *layout) unpack(packed, marking []uint64) {
	for p := range l.fields {
		marking[p] = l.fields[p].of(packed)
	}
}

// widths gives the widths of all fields.
func (l *layout) widths() []uint8 {
	w := make([]uint8, len(l.fields))
	for p := range l.fields {
		w[p] = l.fields[p].width
	}
	return w
}

// covers tells whether every place holds at least as many tokens in above as in
// below.
func (l *layout) covers(above, below []uint64) bool {
	for w, ones := range l.single {
		if below[w]&ones&^above[w] != 0 {
			return false
		}
	}
	for _, p := range l.wide {
		f := &l.fields[p]
		if above[f.word]>>f.shift&f.mask < below[f.word]>>f.shift&f.mask {
			return false
		}
	}
	return true
}

// tokens gives the largest count of one place and the sum over all places.
func (l *layout) tokens(m []uint64) (most uint64, sum total) {
	ones := 0
	for w, mask := range l.single {
		ones += bits.OnesCount64(m[w] & mask)
	}
	sum.lo = uint64(ones)
	if ones > 0 {
		most = 1
	}
	for _, p := range l.wide {
		f := &l.fields[p]
		n := m[f.word] >> f.shift & f.mask
		most = max(most, n)
		sum.add(n)
	}
	return most, sum
}

// constant gives the same for the places without bits.
func (l *layout) constant() (most uint64, sum total) {
	for p := range l.fields {
		most = max(most, l.fields[p].base)
		sum.add(l.fields[p].base)
	}
	return most, sum
}
