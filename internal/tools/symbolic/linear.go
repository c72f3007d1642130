package symbolic

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"podium/examinations"
)

// linear is a weighted sum of places plus a constant.
type linear struct {
	weight   map[uint32]int64 // place -> weight
	constant *big.Int
}

// maxTerms limits the terms of one comparison, so that weights cannot overflow.
const maxTerms = 1 << 30

// maxCounter limits the nodes of the diagram of one comparison.
const maxCounter = 1 << 22

var errTooLarge = errors.New("a comparison of token counts is too large")

// compared is the sum left - right of a comparison left <= right.
func (s *space) compared(c *examinations.LessEqual) (linear, error) {
	sum := linear{map[uint32]int64{}, new(big.Int)}
	terms := 0
	if err := s.collect(c.Left, 1, &sum, &terms); err != nil {
		return sum, err
	}
	return sum, s.collect(c.Right, -1, &sum, &terms)
}

func (s *space) collect(e examinations.Integer, sign int64, sum *linear, terms *int) error {
	if *terms++; *terms > maxTerms {
		return errTooLarge
	}
	switch e := e.(type) {
	case *examinations.Number:
		n := new(big.Int).SetUint64(e.N)
		sum.constant.Add(sum.constant, n.Mul(n, big.NewInt(sign)))
	case *examinations.TokensCount:
		places, err := s.view.PlacesOf(e.Places)
		if err != nil {
			return err
		}
		for _, p := range places {
			sum.weight[p] += sign
		}
	case *examinations.Sum:
		for _, t := range e.Terms {
			if err := s.collect(t, sign, sum, terms); err != nil {
				return err
			}
		}
	case *examinations.Difference:
		for i, t := range e.Terms {
			if i == 1 {
				sign = -sign
			}
			if err := s.collect(t, sign, sum, terms); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("integer expression %T", e)
	}
	return nil
}

// atMostZero is the set of the markings in which the sum is not positive: a
// diagram that counts down the levels of its places, cut off where the rest can
// no longer change the answer.
func (s *space) atMostZero(sum linear) (node, error) {
	type term struct {
		level  uint32
		weight int64
	}
	var terms []term
	for _, p := range slices.Sorted(maps.Keys(sum.weight)) {
		if w := sum.weight[p]; w != 0 {
			terms = append(terms, term{s.order.level[p], w})
		}
	}
	slices.SortFunc(terms, func(a, b term) int { return int(a.level) - int(b.level) })
	// least[i] and most[i] bound what the terms from i on add.
	least, most := make([]int64, len(terms)+1), make([]int64, len(terms)+1)
	for i := len(terms) - 1; i >= 0; i-- {
		least[i] = least[i+1] + min(terms[i].weight, 0)
		most[i] = most[i+1] + max(terms[i].weight, 0)
	}
	if new(big.Int).Add(sum.constant, big.NewInt(most[0])).Sign() <= 0 {
		return full, nil
	}
	if new(big.Int).Add(sum.constant, big.NewInt(least[0])).Sign() > 0 {
		return none, nil
	}
	type state struct {
		i     int
		total int64
	}
	memo := map[state]node{}
	var build func(i int, total int64) (node, error)
	build = func(i int, total int64) (node, error) {
		switch {
		case total+most[i] <= 0:
			return full, nil
		case total+least[i] > 0:
			return none, nil
		}
		if n, ok := memo[state{i, total}]; ok {
			return n, nil
		}
		if len(memo) > maxCounter {
			return none, errTooLarge
		}
		lo, err := build(i+1, total)
		if err != nil {
			return none, err
		}
		hi, err := build(i+1, total+terms[i].weight)
		if err != nil {
			return none, err
		}
		n := s.node(terms[i].level, lo, hi)
		memo[state{i, total}] = n
		return n, nil
	}
	// The constant lies between -most and -least here, hence fits.
	return build(0, sum.constant.Int64())
}
