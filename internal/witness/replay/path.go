package replay

import (
	"cmp"
	"fmt"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness/enumeration"
)

// formulaJudge evaluates a formula on paths. Parts without temporal operators are
// atoms, evaluated along the paths; E f is true when f is true on some path, A f is
// false when f is false on some path, and both are unknown otherwise. What lies
// behind the end of a path that neither loops nor is dead is unknown too.
type formulaJudge struct {
	net     *Net
	clock   *clock.Clock
	formula formula.Formula
	stutter bool // LTL: a dead marking is followed by itself; CTL: by nothing
	atoms   map[formula.Formula]*atom
	list    []*atom
	paths   map[formula.Formula]enumeration.Truth // of E f and A f in the initial marking
	touched map[uint32][]*atom                    // by transition: atoms that its firing may change
	trace   bool                                  // some path needs the atoms at every step
	steps   int                                   // markings of the path so far
	work    int64
	how     string
	missing string
}

// atom is a predicate on markings with its values along a path: of all markings
// when a path needs them, else whether it was ever true and ever false.
type atom struct {
	holds   func(g *game) bool
	places  map[uint32]bool // that it depends on, nil for all
	cost    int64
	value   bool
	initial bool
	values  []bool
	ever    [2]bool
}

// looksAt notes places that it depends on.
func (a *atom) looksAt(places []uint32) {
	for _, p := range places {
		if a.places != nil {
			a.places[p] = true
		}
	}
}

// maxTrace bounds the values of atoms that are kept of a path, maxWork the tokens
// that atoms look at.
const (
	maxTrace = 1 << 29
	maxWork  = 1 << 36
)

func newFormulaJudge(n *Net, f formula.Formula, stutter bool) (*formulaJudge, error) {
	j := &formulaJudge{net: n, formula: f, stutter: stutter, atoms: map[formula.Formula]*atom{}, paths: map[formula.Formula]enumeration.Truth{},
		touched: map[uint32][]*atom{}}
	return j, j.collect(f)
}

// collect finds atoms and paths.
func (j *formulaJudge) collect(f formula.Formula) error {
	if formula.IsState(f) {
		p, err := j.net.predicate(f)
		j.atoms[f], j.list = p, append(j.list, p)
		return err
	}
	switch q := f.(type) {
	case *formula.AllPaths:
		j.paths[f] = enumeration.Unknown
		j.trace = j.trace || !simple(q.F)
	case *formula.ExistsPath:
		j.paths[f] = enumeration.Unknown
		j.trace = j.trace || !simple(q.F)
	}
	for _, g := range formula.Operands(f) {
		if err := j.collect(g); err != nil {
			return err
		}
	}
	return nil
}

// simple reports whether a path formula asks only whether an atom ever holds.
func simple(f formula.Formula) bool {
	switch f := f.(type) {
	case *formula.Finally:
		return formula.IsState(f.F)
	case *formula.Globally:
		return formula.IsState(f.F)
	}
	return false
}

func (j *formulaJudge) begin(g *game) {
	j.clock = g.clock
	j.steps = 0
	for _, a := range j.list {
		a.values, a.ever = a.values[:0], [2]bool{}
		j.clock.Work(int(a.cost))
		a.value = a.holds(g)
		a.initial = a.value
	}
	j.note()
}

func (j *formulaJudge) fired(g *game, t uint32) {
	list, known := j.touched[t]
	if !known {
		changed := map[*atom]bool{}
		changes(j.net.net, t, func(p uint32) {
			j.clock.Work(len(j.list))
			for _, a := range j.list {
				if (a.places == nil || a.places[p]) && !changed[a] {
					changed[a] = true
					list = append(list, a)
				}
			}
		})
		j.touched[t] = list
	}
	for _, a := range list {
		j.clock.Work(int(a.cost))
		if j.work += a.cost; j.work < maxWork {
			a.value = a.holds(g)
		}
	}
	j.note()
}

// note keeps the values of the atoms in the present marking.
func (j *formulaJudge) note() {
	j.steps++
	j.clock.Work(len(j.list))
	for _, a := range j.list {
		if a.value {
			a.ever[1] = true
		} else {
			a.ever[0] = true
		}
		if j.trace && j.steps*len(j.atoms) < maxTrace {
			a.values = append(a.values, a.value)
		}
	}
}

