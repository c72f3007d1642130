package packed

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

// Layout says where the tokens of each place stand in a packed marking. A layout
// does not change.
type Layout struct {
	fields []field
	Words  int      // length of a packed marking, at least 1
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

// NewLayout makes a layout with room for high[p] tokens, or more, in each place p
// that some transition changes. The other places keep their initial tokens and take
// no bits.
func NewLayout(net *pnml.Net, high []uint64) *Layout {
	widths := make([]uint8, len(high))
	for p, changing := range tokens.Changes(net) {
		if changing {
			widths[p] = widthOf(high[p])
		}
	}
	return place(net, loosen(net, widths))
}

// Widen makes a layout that also has room for the given tokens of each place.
func (l *Layout) Widen(net *pnml.Net, marking []uint64) *Layout {
	widths := l.widths()
	for p, n := range marking {
		if widths[p] > 0 {
			widths[p] = max(widths[p], widthOf(n))
		}
	}
	return place(net, loosen(net, widths))
}

// place places fields of the given widths, in order, each into the first word
// that has room.
func place(net *pnml.Net, widths []uint8) *Layout {
	l := &Layout{fields: make([]field, len(widths)), Words: 1}
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
	l.Words = len(used)
	l.seams = make([]uint64, l.Words)
	planes := make([][64]uint64, l.Words)
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
	words := place(net, widths).Words
	for range 8 {
		wider := slices.Clone(widths)
		for p, w := range wider {
			if w > 1 && w < 64 {
				wider[p]++
			}
		}
		if place(net, wider).Words > words {
			break
		}
		widths = wider
	}
	return widths
}

// Pack writes the tokens of each place into packed, which has l.Words words. Each
// count must fit its field.
func (l *Layout) Pack(marking, packed []uint64) {
	clear(packed)
	for p := range l.fields {
		f := &l.fields[p]
		packed[f.word] |= (marking[p] - f.base) << f.shift
	}
}

// Unpack writes the tokens of each place into marking.
func (l *Layout) Unpack(packed, marking []uint64) {
	for p := range l.fields {
		marking[p] = l.fields[p].of(packed)
	}
}

// widths returns the widths of all fields.
func (l *Layout) widths() []uint8 {
	w := make([]uint8, len(l.fields))
	for p := range l.fields {
		w[p] = l.fields[p].width
	}
	return w
}

// Places is the number of places.
func (l *Layout) Places() int { return len(l.fields) }

// Bits returns the word of place p and the bits of its field there. The mask is 0
// when no transition changes the place.
func (l *Layout) Bits(p uint32) (word int, mask uint64) {
	f := &l.fields[p]
	return int(f.word), f.mask << f.shift
}

// Covers reports whether each place has at least as many tokens in above as in less,
// both packed.
func (l *Layout) Covers(above, less []uint64) bool {
	for w, seams := range l.seams {
		if below(above[w], less[w], seams) != 0 {
			return false
		}
	}
	return true
}

// Sum is the number of tokens in all places that have a field; see [Layout.Constant].
func (l *Layout) Sum(m []uint64) (sum pnml.Total) {
	for k := range l.planes {
		p := &l.planes[k]
		n := uint64(bits.OnesCount64(m[p.word] & p.mask))
		sum.Plus(pnml.Total{Hi: n >> (64 - p.shift), Lo: n << p.shift})
	}
	return sum
}

// Ceiling returns a packed marking with n tokens in each place, or as many as fit.
func (l *Layout) Ceiling(n uint64) []uint64 {
	c := make([]uint64, l.Words)
	for p := range l.fields {
		f := &l.fields[p]
		c[f.word] |= min(n, f.mask) << f.shift
	}
	return c
}

// Most is the largest number of tokens in one place that has a field.
func (l *Layout) Most(m []uint64) (most uint64) {
	for p := range l.fields {
		f := &l.fields[p]
		most = max(most, m[f.word]>>f.shift&f.mask)
	}
	return most
}

// Constant is the largest number of tokens in one place that has no field, and the
// sum of them all.
func (l *Layout) Constant() (most uint64, sum pnml.Total) {
	for p := range l.fields {
		most = max(most, l.fields[p].base)
		sum.Add(l.fields[p].base)
	}
	return most, sum
}

// widthOf is the number of bits that hold n, at least 1.
func widthOf(n uint64) uint8 { return uint8(max(1, bits.Len64(n))) }
