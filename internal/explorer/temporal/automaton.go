package temporal

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/components"
	"podium/internal/explorer/memory"
)

// Automaton is a Büchi automaton with several acceptance conditions on its
// edges: it accepts a run that takes edges of every condition again and
// again. It is made by the tableau of J.-M. Couvreur ("On-the-fly verification
// of linear temporal logic", 1999): a state is a set of formulas that hold from
// here on, an edge one way of meeting them, and every until that an edge puts
// off is a condition that the edge is not part of.
type Automaton struct {
	Edges [][]Edge // per state; state 0 is the initial one
	All   uint32   // set of all conditions, one bit each
	// Closed tells of a state that what it accepts is closed under stuttering: it is made of
	// formulas without X.
	Closed  []bool
	HasNext bool              // see [LTL.HasNext]
	Atoms   []formula.Formula // by number, where they are kept
	Parts   [][]uint32        // the states by strongly connected components, each before those that edges lead to from it
}

// Linear returns the automaton of the question that [NewLTL] makes of a formula, with its atoms.
func Linear(clock *clock.Clock, f formula.Formula) (a *Automaton, holds bool, err error) {
	var atoms Atoms
	path, holds, err := NewLTL(&atoms, f)
	if err != nil {
		return nil, false, err
	}
	if a, err = NewAutomaton(clock, path); err == nil {
		a.Atoms = atoms
	}
	return a, holds, err
}

// Edge is an edge of an automaton.
type Edge struct {
	Literals []Literal // what the marking must satisfy
	To       uint32    // state
	Accepts  uint32    // set of the conditions that the edge is part of
}

// Literal is an atom of an automaton, or its negation.
type Literal struct {
	Atom    uint32 // number of the state formula
	Negated bool
}

// Limits of an automaton: for some formulas it would be huge.
const (
	MaxConditions = components.MaxMarks
	maxAutomaton  = 2048    // states
	maxWays       = 4096    // edges of one state
	maxDividing   = 1 << 30 // bytes
)

var errTooLarge = errors.New("the automaton of the formula is too large")

// NewAutomaton makes the automaton that accepts the runs with a path formula. Its error
// says that the automaton is too large. The clock, which may be nil, counts the work.
func NewAutomaton(clock *clock.Clock, p *LTL) (*Automaton, error) {
	t := p.table
	b := &tableau{clock: clock, table: t, untils: map[ltl]uint32{}, states: map[string]uint32{}}
	for g, n := range t.nodes {
		if n.op == ltlUntil {
			b.untils[ltl(g)] = 1 << len(b.untils)
		}
	}
	if len(b.untils) > MaxConditions {
		return nil, errTooLarge
	}
	a := &Automaton{All: 1<<len(b.untils) - 1, HasNext: p.HasNext()}
	b.state([]ltl{p.path})
	for q := 0; q < len(b.sets); q++ {
		ways := b.ways(b.sets[q])
		if len(b.sets) > maxAutomaton || len(ways) > maxWays {
			return nil, errTooLarge
		}
		var edges []Edge
		for _, w := range ways {
			edges = append(edges, Edge{w.literals, b.state(w.next), a.All &^ w.promises})
		}
		a.Edges = append(a.Edges, edges)
		a.Closed = append(a.Closed, !slices.ContainsFunc(b.sets[q], t.hasNext))
	}
	a.merge(b.clock)
	a.trim(b.clock)
	return a, a.divide(b.clock)
}

// tableau is the construction at work.
type tableau struct {
	clock  *clock.Clock
	table  *ltlTable
	untils map[ltl]uint32 // condition of every until
	states map[string]uint32
	sets   [][]ltl
}

// state returns the number of a set of formulas, which is sorted.
func (b *tableau) state(set []ltl) uint32 {
	b.clock.Work(64 * (1 + len(set)))
	var key []byte
	for _, f := range set {
		key = binary.AppendUvarint(key, uint64(f))
	}
	q, ok := b.states[string(key)]
	if !ok {
		q = uint32(len(b.sets))
		b.states[string(key)] = q
		b.sets = append(b.sets, set)
	}
	return q
}

