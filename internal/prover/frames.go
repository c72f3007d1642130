package prover

import (
	"math"
	"math/big"
	"slices"

	"podium/internal/witness"
	"podium/pnml"
)

// frames looks for clauses that together are inductive and exclude a cube, as the method IC3
// or PDR does (A. Bradley, SAT-based model checking without unrolling, 2011; for Petri nets:
// N. Amat, S. Dal Zilio and T. Hujsa, Property directed reachability for generalized Petri
// nets, 2022): a cube is not reached in some steps when its predecessors, which are cubes
// again, are not reached in one step less. What is learned of a cube is learned of a larger
// one, where this still holds; what holds for ever longer is inductive at last.
type frames struct {
	p       *Prover
	learned []*lesson
	atoms   int                      // of their cubes
	single  []*sum                   // by place: its tokens, negated
	refuted map[string]*witness.Step // by cube: the leaf that closes it, nil where none is found
	bytes   int                      // that refuted takes, about
	path    []uint32                 // of transitions, from the cube under way to the bad one
	most    int                      // cubes that are looked at for a case
	left    int                      // those that are left
}

// lesson says that no marking of a cube is reached in some steps.
type lesson struct {
	cube   cube
	steps  int // always: in any number
	number int // of its clause in the proof, -1 when it has none
}

const always = math.MaxInt

// Limits of a search for clauses.
const (
	mostSteps = 64
	mostCubes = 1 << 14
	mostCells = 1 << 18 // of a table
	mostBytes = 1 << 26 // of refuted; what is forgotten is found again
	mostAtoms = 1 << 20 // of the lessons of a search, some 50 bytes each
)

func newFrames(p *Prover) *frames {
	return &frames{p: p, most: mostCubes, single: make([]*sum, p.net.Places.Len()), refuted: map[string]*witness.Step{}}
}

// close closes the case at hand, in which some inequalities are assumed.
func (f *frames) close(given []witness.AtMost) bool {
	c, ok := f.p.sums.cubeOf(given)
	if !ok {
		return false
	}
	f.left, f.path = f.most, nil
	for steps := 1; f.covering(c, always) == nil; steps++ {
		if steps > mostSteps || !f.block(c.trimmed(), steps) {
			return false
		}
		f.push(steps)
	}
	return f.exclude(c)
}

// exclude closes a case whose markings are in a cube that no reachable one is in.
func (f *frames) exclude(c cube) bool {
	known := f.covering(c, always)
	if known == nil {
		leaf := f.refute(c)
		return leaf != nil && f.p.step(*leaf)
	}
	number, ok := f.clause(known)
	if !ok || !f.p.step(witness.Step{Kind: witness.SplitClause, Split: number}) {
		return false
	}
	for _, a := range known.cube {
		if !f.p.step(witness.Step{Kind: witness.Leaf, Sum: []witness.Part{
			{Factor: big.NewRat(1, 1), Number: c.implied(a)}, {Factor: big.NewRat(1, 1), Number: len(c)}}}) {
			return false
		}
	}
	return true
}

// clause returns the number of the clause of a lesson.
func (f *frames) clause(l *lesson) (int, bool) {
	if l.number >= 0 {
		return l.number, true
	}
	var clause witness.Clause
	for _, a := range l.cube {
		clause = append(clause, []witness.AtMost{a.atMost(true)})
	}
	if f.p.walk.Clause(clause) != nil {
		return 0, false
	}
	l.number = len(f.p.proof.Clauses)
	f.p.proof.Clauses = append(f.p.proof.Clauses, clause)
	return l.number, true
}

// keep adds the trees that show that firings keep the clauses.
func (f *frames) keep() bool {
	p := f.p
	for clause := 0; clause < len(p.proof.Clauses); clause++ { // a tree may ask for further ones
		for _, t := range p.walk.Breaking(clause) {
			if p.walk.Keep(clause, t) != nil {
				return false
			}
			p.tree = &witness.Tree{Head: witness.Head{Kind: witness.Keep, Number: clause, At: t}}
			given, _ := p.walk.Case()
			if c, ok := p.sums.cubeOf(given); !ok || !f.exclude(c) {
				return false
			}
			p.proof.Trees = append(p.proof.Trees, *p.tree)
		}
	}
	return true
}

// block learns that no marking of a cube is reached in some steps, if that is so.
func (f *frames) block(c cube, steps int) bool {
	if f.blocked(c, steps) {
		return true
	}
	if f.left--; f.left < 0 {
		return false
	}
	if c.holds(f.p.net.Initial) {
		f.p.run, f.p.found = slices.Clone(f.path), true
		slices.Reverse(f.p.run)
		return false
	}
	if steps == 0 {
		return true
	}
	for _, t := range f.entering(c) {
		before, ok := f.before(t, c)
		if !ok {
			return false
		}
		if before.within(c) {
			continue // a run enters the cube elsewhere first
		}
		f.path = append(f.path, t)
		if !f.block(before.trimmed(), steps-1) {
			return false
		}
		f.path = f.path[:len(f.path)-1]
	}
	c = f.larger(c, steps)
	if f.atoms += 2 + len(c); f.atoms > mostAtoms {
		return false
	}
	f.learned = append(f.learned, &lesson{c, steps, -1})
	return true
}

