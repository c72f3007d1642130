package naive

import (
	"fmt"
	"math/big"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
)

// Sat returns the markings of the naive graph where a CTL formula holds, each
// operator by its own definition on maximal paths.
func (g *Graph) Sat(f formula.Formula) []bool {
	switch f := f.(type) {
	case *formula.ExistsPath:
		return g.path(f.F, func(i int, z []bool) bool {
			return slices.ContainsFunc(g.Next[i], func(e Edge) bool { return z[e.To] })
		}, true)
	case *formula.AllPaths:
		return g.path(f.F, func(i int, z []bool) bool {
			return !slices.ContainsFunc(g.Next[i], func(e Edge) bool { return !z[e.To] })
		}, false)
	}
	out := make([]bool, len(g.Markings))
	switch f := f.(type) {
	case *formula.Not:
		for i, v := range g.Sat(f.F) {
			out[i] = !v
		}
	case *formula.And:
		for i := range out {
			out[i] = true
		}
		for _, part := range f.Fs {
			for i, v := range g.Sat(part) {
				out[i] = out[i] && v
			}
		}
	case *formula.Or:
		for _, part := range f.Fs {
			for i, v := range g.Sat(part) {
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

// path evaluates a temporal operator; step reports whether some (or all)
// successors are in a set.
func (g *Graph) path(op formula.Formula, step func(int, []bool) bool, some bool) []bool {
	z := make([]bool, len(g.Markings))
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
	dead := func(i int) bool { return len(g.Next[i]) == 0 }
	switch op := op.(type) {
	case *formula.Next:
		f := g.Sat(op.F)
		for i := range z {
			z[i] = step(i, f)
		}
		return z
	case *formula.Finally:
		f := g.Sat(op.F)
		return fix(false, func(i int) bool { return f[i] || !dead(i) && step(i, z) })
	case *formula.Globally:
		f := g.Sat(op.F)
		return fix(true, func(i int) bool { return f[i] && (dead(i) || step(i, z)) })
	case *formula.Until:
		f, r := g.Sat(op.Before), g.Sat(op.Reach)
		return fix(false, func(i int) bool { return r[i] || f[i] && !dead(i) && step(i, z) })
	}
	panic(fmt.Sprintf("%T", op))
}

func (g *Graph) atom(f formula.Formula, i int) bool {
	switch f := f.(type) {
	case *formula.Constant:
		return f.Value
	case *formula.Deadlock:
		return len(g.Next[i]) == 0
	case *formula.Fireable:
		return slices.ContainsFunc(g.Next[i], func(e Edge) bool {
			return slices.Contains(f.Transitions, g.net.Transitions.At(e.Transition))
		})
	case *formula.LessEqual:
		return g.integer(f.Left, i).Cmp(g.integer(f.Right, i)) <= 0
	}
	panic(fmt.Sprintf("%T", f))
}

// integer is exact, however large the numbers are.
func (g *Graph) integer(x formula.Integer, i int) *big.Int {
	n := new(big.Int)
	switch x := x.(type) {
	case *formula.Number:
		return n.SetUint64(x.N)
	case *formula.TokensCount:
		for _, id := range x.Places {
			p, _ := g.net.Places.Find(id)
			n.Add(n, new(big.Int).SetUint64(g.Markings[i][p]))
		}
	case *formula.Sum:
		for _, term := range x.Terms {
			n.Add(n, g.integer(term, i))
		}
	case *formula.Difference:
		n.Set(g.integer(x.Terms[0], i))
		for _, term := range x.Terms[1:] {
			n.Sub(n, g.integer(term, i))
		}
	default:
		panic(fmt.Sprintf("%T", x))
	}
	return n
}

// UpperBound is the largest sum over the places of a net with small numbers.
func (g *Graph) UpperBound(places []string) int { return int(g.most(places).Int64()) }

func (g *Graph) most(places []string) *big.Int {
	most := new(big.Int)
	for i := range g.Markings {
		if n := g.integer(&formula.TokensCount{Places: places}, i); n.Cmp(most) > 0 {
			most = n
		}
	}
	return most
}

// Reach returns the markings that can be reached from marking i.
func (g *Graph) Reach(i int) []bool {
	seen := make([]bool, len(g.Markings))
	seen[i] = true
	for work := []int{i}; len(work) > 0; {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.Next[j] {
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return seen
}

// Global decides a global property by its definition.
func (g *Graph) Global(exam examinations.ID) bool {
	transitions := g.net.Transitions.Len()
	switch exam {
	case examinations.ReachabilityDeadlock:
		return slices.ContainsFunc(g.Next, func(row []Edge) bool { return len(row) == 0 })
	case examinations.OneSafe:
		most, _ := g.Tokens()
		return most <= 1
	case examinations.StableMarking:
		for p, n := range g.net.Initial {
			if !slices.ContainsFunc(g.Markings, func(m []uint64) bool { return m[p] != n }) {
				return true
			}
		}
		return false
	case examinations.QuasiLiveness:
		return len(g.FiredFrom(0)) == transitions
	case examinations.Liveness:
		for i := range g.Markings {
			if len(g.FiredFrom(i)) != transitions {
				return false
			}
		}
		return true
	}
	panic(exam)
}

// FiredFrom returns the transitions that can fire at some time after marking i.
func (g *Graph) FiredFrom(i int) map[int]bool {
	fired := map[int]bool{}
	for j, in := range g.Reach(i) {
		for _, e := range g.Next[j] {
			if in {
				fired[e.Transition] = true
			}
		}
	}
	return fired
}
