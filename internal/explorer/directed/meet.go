package directed

import (
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/state"
	"podium/internal/explorer/tokens"
	"podium/pnml/unfold"
)

// Met says of a formula of one marking what was met on a walk.
type Met struct{ True, False bool }

// Meet walks at random from the initial marking, again and again, and says of each of some
// formulas whether markings with it, and without it, are on the way: met has as many
// entries, and gets what was met also when the clock ends the walks. They have at most a
// number of firings together. Of a formula that it cannot understand it says nothing.
func Meet(c *clock.Clock, view unfold.View, fs []formula.Formula, met []Met, firings int) {
	w, ok := newWalker(c, view)
	if !ok {
		return
	}
	type open struct {
		target *tokens.Goal
		met    *Met
	}
	var waiting []open
	for i, f := range fs {
		if t, err := w.Goal(f, false); err == nil {
			waiting = append(waiting, open{t, &met[i]})
		}
	}
	look := func() {
		waiting = slices.DeleteFunc(waiting, func(x open) bool {
			if w.Distance(x.target) == 0 {
				x.met.True = true
			} else {
				x.met.False = true
			}
			return x.met.True && x.met.False
		})
	}
	w.begin()
	look()
	if len(w.Enabled) == 0 {
		return // nothing else is ever met
	}
	for length := firstWalk; firings > 0 && len(waiting) > 0; length = min(length+length/2, longest) {
		w.begin()
		for length := length; length > 0 && firings > 0 && len(w.Enabled) > 0; {
			t, _ := w.atRandom()
			times := 1
			if w.rng.IntN(4) == 0 {
				times = mostTimes
			}
			for ; times > 0 && w.Fireable(t); times-- {
				w.Clock.Work(16)
				length--
				firings--
				if !w.Fire(t) {
					return
				}
			}
			look()
		}
	}
}

// Initially reports whether a formula of one marking holds in the initial one. Of a formula that it
// cannot understand it says nothing.
func Initially(c *clock.Clock, view unfold.View, f formula.Formula) (value, known bool) {
	if slices.ContainsFunc(view.Net.Initial, func(n uint64) bool { return n >= tokens.MaxTokens }) {
		return false, false
	}
	value, err := (&state.Lookup{View: view, Clock: c}).In(view.Net.Initial, f)
	return value, err == nil
}

// mostTimes is how often one transition fires in a row, where it stays enabled.
const mostTimes = 1 << 12
