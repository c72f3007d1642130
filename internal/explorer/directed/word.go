package directed

import (
	"math/bits"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/temporal"
	"podium/pnml/unfold"
)

// Word looks for a run that decides a formula A f or E f of LTL without a memory of where it
// was: a walk to a dead marking, or a beginning after which everything is accepted. On the
// way it keeps the states in which the automaton of the formula may be, and turns away from
// firings that leave none. It gives up at once where it cannot understand the formula, or
// its automaton is large; else it goes on until the clock ends. holds is the value of the
// formula when a run is found; a replay may not see why a beginning decides it.
func Word(c *clock.Clock, view unfold.View, f formula.Formula) (run []uint32, holds, found bool) {
	walk, ok := newWalker(c, view)
	if !ok {
		return nil, false, false
	}
	a := &literals{walker: walk}
	automaton, holds, err := a.automaton(f)
	if err != nil || len(automaton.Edges) > 64 {
		return nil, false, false
	}
	w := &wordWalk{literals: a, automaton: automaton}
	for q, edges := range automaton.Edges {
		if slices.ContainsFunc(edges, func(e temporal.Edge) bool {
			return int(e.To) == q && len(e.Literals) == 0 && e.Accepts&automaton.All == automaton.All
		}) {
			w.everything |= 1 << q
		}
	}
	for turn, length := 0, firstWord; ; turn, length = turn+1, min(2*length, longest) {
		if w.walk(turn, length) {
			return w.run, holds, true
		}
		if turn == 0 && w.impossible {
			return nil, false, false
		}
	}
}

const (
	firstWord = 1 << 10 // the length of the first walk
	mostAgain = 12      // a transition fires at most 2^11 times in a row
)

type wordWalk struct {
	*literals
	automaton  *temporal.Automaton
	everything uint64 // states that accept whatever follows
	impossible bool   // the initial marking leaves no state
}

// walk goes on until it has found a run, no state is left, or it is long enough.
func (w *wordWalk) walk(turn, length int) bool {
	w.begin()
	states := w.after(1)
	w.impossible = states == 0
	ranks := w.rng.Perm(w.Net.Transitions.Len())
	for len(w.run) < length && states != 0 {
		w.Clock.Work(16)
		if states&w.everything != 0 {
			return true
		}
		if len(w.Enabled) == 0 {
			return w.acceptedForEver(states)
		}
		best, after, kept := uint32(0), uint64(0), -1
		for range min(len(w.Enabled), 8) {
			t, _ := w.atRandom()
			if turn%2 == 1 { // those with low ranks first, so that tokens run through one after the other
				for range 2 {
					if u, _ := w.atRandom(); ranks[u] < ranks[t] {
						t = u
					}
				}
			}
			small := w.Fire(t)
			next := w.after(states)
			w.Unfire(t)
			if n := bits.OnesCount64(next); small && n > kept {
				best, after, kept = t, next, n
			}
			if kept >= bits.OnesCount64(states) || turn%3 == 2 && kept > 0 {
				break
			}
		}
		if kept <= 0 {
			return false
		}
		w.fire(best)
		// What changes nothing for the automaton is done again, now and then often.
		for again := 1<<w.rng.IntN(mostAgain) - 1; again > 0 && after == states && w.Fireable(best) && len(w.run) < length; again-- {
			w.Clock.Work(16)
			w.fire(best)
			if after = w.after(states); after == 0 {
				return false
			}
		}
		states = after
	}
	return false
}

// after returns the states after the marking at hand.
func (w *wordWalk) after(states uint64) (next uint64) {
	w.forget()
	for ; states != 0; states &= states - 1 {
		for _, e := range w.automaton.Edges[bits.TrailingZeros64(states)] {
			if next>>e.To&1 == 0 && w.satisfied(e.Literals) {
				next |= 1 << e.To
			}
		}
	}
	return next
}

// acceptedForEver reports whether a run from one of some states that stays in the marking at
// hand meets every condition again and again.
func (w *wordWalk) acceptedForEver(states uint64) bool {
	w.forget()
	n := len(w.automaton.Edges)
	var edges [64][]temporal.Edge
	for q := range n {
		for _, e := range w.automaton.Edges[q] {
			if w.satisfied(e.Literals) {
				edges[q] = append(edges[q], e)
			}
		}
	}
	reach := func(from uint64) uint64 {
		for met := from; ; from = met {
			for rest := from; rest != 0; rest &= rest - 1 {
				for _, e := range edges[bits.TrailingZeros64(rest)] {
					met |= 1 << e.To
				}
			}
			if met == from {
				return met
			}
		}
	}
	for rest := reach(states); rest != 0; rest &= rest - 1 {
		q := bits.TrailingZeros64(rest)
		accepts, cycle := uint32(0), false
		for inside := reach(1 << q); inside != 0; inside &= inside - 1 {
			for _, e := range edges[bits.TrailingZeros64(inside)] {
				if reach(1<<e.To)>>q&1 != 0 {
					accepts |= e.Accepts
					cycle = true
				}
			}
		}
		if cycle && accepts&w.automaton.All == w.automaton.All {
			return true
		}
	}
	return false
}
