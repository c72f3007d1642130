package walk

import (
	"context"
	"slices"
	"time"
)

// goal is a predicate that some walk shall reach.
type goal struct {
	predicate *predicate
	reached   bool
	dropped   bool     // nobody asks for it any more
	trace     []uint32 // the walk that reached it
}

// bound is a sum of places whose largest value is asked.
type bound struct {
	form    int
	best    int64 // largest value met
	noted   int64 // value at the last news: growing by a little is none
	growing bool  // proved unbounded
	dropped bool
}

// watcher is told what walks meet; each method tells whether it was news.
type watcher interface {
	onGoal(i int)        // goal i holds in the current marking
	onBound(i int)       // bound i has a new best value, or is growing
	onFirst(t uint32)    // transition t has fired for the first time
	onToken()            // some place holds two tokens
	onCover()            // the walk has covered an earlier marking of its own and grown
	onEnd()              // the walk has ended
	finished() bool      // all is decided
	aims() []aim         // what walks may head for, nil when nothing
	wantsTokens() bool   // onToken is of interest
	wantsCovering() bool // onCover and growing bounds are of interest
}

// aim is what a guided walk heads for: a goal, or a large value of a form when
// goal is nil.
type aim struct {
	goal *predicate
	form int
}

func (a aim) distance(at *position) int64 {
	if a.goal != nil {
		return a.goal.distance(at, true)
	}
	return -max(at.forms[a.form], -far)
}

// Limits of the walks.
const (
	patience    = 4 << 20 // firings without news after which walks end
	luby        = 1024    // unit of the lengths of walks
	checkEvery  = 1 << 10 // firings between two looks at the clock
	samples     = 6       // transitions that a guided walk compares
	defaultTime = 10 * time.Second
)

// strategy is a way to choose the next transition.
type strategy uint8

const (
	uniform strategy = iota
	rarest           // of three, the one that fired least
	greedy           // of a few, the one nearest to an aim
	noisy            // greedy, one time in four uniform
	strategies
)

// walker makes walks until the watcher has what it wants or the limits are met.
type walker struct {
	*game
	watcher
	ctx      context.Context
	deadline time.Time
	random   random
	goals    []goal
	bounds   []bound
	watched  [][]int32 // transition -> open goals whose value its firing may change
	raises   [][]int32 // transition -> open bounds that its firing raises
	fired    []uint64  // transition -> firings
	firings  int64
	news     int64 // firings at the last news
	nextLook int64 // firings at the next look at the clock
	walks    int
	guided   bool // the current walk is guided
	stopped  bool
	snapshot snapshot
	trace    []uint32 // the firings of the current walk
}

// snapshot is an earlier marking of the current walk. It is taken again after
// 1, 2, 4, ... firings, so that every cycle is met (Brent 1980).
type snapshot struct {
	position
	age, next int
	at        int   // firings of the walk before it
	total     int64 // change of the token sum since
}

func newWalker(ctx context.Context, g *game, budget time.Duration, w watcher) *walker {
	return &walker{game: g, watcher: w, ctx: ctx, deadline: time.Now().Add(share(budget)), random: seedOf(g.net), fired: make([]uint64, len(g.changes))}
}

// share is the time that one call may spend on walks.
func share(budget time.Duration) time.Duration {
	if budget <= 0 {
		return defaultTime
	}
	return budget / 4
}

// arrange makes the lists of what to look at after each firing; it is called
// again when goals or bounds close.
func (w *walker) arrange() {
	w.watched = make([][]int32, len(w.changes))
	for i, goal := range w.goals {
		if goal.reached || goal.dropped {
			continue
		}
		marked := make([]bool, len(w.changes))
		goal.predicate.support(w.game, marked)
		for t, m := range marked {
			if m {
				w.watched[t] = append(w.watched[t], int32(i))
			}
		}
	}
	w.raises = make([][]int32, len(w.changes))
	for i, b := range w.bounds {
		if b.growing || b.dropped {
			continue
		}
		for t := range w.shifts {
			if slices.ContainsFunc(w.shifts[t], func(s shift) bool { return int(s.form) == b.form && s.add > 0 }) {
				w.raises[t] = append(w.raises[t], int32(i))
			}
		}
	}
}

// run makes walks. It looks at the initial marking first.
func (w *walker) run() {
	w.arrange()
	for i := range w.goals {
		w.lookAt(i)
	}
	for !w.finished() && !w.exhausted() {
		w.walk(strategy(w.walks)%strategies, lubyLength(w.walks+1)*luby)
		w.onEnd()
		w.walks++
	}
}

func (w *walker) lookAt(i int) {
	if g := &w.goals[i]; !g.reached && !g.dropped && g.predicate.holds(&w.position) {
		g.reached = true
		g.trace = slices.Clone(w.trace)
		w.news = w.firings
		w.onGoal(i)
	}
}

