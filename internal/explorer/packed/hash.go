package packed

import "math/bits"

// wide is a number modulo 2^128.
type wide struct{ hi, lo uint64 }

// plus adds n times the key, minus takes it away.
func (s *wide) plus(key wide, n uint64) {
	hi, lo := bits.Mul64(key.lo, n)
	s.add(wide{hi + key.hi*n, lo})
}

func (s *wide) minus(key wide, n uint64) {
	t := wide{}
	t.plus(key, n)
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, t.lo, 0)
	s.hi, _ = bits.Sub64(s.hi, t.hi, borrow)
}

func (s *wide) add(o wide) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
}

// The hash of a marking comes from a sum of its words times fixed random keys,
// modulo 2^128 (M. Dietzfelbinger, "Universal hashing and k-wise independent
// random variables via integer arithmetic without primes", 1996). A firing
// changes the sum by a number that depends on the transition alone.

// Keys are fixed random numbers, one per word of a packed marking, for its hash.
type Keys []wide

// NewKeys returns the keys for markings of that many words, always the same ones.
func NewKeys(words int) Keys {
	keys := make(Keys, words)
	state := uint64(0)
	next := func() uint64 { // splitmix64 of S. Vigna
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for w := range keys {
		keys[w] = wide{next(), next() | 1}
	}
	return keys
}

// hashSum returns the sum of a packed marking.
func hashSum(keys Keys, m []uint64) (s wide) {
	for w, n := range m {
		s.plus(keys[w], n)
	}
	return s
}

// mix returns the hash for a sum. The upper half depends on all bits of all words;
// the product scatters sums that are evenly spaced.
func (s wide) mix() uint64 {
	hi, lo := bits.Mul64(s.hi, 0xa0761d6478bd642f)
	return hi ^ lo
}

// Hash is the hash of a packed marking.
func (k Keys) Hash(m []uint64) uint64 { return hashSum(k, m).mix() }