func (j *formulaJudge) end(e *ended) {
	switch {
	case j.work >= maxWork || j.trace && j.steps*len(j.atoms) >= maxTrace:
		j.missing = "the runs are too long for this formula"
		return
	case e.atCycle != nil && !e.loops():
		j.missing = "the cycle does not lead back to where it begins"
		for p, now := range e.tokens {
			if before := e.atCycle[p]; now != before {
				j.missing += fmt.Sprintf(": place %s holds %d tokens before and %d after it", excerpt(e.net.net.Places.At(p)), before, now)
				break
			}
		}
	case e.atCycle == nil:
		j.missing = e.after() + " the formula is not decided"
	default:
		j.missing = "the lasso does not decide the formula"
	}
	p := &path{j: j, length: j.steps, next: -1}
	switch {
	case e.loops():
		p.length-- // the last marking is the one before the cycle
		p.next = e.firings - e.cycle
	case e.dead():
		p.next, p.dead = p.length-1, true
	}
	for f, known := range j.paths {
		if known != enumeration.Unknown {
			continue
		}
		switch f := f.(type) {
		case *formula.ExistsPath:
			if p.first(f.F) == enumeration.Yes {
				j.paths[f], j.how = enumeration.Yes, e.after()+" a path as wanted is found"
			}
		case *formula.AllPaths:
			if p.first(f.F) == enumeration.No {
				j.paths[f], j.how = enumeration.No, e.after()+" a path that violates the formula is found"
			}
		}
	}
}

func (j *formulaJudge) shown() shown {
	switch j.state(j.formula) {
	case enumeration.Yes:
		return shown{value: examinations.True, how: j.how}
	case enumeration.No:
		return shown{value: examinations.False, how: j.how}
	}
	return shown{how: j.missing}
}

// state evaluates a state formula in the initial marking.
func (j *formulaJudge) state(f formula.Formula) enumeration.Truth {
	return enumeration.Known(f, func(f formula.Formula) (enumeration.Truth, bool) {
		if a, ok := j.atoms[f]; ok {
			j.how = cmp.Or(j.how, "the initial marking decides it")
			return enumeration.TruthOf(a.initial), true
		}
		t, ok := j.paths[f]
		return t, ok
	})
}

// path is a run as a path formula sees it.
type path struct {
	j      *formulaJudge
	length int  // markings
	next   int  // the marking behind the last one, -1 when it is not known
	dead   bool // the last marking is dead
}

// first returns the truth of a path formula at the beginning.
func (p *path) first(f formula.Formula) enumeration.Truth {
	if simple(f) {
		switch f := f.(type) {
		case *formula.Finally:
			return p.ever(p.j.atoms[f.F], true)
		case *formula.Globally:
			return -p.ever(p.j.atoms[f.F], false)
		}
	}
	return p.eval(f)[0]
}

// ever reports whether an atom is once value.
func (p *path) ever(a *atom, value bool) enumeration.Truth {
	at := 0
	if value {
		at = 1
	}
	switch {
	case a.ever[at]:
		return enumeration.Yes
	case p.next < 0:
		return enumeration.Unknown
	}
	return enumeration.No
}

// eval returns the truth of a path formula at every marking.
func (p *path) eval(f formula.Formula) []enumeration.Truth {
	p.j.clock.Work(p.length)
	out := slices.Repeat([]enumeration.Truth{enumeration.No}, p.length)
	if a, ok := p.j.atoms[f]; ok {
		for k := range out {
			out[k] = enumeration.TruthOf(a.values[k])
		}
		return out
	}
	switch f := f.(type) {
	case *formula.Not:
		return negated(p.eval(f.F))
	case *formula.And:
		for k := range out {
			out[k] = enumeration.Yes
		}
		for _, g := range f.Fs {
			for k, t := range p.eval(g) {
				out[k] = min(out[k], t)
			}
		}
		return out
	case *formula.Or:
		for _, g := range f.Fs {
			for k, t := range p.eval(g) {
				out[k] = max(out[k], t)
			}
		}
		return out
	case *formula.Next:
		in := p.eval(f.F)
		copy(out, in[1:])
		switch last := p.length - 1; {
		case p.next < 0 || p.dead && !p.j.stutter:
			out[last] = enumeration.Unknown
		default:
			out[last] = in[p.next]
		}
		return out
	case *formula.Finally:
		return p.until(nil, p.eval(f.F))
	case *formula.Globally:
		return negated(p.until(nil, negated(p.eval(f.F))))
	case *formula.Until:
		return p.until(p.eval(f.Before), p.eval(f.Reach))
	}
	for k := range out { // a state formula in the middle of a path
		out[k] = enumeration.Unknown
	}
	return out
}

