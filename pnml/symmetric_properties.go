package pnml

import (
	"math/bits"
	"slices"
)

// Properties decides those structural properties of the exact unfolding that can be seen
// on the coloured net, for nets that are too large to unfold. Most inscriptions
// stand for one number of tokens under every binding. What holds of all
// transitions under every binding holds in the unfolding; what a transition without a
// guard shows is shown by each of its bindings. The others are not in the list.
func (n *Symmetric) Properties() []Property {
	s := make([]survey, n.Transitions.Len())
	for t := range s {
		s[t] = n.survey(t)
	}
	var list []Property
	decide := func(name string, holds func(*survey) bool, fails func(*survey) bool) {
		all := true
		for t := range s {
			all = all && holds(&s[t])
			if s[t].free && fails(&s[t]) {
				list = append(list, Property{Name: name, Witness: "every binding of transition " + n.Transitions.At(t)})
				return
			}
		}
		if all {
			list = append(list, Property{Name: name, Holds: true})
		}
	}
	decide("ORDINARY", func(x *survey) bool { return x.single }, func(x *survey) bool { return x.heavy })
	decide("STATE_MACHINE", func(x *survey) bool { return x.pre.is(1) && x.post.is(1) },
		func(x *survey) bool { return x.pre.is(0) || x.post.is(0) || x.pre.places > 1 || x.post.places > 1 })
	if p := n.untouched(n.Post); p >= 0 {
		list = append(list, Property{"SOURCE_PLACE", true, "every colour of place " + n.Places.At(p)})
	}
	if p := n.untouched(n.Pre); p >= 0 {
		list = append(list, Property{"SINK_PLACE", true, "every colour of place " + n.Places.At(p)})
	}
	for _, end := range []struct {
		name string
		side func(*survey) tokens
	}{{"SOURCE_TRANSITION", func(x *survey) tokens { return x.pre }}, {"SINK_TRANSITION", func(x *survey) tokens { return x.post }}} {
		before := len(list)
		decide(end.name, func(x *survey) bool { return end.side(x).known && end.side(x).n > 0 }, func(x *survey) bool { return end.side(x).is(0) })
		if len(list) > before { // that none is one was asked
			list[before].Holds = !list[before].Holds
		}
	}
	decide("LOOP_FREE", func(x *survey) bool { return x.apart }, func(x *survey) bool { return x.tests })
	both := func(x *survey) bool { return x.pre.known && x.post.known }
	decide("CONSERVATIVE", func(x *survey) bool { return both(x) && x.pre.n == x.post.n }, func(x *survey) bool { return both(x) && x.pre.n != x.post.n })
	decide("SUBCONSERVATIVE", func(x *survey) bool { return both(x) && x.pre.n >= x.post.n }, func(x *survey) bool { return both(x) && x.pre.n < x.post.n })
	return list
}

// survey is what is seen of a transition.
type survey struct {
	free      bool // no guard: every binding is a transition of the unfolding
	pre, post tokens
	single    bool // at most one token between it and any coloured place, each way
	heavy     bool // some arc of the unfolding has a weight above 1
	apart     bool // no coloured place is on both sides
	tests     bool // the same inscription takes and puts some token
}

// tokens is how many all inscriptions of one side stand for.
type tokens struct {
	n      uint64
	known  bool
	places int // coloured places that certainly have a token moved
}

func (t tokens) is(n uint64) bool { return t.known && t.n == n }

// maxPairs bounds the pairs of arcs of a transition that are compared.
const maxPairs = 1 << 20

func (n *Symmetric) survey(t int) survey {
	x := survey{free: n.Guards[t] == nil || n.Guards[t].Op == OpTrue, single: true, apart: true}
	x.pre, x.post = n.side(n.Pre[t], &x), n.side(n.Post[t], &x)
	if len(n.Pre[t])*len(n.Post[t]) > maxPairs {
		x.apart = false // as if some were
		return x
	}
	for _, in := range n.Pre[t] {
		for _, out := range n.Post[t] {
			if in.Place != out.Place {
				continue
			}
			x.apart = false
			moved, known := n.Tokens(in.Term)
			x.tests = x.tests || known && moved > 0 && same(in.Term, out.Term)
		}
	}
	return x
}

// side adds up the inscriptions of one side.
func (n *Symmetric) side(arcs []ColouredArc, x *survey) tokens {
	sum := tokens{known: true}
	seen, certain := map[int]bool{}, map[int]bool{}
	for _, a := range arcs {
		moved, known := n.Tokens(a.Term)
		x.single = x.single && known && moved <= 1 && !seen[a.Place]
		x.heavy = x.heavy || a.Term.Op == OpNumberOf && a.Term.Value > 1 && a.Term.Args[0].IsColour()
		if known && moved > 0 {
			certain[a.Place] = true
		}
		seen[a.Place] = true
		total, carry := bits.Add64(sum.n, moved, 0)
		sum.n, sum.known = total, sum.known && known && carry == 0
	}
	sum.places = len(certain)
	return sum
}

// Tokens returns how many tokens a multiset stands for under every binding; false where
// that is not the same for all, or too large.
func (n *Symmetric) Tokens(m *Term) (count uint64, known bool) {
	switch {
	case m.Op == OpEmpty:
		return 0, true
	case m.Op == OpAll:
		return n.Sorts[m.Sort].Size, true
	case m.Op == OpElements:
		for _, element := range n.Sorts[m.Part].ElementOf {
			if uint64(element) == m.Value {
				count++
			}
		}
		return count, true
	case m.Op == OpSubtract:
		return n.difference(m)
	case m.Op == OpAdd:
		for _, a := range m.Args {
			more, ok := n.Tokens(a)
			total, carry := bits.Add64(count, more, 0)
			if !ok || carry > 0 {
				return 0, false
			}
			count = total
		}
		return count, true
	case m.Op == OpNumberOf || m.Op == OpTuple:
		count = 1
		if m.Op == OpNumberOf {
			count = m.Value
		}
		for _, a := range m.Args {
			factor, ok := n.Tokens(a)
			high, product := bits.Mul64(count, factor)
			if !ok || high > 0 {
				return 0, false
			}
			count = product
		}
		return count, true
	}
	return 1, m.IsColour()
}

// difference is Tokens for a difference that is never cut at zero: less is taken away than
// there is of each colour.
func (n *Symmetric) difference(m *Term) (count uint64, known bool) {
	each := n.ofEach(m.Args[0])
	count, known = n.Tokens(m.Args[0])
	for _, a := range m.Args[1:] {
		less, ok := n.Tokens(a)
		if !ok || less > each {
			return 0, false
		}
		each, count = each-less, count-less
	}
	return count, known
}

// ofEach returns how many tokens of every colour of its sort a multiset has at least.
func (n *Symmetric) ofEach(m *Term) uint64 {
	switch {
	case m.Op == OpAll:
		return 1
	case m.Op == OpNumberOf && m.Args[0].Op == OpAll:
		return m.Value
	}
	return 0
}

// untouched returns a coloured place that is on no arc, -1 when there is none.
func (n *Symmetric) untouched(sides [][]ColouredArc) int {
	touched := make([]bool, n.Places.Len())
	for _, arcs := range sides {
		for _, a := range arcs {
			touched[a.Place] = true
		}
	}
	return slices.Index(touched, false)
}

// same reports whether two terms are written alike.
func same(a, b *Term) bool {
	return a.Op == b.Op && a.Sort == b.Sort && a.Value == b.Value && a.Part == b.Part && slices.EqualFunc(a.Args, b.Args, same)
}
