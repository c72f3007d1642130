package directed

import (
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Cover looks for runs on which, all together, a transition of every group fires. It goes
// from each transition to the next one by plans, and begins again where no plan leads on,
// until all is done or the clock ends; it gives up at once when the net is too large.
func Cover(c *clock.Clock, view unfold.View, groups [][]uint32) (runs [][]uint32, ok bool) {
	w, ok := newWalker(c, view)
	if !ok {
		return nil, false
	}
	x := &covering{walker: w, goal: &tokens.Goal{Kind: tokens.Some}, groupsOf: make([][]int, len(w.Effects)), waiting: make([]bool, len(groups))}
	for g, list := range groups {
		x.waiting[g] = true
		for _, t := range list {
			x.groupsOf[t] = append(x.groupsOf[t], g)
		}
	}
	x.wait()
	plan := newPlanner(w)
	for plans, total := 64, 0; slices.Contains(x.waiting, true); plans = min(2*plans, longest) {
		last := x.walk(plan, plans)
		if total += last; total > longest {
			return nil, false
		}
		if last > 0 {
			runs = append(runs, slices.Clone(w.run[:last]))
		}
	}
	return runs, true
}

type covering struct {
	*walker
	goal     *tokens.Goal // a transition of a group that waits is enabled
	groupsOf [][]int      // by transition
	waiting  []bool       // by group
}

// wait makes the goal again.
func (x *covering) wait() {
	x.goal.Transitions = x.goal.Transitions[:0]
	for t, list := range x.groupsOf {
		x.Clock.Work(1 + len(list))
		if slices.ContainsFunc(list, func(g int) bool { return x.waiting[g] }) {
			x.goal.Transitions = append(x.goal.Transitions, uint32(t))
		}
	}
}

// walk goes on as long as it makes no more than a number of plans between two groups, and
// gives the length of the run up to the last group that was waited for.
func (x *covering) walk(plan *planner, plans int) (last int) {
	x.begin()
	course := plan.course(x.goal, plans)
	for len(x.run) < longest && len(x.goal.Transitions) > 0 && len(x.Enabled) > 0 {
		x.Clock.Work(16)
		t, ok := uint32(0), false
		if x.Distance(x.goal) == 0 {
			t, ok = x.goal.Transitions[slices.IndexFunc(x.goal.Transitions, x.Fireable)], true
		} else {
			t, ok = course.next()
		}
		if !ok || !x.fire(t) {
			return last
		}
		done := false
		for _, g := range x.groupsOf[t] {
			done = done || x.waiting[g]
			x.waiting[g] = false
		}
		if done {
			last = len(x.run)
			x.wait()
			course = plan.course(x.goal, plans)
		}
	}
	return last
}
