package certificate

import (
	"fmt"
	"math/big"

	"podium/internal/clock"
	"podium/internal/witness"
)

// sum adds up multiples of inequalities.
type sum struct {
	factors map[uint32]*big.Rat
	bound   *big.Rat
}

func newSum() *sum { return &sum{map[uint32]*big.Rat{}, new(big.Rat)} }

// add adds a multiple of an inequality; the error says that the numbers became too long.
func (s *sum) add(c *clock.Clock, x witness.AtMost, times *big.Rat) error {
	product := new(big.Rat)
	for _, t := range x.Terms {
		f := s.factors[t.Place]
		if f == nil {
			f = new(big.Rat)
			s.factors[t.Place] = f
		}
		if err := add(c, f, product.Mul(t.Factor, times)); err != nil {
			return err
		}
	}
	return add(c, s.bound, product.Mul(x.Bound, times))
}

// add adds x to a total. A total of fractions can become far longer than they are.
func add(c *clock.Clock, total, x *big.Rat) error {
	bits := max(total.Num().BitLen(), total.Denom().BitLen())
	c.Work(16 + bits)
	if bits > maxBits {
		return fmt.Errorf("a sum has more than %d binary digits", maxBits)
	}
	total.Add(total, x)
	return nil
}

// absurd reports whether no marking satisfies the inequality: no factor is negative, and
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
