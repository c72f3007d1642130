package symbolic_test

import (
	"slices"

	"podium/examinations/formula"
)

// tableau decides LTL on a graph in the plainest way: its nodes are pairs of a
// marking and a guess of the truth of every temporal subformula; an edge keeps
// the expansion laws; a run is a path into a component in which every until
// that is guessed true is also fulfilled.
type tableau struct {
	*graph
	temporal []formula.Formula
	atoms    map[formula.Formula][]bool
}

// violated reports whether some maximal run from the initial marking violates f;
// dead markings stutter.
func (g *graph) violated(f formula.Formula) bool {
	t := &tableau{graph: g, atoms: map[formula.Formula][]bool{}}
	t.gather(f)
	guesses := 1 << len(t.temporal)
	nodes := len(g.markings) * guesses
	successors := make([][]int, nodes)
	for n := range successors {
		i, v := n/guesses, n%guesses
		next := g.next[i]
		if len(next) == 0 {
			next = []int{i}
		}
		for _, j := range next {
			for w := range guesses {
				if t.agrees(i, v, j, w) {
					successors[n] = append(successors[n], j*guesses+w)
				}
			}
		}
	}
	reach := func(start int) map[int]bool {
		seen := map[int]bool{}
		list := slices.Clone(successors[start])
		for len(list) > 0 {
			n := list[len(list)-1]
			list = list[:len(list)-1]
			if !seen[n] {
				seen[n] = true
				list = append(list, successors[n]...)
			}
		}
		return seen
	}
	reachable := make([]map[int]bool, nodes)
	for n := range reachable {
		reachable[n] = reach(n)
	}
	fair := func(n int) bool { // a cycle through n fulfils every until
		if !reachable[n][n] {
			return false
		}
		for k, f := range t.temporal {
			fulfilled := false
			for m := range reachable[n] {
				if reachable[m][n] && (m%guesses>>k&1 == 0 || t.fulfils(f, m/guesses, m%guesses)) {
					fulfilled = true
				}
			}
			if !fulfilled {
				return false
			}
		}
		return true
	}
	for v := range guesses {
		if t.value(f, 0, v) {
			continue
		}
		for n := range reachable[v] {
			if fair(n) {
				return true
			}
		}
	}
	return false
}

// gather lists the temporal subformulas; G is read as not F not.
func (t *tableau) gather(f formula.Formula) {
	switch f := f.(type) {
	case *formula.Not:
		t.gather(f.F)
	case *formula.And:
		for _, g := range f.Fs {
			t.gather(g)
		}
	case *formula.Or:
		for _, g := range f.Fs {
			t.gather(g)
		}
	case *formula.Next:
		t.gather(f.F)
		t.temporal = append(t.temporal, f)
	case *formula.Finally:
		t.gather(f.F)
		t.temporal = append(t.temporal, f)
	case *formula.Globally:
		t.gather(f.F)
		t.temporal = append(t.temporal, f)
	case *formula.Until:
		t.gather(f.Before)
		t.gather(f.Reach)
		t.temporal = append(t.temporal, f)
	default:
		t.atoms[f] = t.ctl(f)
	}
}

// value is the truth of a subformula under a guess. The guess bit of G f is
// that of F not f.
func (t *tableau) value(f formula.Formula, i, v int) bool {
	switch f := f.(type) {
	case *formula.Not:
		return !t.value(f.F, i, v)
	case *formula.And:
		return !slices.ContainsFunc(f.Fs, func(g formula.Formula) bool { return !t.value(g, i, v) })
	case *formula.Or:
		return slices.ContainsFunc(f.Fs, func(g formula.Formula) bool { return t.value(g, i, v) })
	}
	if k := slices.Index(t.temporal, f); k >= 0 {
		_, globally := f.(*formula.Globally)
		return (v>>k&1 == 1) != globally
	}
	return t.atoms[f][i]
}

// fulfils reports whether the goal of a temporal subformula holds now; X has none.
func (t *tableau) fulfils(f formula.Formula, i, v int) bool {
	switch f := f.(type) {
	case *formula.Finally:
		return t.value(f.F, i, v)
	case *formula.Globally:
		return !t.value(f.F, i, v)
	case *formula.Until:
		return t.value(f.Reach, i, v)
	}
	return true
}

// agrees reports whether the guesses of two successive markings keep the
// expansion laws.
func (t *tableau) agrees(i, v, j, w int) bool {
	for k, f := range t.temporal {
		now, then := v>>k&1 == 1, w>>k&1 == 1
		want := t.fulfils(f, i, v) || then
		switch f := f.(type) {
		case *formula.Next:
			want = t.value(f.F, j, w)
		case *formula.Until:
			want = t.fulfils(f, i, v) || t.value(f.Before, i, v) && then
		}
		if now != want {
			return false
		}
	}
	return true
}
