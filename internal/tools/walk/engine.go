// Package walk is the built-in tool that walks through the net: by package explorer/directed it
// looks for runs that show a value, remembers little, and goes far in nets of any size. Each value
// is what a replay of its runs, or of the markings near the initial one, confirms; nothing is
// proved, so that it never says what has to hold in markings that it did not see.
package walk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/directed"
	"podium/internal/explorer/temporal"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// Engine is the method of the tool. The zero value is ready for use.
//
// Each item is looked at in turn, again and again with more effort. The walks of one call end
// when everything is decided, after a quarter of the budget in processor time, or where a search took some effort,
// whichever comes first; what is open then is CANNOT_COMPUTE.
type Engine struct{}

// Limits of the walks of one call.
const (
	defaultTime = 10 * time.Second
	mostEffort  = 1 << 10 // of one search, in looks at the context
)

// Answer implements [engine.Engine].
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	r := &run{task: task, net: replay.NewNet(task.View)}
	budget := task.Budget / 4
	if budget <= 0 {
		budget = defaultTime
	}
	granted, stop := clock.Budget(ctx, budget)
	defer stop()
	limit := &patience{Context: granted, outer: ctx}
	how := []string{"SEQUENTIAL_PROCESSING", "EXPLICIT", "RANDOM_WALK", "BESTFIRST_WALK"}
	if task.View.Coloured() {
		how = append(how, "UNFOLDING_TO_PT")
	}
	open := task.Exam.Items(formula.IDs(task.Properties))
	for effort := 1; effort <= mostEffort && len(open) > 0; effort *= 2 {
		open = slices.DeleteFunc(open, func(item string) bool {
			w := r.show(limit, effort, item)
			if w == nil {
				return false
			}
			out.Value(item, w.Claims[0].Value, how...)
			if task.Witnesses != nil {
				task.Witnesses.Leave(r.net, w)
			}
			return true
		})
	}
	if !task.Exam.HasFormulas() && len(open) > 0 {
		open = []string{""}
	}
	for _, item := range open {
		out.CannotCompute(item)
	}
	return out.Err()
}

// patience is a context that ends after some looks, too.
type patience struct {
	context.Context
	outer context.Context // may end earlier, when it is asked
	looks int
}

// Err counts.
func (p *patience) Err() error {
	if p.looks--; p.looks < 0 {
		return context.DeadlineExceeded
	}
	return cmp.Or(p.outer.Err(), p.Context.Err())
}

// run is one call of the engine.
type run struct {
	task engine.Task
	net  *replay.Net
}

// show looks with some effort for what shows the value of an item, and returns nil where a replay
// confirms nothing.
func (r *run) show(limit *patience, effort int, item string) *witness.Witness {
	f, _ := r.task.Formula(item)
	for _, search := range r.searches(f) {
		limit.looks = effort
		w := &witness.Witness{Exam: r.task.Exam}
		found := false
		// Its end says that nothing is found.
		clock.Until(limit, func(c *clock.Clock) error {
			var holds bool
			holds, found = search(c, w)
			w.Claims = []witness.Claim{{Item: item, Value: examinations.Truth(holds)}}
			return nil
		})
		if found && r.net.Check(limit.Context, w, r.task.Formula)[0].State == witness.Confirmed {
			return w
		}
	}
	return nil
}

// search looks for what shows whether an item holds, and enters it into a witness.
type search func(c *clock.Clock, w *witness.Witness) (holds, found bool)

// searches returns those for the examination, or for one of its formulas.
func (r *run) searches(f formula.Formula) []search {
	view := r.task.View
	switch r.task.Exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		return []search{r.reach(&formula.Deadlock{}, true)}
	case examinations.Liveness:
		return []search{r.reach(&formula.Deadlock{}, false)}
	case examinations.OneSafe:
		return []search{r.reach(crowded(view), false)}
	case examinations.QuasiLiveness:
		return []search{func(c *clock.Clock, w *witness.Witness) (bool, bool) {
			return true, r.cover(c, w, view.TransitionGroups())
		}}
	case examinations.StableMarking:
		return []search{func(c *clock.Clock, w *witness.Witness) (bool, bool) {
			return false, r.cover(c, w, explorer.Changing(c, view.Net, view.PlaceGroups()))
		}}
	case examinations.LTLCardinality, examinations.LTLFireability:
		return []search{
			func(c *clock.Clock, w *witness.Witness) (holds, found bool) {
				run, holds, found := directed.Word(c, view, f)
				w.Paths = []witness.Path{witness.Lasso(run, nil)}
				return holds, found
			},
			func(c *clock.Clock, w *witness.Witness) (holds, found bool) {
				stem, cycle, holds, found := directed.Lasso(c, view, f, false)
				w.Paths = []witness.Path{witness.Lasso(stem, cycle)}
				return holds, found
			},
		}
	case examinations.StateSpace, examinations.UpperBounds: // no run shows that there is no more
		return nil
	}
	near := func(c *clock.Clock, w *witness.Witness) (holds, found bool) {
		holds, w.Branches, found = directed.Branch(c, view, f, true, false)
		return holds, found
	}
	if goal, holds := temporal.Goal(f); goal != nil {
		return []search{r.reach(goal, holds), near}
	}
	return []search{near}
}

// reach looks for a run to a marking that satisfies a formula, which shows a value.
func (r *run) reach(goal formula.Formula, holds bool) search {
	return func(c *clock.Clock, w *witness.Witness) (bool, bool) {
		run, found := directed.Walk(c, r.task.View, goal, nil)
		w.Paths = []witness.Path{witness.Finite(run)}
		return holds, found
	}
}

// cover looks for runs on which a transition of every group fires.
func (r *run) cover(c *clock.Clock, w *witness.Witness, groups [][]uint32) (found bool) {
	runs, found := directed.Cover(c, r.task.View, groups)
	for _, run := range runs {
		w.Paths = append(w.Paths, witness.Finite(run))
	}
	return found
}

// crowded is the formula that some place holds two tokens.
func crowded(view unfold.View) formula.Formula {
	some := &formula.Or{}
	for p := range view.Places().Len() {
		some.Fs = append(some.Fs, &formula.LessEqual{Left: &formula.Number{N: 2}, Right: &formula.TokensCount{Places: []string{view.Places().At(p)}}})
	}
	return some
}
