package space

import (
	"math/rand/v2"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// walk fires transitions at random, from a fixed seed, to learn before the
// search how wide the fields ought to be and which places are rarely marked. It
// keeps its run, so that a covering met on the way is a proof.
type walk struct {
	clock   *clock.Clock
	net     *pnml.Net
	rng     *rand.Rand
	marking []uint64
	high    []uint64 // largest count seen, per place
	marked  []uint32 // how often a place held a token, per place
	run     []uint32 // since the initial marking
	anchor  []uint64 // a marking of the run, after anchorAt steps
	at      int
	found   *Covering
}

const (
	walkWork  = 2_000_000 // arcs that may be looked at
	walkSteps = 5_000
)

func newWalk(clock *clock.Clock, net *pnml.Net) *walk {
	w := &walk{clock: clock, net: net, rng: rand.New(rand.NewPCG(1, 2)), high: append([]uint64(nil), net.Initial...), marked: make([]uint32, len(net.Initial))}
	w.restart()
	w.note()
	return w
}

func (w *walk) restart() {
	w.marking = append(w.marking[:0], w.net.Initial...)
	w.anchor = append(w.anchor[:0], w.net.Initial...)
	w.run, w.at = w.run[:0], 0
}

// go runs until the work is spent or a covering is found.
func (w *walk) explore() {
	cost := w.net.Pre.Len() + 2*len(w.net.Initial) + w.net.Transitions.Len() + 1
	steps := min(walkSteps, walkWork/cost)
	for range steps {
		w.clock.Work(cost)
		if !w.step() {
			if len(w.run) == 0 {
				return
			}
			w.restart()
			continue
		}
		w.note()
		if w.found == nil {
			w.compare()
		}
	}
}

// step fires one enabled transition; from a random start, the next enabled one
// in order. A transition whose firing would exceed 2^64-1 tokens is passed over.
func (w *walk) step() bool {
	n := w.net.Transitions.Len()
	if n == 0 {
		return false
	}
	start := w.rng.IntN(n)
	for k := range n {
		t := (start + k) % n
		if tokens.Enabled(w.net, t, w.marking) && tokens.Fire(w.net, t, w.marking) {
			w.run = append(w.run, uint32(t))
			return true
		}
	}
	return false
}

func (w *walk) note() {
	for p, n := range w.marking {
		if n > 0 {
			w.marked[p]++
			w.high[p] = max(w.high[p], n)
		}
	}
}

// compare looks for a covering of the anchor, which moves to the present
// marking whenever the run has doubled.
func (w *walk) compare() {
	if tokens.StrictlyCovers(w.marking, w.anchor) {
		w.found = &Covering{Run: append([]uint32(nil), w.run...), From: w.at}
		return
	}
	if len(w.run) >= 2*w.at {
		w.anchor = append(w.anchor[:0], w.marking...)
		w.at = len(w.run)
	}
}
