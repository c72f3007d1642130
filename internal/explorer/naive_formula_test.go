package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
)

// sat gives the markings of the naive graph where a CTL formula holds, each
// operator by its own definition on maximal paths.
func (g *naive) sat(f formula.Formula) []bool {
	switch f := f.(type) {
	case *formula.ExistsPath:
		return g.path(f.F, func(i int, z []bool) bool {
			return slices.ContainsFunc(g.next[i], func(e naiveEdge) bool { return z[e.to] })
		}, true)
	case *formula.AllPaths:
		return g.path(f.F, func(i int, z []bool) bool {
			return !slices.ContainsFunc(g.next[i], func(e naiveEdge) bool { return !z[e.to] })
		}, false)
	}
	out := make([]bool, len(g.markings))
	switch f := f.(type) {
	case *formula.Not:
		for i, v := range g.sat(f.F) {
			out[i] = !v
		}
	case *formula.And:
		for i := range out {
			out[i] = true
		}
		for _, part := range f.Fs {
			for i, v := range g.sat(part) {
				out[i] = out[i] && v
			}
		}
	case *formula.Or:
		for _, part := range f.Fs {
			for i, v := range g.sat(part) {
				out[i] = out[i] || v
			}
		}
	default:
		for i := range out {
			out[i] = g.atom(f, i)
		}
	}
	return out
}

// path evaluates a temporal operator; step tells whether some (or all)
// successors are in a set.
func (g *naive) path(op formula.Formula, step func(int, []bool) bool, some bool) []bool {
	z := make([]bool, len(g.markings))
	fix := func(start bool, f func(i int) bool) []bool {
		for i := range z {
			z[i] = start
		}
		for changed := true; changed; {
			changed = false
			for i := range z {
				if v := f(i); v != z[i] {
					z[i], changed = v, true
				}
			}
		}
		return z
	}
	dead := func(i int) bool { return len(g.next[i]) == 0 }
	switch op := op.(type) {
	case *formula.Next:
		f := g.sat(op.F)
		for i := range z {
			z[i] = step(i, f)
		}
		return z
	case *formula.Finally:
		f := g.sat(op.F)
		return fix(false, func(i int) bool { return f[i] || !dead(i) && step(i, z) })
	case *formula.Globally:
		f := g.sat(op.F)
		return fix(true, func(i int) bool { return f[i] && (dead(i) || step(i, z)) })
	case *formula.Until:
		f, r := g.sat(op.Before), g.sat(op.Reach)
		return fix(false, func(i int) bool { return r[i] || f[i] && !dead(i) && step(i, z) })
	}
	panic(fmt.Sprintf("%T", op))
}

func (g *naive) atom(f formula.Formula, i int) bool {
	switch f := f.(type) {
	case *formula.Constant:
		return f.Value
	case *formula.Deadlock:
		return len(g.next[i]) == 0
	case *formula.Fireable:
		return slices.ContainsFunc(g.next[i], func(e naiveEdge) bool {
			return slices.Contains(f.Transitions, g.net.Transitions.At(e.transition))
		})
	case *formula.LessEqual:
		return g.integer(f.Left, i) <= g.integer(f.Right, i)
	}
	panic(fmt.Sprintf("%T", f))
}

func (g *naive) integer(x formula.Integer, i int) int {
	switch x := x.(type) {
	case *formula.Number:
		return int(x.N)
	case *formula.TokensCount:
		n := 0
		for _, id := range x.Places {
			p, _ := g.net.Places.Find(id)
			n += int(g.markings[i][p])
		}
		return n
	case *formula.Sum:
		n := 0
		for _, term := range x.Terms {
			n += g.integer(term, i)
		}
		return n
	case *formula.Difference:
		n := g.integer(x.Terms[0], i)
		for _, term := range x.Terms[1:] {
			n -= g.integer(term, i)
		}
		return n
	}
	panic(fmt.Sprintf("%T", x))
}

// upperBound is the largest sum over the places.
func (g *naive) upperBound(places []string) (most int) {
	for i := range g.markings {
		most = max(most, g.integer(&formula.TokensCount{Places: places}, i))
	}
	return most
}

