package explorer

import (
	"cmp"
	"context"
	"time"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// observer looks at a search while it runs. Every method may end the search by
// telling that it has seen enough.
type observer interface {
	// prepare is called before the first marking and after every change of the
	// layout.
	prepare(v *packed.View)
	// fresh is called for every new marking, by ascending index.
	fresh(i uint32, m []uint64) bool
	// Dead is called when marking i turns out to enable nothing.
	Dead(i uint32) bool
	// fires is called when a transition is enabled for the first time, in
	// marking i.
	fires(transition, i uint32) bool
}

// search is a breadth-first search at work. Chunks of the queue are expanded one
// after the other, or many at a time (see window); what is found is numbered in the
// order of the queue, so that all numbers are the same on any number of cores.
type search struct {
	*Space
	observer     observer      // may be nil
	time         time.Duration // 0 for no limit
	cores        int
	learnAfter   uint32
	leastWindow  uint32
	maxStates    uint32
	endUnbounded bool        // a covering is all that matters
	covered      func() bool // may be nil; called when a covering is found, tells whether all is decided
	growing      bool        // the net may be unbounded, as far as is known
	nextCheck    uint32
	pause        func() bool // may be nil; called now and then, tells whether all is decided
	nextPause    uint32
	rank         []uint32

	diamonds *diamonds // nil when all edges are kept
	ceiling  []uint64  // s.most tokens in every place, packed
	chunk    chunk     // of one core
	parallel bool      // several cores have been at work
	followed uint64    // successors that were looked up
	row      []uint32
	targets  []uint32 // of a chunk
	warmth   uint64   // sum of what was touched, so that the touching is not left out
}

const (
	firstPause = 1 << 14
	alone      = 1 << 8 // markings that are left to one core
)

func newSearch(clock *clock.Clock, net *pnml.Net, opt Options) *search {
	limit := opt.Memory
	if limit == 0 {
		limit = defaultMemory
	}
	b := memory.NewBudget(limit)
	s := &search{
		Space:       &Space{View: packed.View{Clock: clock}, net: net, budget: b, parents: &parents{budget: b}},
		maxStates:   uint32(min(cmp.Or(opt.MaxStates, maxMarkings), maxMarkings)),
		time:        opt.SearchTime,
		cores:       max(1, opt.Cores),
		learnAfter:  cmp.Or(opt.learnAfter, learnAfter),
		leastWindow: cmp.Or(opt.leastWindow, leastWindow),
		growing:     tokens.Grows(net),
		nextPause:   firstPause,
	}
	if opt.Edges {
		s.edges = &rows{budget: b}
	}
	return s
}

// setUp walks, lays out and stores the initial marking.
func (s *search) setUp() bool {
	w := newWalk(s.Clock, s.net)
	w.explore()
	if w.found != nil && s.growing && w.found.Check(s.net) == nil {
		s.covering = w.found
	}
	s.rank = w.marked
	s.lay(packed.NewLayout(s.net, w.high))
	s.fired = make([]bool, s.Program.Actions())
	if s.edges == nil {
		s.diamonds = newDiamonds(s.budget, s.Program.Actions())
	}
	if s.store = newStore(s.budget, s.Layout.Words, s.maxStates); s.store == nil {
		return false
	}
	m := make([]uint64, s.Layout.Words)
	s.Layout.Pack(s.net.Initial, m)
	_, _, ok := s.store.insert(m, s.store.keys.Hash(m))
	return ok && (s.diamonds == nil || s.diamonds.note(0, noLabel))
}

func (s *search) lay(l *packed.Layout) {
	s.Layout, s.Program = l, packed.Compile(s.Clock, s.net, l, s.rank)
	s.ceiling = l.Ceiling(s.most)
	if s.observer != nil {
		s.observer.prepare(&s.View)
	}
}

// run searches until the space is complete or a reason to stop appears, and
// leaves that reason in s.stop.
func (s *search) run(ctx context.Context) {
	if s.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.time)
		defer cancel()
	}
	defer func() { s.diamonds.close() }()
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
	if s.observer != nil && s.observer.fresh(0, s.store.at(0)) {
		s.stop = Enough
		return
	}
	s.one(ctx)
}

