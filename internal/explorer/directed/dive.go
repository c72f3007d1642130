package directed

import (
	"context"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/temporal"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Dive looks for a marking with a formula of one marking, as Lasso looks for a cycle: depth first, in a net
// that is reduced for the formula, again and again. A replay may refuse the run, and that none is found says
// nothing.
func Dive(c *clock.Clock, view unfold.View, f formula.Formula) (run []uint32, found bool) {
	w, ok := newWalker(c, view)
	if !ok {
		return nil, false
	}
	goal, err := w.Goal(f, false)
	if err != nil {
		return nil, false
	}
	keep, dead := reduce.Reachable, w.Dead(goal)
	if dead {
		keep = reduce.Deadlocks
	}
	r := w.reduced(keep, []formula.Formula{f})
	if goal, err = w.Goal(f, false); err != nil {
		return nil, false
	}
	never := &temporal.Automaton{Edges: [][]temporal.Edge{{{}}}, All: 1} // no cycle is accepted
	s := &lassoSearch{literals: &literals{walker: w}, automaton: never, goal: goal, aims: []*tokens.Goal{goal}}
	if !s.repeat() {
		return nil, false
	}
	run, _ = s.lasso()
	run, _, err = r.Lift(run, nil, dead)
	return run, err == nil
}

// mostReduced bounds the memory that a reduction takes, in bytes.
const mostReduced = 1 << 28

// reduced goes over to a net that is reduced for some formulas, whose goals are to be made again; the
// reduction lifts runs. A net that is too large, or takes too long, stays as it is.
func (w *walker) reduced(keep reduce.Keep, fs []formula.Formula) *reduce.Reduction {
	none := reduce.None(w.Net)
	if reduce.Bytes(w.Net) > mostReduced {
		return none
	}
	places := w.Net.Places.Len()
	q := reduce.Question{Keep: keep, Up: make([]bool, places), Down: make([]bool, places)}
	for _, f := range fs {
		if x, err := w.lookup.Formula(f); err != nil {
			return none
		} else if w.lookup.Observe(&q, x) && keep != reduce.Deadlocks {
			q.Keep = reduce.Steps
		}
	}
	r := none
	w.Clock.Share(4, func(c *clock.Clock) { r = reduce.Net(context.Background(), c, w.Net, q) })
	if !r.Changed() {
		return r
	}
	small, ok := tokens.NewGame(w.Clock, r.Net)
	if !ok {
		return none
	}
	w.Game, w.lookup.Reduced = small, r
	return r
}