// reach gives the markings that can be reached from marking i.
func (g *naive) reach(i int) []bool {
	seen := make([]bool, len(g.markings))
	seen[i] = true
	for work := []int{i}; len(work) > 0; {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.next[j] {
			if !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	return seen
}

// global decides a global property by its definition.
func (g *naive) global(exam examinations.ID) bool {
	transitions := g.net.Transitions.Len()
	switch exam {
	case examinations.ReachabilityDeadlock:
		return slices.ContainsFunc(g.next, func(row []naiveEdge) bool { return len(row) == 0 })
	case examinations.OneSafe:
		most, _ := g.tokens()
		return most <= 1
	case examinations.StableMarking:
		for p, n := range g.net.Initial {
			if !slices.ContainsFunc(g.markings, func(m []uint64) bool { return m[p] != n }) {
				return true
			}
		}
		return false
	case examinations.QuasiLiveness:
		return len(g.firedFrom(0)) == transitions
	case examinations.Liveness:
		for i := range g.markings {
			if len(g.firedFrom(i)) != transitions {
				return false
			}
		}
		return true
	}
	panic(exam)
}

func (g *naive) firedFrom(i int) map[int]bool {
	fired := map[int]bool{}
	for j, in := range g.reach(i) {
		for _, e := range g.next[j] {
			if in {
				fired[e.transition] = true
			}
		}
	}
	return fired
}

// randomFormula makes CTL formulas, and reachability formulas among them.
type randomFormula struct {
	rng                 *rand.Rand
	places, transitions []string
}

func newRandomFormula(rng *rand.Rand, g *naive) *randomFormula {
	r := &randomFormula{rng: rng}
	for p := range g.net.Places.Len() {
		r.places = append(r.places, g.net.Places.At(p))
	}
	for t := range g.net.Transitions.Len() {
		r.transitions = append(r.transitions, g.net.Transitions.At(t))
	}
	return r
}

func (r *randomFormula) some(ids []string) []string {
	out := []string{ids[r.rng.IntN(len(ids))]}
	if r.rng.IntN(3) == 0 {
		if other := ids[r.rng.IntN(len(ids))]; other != out[0] {
			out = append(out, other)
		}
	}
	return out
}

func (r *randomFormula) integer() formula.Integer {
	switch r.rng.IntN(7) {
	case 0, 1:
		return &formula.Number{N: uint64(r.rng.IntN(4))}
	case 2:
		return &formula.Sum{Terms: []formula.Integer{r.integer(), r.integer()}}
	case 3:
		return &formula.Difference{Terms: []formula.Integer{r.integer(), r.integer()}}
	}
	return &formula.TokensCount{Places: r.some(r.places)}
}

func (r *randomFormula) atom() formula.Formula {
	switch n := r.rng.IntN(10); {
	case n == 0:
		return &formula.Deadlock{}
	case n == 1:
		return &formula.Constant{Value: r.rng.IntN(2) == 0}
	case n < 5 && len(r.transitions) > 0:
		return &formula.Fireable{Transitions: r.some(r.transitions)}
	}
	return &formula.LessEqual{Left: r.integer(), Right: r.integer()}
}

// connect applies a connective to formulas made by sub.
func (r *randomFormula) connect(sub func() formula.Formula) formula.Formula {
	switch r.rng.IntN(3) {
	case 0:
		return &formula.Not{F: sub()}
	case 1:
		return &formula.And{Fs: []formula.Formula{sub(), sub()}}
	}
	return &formula.Or{Fs: []formula.Formula{sub(), sub()}}
}

func (r *randomFormula) state(depth int) formula.Formula {
	if depth == 0 || r.rng.IntN(3) == 0 {
		return r.atom()
	}
	return r.connect(func() formula.Formula { return r.state(depth - 1) })
}

func (r *randomFormula) ctl(depth int) formula.Formula {
	if depth == 0 {
		return r.state(1)
	}
	sub := func() formula.Formula { return r.ctl(depth - 1) }
	if r.rng.IntN(3) == 0 {
		return r.connect(sub)
	}
	path := r.temporal(sub)
	if r.rng.IntN(2) == 0 {
		return &formula.AllPaths{F: path}
	}
	return &formula.ExistsPath{F: path}
}

func (r *randomFormula) temporal(sub func() formula.Formula) formula.Formula {
	switch r.rng.IntN(4) {
	case 0:
		return &formula.Next{F: sub()}
	case 1:
		return &formula.Finally{F: sub()}
	case 2:
		return &formula.Globally{F: sub()}
	}
	return &formula.Until{Before: sub(), Reach: sub()}
}
