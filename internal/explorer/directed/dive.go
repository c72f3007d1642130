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
	r := w.reduced(keep, []*tokens.Goal{goal})
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

// reduced goes over to a net that is reduced for some goals, and makes them the same goals there; the
// reduction lifts runs. A net that is too large, or takes too long, stays as it is.
func (w *walker) reduced(keep reduce.Keep, goals []*tokens.Goal) *reduce.Reduction {
	r := reduce.None(w.Net)
	if reduce.Bytes(w.Net) > mostReduced {
		return r
	}
	places := w.Net.Places.Len()
	q := reduce.Question{Keep: keep, Up: make([]bool, places), Down: make([]bool, places)}
	counted := make([]*tokens.Goal, len(goals))
	for i, g := range goals {
		counted[i] = w.Counted(g)
		w.observe(&q, counted[i])
	}
	w.Clock.Share(4, func(c *clock.Clock) { r = reduce.Net(context.Background(), c, w.Net, q) })
	if !r.Changed() {
		return r
	}
	small, ok := tokens.NewGame(w.Clock, unfold.Plain(r.Net))
	if !ok {
		return reduce.None(w.Net)
	}
	w.Game = small
	for i, g := range counted {
		w.settle(r, g)
		*goals[i] = *g
	}
	return r
}

// settle makes a goal one of the reduced net.
func (w *walker) settle(r *reduce.Reduction, g *tokens.Goal) {
	if g.Kind == tokens.Some || g.Kind == tokens.None {
		g.Transitions = w.All()
	}
	for i := range g.Sum {
		g.Sum[i].Place, _ = r.Place(g.Sum[i].Place) // no place that is looked at is gone
	}
	for _, part := range g.Parts {
		w.settle(r, part)
	}
}

// observe notes what a goal looks at: places of which more tokens bring it nearer, and those of which fewer do.
func (w *walker) observe(q *reduce.Question, g *tokens.Goal) {
	if w.Dead(g) && q.Keep != reduce.Deadlocks {
		q.Keep = reduce.Steps
	}
	for _, x := range g.Sum {
		q.Up[x.Place], q.Down[x.Place] = q.Up[x.Place] || x.By < 0, q.Down[x.Place] || x.By > 0
	}
	for _, part := range g.Parts {
		w.observe(q, part)
	}
}
