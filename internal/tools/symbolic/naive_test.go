package symbolic_test

import (
	"fmt"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/pnml"
)

// graph is a reachability graph built in the plainest way: the measure of what
// the engines answer.
type graph struct {
	net      *pnml.Net
	markings [][]uint64
	next     [][]int // successors, one per labelled edge
	fired    [][]int // the transitions of these edges
}

// enumerate builds the graph, or gives nil when there are more markings than
// the limit.
func enumerate(net *pnml.Net, limit int) *graph {
	g := &graph{net: net}
	index := map[string]int{}
	add := func(m []uint64) int {
		key := fmt.Sprint(m)
		if i, ok := index[key]; ok {
			return i
		}
		index[key] = len(g.markings)
		g.markings = append(g.markings, m)
		return len(g.markings) - 1
	}
	add(slices.Clone(net.Initial))
	for i := 0; i < len(g.markings); i++ {
		if len(g.markings) > limit {
			return nil
		}
		var next, fired []int
		for t := range net.Transitions.Len() {
			if !g.enables(i, t) {
				continue
			}
			m := slices.Clone(g.markings[i])
			for k := net.Pre.Start[t]; k < net.Pre.Start[t+1]; k++ {
				m[net.Pre.Place[k]] -= net.Pre.WeightAt(k)
			}
			for k := net.Post.Start[t]; k < net.Post.Start[t+1]; k++ {
				m[net.Post.Place[k]] += net.Post.WeightAt(k)
			}
			next = append(next, add(m))
			fired = append(fired, t)
		}
		g.next = append(g.next, next)
		g.fired = append(g.fired, fired)
	}
	return g
}

func (g *graph) enables(i, t int) bool {
	for k := g.net.Pre.Start[t]; k < g.net.Pre.Start[t+1]; k++ {
		if g.markings[i][g.net.Pre.Place[k]] < g.net.Pre.WeightAt(k) {
			return false
		}
	}
	return true
}

// from returns the markings reachable from marking i.
func (g *graph) from(i int) []int {
	seen := map[int]bool{i: true}
	list := []int{i}
	for k := 0; k < len(list); k++ {
		for _, j := range g.next[list[k]] {
			if !seen[j] {
				seen[j] = true
				list = append(list, j)
			}
		}
	}
	return list
}

// answers returns all values of an examination without formulas.
func (g *graph) answers(exam examinations.ID) map[string]string {
	truth := func(b bool) map[string]string {
		return map[string]string{string(exam): examinations.Truth(b).Text}
	}
	most, edges, largest := uint64(0), 0, uint64(0)
	deadlock, stable := false, false
	fires := make([]bool, g.net.Transitions.Len())
	for i, m := range g.markings {
		sum := uint64(0)
		for _, x := range m {
			sum += x
			most = max(most, x)
		}
		largest = max(largest, sum)
		edges += len(g.next[i])
		deadlock = deadlock || len(g.next[i]) == 0
		for _, t := range g.fired[i] {
			fires[t] = true
		}
	}
	for p := range g.net.Initial {
		changes := slices.ContainsFunc(g.markings, func(m []uint64) bool { return m[p] != g.net.Initial[p] })
		stable = stable || !changes
	}
	switch exam {
	case examinations.StateSpace:
		return map[string]string{"STATES": fmt.Sprint(len(g.markings)), "TRANSITIONS": fmt.Sprint(edges),
			"MAX_TOKEN_IN_PLACE": fmt.Sprint(most), "MAX_TOKEN_PER_MARKING": fmt.Sprint(largest)}
	case examinations.OneSafe:
		return truth(most <= 1)
	case examinations.ReachabilityDeadlock:
		return truth(deadlock)
	case examinations.StableMarking:
		return truth(stable)
	case examinations.QuasiLiveness:
		return truth(!slices.Contains(fires, false))
	}
	return truth(g.live())
}

func (g *graph) live() bool {
	for i := range g.markings {
		reach := g.from(i)
		for t := range g.net.Transitions.Len() {
			if !slices.ContainsFunc(reach, func(j int) bool { return g.enables(j, t) }) {
				return false
			}
		}
	}
	return true
}

func (g *graph) bound(ids []string) uint64 {
	most := uint64(0)
	for i := range g.markings {
		most = max(most, uint64(g.tokens(i, ids)))
	}
	return most
}