// lubyLength is the n-th number of 1 1 2 1 1 2 4 1 1 2 ... (Luby, Sinclair,
// Zuckerman 1993), n from 1.
func lubyLength(n int) int {
	for k := 1; ; k++ {
		switch {
		case n == 1<<k-1:
			return 1 << (k - 1)
		case n < 1<<k-1:
			return lubyLength(n - (1<<(k-1) - 1))
		}
	}
}

// walk makes one walk of at most length firings.
func (w *walker) walk(s strategy, length int) {
	w.restart()
	w.trace = w.trace[:0]
	w.firings++ // a restart is work too, and some walks are only that
	var target aim
	if aims := w.aims(); len(aims) > 0 {
		target = aims[w.random.below(len(aims))]
	} else if s >= greedy {
		s = uniform
	}
	w.guided = s >= greedy
	covering := w.wantsCovering()
	if covering {
		w.takeSnapshot(1)
	}
	for range length {
		if len(w.enabled) == 0 {
			return
		}
		t := w.choose(s, target)
		if !w.fire(t) {
			return // a number left its range: this walk proves nothing more
		}
		w.firings++
		w.trace = append(w.trace, t)
		w.observe(t)
		if covering {
			w.cover(t)
		}
		if w.finished() || w.exhausted() {
			return
		}
	}
}

// exhausted looks at the clock and at the patience, now and then.
func (w *walker) exhausted() bool {
	if w.stopped || w.firings < w.nextLook {
		return w.stopped
	}
	w.nextLook = w.firings + checkEvery
	w.stopped = w.firings-w.news > patience || w.ctx.Err() != nil || time.Now().After(w.deadline)
	return w.stopped
}

// observe tells the watcher what the firing of t has led to.
func (w *walker) observe(t uint32) {
	if w.fired[t]++; w.fired[t] == 1 {
		w.news = w.firings
		w.onFirst(t)
	}
	for _, i := range w.watched[t] {
		w.lookAt(int(i))
	}
	for _, i := range w.raises[t] {
		if b := &w.bounds[i]; w.forms[b.form] > b.best {
			b.best = w.forms[b.form]
			if b.best > b.noted+b.noted/8 {
				b.noted = b.best
				w.news = w.firings
			}
			w.onBound(int(i))
		}
	}
	if w.wantsTokens() {
		for _, c := range w.changes[t] {
			if w.tokens[c.place] > 1 || w.crowded(c.place) {
				w.onToken()
				return
			}
		}
	}
}

// choose picks an enabled transition.
func (w *walker) choose(s strategy, target aim) uint32 {
	n := len(w.enabled)
	first := w.enabled[w.random.below(n)]
	if n == 1 || s == uniform || s == noisy && w.random.below(4) == 0 {
		return first
	}
	if s == rarest {
		for range 2 {
			if t := w.enabled[w.random.below(n)]; w.fired[t] < w.fired[first] {
				first = t
			}
		}
		return first
	}
	best, least := first, int64(far)
	t := first
	for range min(samples, 2*n) {
		if w.fire(t) {
			w.firings++
			if d := target.distance(&w.position); d < least {
				best, least = t, d
			}
			w.unfire(t)
		}
		t = w.enabled[w.random.below(n)]
	}
	return best
}

func (w *walker) takeSnapshot(next int) {
	if w.snapshot.tokens == nil {
		w.snapshot.position = w.position.clone()
	}
	copy(w.snapshot.tokens, w.tokens)
	copy(w.snapshot.forms, w.forms)
	w.snapshot.age, w.snapshot.next, w.snapshot.at, w.snapshot.total = 0, next, len(w.trace), 0
}

// cover compares the marking with the snapshot. The run between them can be
// repeated for ever from every marking that covers the snapshot, so what has
// grown is unbounded.
func (w *walker) cover(t uint32) {
	for _, c := range w.changes[t] {
		if c.down {
			w.snapshot.total -= int64(min(c.amount, far))
		} else {
			w.snapshot.total += int64(min(c.amount, far))
		}
	}
	// The total only saves comparisons; it may wrap without harm.
	if w.snapshot.total > 0 && w.covers() {
		w.onCover()
		for i := range w.bounds {
			if b := &w.bounds[i]; !b.growing && !b.dropped && w.forms[b.form] > w.snapshot.forms[b.form] {
				b.growing = true
				w.news = w.firings
				w.onBound(i)
			}
		}
	}
	if w.snapshot.age++; w.snapshot.age >= w.snapshot.next {
		w.takeSnapshot(2 * w.snapshot.next)
	}
}

// covers reports whether no place holds less than in the snapshot and some place
// holds more.
func (w *walker) covers() bool {
	more := false
	for p, old := range w.snapshot.tokens {
		switch now := w.tokens[p]; {
		case now < old:
			return false
		case now > old:
			more = true
		}
	}
	return more
}
