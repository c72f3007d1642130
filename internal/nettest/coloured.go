package nettest

import (
	"fmt"
	"math/rand/v2"

	"podium/pnml"
)

// Sorts of random coloured nets: three colours in a circle, two, the dot, and pairs.
const (
	circle = iota
	two
	dot
	pair
	circles
)

// RandomColoured makes a small coloured net: inscriptions of every kind that stands for one number
// of tokens, and guards. It may have no bound.
func RandomColoured(rng *rand.Rand) *pnml.Symmetric {
	var b pnml.Builder
	s := &pnml.Symmetric{
		Sorts: []pnml.Sort{
			{ID: "C", Kind: pnml.CyclicSort, Size: 3, Constants: []pnml.Constant{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}, {ID: "c", Name: "c"}}},
			{ID: "R", Kind: pnml.RangeSort, First: 4, Size: 2, Canonical: two},
			{ID: "D", Kind: pnml.DotSort, Size: 1, Canonical: dot},
			{ID: "P", Kind: pnml.ProductSort, Factors: []int{circle, two}, Size: 6, Canonical: pair},
			{ID: "Q", Kind: pnml.ProductSort, Factors: []int{circle, circle}, Size: 9, Canonical: circles},
		},
		Variables: []pnml.Variable{{ID: "x", Sort: circle}, {ID: "y", Sort: circle}, {ID: "z", Sort: two}},
	}
	var colour func(sort int, ground bool) *pnml.Term
	colour = func(sort int, ground bool) *pnml.Term {
		size := s.Sorts[sort].Size
		term := &pnml.Term{Op: pnml.OpConstant, Sort: sort, Value: rng.Uint64N(size)}
		switch {
		case sort == dot:
			return term
		case s.Sorts[sort].Kind == pnml.ProductSort:
			term = &pnml.Term{Op: pnml.OpTuple, Sort: sort}
			for _, f := range s.Sorts[sort].Factors {
				term.Args = append(term.Args, colour(f, ground))
			}
			return term
		case ground || rng.IntN(5) == 0:
		case sort == circle:
			term = &pnml.Term{Op: pnml.OpVariable, Sort: circle, Value: rng.Uint64N(2)}
		default:
			term = &pnml.Term{Op: pnml.OpVariable, Sort: two, Value: 2}
		}
		if rng.IntN(5) == 0 {
			term = &pnml.Term{Op: []pnml.Op{pnml.OpSuccessor, pnml.OpPredecessor}[rng.IntN(2)], Sort: sort, Args: []*pnml.Term{term}}
		}
		return term
	}
	bag := func(sort int, ground bool) *pnml.Term {
		all := &pnml.Term{Op: pnml.OpAll, Sort: sort}
		switch rng.IntN(12) {
		case 0:
			return all
		case 1:
			return &pnml.Term{Op: pnml.OpSubtract, Sort: sort, Args: []*pnml.Term{all, colour(sort, ground)}}
		case 2:
			return &pnml.Term{Op: pnml.OpNumberOf, Sort: sort, Value: rng.Uint64N(3), Args: []*pnml.Term{colour(sort, ground)}}
		case 3:
			return &pnml.Term{Op: pnml.OpAdd, Sort: sort, Args: []*pnml.Term{colour(sort, ground), colour(sort, ground)}}
		}
		term := colour(sort, ground)
		if s.Sorts[sort].Kind == pnml.ProductSort && rng.IntN(8) == 0 {
			k := rng.IntN(2)
			term.Args[k] = &pnml.Term{Op: pnml.OpAll, Sort: s.Sorts[sort].Factors[k]}
		}
		return term
	}
	places := 2 + rng.IntN(3)
	for p := range places {
		b.Place(fmt.Sprintf("p%d", p), 0)
		s.PlaceSort = append(s.PlaceSort, rng.IntN(len(s.Sorts)))
		initial := &pnml.Term{Op: pnml.OpAll, Sort: s.PlaceSort[p]}
		switch rng.IntN(3) {
		case 0:
			initial = nil
		case 1:
			initial = bag(s.PlaceSort[p], true)
		}
		s.Initial = append(s.Initial, initial)
	}
	var guard func(depth int) *pnml.Term
	guard = func(depth int) *pnml.Term {
		term := &pnml.Term{Sort: -1}
		if depth > 0 && rng.IntN(3) == 0 {
			term.Op = []pnml.Op{pnml.OpAnd, pnml.OpOr, pnml.OpImply, pnml.OpNot}[rng.IntN(4)]
			if term.Args = []*pnml.Term{guard(depth - 1)}; term.Op != pnml.OpNot {
				term.Args = append(term.Args, guard(depth-1))
			}
			return term
		}
		if rng.IntN(12) == 0 {
			term.Op = []pnml.Op{pnml.OpTrue, pnml.OpFalse}[rng.IntN(2)]
			return term
		}
		term.Op = []pnml.Op{pnml.OpEqual, pnml.OpUnequal, pnml.OpLess, pnml.OpLessEqual, pnml.OpGreater, pnml.OpGreaterEqual}[rng.IntN(6)]
		sort := rng.IntN(2)
		term.Args = []*pnml.Term{colour(sort, false), colour(sort, rng.IntN(2) == 0)}
		return term
	}
	for k := range 2 + rng.IntN(3) {
		b.Transition(fmt.Sprintf("t%d", k))
		var g *pnml.Term
		if rng.IntN(2) == 0 {
			g = guard(2)
		}
		s.Guards = append(s.Guards, g)
		arcs := func(most int) (list []pnml.ColouredArc) {
			for p := range places {
				if rng.IntN(5) < most {
					list = append(list, pnml.ColouredArc{Place: p, Term: bag(s.PlaceSort[p], false)})
				}
			}
			return list
		}
		s.Pre, s.Post = append(s.Pre, arcs(2)), append(s.Post, arcs(1+rng.IntN(2)))
	}
	net := Build(&b)
	s.Places, s.Transitions = net.Places, net.Transitions
	return s
}
