package walk

import (
	"math/big"
	"slices"

	"podium/examinations"
	"podium/internal/witness"
)

// globalWatch waits for the one thing that decides an examination without
// formulas.
type globalWatch struct {
	silent
	*walker
	exam examinations.ID
	*groups
	unfired   int // groups of transitions of which none has fired yet
	unchanged int // groups of places whose sum has not changed yet
	changed   []bool
	fires     []bool
	found     bool
	by        []string
	runs      []witness.Path // walks that show it
	news      int            // firings of the current walk up to the last news
	cycle     int            // where its repeated part begins, -1 when it has none
}

// globalProperty answers StateSpace (unbounded nets only) and the global
// properties.
func (r *run) globalProperty() {
	if v, ok := r.structural(); ok {
		r.value(string(r.task.Exam), v, byStructure)
		return
	}
	groups := newGroups(r.view)
	g := &globalWatch{exam: r.task.Exam, groups: groups, unfired: len(groups.transitions), unchanged: len(groups.places),
		changed: make([]bool, len(groups.places)), fires: make([]bool, len(groups.transitions)), cycle: -1}
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
		g.found = !g.watchSums(groups) || slices.ContainsFunc(r.net.Initial, func(x uint64) bool { return x > 1 })
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
	if !g.found {
		r.out.CannotCompute("")
		return
	}
	var claims []witness.Claim
	for _, item := range r.task.Exam.Items(nil) {
		r.value(item, shown, g.by)
		claims = append(claims, claim(item, shown)...)
	}
	if len(g.runs) == 0 { // the initial marking shows it
		g.runs = []witness.Path{witness.Finite(nil)}
	}
	r.prove(claims, g.runs...)
}

// bounded reports whether semiflows show every place bounded, so that no covering
// run need be looked for.
func bounded(r *run) bool {
	return !slices.Contains(placeBounds(semiflows(r.ctx, r.net), r.net.Places.Len()), nil)
}

// structural returns what the structure of the net shows by itself: a transition
// without inputs forbids dead markings, a place that no firing changes is
// stable, a coloured transition without bindings is not live, and places that
// semiflows bound by one are safe.
func (r *run) structural() (examinations.Value, bool) {
	groups := newGroups(r.view)
	switch r.task.Exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		for t := range r.net.Transitions.Len() {
			if inputs, _ := r.net.Pre.Row(t); len(inputs) == 0 {
				return examinations.False, true
			}
		}
	case examinations.StableMarking:
		touched := make([]bool, len(groups.places))
		for t := range r.net.Transitions.Len() {
			for _, of := range groups.sumsChanged(effect(r.net, t)) {
				touched[of] = true
			}
		}
		return examinations.True, slices.Contains(touched, false)
	case examinations.QuasiLiveness, examinations.Liveness:
		return examinations.False, slices.ContainsFunc(groups.transitions, func(g []uint32) bool { return len(g) == 0 })
	case examinations.OneSafe:
		one := big.NewInt(1)
		flows := semiflows(r.ctx, r.net)
		each := placeBounds(flows, r.net.Places.Len())
		return examinations.True, !slices.ContainsFunc(groups.places, func(g []uint32) bool {
			b := upperBound(flows, each, g)
			return len(g) > 0 && (b == nil || b.Cmp(one) > 0)
		})
	}
	return examinations.Value{}, false
}

func (g *globalWatch) find() {
	if !g.found {
		g.found, g.by = true, g.walker.method()
		g.news = len(g.trace)
	}
}

// onEnd keeps the walk as far as it brought news: each walk that fires or changes
// something first is a part of the proof.
func (g *globalWatch) onEnd() {
	if g.news > 0 {
		g.runs = append(g.runs, witness.Path{Fire: slices.Clone(g.trace[:g.news]), Cycle: g.cycle})
	}
	g.news = 0
}

func (g *globalWatch) onGoal(int) { g.find() }
func (g *globalWatch) onToken()   { g.find() }
func (g *globalWatch) onCover() {
	if g.exam == examinations.StateSpace && !g.found {
		g.find()
		g.cycle = g.snapshot.at
	}
}

func (g *globalWatch) onFirst(t uint32) {
	if g.exam == examinations.QuasiLiveness || g.exam == examinations.StableMarking {
		g.news = len(g.trace)
	}
	if of := g.ofTransition[t]; !g.fires[of] {
		g.fires[of] = true
		g.unfired--
	}
	if g.unfired == 0 && g.exam == examinations.QuasiLiveness {
		g.find()
	}
	for _, of := range g.sumsChanged(g.changes[t]) {
		if !g.changed[of] {
			g.changed[of] = true
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