func (g *graph) tokens(i int, ids []string) int64 {
	sum := int64(0)
	for _, id := range ids {
		p, _ := g.net.Places.Find(id)
		sum += int64(g.markings[i][p])
	}
	return sum
}

func (g *graph) integer(i int, e formula.Integer) int64 {
	switch e := e.(type) {
	case *formula.Number:
		return int64(e.N)
	case *formula.TokensCount:
		return g.tokens(i, e.Places)
	case *formula.Sum:
		sum := int64(0)
		for _, t := range e.Terms {
			sum += g.integer(i, t)
		}
		return sum
	case *formula.Difference:
		sum := g.integer(i, e.Terms[0])
		for _, t := range e.Terms[1:] {
			sum -= g.integer(i, t)
		}
		return sum
	}
	panic(fmt.Sprintf("%T", e))
}

// ctl returns the truth of a state formula in every marking.
func (g *graph) ctl(f formula.Formula) []bool {
	switch f := f.(type) {
	case *formula.Constant:
		return g.each(func(int) bool { return f.Value })
	case *formula.Deadlock:
		return g.each(func(i int) bool { return len(g.next[i]) == 0 })
	case *formula.Fireable:
		return g.each(func(i int) bool {
			return slices.ContainsFunc(f.Transitions, func(id string) bool {
				t, _ := g.net.Transitions.Find(id)
				return g.enables(i, t)
			})
		})
	case *formula.LessEqual:
		return g.each(func(i int) bool { return g.integer(i, f.Left) <= g.integer(i, f.Right) })
	case *formula.Not:
		sub := g.ctl(f.F)
		return g.each(func(i int) bool { return !sub[i] })
	case *formula.And:
		res := g.each(func(int) bool { return true })
		for _, x := range f.Fs {
			sub := g.ctl(x)
			res = g.each(func(i int) bool { return res[i] && sub[i] })
		}
		return res
	case *formula.Or:
		res := g.each(func(int) bool { return false })
		for _, x := range f.Fs {
			sub := g.ctl(x)
			res = g.each(func(i int) bool { return res[i] || sub[i] })
		}
		return res
	case *formula.ExistsPath:
		return g.path(f.F, false)
	case *formula.AllPaths:
		return g.path(f.F, true)
	}
	panic(fmt.Sprintf("%T", f))
}

func (g *graph) each(f func(i int) bool) []bool {
	res := make([]bool, len(g.markings))
	for i := range res {
		res[i] = f(i)
	}
	return res
}

// path evaluates a quantified path formula by iterating its expansion law:
// least for F and U, greatest for G. In a dead marking X fails for E and holds
// for A, and the others are judged on the marking alone.
func (g *graph) path(f formula.Formula, all bool) []bool {
	next := func(set []bool, i int) bool {
		if all {
			return !slices.ContainsFunc(g.next[i], func(j int) bool { return !set[j] })
		}
		return slices.ContainsFunc(g.next[i], func(j int) bool { return set[j] })
	}
	on := func(set []bool, i int) bool { return len(g.next[i]) > 0 && next(set, i) }
	fixpoint := func(start bool, law func(set []bool, i int) bool) []bool {
		set := g.each(func(int) bool { return start })
		for {
			grown := g.each(func(i int) bool { return law(set, i) })
			if slices.Equal(grown, set) {
				return set
			}
			set = grown
		}
	}
	switch f := f.(type) {
	case *formula.Next:
		sub := g.ctl(f.F)
		return g.each(func(i int) bool { return next(sub, i) })
	case *formula.Finally:
		sub := g.ctl(f.F)
		return fixpoint(false, func(set []bool, i int) bool { return sub[i] || on(set, i) })
	case *formula.Globally:
		sub := g.ctl(f.F)
		return fixpoint(true, func(set []bool, i int) bool { return sub[i] && (len(g.next[i]) == 0 || on(set, i)) })
	case *formula.Until:
		before, reach := g.ctl(f.Before), g.ctl(f.Reach)
		return fixpoint(false, func(set []bool, i int) bool { return reach[i] || before[i] && on(set, i) })
	}
	panic(fmt.Sprintf("%T", f))
}
