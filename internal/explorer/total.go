package explorer

import (
	"math/big"
	"math/bits"
)

// total is a sum of token counts: 128 bits, so that 2^32 places of 2^64-1
// tokens cannot exceed it.
type total struct{ hi, lo uint64 }

func (t *total) add(n uint64) {
	lo, carry := bits.Add64(t.lo, n, 0)
	t.lo = lo
	t.hi += carry
}

func (t *total) plus(o total) {
	lo, carry := bits.Add64(t.lo, o.lo, 0)
	t.lo = lo
	t.hi += o.hi + carry
}

func (t total) less(o total) bool { return t.hi < o.hi || t.hi == o.hi && t.lo < o.lo }

// String gives the decimal digits.
func (t total) String() string {
	n := new(big.Int).SetUint64(t.hi)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(t.lo)).String()
}
