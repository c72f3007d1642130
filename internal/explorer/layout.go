package explorer

import (
	"math/bits"
	"slices"

	"podium/internal/explorer/tokens"
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
	seams  []uint64 // per word: the lowest bit of every field but the first, and the bit above the last
	planes []plane
}

// plane is the bits of one word that count the same number of tokens.
type plane struct {
	mask  uint64
	word  uint32
	shift uint8 // log2 of the tokens
}

// below tells, as not 0, whether some field of word x is smaller than the same
// field of y: then, and only then, the subtraction borrows across a seam or out
// of the word.
func below(x, y, seams uint64) uint64 {
	d, borrow := bits.Sub64(x, y, 0)
	return (x^y^d)&seams | borrow
}

// spills tells, as not 0, whether some field of word x has no room for what y
// adds to it: then, and only then, the addition carries out of a field.
func spills(x, y, seams uint64) uint64 {
	sum, carry := bits.Add64(x, y, 0)
	return (x^y^sum)&seams | carry
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
	}
	l.words = len(used)
	l.seams = make([]uint64, l.words)
	planes := make([][64]uint64, l.words)
	for _, f := range l.fields {
		if f.width == 0 {
			continue
		}
		for b := range f.width {
			planes[f.word][b] |= 1 << (f.shift + b)
		}
		l.seams[f.word] |= 1 << f.shift &^ 1
	}
	for w := range used {
		l.seams[w] |= 1 << used[w] // nothing when the word is full
		for b, mask := range planes[w] {
			if mask != 0 {
				l.planes = append(l.planes, plane{mask, uint32(w), uint8(b)})
			}
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
func (l *layout) covers(above, less []uint64) bool {
	for w, seams := range l.seams {
		if below(above[w], less[w], seams) != 0 {
			return false
		}
	}
	return true
}

// sum gives the token sum over all places.
func (l *layout) sum(m []uint64) (sum tokens.Total) {
	for k := range l.planes {
		p := &l.planes[k]
		n := uint64(bits.OnesCount64(m[p.word] & p.mask))
		sum.Plus(tokens.Total{Hi: n >> (64 - p.shift), Lo: n << p.shift})
	}
	return sum
}

// ceiling gives, packed, the count n in every place, or as much as fits.
func (l *layout) ceiling(n uint64) []uint64 {
	c := make([]uint64, l.words)
	for p := range l.fields {
		f := &l.fields[p]
		c[f.word] |= min(n, f.mask) << f.shift
	}
	return c
}

// most gives the largest count of one place.
func (l *layout) most(m []uint64) (most uint64) {
	for p := range l.fields {
		f := &l.fields[p]
		most = max(most, m[f.word]>>f.shift&f.mask)
	}
	return most
}

// constant gives the largest count and the sum of the places without bits.
func (l *layout) constant() (most uint64, sum tokens.Total) {
	for p := range l.fields {
		most = max(most, l.fields[p].base)
		sum.Add(l.fields[p].base)
	}
	return most, sum
}
