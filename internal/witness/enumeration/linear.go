package enumeration

import (
	"errors"
	"fmt"
	"slices"

	"podium/examinations/formula"
)

// Limits of an LTL formula and its product with the markings.
const (
	maxAtoms   = 64
	maxUntils  = 30
	maxWays    = 1 << 12
	maxProduct = 1 << 22
)

var errLarge = errors.New("the formula, with the markings of the net, goes beyond the limits")

// linear reports whether all paths, or some path, of the net satisfy a formula. Dead
// markings stutter.
func (g *Graph) linear(f formula.Formula) (bool, error) {
	switch f := f.(type) {
	case *formula.AllPaths:
		found, err := g.somePath(f.F, true)
		return !found, err
	case *formula.ExistsPath:
		return g.somePath(f.F, false)
	case *formula.Not:
		holds, err := g.linear(f.F)
		return !holds, err
	case *formula.And:
		return g.linearJoin(f.Fs, true)
	case *formula.Or:
		return g.linearJoin(f.Fs, false)
	}
	return g.initially(f)
}

func (g *Graph) linearJoin(list []formula.Formula, every bool) (bool, error) {
	for _, f := range list {
		if holds, err := g.linear(f); err != nil || holds != every {
			return holds, err
		}
	}
	return every, nil
}

// operator of a formula with negations at atoms only.
type operator uint8

const (
	atom    operator = iota
	both             // left and right
	either           // left or right
	next             // left, in the next marking
	until            // left until right, which has to come
	release          // right until left holds with it, or for ever
)

// path is such a formula: the number of an atom and whether it is negated, or operands.
type path struct {
	op          operator
	left, right int
	negated     bool
}

// product is the graph of pairs of a marking and a set of formulas that are to hold from
// there on. An edge is one way of meeting them; it puts off some untils, which it
// promises to fulfil.
type product struct {
	*Graph
	formulas []path
	atoms    [][]bool // where each holds
	outline  *outline // instead of the markings, nil where they are known
	untils   []int    // by formula, from 1; 0 for others
	promises int      // number of untils

	sets  [][]int // of formulas, sorted
	known map[string]int
	ways  map[choice][]way

	nodes []node
	index map[node]int32
	err   error // a limit was reached
}

type node struct{ marking, set int32 }

// choice is a set at a marking, where of the marking only the atoms that hold matter.
type choice struct {
	set int32
	now literals
}

// literals are atoms that hold, and atoms that do not, a bit each.
type literals struct{ holds, fails uint64 }

// way is a way of meeting a set of formulas: what is left for the next marking.
type way struct {
	set     int32
	promise uint32 // untils that are put off
}

// somePath reports whether some path satisfies a formula, or with not violates it: whether
// a component can be reached that fulfils every until.
func (g *Graph) somePath(f formula.Formula, not bool) (found bool, _ error) {
	p := &product{Graph: g, known: map[string]int{}, ways: map[choice][]way{}, index: map[node]int32{}}
	return p.accepts(f, not)
}

// accepts reports whether some path satisfies a formula, or with not violates it.
func (p *product) accepts(f formula.Formula, not bool) (found bool, _ error) {
	first, err := p.add(f, not)
	if err != nil {
		return false, err
	}
	if p.promises > maxUntils {
		return false, errLarge
	}
	p.node(node{0, int32(p.set([]int{first}))})
	components(1, p.after, func(members []int32, within func(int32) bool) bool {
		kept, inner := uint32(0), false
		for _, i := range members {
			p.edges(i, func(j int32, promise uint32) {
				if within(j) {
					kept |= ^promise
					inner = true
				}
			})
		}
		found = p.err == nil && inner && kept&(1<<p.promises-1) == 1<<p.promises-1
		return !found && p.err == nil
	})
	return found, p.err
}

// Constants that stand in no formula that is given.
var everywhere, nowhere = &formula.Constant{Value: true}, &formula.Constant{}

// add adds a formula, or its negation, and returns its number.
func (p *product) add(f formula.Formula, not bool) (int, error) {
	pair := func(op operator, left, right formula.Formula) (int, error) {
		a, err := p.add(left, not)
		if err != nil || right == nil {
			return p.make(path{op: op, left: a}), err
		}
		b, err := p.add(right, not)
		return p.make(path{op: op, left: a, right: b}), err
	}
	always, reach := both, until
	if not {
		always, reach = either, release
	}
	if p.outline != nil && formula.IsState(f) {
		number, err := p.atomOf(f)
		return p.make(path{op: atom, left: number, negated: not}), err
	}
	switch f := f.(type) {
	case *formula.Not:
		return p.add(f.F, !not)
	case *formula.Next:
		return pair(next, f.F, nil)
	case *formula.Finally:
		return pair(reach, everywhere, f.F)
	case *formula.Globally: // false releases f
		return pair(map[operator]operator{until: release, release: until}[reach], nowhere, f.F)
	case *formula.Until:
		return pair(reach, f.Before, f.Reach)
	case *formula.And:
		if !formula.IsState(f) {
			return p.several(f.Fs, not, always)
		}
	case *formula.Or:
		if !formula.IsState(f) {
			return p.several(f.Fs, not, map[operator]operator{both: either, either: both}[always])
		}
	}
	if len(p.atoms) == maxAtoms {
		return 0, errLarge
	}
	set, err := p.Sat(f)
	p.atoms = append(p.atoms, set)
	return p.make(path{op: atom, left: len(p.atoms) - 1, negated: not}), err
}

