package symbolic_test

import (
	"fmt"
	"math/rand/v2"

	"podium/examinations/formula"
	"podium/pnml"
)

// safeNet synchronises a few state machines with one token each: every such
// net is one-safe.
func safeNet(r *rand.Rand) *pnml.Net {
	var b pnml.Builder
	machines := make([][]int, 1+r.IntN(3))
	for m := range machines {
		size := 1 + r.IntN(3)
		for i := range size {
			tokens := uint64(0)
			if i == 0 {
				tokens = 1
			}
			machines[m] = append(machines[m], b.Place(fmt.Sprintf("p%d_%d", m, i), tokens))
		}
	}
	for t := range 1 + r.IntN(7) {
		x := b.Transition(fmt.Sprintf("t%d", t))
		for _, m := range r.Perm(len(machines))[:1+r.IntN(min(2, len(machines)))] {
			b.In(machines[m][r.IntN(len(machines[m]))], x, 1)
			b.Out(x, machines[m][r.IntN(len(machines[m]))], 1)
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// wildNet has random arcs, now and then with weights, and may be anything.
func wildNet(r *rand.Rand) *pnml.Net {
	var b pnml.Builder
	places := make([]int, 1+r.IntN(6))
	for p := range places {
		places[p] = b.Place(fmt.Sprintf("p%d", p), uint64(r.IntN(7)/5+r.IntN(2)))
	}
	for t := range 1 + r.IntN(6) {
		x := b.Transition(fmt.Sprintf("t%d", t))
		for range 1 + r.IntN(2) {
			b.In(places[r.IntN(len(places))], x, uint64(1+r.IntN(8)/7))
		}
		for range r.IntN(3) {
			b.Out(x, places[r.IntN(len(places))], uint64(1+r.IntN(8)/7))
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// formulas makes random formulas over a net.
type formulas struct {
	*rand.Rand
	net *pnml.Net
}

func (f formulas) some(names *pnml.Names) []string {
	var ids []string
	for range 1 + f.IntN(2) {
		ids = append(ids, names.At(f.IntN(names.Len())))
	}
	if len(ids) == 2 && ids[0] == ids[1] {
		ids = ids[:1]
	}
	return ids
}

func (f formulas) integer(depth int) formula.Integer {
	switch k := f.IntN(8); {
	case k < 3:
		return &formula.Number{N: uint64(f.IntN(3))}
	case k == 6 && depth > 0:
		return &formula.Sum{Terms: []formula.Integer{f.integer(depth - 1), f.integer(depth - 1)}}
	case k == 7 && depth > 0:
		return &formula.Difference{Terms: []formula.Integer{f.integer(depth - 1), f.integer(depth - 1), f.integer(0)}}
	}
	return &formula.TokensCount{Places: f.some(&f.net.Places)}
}

func (f formulas) atom() formula.Formula {
	switch f.IntN(12) {
	case 0:
		return &formula.Deadlock{}
	case 1:
		return &formula.Constant{Value: f.IntN(2) == 0}
	case 2, 3, 4, 5:
		return &formula.Fireable{Transitions: f.some(&f.net.Transitions)}
	}
	return &formula.LessEqual{Left: f.integer(2), Right: f.integer(2)}
}

// state makes a state formula; paths reports whether it may hold path quantifiers.
func (f formulas) state(depth int, paths bool) formula.Formula {
	if depth == 0 {
		return f.atom()
	}
	kinds := 4
	if paths {
		kinds = 8
	}
	switch f.IntN(kinds) {
	case 0:
		return f.atom()
	case 1:
		return &formula.Not{F: f.state(depth-1, paths)}
	case 2:
		return &formula.And{Fs: []formula.Formula{f.state(depth-1, paths), f.state(depth-1, paths)}}
	case 3:
		return &formula.Or{Fs: []formula.Formula{f.state(depth-1, paths), f.state(depth-1, paths), f.atom()}}
	}
	return f.quantified(depth)
}

func (f formulas) quantified(depth int) formula.Formula {
	var path formula.Formula
	switch f.IntN(4) {
	case 0:
		path = &formula.Next{F: f.state(depth-1, true)}
	case 1:
		path = &formula.Globally{F: f.state(depth-1, true)}
	case 2:
		path = &formula.Finally{F: f.state(depth-1, true)}
	default:
		path = &formula.Until{Before: f.state(depth-1, true), Reach: f.state(depth-1, true)}
	}
	if f.IntN(2) == 0 {
		return &formula.AllPaths{F: path}
	}
	return &formula.ExistsPath{F: path}
}

// reachability makes EF or AG of a formula without paths.
func (f formulas) reachability() formula.Formula {
	if inner := f.state(2, false); f.IntN(2) == 0 {
		return &formula.ExistsPath{F: &formula.Finally{F: inner}}
	} else {
		return &formula.AllPaths{F: &formula.Globally{F: inner}}
	}
}

// linear makes an LTL formula with few temporal operators.
func (f formulas) linear(depth int) formula.Formula {
	if depth == 0 {
		return f.atom()
	}
	switch f.IntN(7) {
	case 0:
		return &formula.Next{F: f.linear(depth - 1)}
	case 1, 2:
		return &formula.Globally{F: f.linear(depth - 1)}
	case 3, 4:
		return &formula.Finally{F: f.linear(depth - 1)}
	case 5:
		return &formula.Until{Before: f.linear(depth - 1), Reach: f.linear(0)}
	}
	return &formula.Or{Fs: []formula.Formula{&formula.Not{F: f.linear(depth - 1)}, f.linear(0)}}
}