func negated(in []enumeration.Truth) []enumeration.Truth {
	for k, t := range in {
		in[k] = -t
	}
	return in
}

// until is the least solution of its expansion law: backwards, twice where there
// is a loop. A nil before is true everywhere.
func (p *path) until(before, reach []enumeration.Truth) []enumeration.Truth {
	out := slices.Repeat([]enumeration.Truth{enumeration.No}, p.length)
	for range 2 {
		later := enumeration.Unknown
		if p.next >= 0 {
			later = out[p.next]
		}
		for k := p.length - 1; k >= 0; k-- {
			if before != nil {
				later = min(later, before[k])
			}
			later = max(later, reach[k])
			out[k] = later
		}
	}
	return out
}

// decidedByPaths reports whether paths can show a formula true, or false: whether it
// holds because some paths exist.
func decidedByPaths(f formula.Formula, value bool) bool {
	if formula.IsState(f) {
		return true
	}
	switch f := f.(type) {
	case *formula.Not:
		return decidedByPaths(f.F, !value)
	case *formula.And:
		return allDecided(f.Fs, value, value)
	case *formula.Or:
		return allDecided(f.Fs, value, !value)
	case *formula.ExistsPath:
		return value && len(formula.Quantified(f.F)) == 0
	case *formula.AllPaths:
		return !value && len(formula.Quantified(f.F)) == 0
	}
	return false
}

// allDecided asks for all operands, or for one.
func allDecided(fs []formula.Formula, value, all bool) bool {
	for _, f := range fs {
		if decidedByPaths(f, value) != all {
			return !all
		}
	}
	return all
}

// predicate compiles a formula without temporal operators.
func (n *Net) predicate(f formula.Formula) (*atom, error) {
	a := &atom{places: map[uint32]bool{}, cost: 1}
	holds, err := n.compile(f, a)
	a.holds = holds
	return a, err
}

func (n *Net) compile(f formula.Formula, a *atom) (func(*game) bool, error) {
	switch f := f.(type) {
	case *formula.Constant:
		return func(*game) bool { return f.Value }, nil
	case *formula.Deadlock:
		if n.view.Skeleton {
			return nil, errSkeleton
		}
		a.places = nil
		a.cost++
		return (*game).dead, nil
	case *formula.Fireable:
		return n.fireable(f, a)
	case *formula.LessEqual:
		return n.atMost(f, a)
	case *formula.Not:
		holds, err := n.compile(f.F, a)
		return func(g *game) bool { return !holds(g) }, err
	case *formula.And:
		return n.fold(f.Fs, a, false)
	case *formula.Or:
		return n.fold(f.Fs, a, true)
	}
	return nil, fmt.Errorf("a formula that a run decides does not hold %T", f)
}

// fold makes a conjunction, or a disjunction when some operand is enough.
func (n *Net) fold(fs []formula.Formula, a *atom, some bool) (func(*game) bool, error) {
	list := make([]func(*game) bool, len(fs))
	for i, f := range fs {
		var err error
		if list[i], err = n.compile(f, a); err != nil {
			return nil, err
		}
	}
	return func(g *game) bool {
		for _, holds := range list {
			if holds(g) == some {
				return some
			}
		}
		return !some
	}, nil
}

func (n *Net) fireable(f *formula.Fireable, a *atom) (func(*game) bool, error) {
	if n.view.Skeleton {
		return nil, errSkeleton
	}
	list, err := n.view.TransitionsOf(f.Transitions)
	if err != nil {
		return nil, err
	}
	a.cost += int64(len(list))
	for _, t := range list {
		places, _ := n.net.Pre.Row(int(t))
		a.looksAt(places)
	}
	return func(g *game) bool {
		return slices.ContainsFunc(list, func(t uint32) bool { return g.enabled(int(t)) })
	}, nil
}

func (n *Net) atMost(f *formula.LessEqual, a *atom) (func(*game) bool, error) {
	left, right, err := f.Sides(n.view.PlacesOf)
	for _, places := range [][]uint32{left.Places, right.Places} {
		a.cost += int64(len(places))
		a.looksAt(places)
	}
	return func(g *game) bool { return !right.In(g.tokens).Less(left.In(g.tokens)) }, err
}
