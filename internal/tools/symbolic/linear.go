package symbolic

import (
	"errors"
	"maps"
	"math/big"
	"podium/internal/tools/engine"
	"slices"
)

// maxCounter limits the nodes of the diagram of one comparison.
const maxCounter = 1 << 22

var errTooLarge = errors.New("a comparison of token counts is too large")

// atMostZero is the set of the markings in which the sum is not positive: a
// diagram that counts down the levels of its places, cut off where the rest can
// no longer change the answer.
func (s *space) atMostZero(sum engine.Linear) (node, error) {
	type term struct {
		level  uint32
		weight int64
	}
	var terms []term
	for _, p := range slices.Sorted(maps.Keys(sum.Weights)) {
		if w := sum.Weights[p]; w != 0 {
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
	if new(big.Int).Add(sum.Constant, big.NewInt(most[0])).Sign() <= 0 {
		return full, nil
	}
	if new(big.Int).Add(sum.Constant, big.NewInt(least[0])).Sign() > 0 {
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
	return build(0, sum.Constant.Int64())
}
