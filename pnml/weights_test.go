package pnml

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWeights compares columns with plain slices under random changes, of weights
// that need no space, a byte or eight.
func TestWeights(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(7, seed))
		few := []uint64{1, 1, 255, 256, math.MaxUint64}[:1+seed%5]
		some := func(n int) (plain []uint64) {
			for range n {
				plain = append(plain, few[r.IntN(len(few))])
			}
			return plain
		}
		const n = 40
		w, want := NewWeights(n), slices.Repeat([]uint64{1}, n)
		for range 30 {
			k := r.IntN(n)
			switch r.IntN(4) {
			case 0:
				x := some(1)[0]
				w.Set(k, x)
				want[k] = x
			case 1:
				all := some(r.IntN(n - k))
				w.SetAll(k, all)
				copy(want[k:], all)
			case 2:
				from := r.IntN(n)
				to := from + r.IntN(n-max(from, k))
				w.Copy(k, w.Slice(from, to))
				copy(want[k:], want[from:to])
			case 3:
				all := some(r.IntN(4))
				other := NewWeights(len(all))
				other.SetAll(0, all)
				times := r.IntN(4)
				if k+times*len(all) > n {
					continue
				}
				w.Repeat(k, times, other)
				copy(want[k:], slices.Repeat(all, times))
			}
		}
		for k, x := range want {
			if w.At(k) != x {
				t.Fatalf("seed %d: weight %d is %d, want %d", seed, k, w.At(k), x)
			}
		}
		if w.Ones() && slices.ContainsFunc(want, func(x uint64) bool { return x != 1 }) {
			t.Fatalf("seed %d: not only ones", seed)
		}
	}
}
