package enumeration

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/pnml"
)

// Value returns the value of an item of an examination; f is its formula, where it has
// one. The error says why there is none: the formula is of another kind, or a limit was
// reached.
func (g *Graph) Value(c *clock.Clock, exam examinations.ID, item string, f formula.Formula) (examinations.Value, error) {
	g.clock = c
	switch {
	case exam == examinations.StateSpace:
		return g.stateSpace(item)
	case f == nil:
		if exam == examinations.GlobalProperties {
			exam = examinations.ID(item)
		}
		return g.global(exam)
	}
	if b, ok := f.(*formula.Bound); ok {
		return g.bound(b)
	}
	var holds bool
	var err error
	if exam == examinations.LTLCardinality || exam == examinations.LTLFireability {
		holds, err = g.linear(f)
	} else {
		holds, err = g.initially(f)
	}
	return examinations.Truth(holds), err
}

func number(n uint64) examinations.Value {
	return examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(n, 10)}
}

func total(n pnml.Total) examinations.Value {
	return examinations.Value{Kind: examinations.Nat, Text: n.String()}
}

func larger(a, b pnml.Total) pnml.Total {
	if a.Less(b) {
		return b
	}
	return a
}

func (g *Graph) stateSpace(item string) (examinations.Value, error) {
	switch item {
	case "STATES":
		return number(uint64(len(g.markings))), nil
	case "TRANSITIONS":
		return number(uint64(len(g.next))), nil
	case "MAX_TOKEN_IN_PLACE":
		return number(slices.Max(append([]uint64{0}, g.most...))), nil
	case "MAX_TOKEN_PER_MARKING":
		return total(g.sum), nil
	}
	return examinations.Value{}, fmt.Errorf("StateSpace has no value %q", item)
}

// bound is the largest sum over the places.
func (g *Graph) bound(b *formula.Bound) (examinations.Value, error) {
	places, err := g.view.PlacesOf(b.Places)
	if err != nil {
		return examinations.Value{}, err
	}
	var most pnml.Total
	g.each(len(places), func(_ int, m []uint64) { most = larger(most, pnml.TotalOf(m, places)) })
	return total(most), nil
}

// each calls visit with every marking; work is that of a call, as [clock.Clock.Work] counts it.
func (g *Graph) each(work int, visit func(i int, m []uint64)) {
	for i := range g.markings {
		g.decode(i)
		g.clock.Work(work)
		visit(i, g.at)
	}
}

// global decides a global property by its definition.
func (g *Graph) global(exam examinations.ID) (examinations.Value, error) {
	switch exam {
	case examinations.ReachabilityDeadlock:
		return examinations.Truth(slices.Contains(g.dead(), true)), nil
	case examinations.OneSafe:
		return examinations.Truth(g.oneSafe()), nil
	case examinations.StableMarking:
		return examinations.Truth(g.stable()), nil
	case examinations.QuasiLiveness:
		return examinations.Truth(everyGroup(g.view.TransitionGroups(), g.fired)), nil
	case examinations.Liveness:
		return examinations.Truth(g.live()), nil
	}
	return examinations.Value{}, fmt.Errorf("enumeration says nothing about %s", exam)
}

// oneSafe reports whether no place ever holds two tokens, on coloured nets of any colours.
func (g *Graph) oneSafe() bool {
	groups, safe := g.view.PlaceGroups(), true
	g.each(2*len(g.at), func(_ int, m []uint64) {
		for _, places := range groups {
			safe = safe && !(pnml.Total{Lo: 1}).Less(pnml.TotalOf(m, places))
		}
	})
	return safe
}

// stable reports whether some place never changes its number of tokens.
func (g *Graph) stable() bool {
	groups := g.view.PlaceGroups()
	changed, initial := make([]bool, len(groups)), make([]pnml.Total, len(groups))
	for k, places := range groups {
		initial[k] = pnml.TotalOf(g.net.Initial, places)
	}
	g.each(2*len(g.at), func(_ int, m []uint64) {
		for k, places := range groups {
			changed[k] = changed[k] || pnml.TotalOf(m, places) != initial[k]
		}
	})
	return slices.Contains(changed, false)
}

// everyGroup reports whether every group of transitions has one of a set.
func everyGroup(groups [][]uint32, set []bool) bool {
	return !slices.ContainsFunc(groups, func(list []uint32) bool {
		return !slices.ContainsFunc(list, func(t uint32) bool { return set[t] })
	})
}

// live reports whether every transition can fire again from every marking: whether it
// fires in every component that no firing leaves.
func (g *Graph) live() bool {
	groups := g.view.TransitionGroups()
	live := true
	after := func(i int32) []int32 {
		next := g.after(i)
		g.clock.Work(64 + 8*len(next))
		return next
	}
	components(len(g.markings), after, func(members []int32, within func(int32) bool) bool {
		fires := make([]bool, g.net.Transitions.Len())
		for _, i := range members {
			if slices.ContainsFunc(after(i), func(j int32) bool { return !within(j) }) {
				return true
			}
		}
		for _, i := range members {
			g.decode(int(i))
			g.clock.Work(16 * len(fires))
			for t := range fires {
				fires[t] = fires[t] || Enabled(g.net, t, g.at)
			}
		}
		live = everyGroup(groups, fires)
		return live
	})
	return live
}

// dead are the markings that enable no transition.
func (g *Graph) dead() []bool {
	out := make([]bool, len(g.markings))
	for i := range out {
		if g.enables != nil {
			out[i] = g.enables(int32(i)) == 0
		} else {
			out[i] = len(g.after(int32(i))) == 0
		}
	}
	return out
}

var errKind = errors.New("the formula is of another kind than the examination")