func (p *product) several(list []formula.Formula, not bool, op operator) (int, error) {
	if len(list) == 0 {
		return p.add(&formula.Constant{Value: op == both != not}, not)
	}
	at, err := p.add(list[0], not)
	for _, f := range list[1:] {
		if err != nil {
			return 0, err
		}
		var b int
		b, err = p.add(f, not)
		at = p.make(path{op: op, left: at, right: b})
	}
	return at, err
}

func (p *product) make(x path) int {
	p.formulas, p.untils = append(p.formulas, x), append(p.untils, 0)
	if x.op == until {
		p.promises++
		p.untils[len(p.untils)-1] = p.promises
	}
	return len(p.formulas) - 1
}

// set numbers a set of formulas.
func (p *product) set(list []int) int {
	slices.Sort(list)
	list = slices.Compact(list)
	key := fmt.Sprint(list)
	n, ok := p.known[key]
	if !ok {
		n = len(p.sets)
		p.known[key] = n
		p.sets = append(p.sets, list)
	}
	return n
}

func (p *product) node(n node) int32 {
	i, ok := p.index[n]
	if !ok {
		if len(p.nodes) == maxProduct {
			p.err = errLarge
			return 0
		}
		i = int32(len(p.nodes))
		p.index[n] = i
		p.nodes = append(p.nodes, n)
	}
	return i
}

// after returns the successors of a pair.
func (p *product) after(i int32) (list []int32) {
	p.edges(i, func(j int32, _ uint32) { list = append(list, j) })
	return list
}

// edges calls visit with the edges of a pair.
func (p *product) edges(i int32, visit func(j int32, promise uint32)) {
	n := p.nodes[i]
	markings := []int32{1} // of an outline, all but the first
	if p.outline == nil {
		markings = p.Graph.after(n.marking)
	}
	if len(markings) == 0 {
		markings = []int32{n.marking}
	}
	for _, w := range p.waysOf(n) {
		p.clock.Work(16 * len(markings))
		for _, m := range markings {
			visit(p.node(node{m, w.set}), w.promise)
		}
	}
}

// waysOf returns the ways of meeting the formulas of a pair.
func (p *product) waysOf(n node) []way {
	p.clock.Work(16 + len(p.atoms))
	key := choice{set: n.set}
	if p.outline != nil {
		key.now = p.outline.known[n.marking]
	} else {
		for k, set := range p.atoms {
			if set[n.marking] {
				key.now.holds |= 1 << k
			}
		}
		key.now.fails = ^key.now.holds
	}
	ways, ok := p.ways[key]
	if !ok {
		p.meet(p.sets[n.set], nil, 0, key.now, &ways)
		p.ways[key] = ways
	}
	return ways
}

// meet adds the ways of meeting a list of formulas, where left is put off already and now
// is what is known of atoms.
func (p *product) meet(list, left []int, promise uint32, now literals, ways *[]way) {
	p.clock.Work(64)
	if len(list) == 0 {
		if p.outline != nil && p.outline.impossible(now) {
			return
		}
		w := way{int32(p.set(slices.Clone(left))), promise}
		switch {
		case slices.Contains(*ways, w):
		case len(*ways) == maxWays:
			p.err = errLarge
		default:
			*ways = append(*ways, w)
		}
		return
	}
	number := list[0]
	with := func(more ...int) []int { return append(slices.Clone(list[1:]), more...) }
	later := func(n int) []int { return append(slices.Clone(left), n) }
	switch x := p.formulas[number]; x.op {
	case atom:
		other, bit := now.fails, uint64(1)<<x.left
		if x.negated {
			other = now.holds
			now.fails |= bit
		} else {
			now.holds |= bit
		}
		if other&bit == 0 {
			p.meet(with(), left, promise, now, ways)
		}
	case both:
		p.meet(with(x.left, x.right), left, promise, now, ways)
	case either:
		p.meet(with(x.left), left, promise, now, ways)
		p.meet(with(x.right), left, promise, now, ways)
	case next:
		p.meet(with(), later(x.left), promise, now, ways)
	case until:
		p.meet(with(x.right), left, promise, now, ways)
		p.meet(with(x.left), later(number), promise|1<<(p.untils[number]-1), now, ways)
	case release:
		p.meet(with(x.right, x.left), left, promise, now, ways)
		p.meet(with(x.right), later(number), promise, now, ways)
	}
}
