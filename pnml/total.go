package pnml

import (
	"math/big"
	"math/bits"
)

// Total is a sum of token counts in 128 bits, Hi the upper 64 of them, so that 2^32 places of 2^64-1
// tokens cannot exceed it.
type Total struct{ Hi, Lo uint64 }

// TotalOf adds up the tokens of some places.
func TotalOf(tokens []uint64, places []uint32) (sum Total) {
	for _, p := range places {
		sum.Add(tokens[p])
	}
	return sum
}

// Add adds one count.
func (t *Total) Add(n uint64) {
	lo, carry := bits.Add64(t.Lo, n, 0)
	t.Lo = lo
	t.Hi += carry
}

// Plus adds another sum.
func (t *Total) Plus(o Total) {
	lo, carry := bits.Add64(t.Lo, o.Lo, 0)
	t.Lo = lo
	t.Hi += o.Hi + carry
}

// Less reports whether t is smaller than o.
func (t Total) Less(o Total) bool { return t.Hi < o.Hi || t.Hi == o.Hi && t.Lo < o.Lo }

// String returns the decimal digits.
func (t Total) String() string {
	n := new(big.Int).SetUint64(t.Hi)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(t.Lo)).String()
}
