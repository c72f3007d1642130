package nettest

import (
	"fmt"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Word is an infinite run of a graph: its markings, and the position to which the last one
// leads back.
type Word struct {
	At   []int
	Loop int
}

// After is the position after another.
func (w Word) After(k int) int {
	if k+1 < len(w.At) {
		return k + 1
	}
	return w.Loop
}

// Holds reports whether a word has an LTL formula: whether the net does that moves one token
// from position to position.
func (w Word) Holds(g *Graph, f formula.Formula) bool {
	b := &pnml.Builder{ID: "word"}
	position := func(k int) string { return fmt.Sprint("p", k) }
	for k := range w.At {
		b.Place(position(k), uint64(len(w.At)-k)/uint64(len(w.At)))
	}
	for k := range w.At {
		t := b.Transition(fmt.Sprint("t", k))
		b.In(k, t, 1)
		b.Out(t, w.After(k), 1)
	}
	var here func(f formula.Formula) formula.Formula
	here = func(f formula.Formula) formula.Formula {
		if !formula.IsState(f) {
			return formula.Over(f, here)
		}
		sat, marked := g.Sat(f), &formula.TokensCount{}
		for k, i := range w.At {
			if sat[i] {
				marked.Places = append(marked.Places, position(k))
			}
		}
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: marked}
	}
	chain, err := enumeration.Explore(nil, unfold.Plain(Build(b)), enumeration.Small)
	if err != nil {
		panic(err)
	}
	v, err := chain.Value(nil, examinations.LTLCardinality, "", &formula.ExistsPath{F: here(f)})
	if err != nil {
		panic(err)
	}
	return v == examinations.True
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
func (g *Graph) Word(stem, cycle []uint32) (w Word, ok, open bool) {
	w.Loop = len(stem)
	if w.At, ok = g.Along(slices.Concat(stem, cycle)); !ok {
		return w, false, false
	}
	last := w.At[len(w.At)-1]
	if len(cycle) > 0 {
		w.At = w.At[:len(w.At)-1]
		return w, last == w.At[w.Loop], false
	}
	for open = len(g.Next[last]) > 0; len(g.Next[last]) > 0; {
		last = g.Next[last][0].To
		if k := slices.Index(w.At[len(stem):], last); k >= 0 {
			w.Loop = len(stem) + k
			break
		}
		w.At = append(w.At, last)
		w.Loop = len(w.At) - 1
	}
	return w, true, open
}
