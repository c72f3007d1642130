package naive

import (
	"slices"

	"podium/examinations/formula"
)

// Word is an infinite run of a naive graph: its markings, and the position to
// which the last one leads back.
type Word struct {
	At   []int
	Loop int
}

// Holds returns the positions of a word where an LTL formula holds.
func (w Word) Holds(g *Graph, f formula.Formula) []bool {
	out := make([]bool, len(w.At))
	next := func(k int) int {
		if k+1 < len(w.At) {
			return k + 1
		}
		return w.Loop
	}
	fix := func(start bool, rule func(k int) bool) []bool {
		for k := range out {
			out[k] = start
		}
		for range len(out) + 1 {
			for k := len(out) - 1; k >= 0; k-- {
				out[k] = rule(k)
			}
		}
		return out
	}
	switch f := f.(type) {
	case *formula.Not:
		for k, v := range w.Holds(g, f.F) {
			out[k] = !v
		}
	case *formula.And:
		a, b := w.Holds(g, f.Fs[0]), w.Holds(g, f.Fs[1])
		for k := range out {
			out[k] = a[k] && b[k]
		}
	case *formula.Or:
		a, b := w.Holds(g, f.Fs[0]), w.Holds(g, f.Fs[1])
		for k := range out {
			out[k] = a[k] || b[k]
		}
	case *formula.Next:
		a := w.Holds(g, f.F)
		for k := range out {
			out[k] = a[next(k)]
		}
	case *formula.Finally:
		a := w.Holds(g, f.F)
		return fix(false, func(k int) bool { return a[k] || out[next(k)] })
	case *formula.Globally:
		a := w.Holds(g, f.F)
		return fix(true, func(k int) bool { return a[k] && out[next(k)] })
	case *formula.Until:
		a, b := w.Holds(g, f.Before), w.Holds(g, f.Reach)
		return fix(false, func(k int) bool { return b[k] || a[k] && out[next(k)] })
	default:
		for k := range out {
			out[k] = g.atom(f, w.At[k])
		}
	}
	return out
}

// Words calls visit with the lassos of at most length markings, up to a number,
// until visit gives false.
func (g *Graph) Words(length, number int, visit func(Word) bool) {
	var walk func(path []int) bool
	walk = func(path []int) bool {
		last := path[len(path)-1]
		if len(g.Next[last]) == 0 {
			number--
			return number > 0 && visit(Word{path, len(path) - 1})
		}
		for _, e := range g.Next[last] {
			for loop, i := range path {
				if i != e.To {
					continue
				}
				if number--; number <= 0 || !visit(Word{path, loop}) {
					return false
				}
			}
			if len(path) < length && !walk(append(slices.Clone(path), e.To)) {
				return false
			}
		}
		return true
	}
	walk([]int{0})
}

// Word turns a lasso into a word of the graph, when it is one. A run without
// a cycle that does not end in a dead marking is open: it is continued until it
// meets itself.
func (g *Graph) Word(stem, cycle []uint32) (out Word, ok, open bool) {
	out = Word{At: []int{0}, Loop: len(stem)}
	for _, t := range slices.Concat(stem, cycle) {
		i := out.At[len(out.At)-1]
		k := slices.IndexFunc(g.Next[i], func(e Edge) bool { return e.Transition == int(t) })
		if k < 0 {
			return out, false, false
		}
		out.At = append(out.At, g.Next[i][k].To)
	}
	last := out.At[len(out.At)-1]
	if len(cycle) == 0 {
		open = len(g.Next[last]) > 0
		for len(g.Next[last]) > 0 {
			last = g.Next[last][0].To
			if k := slices.Index(out.At[len(stem):], last); k >= 0 {
				out.Loop = len(stem) + k
				break
			}
			out.At = append(out.At, last)
			out.Loop = len(out.At) - 1
		}
		return out, true, open
	}
	out.At = out.At[:len(out.At)-1]
	return out, last == out.At[out.Loop], false
}

// Reaches replays a run on the naive graph and reports whether it meets f.
func (g *Graph) Reaches(run []uint32, f formula.Formula) bool {
	i, sat := 0, g.Sat(f)
	found := sat[0]
	for _, t := range run {
		k := slices.IndexFunc(g.Next[i], func(e Edge) bool { return e.Transition == int(t) })
		if k < 0 {
			return false
		}
		i = g.Next[i][k].To
		found = found || sat[i]
	}
	return found
}
