package engine

import (
	"fmt"
	"math/big"

	"podium/examinations/formula"
	"podium/pnml/unfold"
)

// Linear is a weighted sum of places of a net, plus a constant.
type Linear struct {
	Weights  map[uint32]int64
	Constant *big.Int
}

// SumOf is the sum of some places.
func SumOf(places []uint32) Linear {
	sum := Linear{make(map[uint32]int64, len(places)), new(big.Int)}
	for _, p := range places {
		sum.Weights[p]++
	}
	return sum
}

// Compared returns left - right of a comparison left <= right.
func Compared(view unfold.View, f *formula.LessEqual) (Linear, error) {
	sum := SumOf(nil)
	for term, sign := range f.Terms() {
		switch x := term.(type) {
		case *formula.Number:
			n := new(big.Int).SetUint64(x.N)
			sum.Constant.Add(sum.Constant, n.Mul(n, big.NewInt(sign)))
		case *formula.TokensCount:
			places, err := view.PlacesOf(x.Places)
			if err != nil {
				return sum, err
			}
			for _, p := range places {
				sum.Weights[p] += sign
			}
		default:
			return sum, fmt.Errorf("%T is no integer expression", x)
		}
	}
	return sum, nil
}
