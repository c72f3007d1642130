package unfold

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/pnml"
)

// naive evaluates terms as the package comment defines them, one binding at a
// time and with maps, sharing nothing with the unfolder.
type naive struct {
	net     *pnml.Symmetric
	binding map[uint64]uint64 // variable to colour
}

func (n *naive) colour(t *pnml.Term) uint64 {
	size := n.net.Sorts[t.Sort].Size
	switch t.Op {
	case pnml.OpConstant:
		return t.Value
	case pnml.OpVariable:
		return n.binding[t.Value]
	case pnml.OpSuccessor:
		return (n.colour(t.Args[0]) + 1) % size
	case pnml.OpPredecessor:
		return (n.colour(t.Args[0]) + size - 1) % size
	case pnml.OpElementOf:
		return uint64(n.net.Sorts[t.Sort].ElementOf[n.colour(t.Args[0])])
	case pnml.OpTuple:
		colour := uint64(0)
		for _, a := range t.Args {
			colour = colour*n.net.Sorts[a.Sort].Size + n.colour(a)
		}
		return colour
	}
	panic(fmt.Sprint("no colour: ", t.Op))
}

// multiset returns multiplicities by colour.
func (n *naive) multiset(t *pnml.Term) map[uint64]uint64 {
	m := map[uint64]uint64{}
	if t.IsColour() {
		m[n.colour(t)] = 1
		return m
	}
	switch t.Op {
	case pnml.OpAll:
		for c := range n.net.Sorts[t.Sort].Size {
			m[c] = 1
		}
	case pnml.OpElements:
		for c, e := range n.net.Sorts[t.Part].ElementOf {
			if uint64(e) == t.Value {
				m[uint64(c)] = 1
			}
		}
	case pnml.OpNumberOf:
		for c, k := range n.multiset(t.Args[0]) {
			m[c] = t.Value * k
		}
	case pnml.OpAdd:
		for _, a := range t.Args {
			for c, k := range n.multiset(a) {
				m[c] += k
			}
		}
	case pnml.OpSubtract:
		m = n.multiset(t.Args[0])
		for _, a := range t.Args[1:] {
			for c, k := range n.multiset(a) {
				m[c] -= min(m[c], k)
			}
		}
	case pnml.OpTuple:
		m[0] = 1
		for _, a := range t.Args {
			next := map[uint64]uint64{}
			for c, k := range m {
				for d, l := range n.multiset(a) {
					next[c*n.net.Sorts[a.Sort].Size+d] += k * l
				}
			}
			m = next
		}
	}
	return m
}

func (n *naive) holds(t *pnml.Term) bool {
	switch t.Op {
	case pnml.OpTrue:
		return true
	case pnml.OpFalse:
		return false
	case pnml.OpAnd:
		return !slices.ContainsFunc(t.Args, func(a *pnml.Term) bool { return !n.holds(a) })
	case pnml.OpOr:
		return slices.ContainsFunc(t.Args, n.holds)
	case pnml.OpNot:
		return !n.holds(t.Args[0])
	case pnml.OpImply:
		return !n.holds(t.Args[0]) || n.holds(t.Args[1])
	}
	x, y := n.colour(t.Args[0]), n.colour(t.Args[1])
	switch t.Op {
	case pnml.OpEqual:
		return x == y
	case pnml.OpUnequal:
		return x != y
	case pnml.OpLess:
		return x < y
	case pnml.OpLessEqual:
		return x <= y
	case pnml.OpGreater:
		return x > y
	case pnml.OpGreaterEqual:
		return x >= y
	}
	panic(fmt.Sprint("no truth value: ", t.Op))
}

