package walk

import (
	"math/big"
	"slices"

	"podium/examinations"
)

// globalWatch waits for the one thing that decides an examination without
// formulas.
type globalWatch struct {
	silent
	*walker
	exam      examinations.ID
	unfired   int // transitions that have not fired yet
	unchanged int // places that have not changed yet
	changed   []bool
	found     bool
	by        []string
}

// globalProperty answers StateSpace (unbounded nets only) and the global
// properties.
func (r *run) globalProperty() {
	if v, ok := r.structural(); ok {
		r.out.Value(string(r.task.Exam), v, byStructure...)
		return
	}
	g := &globalWatch{exam: r.task.Exam, unfired: r.net.Transitions.Len(), unchanged: r.net.Places.Len(), changed: make([]bool, r.net.Places.Len())}
	g.walker = r.walker(g)
	deadlock := &predicate{kind: deadlock}
	var shown examinations.Value
	switch r.task.Exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		g.goals = []goal{{predicate: deadlock}}
		shown = examinations.True
	case examinations.Liveness:
		if g.unfired > 0 {
			g.goals = []goal{{predicate: deadlock}}
			shown = examinations.False
		}
	case examinations.OneSafe:
		g.found = slices.ContainsFunc(r.net.Initial, func(x uint64) bool { return x > 1 })
		g.by = byInitial
		shown = examinations.False
	case examinations.QuasiLiveness:
		shown = examinations.True
		g.found, g.by = g.unfired == 0, byInitial
	case examinations.StableMarking:
		shown = examinations.False
	case examinations.StateSpace:
		if !bounded(r) {
			shown = examinations.Infinite
		}
	}
	if shown.IsZero() {
		r.out.CannotCompute("")
		return
	}
	g.run()
	switch {
	case !g.found:
		r.out.CannotCompute("")
	case r.task.Exam == examinations.StateSpace:
		for _, item := range examinations.StateSpaceItems {
			r.out.Value(item, shown, g.by...)
		}
	default:
		r.out.Value(string(r.task.Exam), shown, g.by...)
	}
}

// bounded tells that semiflows show every place bounded, so that no covering
// run need be looked for.
func bounded(r *run) bool {
	return !slices.Contains(placeBounds(semiflows(r.ctx, r.net), r.net.Places.Len()), nil)
}

// structural gives what the structure of the net shows by itself: a transition
// without inputs forbids dead markings, a place that no firing changes is
// stable, and places that semiflows bound by one are safe.
func (r *run) structural() (examinations.Value, bool) {
	switch r.task.Exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		for t := range r.net.Transitions.Len() {
			if inputs, _ := r.net.Pre.Row(t); len(inputs) == 0 {
				return examinations.False, true
			}
		}
	case examinations.StableMarking:
		touched := make([]bool, r.net.Places.Len())
		for t := range r.net.Transitions.Len() {
			for _, c := range effect(r.net, t) {
				touched[c.place] = true
			}
		}
		return examinations.True, slices.Contains(touched, false)
	case examinations.OneSafe:
		one := big.NewInt(1)
		unsafe := func(b *big.Int) bool { return b == nil || b.Cmp(one) > 0 }
		return examinations.True, !slices.ContainsFunc(placeBounds(semiflows(r.ctx, r.net), r.net.Places.Len()), unsafe)
	}
	return examinations.Value{}, false
}

func (g *globalWatch) find() {
	if !g.found {
		g.found, g.by = true, g.walker.method()
	}
}

func (g *globalWatch) onGoal(int) { g.find() }
func (g *globalWatch) onToken()   { g.find() }
func (g *globalWatch) onCover() {
	if g.exam == examinations.StateSpace {
		g.find()
	}
}

func (g *globalWatch) onFirst(t uint32) {
	if g.unfired--; g.unfired == 0 && g.exam == examinations.QuasiLiveness {
		g.find()
	}
	for _, c := range g.changes[t] {
		if !g.changed[c.place] {
			g.changed[c.place] = true
			g.unchanged--
		}
	}
	if g.unchanged == 0 && g.exam == examinations.StableMarking {
		g.find()
	}
}

func (g *globalWatch) finished() bool      { return g.found }
func (g *globalWatch) wantsTokens() bool   { return g.exam == examinations.OneSafe }
func (g *globalWatch) wantsCovering() bool { return g.exam == examinations.StateSpace }

func (g *globalWatch) aims() []aim {
	if len(g.goals) == 0 {
		return nil
	}
	return []aim{{goal: g.goals[0].predicate}}
}
