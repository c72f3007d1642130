package diagram

import (
	"math/big"
	"slices"
)

// flat is the nodes of the space in a row, level by level from the top.
type flat struct {
	nodes []Node
	from  []int // level to its first node; one more than levels
	index map[Node]int
	below []*big.Int // markings below a node
	above []*big.Int // ways from the top to it
}

func (s *Space) flat() *flat {
	if s.all != nil {
		return s.all
	}
	f := &flat{index: map[Node]int{}, from: make([]int, len(s.order)+1)}
	f.nodes, f.index[s.states] = []Node{s.states}, 0
	for level := range s.order {
		f.from[level+1] = len(f.nodes)
		for i := f.from[level]; i < f.from[level+1]; i++ {
			w := s.words(f.nodes[i])
			s.clock.Work(16 * len(w))
			for k := 3; k < len(w); k += 2 {
				n := Node(w[k])
				if _, ok := f.index[n]; !ok && n != end {
					f.index[n] = len(f.nodes)
					f.nodes = append(f.nodes, n)
				}
			}
		}
	}
	one := big.NewInt(1)
	f.below, f.above = make([]*big.Int, len(f.nodes)), make([]*big.Int, len(f.nodes))
	for i, n := range slices.Backward(f.nodes) {
		sum := new(big.Int)
		for _, to := range s.edgesOf(n) {
			if to == end {
				sum.Add(sum, one)
			} else {
				sum.Add(sum, f.below[f.index[to]])
			}
		}
		f.below[i] = sum
	}
	for i := range f.above {
		f.above[i] = new(big.Int)
	}
	f.above[0].Set(one)
	for i, n := range f.nodes {
		for _, to := range s.edgesOf(n) {
			if to != end {
				sum := f.above[f.index[to]]
				sum.Add(sum, f.above[i])
			}
		}
	}
	s.all = f
	return f
}

// edgesOf goes through the edges of a node.
func (s *Space) edgesOf(n Node) func(yield func(tokens uint32, to Node) bool) {
	w := s.words(n)
	s.clock.Work(16 * len(w))
	return func(yield func(uint32, Node) bool) {
		for k := 2; k < len(w); k += 2 {
			if !yield(w[k], Node(w[k+1])) {
				return
			}
		}
	}
}

// countFirings counts the firings in all reachable markings.
func (s *Space) countFirings() *big.Int {
	f := s.flat()
	firings := new(big.Int)
	for _, number := range s.takes {
		firings.Add(firings, s.countEnabled(f, number))
	}
	return firings
}

// countEnabled counts the markings that have what a tail takes.
func (s *Space) countEnabled(f *flat, number uint32) *big.Int {
	sum := new(big.Int)
	if number == 0 {
		return sum.Set(f.below[0])
	}
	known := map[Node]*big.Int{}
	var count func(number uint32, n Node) *big.Int
	count = func(number uint32, n Node) *big.Int {
		if n == end {
			return big.NewInt(1)
		}
		if number == 0 {
			return f.below[f.index[n]]
		}
		if found := known[n]; found != nil {
			return found // of a level, all are asked with one tail
		}
		t, sum := s.tails.list[number], new(big.Int)
		for tokens, to := range s.edgesOf(n) {
			switch {
			case t.level != s.words(n)[0]:
				sum.Add(sum, count(number, to))
			case tokens >= t.takes:
				sum.Add(sum, count(t.next, to))
			}
		}
		known[n] = sum
		return sum
	}
	level, part := s.tails.list[number].level, new(big.Int)
	for i := f.from[level]; i < f.from[level+1]; i++ {
		sum.Add(sum, part.Mul(f.above[i], count(number, f.nodes[i])))
	}
	return sum
}

// bound returns the largest sum of the tokens of some places, or with least the smallest.
func (s *Space) bound(places []uint32, least bool) uint64 {
	counts := make([]bool, len(s.order))
	for _, p := range places {
		counts[s.levelOf[p]] = true
	}
	f := s.flat()
	best := make([]uint64, len(f.nodes))
	for i, n := range slices.Backward(f.nodes) {
		level, first := s.words(n)[0], true
		for tokens, to := range s.edgesOf(n) {
			sum := uint64(0)
			if to != end {
				sum = best[f.index[to]]
			}
			if counts[level] {
				sum += uint64(tokens)
			}
			if first || least && sum < best[i] || !least && sum > best[i] {
				best[i], first = sum, false
			}
		}
	}
	return best[0]
}
