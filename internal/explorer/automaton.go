package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"podium/internal/clock"
)

// automaton is a Büchi automaton with several acceptance conditions on its
// edges: a run is accepted when it takes edges of every condition again and
// again. It is made by the tableau of J.-M. Couvreur ("On-the-fly verification
// of linear temporal logic", 1999): a state is a set of formulas that hold from
// here on, an edge one way of meeting them, and every until that an edge puts
// off is a condition that the edge is not part of.
type automaton struct {
	edges [][]automatonEdge // per state; state 0 is the initial one
	all   uint32            // set of all conditions
	atoms []predicate
}

type automatonEdge struct {
	literals []literal
	to       uint32
	accepts  uint32 // set of conditions
}

type literal struct {
	atom    uint32
	negated bool
}

// Limits of an automaton, against formulas that explode.
const (
	maxConditions = 16
	maxAutomaton  = 2048 // states
	maxWays       = 4096 // edges of one state
)

var errTooLarge = errors.New("the automaton of the formula is too large")

// newAutomaton makes the automaton of the runs with formula f.
func newAutomaton(t *ltlTable, f ltl) (*automaton, error) {
	b := &tableau{clock: t.lookup.clock, table: t, untils: map[ltl]uint32{}, states: map[string]uint32{}}
	for g, n := range t.nodes {
		if n.op == ltlUntil {
			b.untils[ltl(g)] = 1 << len(b.untils)
		}
	}
	if len(b.untils) > maxConditions {
		return nil, errTooLarge
	}
	a := &automaton{all: 1<<len(b.untils) - 1, atoms: t.atoms}
	b.state([]ltl{f})
	for q := 0; q < len(b.sets); q++ {
		ways := b.ways(b.sets[q])
		if len(b.sets) > maxAutomaton || len(ways) > maxWays {
			return nil, errTooLarge
		}
		var edges []automatonEdge
		for _, w := range ways {
			edges = append(edges, automatonEdge{w.literals, b.state(w.next), a.all &^ w.promises})
		}
		a.edges = append(a.edges, edges)
	}
	a.merge(b.clock)
	a.trim(b.clock)
	return a, nil
}

// tableau is the construction at work.
type tableau struct {
	clock  *clock.Clock
	table  *ltlTable
	untils map[ltl]uint32 // condition of every until
	states map[string]uint32
	sets   [][]ltl
}

// state gives the number of a set of formulas, which is sorted.
func (b *tableau) state(set []ltl) uint32 {
	b.clock.Work(64 * (1 + len(set)))
	key := fmt.Sprint(set)
	q, ok := b.states[key]
	if !ok {
		q = uint32(len(b.sets))
		b.states[key] = q
		b.sets = append(b.sets, set)
	}
	return q
}

// way is one way of meeting a set of formulas: what holds now, what is left for
// the next marking, and the untils that are put off.
type way struct {
	literals []literal
	next     []ltl
	promises uint32
}

// ways splits a set of formulas, and leaves out ways that ask for more than
// another one.
func (b *tableau) ways(set []ltl) []way {
	var all []way
	b.split(slices.Clone(set), nil, way{}, &all)
	for i := range all {
		slices.SortFunc(all[i].literals, compareLiterals)
		slices.Sort(all[i].next)
	}
	slices.SortStableFunc(all, func(x, y way) int {
		return cmp.Compare(len(x.literals)+len(x.next), len(y.literals)+len(y.next))
	})
	var kept []way
	for _, w := range all {
		b.clock.Work(len(kept) * (1 + len(w.literals) + len(w.next)))
		if !slices.ContainsFunc(kept, func(k way) bool { return k.within(w) }) {
			kept = append(kept, w)
		}
	}
	return kept
}

func compareLiterals(x, y literal) int {
	if x.atom == y.atom && x.negated != y.negated {
		if x.negated {
			return 1
		}
		return -1
	}
	return cmp.Compare(x.atom, y.atom)
}

// within tells whether w asks for no more than o.
func (w way) within(o way) bool {
	return w.promises&^o.promises == 0 &&
		!slices.ContainsFunc(w.literals, func(l literal) bool { return !slices.Contains(o.literals, l) }) &&
		!slices.ContainsFunc(w.next, func(f ltl) bool { return !slices.Contains(o.next, f) })
}

// split meets the formulas of todo one after the other; done are those met
// already on this way.
func (b *tableau) split(todo, done []ltl, w way, all *[]way) {
	if len(*all) > maxWays {
		return
	}
	for len(todo) > 0 {
		b.clock.Work(32 + 4*(len(todo)+len(done)))
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if slices.Contains(done, f) {
			continue
		}
		done = append(slices.Clone(done), f)
		n := b.table.nodes[f]
		switch n.op {
		case ltlFalse:
			return
		case ltlAtom, ltlNotAtom:
			l := literal{uint32(n.a), n.op == ltlNotAtom}
			if slices.Contains(w.literals, literal{l.atom, !l.negated}) {
				return
			}
			w.literals = append(slices.Clone(w.literals), l)
		case ltlAnd:
			todo = append(todo, n.a, n.b)
		case ltlNext:
			w.later(n.a)
		case ltlOr:
			b.split(with(todo, n.a), done, w, all)
			todo = append(todo, n.b)
		case ltlUntil:
			b.split(with(todo, n.b), done, w, all)
			w.later(f)
			w.promises |= b.untils[f]
			todo = append(todo, n.a)
		case ltlRelease:
			todo = append(todo, n.b)
			b.split(with(todo, n.a), done, w, all)
			w.later(f)
		}
	}
	*all = append(*all, w)
}

func (w *way) later(f ltl) {
	if !slices.Contains(w.next, f) {
		w.next = append(slices.Clone(w.next), f)
	}
}

func with(list []ltl, f ltl) []ltl { return append(slices.Clone(list), f) }

// merge unites states with the same edges until there are none.
func (a *automaton) merge(clock *clock.Clock) {
	for {
		first := map[string]uint32{}
		to := make([]uint32, len(a.edges))
		for q, edges := range a.edges {
			clock.Work(256 * (1 + len(edges)))
			key := fmt.Sprint(edges)
			if _, ok := first[key]; !ok {
				first[key] = uint32(q)
			}
			to[q] = first[key]
		}
		if len(first) == len(a.edges) {
			return
		}
		a.rename(to)
	}
}

// rename lets every state be the one that to gives, of which to[q] <= q, and
// numbers those that are left anew.
func (a *automaton) rename(to []uint32) {
	number := make([]uint32, len(to))
	var kept [][]automatonEdge
	for q := range to {
		if to[q] == uint32(q) {
			number[q] = uint32(len(kept))
			kept = append(kept, a.edges[q])
		}
	}
	for q, edges := range kept {
		for k := range edges {
			edges[k].to = number[to[edges[k].to]]
		}
		slices.SortStableFunc(edges, func(x, y automatonEdge) int { return cmp.Compare(x.to, y.to) })
		kept[q] = slices.CompactFunc(edges, func(x, y automatonEdge) bool {
			return x.to == y.to && x.accepts == y.accepts && slices.Equal(x.literals, y.literals)
		})
	}
	a.edges = kept
}

// trim takes away edges into states without edges, from which no run goes on.
func (a *automaton) trim(clock *clock.Clock) {
	for changed := true; changed; {
		changed = false
		for q, edges := range a.edges {
			clock.Work(1 + len(edges))
			left := slices.DeleteFunc(edges, func(e automatonEdge) bool { return len(a.edges[e.to]) == 0 })
			changed = changed || len(left) < len(edges)
			a.edges[q] = left
		}
	}
}
