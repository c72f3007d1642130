package stubborn

import (
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Linear looks for a run that decides a formula A f or E f of LTL, in the product of the net and the automaton of f or of its negation; it returns the value of the formula. Without
// an error, a run that is not found does not exist.
//
// The automaton is divided into its strongly connected components. A component with the
// markings at which the automaton may be in it is a layer: in each, a marking has one stubborn
// set, whatever the state. There are two kinds of sets.
//
// Where a run cannot stay in a component for ever, which has one state, it waits for a
// marking at which the state can be left. The set is that of the goal to reach such a marking,
// as long as none of its enabled transitions may end the waiting otherwise (automata-driven:
// P. G. Jensen, J. Srba, N. J. Ulrik and S. M. Virenfeldt, 2022; A. Liebke, 2020). It keeps a
// run to each marking where the state is left, so no further condition is needed.
//
// Else the set keeps, up to stuttering, all runs (A. Valmari, "The state explosion problem",
// 1998): it has an enabled transition that changes no atom if there is one; with an enabled
// transition that may change an atom it has all that may; and on each cycle some set has all
// that may. For the last, markings are visited depth first, and where a firing leads back to
// the path, these transitions are added.
//
// From such a component on to the next one, the run stands still: a formula without X that may
// be left at a marking for other ones holds at this marking if these hold there. So a run that
// is found has the formula up to stuttering, which it cannot tell. In components whose
// formulas have X all enabled transitions fire, except where it waits: what follows after X,
// often most of the search, is reduced all the same.
//
// Sets depend on the component and not on the state, and those that keep runs up to stuttering
// are used only where all states accept languages closed under it. So what S. F. Siegel
// ("What's wrong with on-the-fly partial order reduction", 2019) describes does not happen.
func Linear(c *clock.Clock, view unfold.View, f formula.Formula, memory int) (holds bool, r Result, err error) {
	search, err := newSearch(c, view)
	if err != nil {
		return false, r, err
	}
	s := &linear{search: search, memory: memory}
	var found bool
	if s.automaton, found, err = temporal.Linear(c, f); err != nil {
		return false, r, err
	}
	if err = s.make(view); err != nil {
		return false, r, err
	}
	s.divide()
	end, err := s.run()
	r = Result{Found: end != nil, Markings: s.markings.Len(), Bytes: s.bytes()}
	if end != nil {
		r.Run, r.Cycle = end.stem, end.cycle
	}
	return (end != nil) == found, r, err
}

// linear is a search for a run in a product.
type linear struct {
	*search
	used      int // bytes beside the markings
	memory    int
	atoms     []*tokens.Goal
	denied    []*tokens.Goal // their negations
	truth     []uint64       // by marking: the atoms that hold
	automaton *temporal.Automaton
	edges     [][]edge // by state of the automaton
	layers    []*layer // edges lead from earlier ones to later ones
	layerOf   []int    // by state
}

// edge is an edge of the automaton.
type edge struct {
	hold, fail uint64 // sets of atoms
	to         uint32
	accepts    uint32
}

func (e *edge) meets(truth uint64) bool { return truth&e.hold == e.hold && truth&e.fail == 0 }

// everything reports whether a state accepts whatever follows.
func (s *linear) everything(state uint32) bool {
	return slices.ContainsFunc(s.edges[state], func(e edge) bool {
		return e.to == state && e.hold|e.fail == 0 && e.accepts == s.automaton.All
	})
}

// maxAtoms is the number of atoms that fit one set.
const maxAtoms = 64

// make makes the atoms of the automaton.
func (s *linear) make(view unfold.View) error {
	if len(s.automaton.Atoms) > maxAtoms {
		return tokens.ErrGoal
	}
	lookup := state.Lookup{View: view, Clock: s.Clock}
	for _, f := range s.automaton.Atoms {
		yes, err := lookup.Goal(s.Game, f, false)
		if err != nil {
			return err
		}
		no, err := lookup.Goal(s.Game, f, true)
		if err != nil {
			return err
		}
		s.atoms, s.denied = append(s.atoms, yes), append(s.denied, no)
	}
	return nil
}

// layer is a component of the automaton, with markings.
type layer struct {
	states  []uint32
	closed  bool // under stuttering
	waiting bool
	leaving *tokens.Goal // of waiting: a marking at which the state is left
	breaks  []bool       // of waiting: transitions that may end it otherwise; nil if there are none
	visible group        // transitions that may change an atom of what follows

	number map[int32]uint32 // of a marking among nodes
	nodes  []node
	path   []frame
	roots  []root
	rooted map[uint64]bool
	begun  int  // how many roots were visited
	more   bool // something is new since the last look for a run
}

// divide makes the layers.
func (s *linear) divide() {
	states := len(s.automaton.Edges)
	s.edges, s.layerOf = make([][]edge, states), make([]int, states)
	for q, edges := range s.automaton.Edges {
		for _, e := range edges {
			x := edge{to: e.To, accepts: e.Accepts}
			for _, l := range e.Literals {
				if l.Negated {
					x.fail |= 1 << l.Atom
				} else {
					x.hold |= 1 << l.Atom
				}
			}
			s.edges[q] = append(s.edges[q], x)
		}
	}
	parts := s.automaton.Parts
	for k, part := range parts {
		for _, q := range part {
			s.layerOf[q] = k
		}
	}
	atoms := make([]uint64, len(parts)) // of what follows
	s.layers = make([]*layer, len(parts))
	for k := len(parts) - 1; k >= 0; k-- {
		l := &layer{states: parts[k], closed: s.automaton.Closed[parts[k][0]], waiting: len(parts[k]) == 1, number: map[int32]uint32{}, rooted: map[uint64]bool{}}
		s.layers[k] = l
		inside := uint64(0)
		met, stays := s.automaton.Inside(l.states)
		l.leaving = &tokens.Goal{Kind: tokens.One}
		for _, q := range l.states {
			for _, e := range s.edges[q] {
				atoms[k] |= e.hold | e.fail | atoms[s.layerOf[e.to]]
				if s.layerOf[e.to] != k {
					l.leaving.Parts = append(l.leaving.Parts, s.meeting(e))
					continue
				}
				inside |= e.hold | e.fail
			}
		}
		if len(l.leaving.Parts) == 1 {
			l.leaving = l.leaving.Parts[0]
		}
		l.waiting = l.waiting && !(stays && met == s.automaton.All)
		if l.waiting && inside != 0 {
			l.breaks = make([]bool, s.Net.Transitions.Len())
			for _, e := range s.edges[l.states[0]] {
				if s.layerOf[e.to] == k {
					s.changers(s.meeting(e), true, l.breaks)
				}
			}
		}
		l.visible.has = make([]bool, s.Net.Transitions.Len())
		for i, atom := range s.atoms {
			if atoms[k]>>i&1 != 0 {
				s.changers(atom, true, l.visible.has)
				s.changers(atom, false, l.visible.has)
			}
		}
		for t, visible := range l.visible.has {
			if visible {
				l.visible.all = append(l.visible.all, uint32(t))
			}
		}
	}
}

// meeting is the goal to reach a marking where an edge can be taken.
func (s *linear) meeting(e edge) *tokens.Goal {
	g := &tokens.Goal{Kind: tokens.All}
	for i := range s.atoms {
		if e.hold>>i&1 != 0 {
			g.Parts = append(g.Parts, s.atoms[i])
		}
		if e.fail>>i&1 != 0 {
			g.Parts = append(g.Parts, s.denied[i])
		}
	}
	return g
}

// firstLayer is how many markings a layer may have in the first round.
const firstLayer = 1 << 6

// run visits the layers by turns, ever more of each, and looks for a run each time.
func (s *linear) run() (*lasso, error) {
	if len(s.edges) == 0 {
		return nil, nil
	}
	if end := s.enter(0, s.add(), root{by: stutter}); end != nil {
		return end, nil
	}
	for most := firstLayer; ; most *= 2 {
		more := false
		for _, l := range s.layers {
			err := s.visit(l, most)
			end, short := s.accepted(l)
			if end != nil {
				return end, nil
			}
			if err != nil || short != nil {
				return nil, ErrMemory
			}
			more = more || len(l.path) > 0 || l.begun < len(l.roots)
		}
		if !more {
			return nil, nil
		}
	}
}

// bytes is how many bytes the search takes, about.
func (s *linear) bytes() int { return s.used + s.markings.Bytes }

// add returns the number of the marking at hand.
func (s *linear) add() int32 {
	i, fresh := s.markings.Add(s.At)
	if fresh {
		truth := uint64(0)
		for k, atom := range s.atoms {
			if s.Holds(atom) {
				truth |= 1 << k
			}
		}
		s.Clock.Work(64 + len(s.At) + 16*len(s.atoms))
		s.truth = append(s.truth, truth)
	}
	return i
}
