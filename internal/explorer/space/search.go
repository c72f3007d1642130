package space

import (
	"cmp"
	"context"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Observer looks at a search while it runs. A method that returns true ends the
// search: the observer has seen enough.
type Observer interface {
	// Prepare is called before the first marking, and each time that the markings
	// get another layout.
	Prepare(v *packed.View)
	// Found is called for each new marking m, packed, in the order of their indexes
	// i. m is valid during the call.
	Found(i uint32, m []uint64) bool
	// Deadlock is called when marking i enables no transition.
	Deadlock(i uint32) bool
	// Fired is called when a transition is enabled for the first time, in marking i.
	Fired(transition, i uint32) bool
}

// Search is a breadth-first search. Chunks of the queue are expanded one after the
// other, or many at a time (see window); what is found is numbered in the order of
// the queue, so that all numbers are the same on any number of cores. The exported
// fields are set before Run. The Space is what has been found so far.
type Search struct {
	*Space
	Observer     Observer    // nil: nobody looks
	EndUnbounded bool        // a covering ends the search
	OnCovering   func() bool // called once a covering is found; true ends the search
	OnPause      func() bool // called when there are some more markings, to evaluate them; true ends the search

	cores       int
	learnAfter  uint32
	leastWindow uint32
	maxStates   uint32
	growing     bool // the net may be unbounded, as far as is known
	nextCheck   uint32
	nextPause   uint32
	rank        []uint32

	sleep    *sleepSets // nil when all edges are kept
	ceiling  []uint64   // s.most tokens in every place, packed
	chunk    chunk      // of one core
	parallel bool       // several cores have been at work
	followed uint64     // successors that were looked up
	row      []uint32
	targets  []uint32 // of a chunk
	warmth   uint64   // sum of what was touched, so that the touching is not left out
}

const (
	firstPause = 1 << 14
	alone      = 1 << 8 // markings that are left to one core
)

// NewSearch prepares the search of a net. The clock, which may be nil, counts the
// work and ends it; see package clock. The caller closes the Space.
func NewSearch(clock *clock.Clock, net *pnml.Net, opt Options) *Search {
	limit := opt.Memory
	if limit == 0 {
		limit = DefaultMemory
	}
	b := memory.NewBudget(limit)
	s := &Search{
		Space:       &Space{View: packed.View{Clock: clock}, net: net, budget: b, parents: &parents{budget: b}},
		maxStates:   uint32(min(cmp.Or(opt.MaxStates, MaxMarkings), MaxMarkings)),
		cores:       max(1, opt.Cores),
		learnAfter:  cmp.Or(opt.LearnAfter, learnAfter),
		leastWindow: cmp.Or(opt.LeastWindow, leastWindow),
		growing:     tokens.Grows(net),
		nextPause:   firstPause,
	}
	if opt.Edges {
		s.edges = &rows{budget: b}
	}
	return s
}

// Explore enumerates the reachable markings, breadth first. Limits and an ended
// context are no errors: the space says how far the search came. The caller
// closes it.
func Explore(ctx context.Context, net *pnml.Net, opt Options) *Space {
	s := NewSearch(nil, net, opt)
	s.EndUnbounded = true
	ended := clock.Until(ctx, func(c *clock.Clock) error {
		s.Clock = c
		s.Run(ctx)
		return nil
	})
	s.Clock = nil // what is asked of the space later is not limited
	if ended != nil {
		s.stop = Interrupted
	}
	return s.Space
}

// setUp walks, lays out and stores the initial marking.
func (s *Search) setUp() bool {
	w := newWalk(s.Clock, s.net)
	w.explore()
	if w.found != nil && s.growing && w.found.check(s.net) == nil {
		s.covering = w.found
	}
	s.rank = w.marked
	s.lay(packed.NewLayout(s.net, w.high))
	s.fired = make([]bool, s.Program.Actions())
	if s.edges == nil {
		s.sleep = newSleepSets(s.budget, s.Program.Actions())
	}
	if s.store = newStore(s.budget, s.Layout.Words, s.maxStates); s.store == nil {
		return false
	}
	m := make([]uint64, s.Layout.Words)
	s.Layout.Pack(s.net.Initial, m)
	_, _, ok := s.store.insert(m, s.store.keys.Hash(m))
	return ok && (s.sleep == nil || s.sleep.note(0, noLabel))
}

func (s *Search) lay(l *packed.Layout) {
	s.Layout, s.Program = l, packed.Compile(s.Clock, s.net, l, s.rank)
	s.ceiling = l.Ceiling(s.most)
	if s.Observer != nil {
		s.Observer.Prepare(&s.View)
	}
}

// Run searches until the space is complete or there is another reason to stop, such
// as the end of ctx; see [Space.Stop].
func (s *Search) Run(ctx context.Context) {
	defer func() { s.sleep.close() }()
	if !s.setUp() {
		s.lost = true
		s.stop = OutOfMemory
		return
	}
	most, sum := s.Layout.Constant()
	defer func() {
		s.most = max(s.most, most)
		s.sum.Plus(sum)
	}()
	if s.covering != nil && !s.afterCovering() {
		return
	}
	if s.Observer != nil && s.Observer.Found(0, s.store.at(0)) {
		s.stop = Enough
		return
	}
	s.one(ctx)
}

// one searches on one core; what comes after the first markings is left to many
// cores where there are some.
func (s *Search) one(ctx context.Context) {
	for s.expanded < s.store.n {
		if clock.Ended(ctx) {
			s.stop = Interrupted
			return
		}
		if s.cores > 1 && s.expanded >= min(s.learnAfter, alone) {
			s.many(ctx)
			return
		}
		if !s.step(s.chunkEnd(s.expanded)) {
			return
		}
	}
}

// step expands the next markings up to the given end, or some of them, and
// commits them. Their packed successors take an eighth of the memory at most. It returns
// false when the search ends.
func (s *Search) step(end uint32) bool {
	c := &s.chunk
	c.clock = s.Clock
	c.begin(s.expanded, end, min(max(batchSize, s.Program.Actions()), int(s.budget.Limit()/8/8)/s.Layout.Words))
	v := s.snapshot()
	v.expand(c)
	if c.next == c.first && c.overflow < 0 { // the successors of one marking are too many
		return s.end(OutOfMemory)
	}
	return s.commit(c) && (c.overflow < 0 || s.widen(c.next, s.Program.Transition(uint32(c.overflow))))
}

// chunkEnd is the end of the chunk that begins with marking i.
func (s *Search) chunkEnd(i uint32) uint32 {
	return uint32(min(uint64(s.store.n), (uint64(i)/chunkMarkings+1)*chunkMarkings))
}

func (s *Search) snapshot() snapshot {
	v := snapshot{markings: s.store.markings, layout: s.Layout, program: s.Program, sleep: s.sleep, observed: s.Observer != nil, fired: s.fired, most: s.most, ceiling: s.ceiling}
	if s.sleep != nil {
		v.labels = s.sleep.labels
	}
	return v
}

// end notes why the search ends; it returns false.
func (s *Search) end(why Stop) bool {
	s.stop = why
	return false
}

// full ends the search because the store refused a marking.
func (s *Search) full() bool {
	if s.store.n >= s.maxStates {
		return s.end(TooManyStates)
	}
	return s.end(OutOfMemory)
}

// commit stores what a chunk found, and sees to what is due at its end. It returns
// false when the search ends.
func (s *Search) commit(c *chunk) bool {
	s.sumUp(c)
	at, warm, events := 0, 0, c.events
	for k, end := range c.ends {
		for ; len(events) > 0 && events[0].marking == c.first+uint32(k); events = events[1:] {
			if s.happens(events[0]) {
				return s.end(Enough)
			}
		}
		for ; warm < int(end); warm += warmSize {
			s.warmth += s.store.warm(&s.store.markings, s.store.n, c.Hashes[warm:min(warm+warmSize, len(c.Hashes))])
		}
		if !s.add(c, at, int(end)) {
			return false
		}
		at = int(end)
	}
	return s.learn() && (s.expanded%chunkMarkings != 0 || s.checkGrowth() && s.checkPause())
}

// sumUp adds the figures of a chunk to those of the space.
func (s *Search) sumUp(c *chunk) {
	s.firings += c.firings
	if n := len(c.ends); n > 0 {
		s.followed += uint64(c.ends[n-1])
	}
	if s.most < c.most {
		s.most, s.ceiling = c.most, s.Layout.Ceiling(c.most)
	}
	if s.sum.Less(c.sum) {
		s.sum = c.sum
	}
}

// happens reports whether the observer has seen enough after an event.
func (s *Search) happens(e event) bool {
	if e.action < 0 {
		return s.Observer.Deadlock(e.marking)
	}
	first := !s.fired[e.action]
	s.fired[e.action] = true
	return first && s.Observer.Fired(s.Program.Transition(uint32(e.action)), e.marking)
}

// add stores the successors from to end of a chunk, those of the next marking.
// It returns false when the search ends.
func (s *Search) add(c *chunk, from, end int) bool {
	words := s.Layout.Words
	s.row = s.row[:0]
	for k := from; k < end; k++ {
		s.Clock.Work(words)
		next := c.Batch[k*words : (k+1)*words]
		j, fresh, ok := s.store.insert(next, c.Hashes[k])
		if !ok {
			return s.full()
		}
		if s.edges != nil {
			s.row = append(s.row, j)
		}
		if !fresh {
			continue
		}
		if !s.parents.child() || s.sleep != nil && !s.sleep.note(j, c.Labels[k]) {
			return s.end(OutOfMemory)
		}
		if s.Observer != nil && s.Observer.Found(j, next) {
			return s.end(Enough)
		}
	}
	if !s.parents.done() || s.edges != nil && !s.edges.add(s.row) {
		return s.end(OutOfMemory)
	}
	s.expanded++
	if s.sleep != nil {
		s.sleep.expanded(s.expanded)
	}
	return true
}

// learning reports whether it is still to be decided which firings are left out.
func (s *Search) learning() bool { return s.sleep != nil && s.sleep.skips == nil }

// learn decides, when it is time, which firings are left out from now on. It
// gives false when the search ends.
func (s *Search) learn() bool {
	if !s.learning() || s.expanded < s.learnAfter {
		return true
	}
	return s.sleep.learn(s.Clock, s.net, s.Program) || s.end(OutOfMemory)
}

// checkPause lets the one who searches evaluate what is there, each time that
// the search has become eight times as large. It returns false when the search
// ends, also when the evaluation would soon lack memory.
func (s *Search) checkPause() bool {
	if s.edges != nil && s.budget.Free() < 32*int64(s.store.n)+4*int64(s.edges.edges) {
		return s.end(OutOfMemory)
	}
	if s.OnPause == nil || s.store.n < s.nextPause {
		return true
	}
	s.nextPause = 8 * min(s.store.n, MaxMarkings/8)
	if s.OnPause() {
		return s.end(Enough)
	}
	return true
}

// Parallel reports whether several cores have been at work.
func (s *Search) Parallel() bool { return s.parallel }
