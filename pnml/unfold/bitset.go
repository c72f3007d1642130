package unfold

import (
	"iter"
	"math/bits"
)

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, (size+63)/64) }

// fullBitset holds all numbers below size.
func fullBitset(size int) bitset {
	s := newBitset(size)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if size%64 > 0 {
		s[len(s)-1] >>= 64 - size%64
	}
	return s
}

func (s bitset) has(i uint32) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s bitset) add(i uint32)      { s[i/64] |= 1 << (i % 64) }

// runs returns the ranges [from, to) of members among the numbers [low, high).
func (s bitset) runs(low, high int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := s.next(low, high, 0); from < high; {
			to := s.next(from, high, ^uint64(0))
			if !yield(from, to) {
				return
			}
			from = s.next(to, high, 0)
		}
	}
}

// next returns the first number from i on that is a member, or with a mask of ones
// the first that is none, at most high.
func (s bitset) next(i, high int, mask uint64) int {
	for i < high {
		if rest := (s[i/64] ^ mask) >> (i % 64); rest != 0 {
			return min(i+bits.TrailingZeros64(rest), high)
		}
		i = (i/64 + 1) * 64
	}
	return high
}

func (s bitset) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// addAll adds the members of another set and reports whether some were new.
func (s bitset) addAll(t bitset) bool {
	fresh := uint64(0)
	for i, word := range t {
		fresh |= word &^ s[i]
		s[i] |= word
	}
	return fresh != 0
}

func (s bitset) keepOnly(t bitset) {
	for i, word := range t {
		s[i] &= word
	}
}

// moved returns the members moved cyclically among the numbers below size, in the
// space of t unless they stay where they are.
func (s bitset) moved(size, by int, t bitset) bitset {
	if by%size == 0 {
		return s
	}
	clear(t)
	for from, to := range s.runs(0, size) {
		from, to = from+by%size, to+by%size
		t.addRange(from, min(to, size))
		t.addRange(max(from, size)-size, to-size)
	}
	return t
}

// addRange adds the numbers [from, to).
func (s bitset) addRange(from, to int) {
	for from < to {
		word := ^uint64(0) << (from % 64)
		next := from&^63 + 64
		if next > to {
			word &= ^uint64(0) >> (next - to)
		}
		s[from/64] |= word
		from = next
	}
}

// ranks numbers the members of a set.
type ranks struct {
	set    bitset
	before []uint32 // members before each word
}

func newRanks(s bitset) ranks {
	r := ranks{s, make([]uint32, len(s))}
	n := 0
	for i, word := range s {
		r.before[i] = uint32(n)
		n += bits.OnesCount64(word)
	}
	return r
}

// of returns the number of a member.
func (r *ranks) of(i uint32) uint32 {
	return r.before[i/64] + uint32(bits.OnesCount64(r.set[i/64]&(1<<(i%64)-1)))
}
