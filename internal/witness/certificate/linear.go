package certificate

import (
	"math/big"

	"podium/internal/witness"
)

// AtMost is the inequality: the sum of factors times tokens is at most a bound.
type AtMost struct {
	Terms []witness.Term
	Bound *big.Rat
}

// sum adds up multiples of inequalities.
type sum struct {
	factors map[uint32]*big.Rat
	bound   *big.Rat
}

func newSum() *sum { return &sum{map[uint32]*big.Rat{}, new(big.Rat)} }

func (s *sum) add(x AtMost, times *big.Rat) {
	product := new(big.Rat)
	for _, t := range x.Terms {
		f := s.factors[t.Place]
		if f == nil {
			f = new(big.Rat)
			s.factors[t.Place] = f
		}
		f.Add(f, product.Mul(t.Factor, times))
	}
	s.bound.Add(s.bound, product.Mul(x.Bound, times))
}

// absurd tells whether no marking satisfies the inequality: no factor is negative, and
// neither are tokens, but the bound is.
func (s *sum) absurd() bool {
	for _, f := range s.factors {
		if f.Sign() < 0 {
			return false
		}
	}
	return s.bound.Sign() < 0
}

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func natural(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }

// tokens is a sum of tokens, each with the same factor.
func tokens(places []uint32, factor int64) []witness.Term {
	terms := make([]witness.Term, len(places))
	for i, p := range places {
		terms[i] = witness.Term{Factor: whole(factor), Place: p}
	}
	return terms
}
