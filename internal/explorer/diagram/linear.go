package diagram

import (
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/temporal"
)

// linear decides an LTL formula: whether the product of the space with the automaton of
// the path has a fair run.
func (s *Space) linear(f formula.Formula) (v examinations.Value, ok bool) {
	automaton, holds, err := temporal.Linear(s.clock, f)
	if err != nil {
		return v, false
	}
	p := &product{Space: s, automaton: automaton}
	if !p.prepare() {
		return v, false
	}
	return examinations.Truth(p.hasRun() == holds), true
}

// product is the space with the states of an automaton: for each state a set of markings.
type product struct {
	*Space
	automaton *temporal.Automaton
	allowed   [][]Node // by state and edge: where its literals hold
	loops     []Node   // by state: where an edge leads back to it
}

func (p *product) prepare() bool {
	known := make([]Node, len(p.automaton.Atoms))
	for i, f := range p.automaton.Atoms {
		set, err := p.where(f)
		if err != nil {
			return false
		}
		known[i] = set
	}
	p.loops = make([]Node, len(p.automaton.Edges))
	for q, edges := range p.automaton.Edges {
		list := make([]Node, len(edges))
		for k, e := range edges {
			set := p.states
			for _, x := range e.Literals {
				if x.Negated {
					set = p.minus(set, known[x.Atom])
				} else {
					set = p.both(set, known[x.Atom])
				}
			}
			if list[k] = set; int(e.To) == q {
				p.loops[q] = p.union(p.loops[q], set)
			}
		}
		p.allowed = append(p.allowed, list)
	}
	return true
}

// hasRun reports whether a run from the initial marking and state meets every condition
// again and again.
func (p *product) hasRun() bool {
	fair := make([]Node, len(p.automaton.Edges))
	for _, members := range p.automaton.Parts {
		accepts, inside := p.automaton.Inside(members)
		if !inside || accepts&p.automaton.All != p.automaton.All {
			continue
		}
		within := make([]Node, len(fair))
		for _, q := range members {
			within[q] = p.states
		}
		for q, set := range p.fair(members, within) {
			fair[q] = p.union(fair[q], set)
		}
	}
	everywhere := slices.Repeat([]Node{p.states}, len(fair))
	order := make([]uint32, len(fair))
	for i := range order {
		order[i] = uint32(len(fair) - 1 - i)
	}
	return p.holds(p.leading(order, fair, everywhere)[0], p.first)
}

// fair shrinks sets of markings of the states of a component until some path leads from
// each of them, inside of them, to an edge of every condition and on.
func (p *product) fair(members []uint32, within []Node) []Node {
	conditions := []uint32{}
	for bit := uint32(1); bit != 0 && bit <= p.automaton.All; bit <<= 1 {
		conditions = append(conditions, bit)
	}
	if len(conditions) == 0 {
		conditions = []uint32{0}
	}
	for {
		before := slices.Clone(within)
		for _, bit := range conditions {
			within = p.leading(members, p.steps(members, bit, within), within)
		}
		if slices.Equal(before, within) {
			return within
		}
	}
}

// steps is where an edge of a condition leads from a set to a set.
func (p *product) steps(members []uint32, bit uint32, within []Node) []Node {
	sets := make([]Node, len(within))
	for _, q := range members {
		for k, e := range p.automaton.Edges[q] {
			if e.Accepts&bit == bit {
				sets[q] = p.union(sets[q], p.previous(within[e.To], p.both(within[q], p.allowed[q][k])))
			}
		}
	}
	return sets
}

// previous is the markings of a bound with a successor in a set; dead ones stutter.
func (p *product) previous(set, bound Node) Node {
	if set == empty || bound == empty {
		return empty
	}
	return p.union(p.before(set, bound), p.both(bound, p.both(set, p.deadlocks())))
}

// leading is from where a path leads to the targets, inside of some sets.
func (p *product) leading(members []uint32, targets, within []Node) []Node {
	sets := slices.Clone(targets)
	seen := make([][]Node, len(sets)) // by state and edge: the set that it led to
	for q, edges := range p.automaton.Edges {
		seen[q] = make([]Node, len(edges))
	}
	for changed := true; changed; {
		changed = false
		for _, q := range members {
			old := sets[q]
			for k, e := range p.automaton.Edges[q] {
				to := e.To
				if to == q || sets[to] == seen[q][k] {
					continue
				}
				seen[q][k] = sets[to]
				sets[q] = p.union(sets[q], p.previous(sets[to], p.both(within[q], p.allowed[q][k])))
			}
			if p.loops[q] != empty && sets[q] != empty {
				sets[q] = p.reaching(sets[q], p.union(sets[q], p.both(within[q], p.loops[q])))
			}
			changed = changed || sets[q] != old
		}
	}
	return sets
}