// way is one way of meeting a set of formulas: what holds now, what is left for
// the next marking, and the untils that are put off.
type way struct {
	literals []Literal
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

func compareLiterals(x, y Literal) int {
	if x.Atom == y.Atom && x.Negated != y.Negated {
		if x.Negated {
			return 1
		}
		return -1
	}
	return cmp.Compare(x.Atom, y.Atom)
}

// within reports whether w asks for no more than o.
func (w way) within(o way) bool {
	return w.promises&^o.promises == 0 &&
		!slices.ContainsFunc(w.literals, func(l Literal) bool { return !slices.Contains(o.literals, l) }) &&
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
			l := Literal{uint32(n.a), n.op == ltlNotAtom}
			if slices.Contains(w.literals, Literal{l.Atom, !l.Negated}) {
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
func (a *Automaton) merge(clock *clock.Clock) {
	for {
		first := map[string]uint32{}
		to := make([]uint32, len(a.Edges))
		for q, edges := range a.Edges {
			clock.Work(256 * (1 + len(edges)))
			key := keyOf(edges)
			if _, ok := first[key]; !ok {
				first[key] = uint32(q)
			}
			to[q] = first[key]
		}
		if len(first) == len(a.Edges) {
			return
		}
		a.rename(to)
	}
}

// keyOf returns equal lists of edges one key, and others another.
func keyOf(edges []Edge) string {
	var key []byte
	for _, e := range edges {
		for _, n := range []uint32{e.To, e.Accepts, uint32(len(e.Literals))} {
			key = binary.AppendUvarint(key, uint64(n))
		}
		for _, l := range e.Literals {
			number := uint64(l.Atom) << 1
			if l.Negated {
				number++
			}
			key = binary.AppendUvarint(key, number)
		}
	}
	return string(key)
}

// rename lets every state be the one that to gives, of which to[q] <= q, and
// numbers those that are left again.
func (a *Automaton) rename(to []uint32) {
	number := make([]uint32, len(to))
	var kept [][]Edge
	var closed []bool
	for q := range to {
		if to[q] == uint32(q) {
			number[q] = uint32(len(kept))
			kept = append(kept, a.Edges[q])
			closed = append(closed, a.Closed[q])
		} else if a.Closed[q] { // they accept the same
			closed[number[to[q]]] = true
		}
	}
	for q, edges := range kept {
		for k := range edges {
			edges[k].To = number[to[edges[k].To]]
		}
		slices.SortStableFunc(edges, func(x, y Edge) int { return cmp.Compare(x.To, y.To) })
		kept[q] = slices.CompactFunc(edges, func(x, y Edge) bool {
			return x.To == y.To && x.Accepts == y.Accepts && slices.Equal(x.Literals, y.Literals)
		})
	}
	a.Edges, a.Closed = kept, closed
}

// trim takes away edges into states without edges, from which no run goes on.
func (a *Automaton) trim(clock *clock.Clock) {
	for changed := true; changed; {
		changed = false
		for q, edges := range a.Edges {
			clock.Work(1 + len(edges))
			left := slices.DeleteFunc(edges, func(e Edge) bool { return len(a.Edges[e.To]) == 0 })
			changed = changed || len(left) < len(edges)
			a.Edges[q] = left
		}
	}
}

// divide finds the parts.
func (a *Automaton) divide(clock *clock.Clock) error {
	c, err := components.New(clock, memory.NewBudget(maxDividing), uint64(len(a.Edges)), func(q uint64, list []components.Edge) []components.Edge {
		for _, e := range a.Edges[q] {
			list = append(list, components.To(uint64(e.To), 0))
		}
		return list
	})
	if err != nil {
		return errTooLarge
	}
	defer c.Close()
	c.Component = func(members []uint32, _ bool) bool {
		a.Parts = append(a.Parts, slices.Sorted(slices.Values(members)))
		return true
	}
	for q := range a.Edges {
		if _, err := c.From(uint64(q)); err != nil {
			return errTooLarge
		}
	}
	slices.Reverse(a.Parts)
	return nil
}

// Inside returns the conditions of the edges that stay inside of a part, and whether there are such edges.
func (a *Automaton) Inside(part []uint32) (accepts uint32, some bool) {
	for _, q := range part {
		for _, e := range a.Edges[q] {
			if slices.Contains(part, e.To) {
				accepts, some = accepts|e.Accepts, true
			}
		}
	}
	return accepts, some
}
