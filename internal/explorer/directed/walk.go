// Package directed looks for a marking that satisfies a formula by walks through the net
// that head for it: each firing comes nearer to the formula, or uses up what a solution of
// the state equation says how often each transition fires on the way. Walks forget where
// they have been, so that they go far, and need no memory; depth-first searches
// remember it. Neither says anything of what it does not find; only [Local] does.
package directed

import (
	"math"
	"math/rand/v2"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/state"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Limits of a walk.
const (
	firstWalk = 1 << 8
	longest   = 1 << 20 // firings
)

// Walk looks for a marking with a formula of one marking until the clock ends, or gives
// up at once where it cannot understand the formula, or numbers are too large. firings may say how often each
// transition is expected to fire; nil does not.
func Walk(c *clock.Clock, view unfold.View, f formula.Formula, firings []float64) (run []uint32, found bool) {
	return walkFor(c, view, f, firings, math.MaxInt)
}

// WalkFor is Walk without expected firings, and gives up after some effort: about so many
// firings that are looked at, and 16 places or transitions of a plan count as one.
func WalkFor(c *clock.Clock, view unfold.View, f formula.Formula, effort int) (run []uint32, found bool) {
	return walkFor(c, view, f, nil, effort)
}

func walkFor(c *clock.Clock, view unfold.View, f formula.Formula, firings []float64, effort int) (run []uint32, found bool) {
	w, ok := newWalker(c, view)
	if !ok {
		return nil, false
	}
	goal, err := w.Goal(f, false)
	if err != nil {
		return nil, false
	}
	expected := 0.0
	for _, x := range firings {
		expected += x
	}
	plan := newPlanner(w)
	w.effort = effort
	for turn, length := 0, firstWalk; w.effort > 0; turn++ {
		var way func() (uint32, bool)
		limit := length
		switch {
		case firings != nil && turn%4 == 0:
			way, limit = w.byFirings(firings, turn), firstWalk+2*int(min(expected, longest))
		case turn%4 == 2:
			way = func() (uint32, bool) { return w.nearer(goal) }
		case turn%4 == 3:
			way = w.atRandom
		default:
			way, limit = plan.course(goal, length).next, longest
		}
		if w.walk(goal, way, limit) {
			return w.run, true
		}
		if length < longest {
			length += length / 4
		}
	}
	return nil, false
}

// walker is a walk under way.
type walker struct {
	*tokens.Game
	lookup state.Lookup
	rng    *rand.Rand
	run    []uint32
	effort int // that may still be made
}

// newWalker returns a walker; false where the net has too many tokens.
func newWalker(c *clock.Clock, view unfold.View) (*walker, bool) {
	g, ok := tokens.NewGame(c, view.Net)
	return &walker{Game: g, lookup: state.Lookup{View: view, Clock: c}, rng: rand.New(rand.NewPCG(3, 5))}, ok
}

// Goal returns the goal of a formula or, with not, of its negation.
func (w *walker) Goal(f formula.Formula, not bool) (*tokens.Goal, error) {
	return w.lookup.Goal(w.Game, f, not)
}

// begin goes to the initial marking.
func (w *walker) begin() {
	w.run = w.run[:0]
	w.Begin()
}

// fire reports whether the numbers of tokens stay small.
func (w *walker) fire(t uint32) bool {
	w.run = append(w.run, t)
	return w.Fire(t)
}

// walk goes from the initial marking until the target is met, or the way or the length
// ends.
func (w *walker) walk(goal *tokens.Goal, way func() (uint32, bool), length int) bool {
	for w.begin(); ; {
		w.Clock.Work(16)
		if w.Distance(goal) == 0 {
			return true
		}
		if w.effort--; len(w.run) == length || len(w.Enabled) == 0 || w.effort <= 0 {
			return false
		}
		t, ok := way()
		if !ok || !w.fire(t) {
			return false
		}
	}
}

func (w *walker) atRandom() (uint32, bool) { return w.Enabled[w.rng.IntN(len(w.Enabled))], true }

// mostTried bounds the transitions whose firing is compared in a marking.
const mostTried = 64

// nearer returns a transition whose firing comes nearest to a target; now and then any.
func (w *walker) nearer(goal *tokens.Goal) (best uint32, ok bool) {
	if w.rng.IntN(8) == 0 {
		return w.atRandom()
	}
	w.effort -= min(len(w.Enabled), mostTried)
	from, least, ties := w.rng.IntN(len(w.Enabled)), int64(0), 0
	for k := range min(len(w.Enabled), mostTried) {
		t := w.Enabled[(from+k)%len(w.Enabled)]
		w.Shift(t, 1)
		// What is enabled is that of the marking before: near enough.
		distance := w.Distance(goal)
		w.Shift(t, -1)
		switch {
		case !ok || distance < least:
			best, least, ties, ok = t, distance, 1, true
		case distance == least:
			if ties++; w.rng.IntN(ties) == 0 {
				best = t
			}
		}
	}
	return best, ok
}

// byFirings uses up the firings of a solution of the state equation, in proportion; where
// none of them is enabled, something else fires.
func (w *walker) byFirings(firings []float64, turn int) func() (uint32, bool) {
	left := slices.Clone(firings)
	stuck := 0
	return func() (best uint32, ok bool) {
		most := 0.0
		for _, t := range w.Enabled {
			w.Clock.Work(4)
			if left[t] < 1e-6 {
				continue
			}
			share := left[t] / firings[t]
			if turn > 0 {
				share *= 0.5 + w.rng.Float64()
			}
			if share > most {
				best, most, ok = t, share, true
			}
		}
		if ok {
			left[best]--
			return best, true
		}
		if stuck++; stuck > 1<<10 {
			return 0, false
		}
		return w.atRandom()
	}
}