// lines returns the exact unfolding in the form of unfoldedLines: places and
// transitions by numbers instead of ids.
func (n *naive) lines() []string {
	s := n.net
	var out []string
	for p, sort := range s.PlaceSort {
		m := map[uint64]uint64{}
		if s.Initial[p] != nil {
			m = n.multiset(s.Initial[p])
		}
		for c := range s.Sorts[sort].Size {
			out = append(out, fmt.Sprintf("p%d.%d=%d", p, c, m[c]))
		}
	}
	for t := range s.Pre {
		used := map[uint64]bool{}
		use := func(x *pnml.Term) {
			if x.Op == pnml.OpVariable {
				used[x.Value] = true
			}
		}
		if s.Guards[t] != nil {
			s.Guards[t].Walk(use)
		}
		for _, a := range slices.Concat(s.Pre[t], s.Post[t]) {
			a.Term.Walk(use)
		}
		var variables []uint64
		for v := range s.Variables {
			if used[uint64(v)] {
				variables = append(variables, uint64(v))
			}
		}
		n.bind(t, variables, "", &out)
	}
	slices.Sort(out)
	return out
}

// bind goes through the whole product of the values of the variables.
func (n *naive) bind(t int, variables []uint64, name string, out *[]string) {
	s := n.net
	if len(variables) == 0 {
		if s.Guards[t] == nil || n.holds(s.Guards[t]) {
			*out = append(*out, fmt.Sprintf("t%d%s: %s -> %s", t, name, n.arcs(s.Pre[t]), n.arcs(s.Post[t])))
		}
		return
	}
	for c := range s.Sorts[s.Variables[variables[0]].Sort].Size {
		n.binding[variables[0]] = c
		n.bind(t, variables[1:], fmt.Sprintf("%s.%d", name, c), out)
	}
}

func (n *naive) arcs(arcs []pnml.ColouredArc) string {
	var words []string
	weights := map[string]uint64{}
	for _, a := range arcs {
		for c, k := range n.multiset(a.Term) {
			weights[fmt.Sprintf("p%d.%d", a.Place, c)] += k
		}
	}
	for place, k := range weights {
		if k > 0 {
			words = append(words, fmt.Sprintf("%d'%s", k, place))
		}
	}
	slices.Sort(words)
	return strings.Join(words, "+")
}

// bindings is how many bindings the naive unfolder would go through, at most.
func (n *naive) bindings() uint64 {
	product := uint64(1)
	for _, v := range n.net.Variables {
		if product *= max(n.net.Sorts[v.Sort].Size, 1); product > 1<<20 {
			break
		}
	}
	return product * uint64(len(n.net.Pre))
}

// unfoldedLines writes an unfolding as sorted lines of numbers.
func unfoldedLines(u *Unfolding) []string {
	var out []string
	name := func(i int) string {
		p, c := u.PlaceOf(i)
		return fmt.Sprintf("p%d.%d", p, c)
	}
	for i, tokens := range u.Net.Initial {
		out = append(out, fmt.Sprintf("%s=%d", name(i), tokens))
	}
	row := func(a *pnml.Arcs, t int) string {
		var words []string
		places, weights := a.Row(t)
		for k, p := range places {
			words = append(words, fmt.Sprintf("%d'%s", weights.At(k), name(int(p))))
		}
		slices.Sort(words)
		return strings.Join(words, "+")
	}
	for i := range u.Net.Transitions.Len() {
		t, values := u.TransitionOf(i)
		text := ""
		for _, v := range values {
			text += fmt.Sprintf(".%d", v)
		}
		out = append(out, fmt.Sprintf("t%d%s: %s -> %s", t, text, row(&u.Net.Pre, i), row(&u.Net.Post, i)))
	}
	slices.Sort(out)
	return out
}

// TestNaive compares the exact unfoldings of the small real nets with those of
// the naive unfolder.
func TestNaive(t *testing.T) {
	compared := 0
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		n := &naive{s, map[uint64]uint64{}}
		if n.bindings() > 300_000 {
			return
		}
		u, err := Unfold(t.Context(), s, Limits{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if got, want := unfoldedLines(u), n.lines(); !slices.Equal(got, want) {
			t.Errorf("%s: the exact unfolding has %d nodes, want %d", name, len(got), len(want))
		}
	})
	if compared == 0 {
		t.Error("no net is small enough")
	}
	t.Logf("%d nets compared", compared)
}
