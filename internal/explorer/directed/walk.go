// Package directed looks for a marking that satisfies a formula by walks through the net
// that head for it: each firing comes nearer to the formula, or uses up what a solution of
// the state equation says how often each transition fires on the way. Walks forget where
// they have been, so that they go far, and need no memory; they say nothing of what they
// do not find.
package directed

import (
	"math"
	"math/rand/v2"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Limits of a walk.
const (
	firstWalk = 1 << 8
	longest   = 1 << 20 // firings
	maxTokens = 1 << 40
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
	if tooLarge(view) {
		return nil, false
	}
	w := newWalker(c, view)
	goal, err := w.goal(f, false)
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
	clock   *clock.Clock
	rng     *rand.Rand
	net     *pnml.Net
	view    unfold.View
	users   [][]need // by place: what transitions need of it
	at      []int64
	lacks   []int32  // by transition: places where it lacks tokens
	enabled []uint32 // in any order
	place   []int32  // of a transition in enabled, -1 outside
	effects [][]change
	run     []uint32
	hash    [2]uint64 // of the marking
	effort  int       // that may still be made
}

type need struct {
	transition uint32
	tokens     int64
}

type change struct {
	place uint32
	by    int64
}

func newWalker(c *clock.Clock, view unfold.View) *walker {
	net := view.Net
	places, transitions := net.Places.Len(), net.Transitions.Len()
	w := &walker{clock: c, rng: rand.New(rand.NewPCG(3, 5)), net: net, view: view, users: make([][]need, places), at: make([]int64, places),
		lacks: make([]int32, transitions), place: make([]int32, transitions), effects: make([][]change, transitions)}
	for t := range uint32(transitions) {
		takes, weights := net.Pre.Row(int(t))
		gives, more := net.Post.Row(int(t))
		c.Work(32 + 16*len(takes) + 16*len(gives))
		for k, p := range takes {
			w.users[p] = append(w.users[p], need{t, int64(min(weights.At(k), maxTokens))})
			w.effects[t] = append(w.effects[t], change{p, -int64(min(weights.At(k), maxTokens))})
		}
		for k, p := range gives {
			by := int64(min(more.At(k), maxTokens))
			if i := slices.IndexFunc(w.effects[t], func(x change) bool { return x.place == p }); i >= 0 {
				w.effects[t][i].by += by
			} else {
				w.effects[t] = append(w.effects[t], change{p, by})
			}
		}
		w.effects[t] = slices.DeleteFunc(w.effects[t], func(x change) bool { return x.by == 0 })
	}
	return w
}

// tooLarge reports whether a place holds more tokens at first than walks count.
func tooLarge(view unfold.View) bool {
	return slices.ContainsFunc(view.Net.Initial, func(n uint64) bool { return n >= maxTokens })
}

// begin goes to the initial marking.
func (w *walker) begin() {
	w.run, w.enabled = w.run[:0], w.enabled[:0]
	for p, n := range w.net.Initial {
		w.at[p] = int64(min(n, maxTokens))
	}
	w.hash = [2]uint64{}
	clear(w.lacks)
	for p, list := range w.users {
		w.clock.Work(8 + len(list))
		for _, x := range list {
			if w.at[p] < x.tokens {
				w.lacks[x.transition]++
			}
		}
	}
	for t, n := range w.lacks {
		if w.place[t] = -1; n == 0 {
			w.enable(uint32(t))
		}
	}
}

func (w *walker) enable(t uint32) {
	w.place[t] = int32(len(w.enabled))
	w.enabled = append(w.enabled, t)
}

func (w *walker) disable(t uint32) {
	i, last := w.place[t], w.enabled[len(w.enabled)-1]
	w.enabled[i], w.place[last] = last, i
	w.enabled, w.place[t] = w.enabled[:len(w.enabled)-1], -1
}

// fire reports whether the numbers of tokens stay small.
func (w *walker) fire(t uint32) bool {
	w.run = append(w.run, t)
	return w.move(t, 1)
}

// move goes to the marking after a transition or, with -1, back to that before it. It
// reports whether the numbers of tokens are small.
func (w *walker) move(t uint32, sign int64) bool {
	small := true
	for _, x := range w.effects[t] {
		before := w.at[x.place]
		after := before + sign*x.by
		small = small && after < maxTokens
		w.hash[0] += spread(x.place, after, 1) - spread(x.place, before, 1)
		w.hash[1] += spread(x.place, after, 2) - spread(x.place, before, 2)
		w.at[x.place] = after
		w.clock.Work(4 + len(w.users[x.place]))
		for _, u := range w.users[x.place] {
			switch {
			case before < u.tokens && after >= u.tokens:
				if w.lacks[u.transition]--; w.lacks[u.transition] == 0 {
					w.enable(u.transition)
				}
			case before >= u.tokens && after < u.tokens:
				if w.lacks[u.transition]++; w.lacks[u.transition] == 1 {
					w.disable(u.transition)
				}
			}
		}
	}
	return small
}

// spread is a number that looks drawn at random, for tokens in a place.
func spread(place uint32, tokens int64, salt uint64) uint64 {
	h := (uint64(place)<<2 + salt) * 0x9e3779b97f4a7c15
	h = (h ^ h>>31 ^ uint64(tokens)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29) * 0x94d049bb133111eb
	return h ^ h>>32
}

// walk goes from the initial marking until the target is met, or the way or the length
// ends.
func (w *walker) walk(goal *target, way func() (uint32, bool), length int) bool {
	for w.begin(); ; {
		w.clock.Work(16)
		if goal.distance(w) == 0 {
			return true
		}
		if w.effort--; len(w.run) == length || len(w.enabled) == 0 || w.effort <= 0 {
			return false
		}
		t, ok := way()
		if !ok || !w.fire(t) {
			return false
		}
	}
}

func (w *walker) atRandom() (uint32, bool) { return w.enabled[w.rng.IntN(len(w.enabled))], true }

// mostTried bounds the transitions whose firing is compared in a marking.
const mostTried = 64

// nearer returns a transition whose firing comes nearest to a target; now and then any.
func (w *walker) nearer(goal *target) (best uint32, ok bool) {
	if w.rng.IntN(8) == 0 {
		return w.atRandom()
	}
	w.effort -= min(len(w.enabled), mostTried)
	from, least, ties := w.rng.IntN(len(w.enabled)), int64(0), 0
	for k := range min(len(w.enabled), mostTried) {
		t := w.enabled[(from+k)%len(w.enabled)]
		for _, x := range w.effects[t] {
			w.at[x.place] += x.by
		}
		// What is enabled is that of the marking before: near enough.
		distance := goal.distance(w)
		for _, x := range w.effects[t] {
			w.at[x.place] -= x.by
		}
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
		for _, t := range w.enabled {
			w.clock.Work(4)
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