// one searches on one core; what comes after the first markings is left to many
// cores where there are some.
func (s *search) one(ctx context.Context) {
	for s.expanded < s.store.n {
		if ctx.Err() != nil {
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
// commits them. It gives false when the search ends.
func (s *search) step(end uint32) bool {
	c := &s.chunk
	c.clock = s.Clock
	c.begin(s.expanded, end, max(batchSize, s.Program.Actions()))
	v := s.snapshot()
	v.expand(c)
	return s.commit(c) && (c.overflow < 0 || s.widen(c.next, s.Program.Transition(uint32(c.overflow))))
}

// chunkEnd is the end of the chunk that begins with marking i.
func (s *search) chunkEnd(i uint32) uint32 {
	return uint32(min(uint64(s.store.n), (uint64(i)/chunkMarkings+1)*chunkMarkings))
}

func (s *search) snapshot() snapshot {
	v := snapshot{markings: s.store.markings, layout: s.Layout, program: s.Program, diamonds: s.diamonds, observed: s.observer != nil, fired: s.fired, most: s.most, ceiling: s.ceiling}
	if s.diamonds != nil {
		v.labels = s.diamonds.labels
	}
	return v
}

// end notes why the search ends; it gives false.
func (s *search) end(why Stop) bool {
	s.stop = why
	return false
}

// full ends the search because the store refused a marking.
func (s *search) full() bool {
	if s.store.n >= s.maxStates {
		return s.end(TooManyStates)
	}
	return s.end(OutOfMemory)
}

// commit stores what a chunk found, and sees to what is due at its end. It gives
// false when the search ends.
func (s *search) commit(c *chunk) bool {
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
func (s *search) sumUp(c *chunk) {
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

// happens tells whether the observer has seen enough after an event.
func (s *search) happens(e event) bool {
	if e.action < 0 {
		return s.observer.Dead(e.marking)
	}
	first := !s.fired[e.action]
	s.fired[e.action] = true
	return first && s.observer.fires(s.Program.Transition(uint32(e.action)), e.marking)
}

// add stores the successors from to end of a chunk, those of the next marking.
// It gives false when the search ends.
func (s *search) add(c *chunk, from, end int) bool {
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
		if !s.parents.child() || s.diamonds != nil && !s.diamonds.note(j, c.Labels[k]) {
			return s.end(OutOfMemory)
		}
		if s.observer != nil && s.observer.fresh(j, next) {
			return s.end(Enough)
		}
	}
	if !s.parents.done() || s.edges != nil && !s.edges.add(s.row) {
		return s.end(OutOfMemory)
	}
	s.expanded++
	if s.diamonds != nil {
		s.diamonds.expanded(s.expanded)
	}
	return true
}

// learning tells whether it is still to be decided which firings are left out.
func (s *search) learning() bool { return s.diamonds != nil && s.diamonds.skips == nil }

// learn decides, when it is time, which firings are left out from now on. It
// gives false when the search ends.
func (s *search) learn() bool {
	if !s.learning() || s.expanded < s.learnAfter {
		return true
	}
	return s.diamonds.learn(s.Clock, s.net, s.Program) || s.end(OutOfMemory)
}

// checkGrowth looks now and then whether the newest marking covers one of its
// ancestors; how often depends on how long that takes. It gives false when the
// search ends.
func (s *search) checkGrowth() bool {
	if !s.growing || s.store.n < 2 || s.store.n < s.nextCheck {
		return true
	}
	newest := s.store.n - 1
	from, found, looked := s.coveredBy(s.parents.of(newest), s.store.at(newest), s.Layout.Covers)
	s.nextCheck = s.store.n + 256 + 32*uint32(looked)
	if !found {
		return true
	}
	return s.cover(s.Run(newest), len(s.Run(from)))
}

// checkPause lets the one who searches evaluate what is there, each time that
// the search has become eight times as large. It gives false when the search
// ends, also when the evaluation would soon lack memory.
func (s *search) checkPause() bool {
	if s.edges != nil && s.budget.Free() < 32*int64(s.store.n)+4*int64(s.edges.edges) {
		return s.end(OutOfMemory)
	}
	if s.pause == nil || s.store.n < s.nextPause {
		return true
	}
	s.nextPause = 8 * min(s.store.n, maxMarkings/8)
	if s.pause() {
		return s.end(Enough)
	}
	return true
}

// cover takes a covering. It gives false when that ends the search.
func (s *search) cover(run []uint32, from int) bool {
	c := &Covering{Run: run, From: from}
	if err := c.Check(s.net); err != nil {
		panic("explorer: a covering does not replay: " + err.Error())
	}
	s.covering = c
	return s.afterCovering()
}

// afterCovering gives false when the covering ends the search.
func (s *search) afterCovering() bool {
	s.growing = false
	if s.endUnbounded {
		return s.end(Unbounded)
	}
	return s.covered == nil || !s.covered() || s.end(Enough)
}

// widen makes room for what the transition does in marking i, and lays all
// markings out anew. It gives false when the search ends.
func (s *search) widen(i uint32, transition uint32) bool {
	next := s.Marking(i, nil)
	if !tokens.Fire(s.net, int(transition), next) {
		return s.end(TooManyTokens)
	}
	if s.growing {
		below := make([]uint64, len(next))
		from, found, _ := s.coveredBy(i, nil, func(_, packed []uint64) bool {
			s.Layout.Unpack(packed, below)
			return tokens.StrictlyCovers(next, below)
		})
		if found && !s.cover(append(s.Run(i), transition), len(s.Run(from))) {
			return false
		}
	}
	return s.relay(s.Layout.Widen(s.net, next))
}

// relay lays all markings out anew, chunk by chunk.
func (s *search) relay(l *packed.Layout) bool {
	old, from := s.store, s.Layout
	if !old.roomFor(l.Words) {
		return s.end(OutOfMemory)
	}
	old.closeTable()
	s.lay(l)
	s.store = newStore(s.budget, l.Words, s.maxStates)
	ok := s.store != nil
	s.lost = true // until all are moved
	plain, packed := make([]uint64, l.Places()), make([]uint64, l.Words)
	for i := uint32(0); i < old.n && ok; i++ {
		s.Clock.Work(2 * len(plain))
		from.Unpack(old.at(i), plain)
		l.Pack(plain, packed)
		_, _, ok = s.store.insert(packed, s.store.keys.Hash(packed))
		old.doneBefore(i + 1)
	}
	old.close()
	if s.lost = !ok; s.lost {
		return s.end(OutOfMemory)
	}
	return true
}