// blocked reports whether it is known that no marking of a cube is reached in some steps.
func (f *frames) blocked(c cube, steps int) bool {
	f.p.clock.Work(64 * (1 + len(c)))
	if steps == 0 {
		return !c.holds(f.p.net.Initial)
	}
	return f.covering(c, steps) != nil || f.refute(c) != nil
}

// covering returns a lesson about some steps that says so.
func (f *frames) covering(c cube, steps int) *lesson {
	f.p.clock.Work(32 * len(f.learned))
	for _, l := range f.learned {
		if l.steps >= steps && c.within(l.cube) {
			return l
		}
	}
	return nil
}

// refute returns a leaf that closes a cube, nil when none is found.
func (f *frames) refute(c cube) *witness.Step {
	key := c.key()
	leaf, known := f.refuted[key]
	if !known {
		given := c.inequalities()
		if leaf = f.p.simply(given); leaf == nil {
			leaf, _ = f.p.contradiction(given, nil, mostCells)
		}
		if f.bytes > mostBytes {
			clear(f.refuted)
			f.bytes = 0
		}
		f.bytes += len(key) + 128
		if leaf != nil {
			f.bytes += 256 * len(leaf.Sum)
		}
		f.refuted[key] = leaf
	}
	return leaf
}

// larger returns a cube with fewer inequalities of which no marking is reached in some steps
// either.
func (f *frames) larger(c cube, steps int) cube {
	for i := 0; i < len(c); {
		without := slices.Delete(slices.Clone(c), i, i+1)
		if !without.holds(f.p.net.Initial) && f.inductive(without, steps-1) {
			c = without
		} else {
			i++
		}
	}
	return c
}

// inductive reports whether no firing leads into a cube from outside of it, from a marking
// that may be reached in some steps.
func (f *frames) inductive(c cube, steps int) bool {
	for _, t := range f.entering(c) {
		before, ok := f.before(t, c)
		if !ok || !before.within(c) && !f.blocked(before, steps) {
			return false
		}
	}
	return true
}

// push learns for more steps what holds for them, too. What has come as far as what was
// learned for one step more holds always.
func (f *frames) push(steps int) {
	for i := 1; i <= steps; i++ {
		rest := false
		for _, l := range f.learned {
			if l.steps != i {
				continue
			}
			if f.inductive(l.cube, i) {
				l.steps = i + 1
			} else {
				rest = true
			}
		}
		if !rest {
			for _, l := range f.learned {
				if l.steps > i {
					l.steps = always
				}
			}
			return
		}
	}
}

// entering returns the transitions whose firing may lead into a cube: those that make the sum
// of one of its atoms smaller, or may do so: weights that are too large for sums count as
// such.
func (f *frames) entering(c cube) (list []uint32) {
	p := f.p
	for _, a := range c {
		change := map[uint32]int64{}
		for _, term := range a.terms {
			for _, t := range p.touching(term.place) {
				if by, ok := f.adds(t, term.place); ok {
					change[t] += term.factor * by
				} else {
					list = append(list, t)
				}
			}
		}
		for t, by := range change {
			if by < 0 {
				list = append(list, t)
			}
		}
	}
	p.clock.Work(64 * (1 + len(list)))
	slices.Sort(list)
	return slices.Compact(list)
}

// before returns the markings from which a transition leads into a cube.
func (f *frames) before(t uint32, c cube) (cube, bool) {
	p := f.p
	places, weights := p.net.Pre.Row(int(t))
	q := make(cube, 0, len(places)+len(c))
	for k, place := range places {
		if weights.At(k) >= maxNumber {
			return nil, false
		}
		if f.single[place] == nil {
			f.single[place] = p.sums.of([]weighted{{place, -1}})
		}
		q = append(q, atom{f.single[place], -int64(weights.At(k))})
	}
	for _, a := range c {
		for _, term := range a.terms {
			by, ok := f.adds(t, term.place)
			if !ok {
				return nil, false
			}
			if a.most -= term.factor * by; !fits(a.most) {
				return nil, false
			}
		}
		q = append(q, a)
	}
	return q, true
}

// adds is what a transition adds to a place; false where a weight is too large.
func (f *frames) adds(t, place uint32) (by int64, ok bool) {
	takes, given := weightOf(&f.p.net.Pre, t, place), weightOf(&f.p.net.Post, t, place)
	return int64(given) - int64(takes), max(takes, given) < maxNumber
}

// weightOf is the weight of the arc between a transition and a place, 0 without one.
func weightOf(arcs *pnml.Arcs, t, place uint32) uint64 {
	places, weights := arcs.Row(int(t))
	if k, found := slices.BinarySearch(places, place); found {
		return weights.At(k)
	}
	return 0
}
