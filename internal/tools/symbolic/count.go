package symbolic

import (
	"math"
	"math/big"
)

// countStates is the number of reachable markings.
func (s *space) countStates() *big.Int {
	return s.count(s.states, 0, map[node]*big.Int{})
}

// count is the number of assignments of the levels from k on that lie in n.
func (s *space) count(n node, k uint32, memo map[node]*big.Int) *big.Int {
	if n == none {
		return new(big.Int)
	}
	level := s.branch(n).level
	below, ok := memo[n]
	if !ok {
		below = big.NewInt(1)
		if n != full {
			b := s.branch(n)
			below = new(big.Int).Add(s.count(b.lo, level+1, memo), s.count(b.hi, level+1, memo))
		}
		memo[n] = below
	}
	return new(big.Int).Lsh(below, uint(level-k))
}

// countEdges is the number of pairs of a reachable marking and a transition
// that it enables: at every node, the ways down to it times the ways on that
// enable an event beginning at its level.
func (s *space) countEdges() *big.Int {
	total := new(big.Int)
	below := map[node]*big.Int{}
	for _, e := range s.enabled.events {
		if len(e.steps) == 0 {
			total.Add(total, s.count(s.states, 0, below))
		}
	}
	nodes, ways := []node{s.states}, map[node]*big.Int{s.states: big.NewInt(1)}
	for k := range s.levels {
		for _, i := range s.enabled.at[k] {
			memo := map[node]*big.Int{}
			for _, n := range nodes {
				on := s.countMeeting(s.enabled.events[i].steps, n, k, memo, below)
				total.Add(total, on.Mul(on, ways[n]))
			}
		}
		nodes, ways = s.nextWays(k, nodes, ways)
		s.check()
	}
	return total
}

// nextWays goes from the nodes seen at level k to those seen at the next one.
func (s *space) nextWays(k uint32, nodes []node, ways map[node]*big.Int) ([]node, map[node]*big.Int) {
	var next []node
	sums := map[node]*big.Int{}
	for _, n := range nodes {
		lo, hi := s.sides(n, k)
		for _, c := range [2]node{lo, hi} {
			if c == none {
				continue
			}
			if sums[c] == nil {
				sums[c] = new(big.Int)
				next = append(next, c)
			}
			sums[c].Add(sums[c], ways[n])
		}
	}
	return next, sums
}

// countMeeting is the number of assignments of the levels from k on that lie in
// n and have what the steps ask. All steps lie at level k or below; memo
// belongs to the steps, by node at the level where it is looked up, which is
// its own or that of the first step.
func (s *space) countMeeting(steps []step, n node, k uint32, memo, below map[node]*big.Int) *big.Int {
	if n == none {
		return new(big.Int)
	}
	if len(steps) == 0 {
		return s.count(n, k, below)
	}
	at := min(steps[0].level, s.branch(n).level)
	lo, hi := s.sides(n, at)
	var res *big.Int
	switch {
	case at == steps[0].level:
		// Not remembered: the same node may be met with more steps to go.
		res = s.countMeeting(steps[1:], [2]node{lo, hi}[steps[0].from], at+1, memo, below)
	case memo[n] != nil:
		res = new(big.Int).Set(memo[n])
	default:
		res = s.countMeeting(steps, lo, at+1, memo, below)
		res.Add(res, s.countMeeting(steps, hi, at+1, memo, below))
		memo[n] = new(big.Int).Set(res)
	}
	return res.Lsh(res, uint(at-k))
}

// smallest is the least sum over a reachable marking of the weights of its marked
// levels.
func (s *space) smallest(weights []int64) int64 {
	opposite := make([]int64, len(weights))
	for k, w := range weights {
		opposite[k] = -w
	}
	return -s.largest(opposite)
}

// weights gives weight 1 to the levels of places, and 0 to others.
func (s *space) weights(places ...uint32) []int64 {
	weights := make([]int64, s.levels)
	for _, p := range places {
		weights[s.order.level[p]] = 1
	}
	return weights
}

// largest is the greatest sum over a reachable marking of the weights of its
// marked levels.
func (s *space) largest(weights []int64) int64 {
	skipped := make([]int64, len(weights)+1) // sums of weights from a level on
	for k := len(weights) - 1; k >= 0; k-- {
		skipped[k] = skipped[k+1] + max(weights[k], 0)
	}
	memo := map[node]int64{}
	var best func(n node) int64
	from := func(n node, k uint32) int64 {
		return skipped[k] - skipped[s.branch(n).level] + best(n)
	}
	best = func(n node) int64 {
		if n == full {
			return 0
		}
		if b, ok := memo[n]; ok {
			return b
		}
		b := s.branch(n)
		most := int64(math.MinInt64)
		if b.lo != none {
			most = from(b.lo, b.level+1)
		}
		if b.hi != none {
			most = max(most, from(b.hi, b.level+1)+weights[b.level])
		}
		memo[n] = most
		return most
	}
	return from(s.states, 0)
}
