package witness

import (
	"math/big"
	"math/bits"
)

// Total is a sum of counts, in 128 bits.
type Total struct{ Hi, Lo uint64 }

// TotalOf adds up the tokens of places.
func TotalOf(tokens []uint64, places []uint32) (sum Total) {
	for _, p := range places {
		sum.Add(tokens[p])
	}
	return sum
}

// Add adds one count.
func (t *Total) Add(n uint64) {
	var carry uint64
	t.Lo, carry = bits.Add64(t.Lo, n, 0)
	t.Hi += carry
}

// Less reports whether t is smaller than o.
func (t Total) Less(o Total) bool { return t.Hi < o.Hi || t.Hi == o.Hi && t.Lo < o.Lo }

// Big returns the same number.
func (t Total) Big() *big.Int {
	n := new(big.Int).SetUint64(t.Hi)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(t.Lo))
}
