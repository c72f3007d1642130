package explorer

import (
	"cmp"
	"context"
	"math/bits"
	"time"

	"podium/pnml"
)

// observer looks at a search while it runs. Every method may end the search by
// telling that it has seen enough.
type observer interface {
	// prepare is called before the first marking and after every change of the
	// layout.
	prepare(l *layout, p *program)
	// fresh is called for every new marking, by ascending index.
	fresh(i uint32, m []uint64) bool
	// dead is called when marking i turns out to enable nothing.
	dead(i uint32) bool
	// fires is called when a transition is enabled for the first time, in
	// marking i.
	fires(transition, i uint32) bool
}

// search is a breadth-first search at work. Successors are gathered in a batch
// before they are looked up, so that the processor has many memory accesses
// under way at one time.
type search struct {
	*Space
	observer     observer      // may be nil
	time         time.Duration // 0 for no limit
	maxStates    uint32
	endUnbounded bool        // a covering is all that matters
	covered      func() bool // may be nil; called when a covering is found, tells whether all is decided
	growing      bool        // the net may be unbounded, as far as is known
	nextCheck    uint32
	pause        func() bool // may be nil; called now and then, tells whether all is decided
	nextPause    uint32
	rank         []uint32

	head   uint32   // next marking to be expanded; the batch holds those before it
	batch  []uint64 // packed successors
	hashes []uint64
	counts []uint32 // successors per marking of the batch
	row    []uint32
	warmth uint64 // sum of what was touched, so that the touching is not left out
}

const (
	batchSize  = 256
	firstPause = 1 << 14
)

func newSearch(net *pnml.Net, opt Options) *search {
	limit := opt.Memory
	if limit == 0 {
		limit = defaultMemory
	}
	b := &budget{limit: limit}
	s := &search{
		Space:     &Space{net: net, budget: b, parents: &parents{budget: b}},
		maxStates: uint32(min(cmp.Or(opt.MaxStates, maxMarkings), maxMarkings)),
		time:      opt.SearchTime,
		growing:   grows(net),
		nextPause: firstPause,
	}
	if opt.Edges {
		s.edges = &rows{budget: b}
	}
	return s
}

// setUp walks, lays out and stores the initial marking.
func (s *search) setUp() bool {
	w := newWalk(s.net)
	w.explore()
	if w.found != nil && s.growing && w.found.Check(s.net) == nil {
		s.covering = w.found
	}
	s.rank = w.marked
	widths := make([]uint8, len(s.net.Initial))
	for p, changing := range changes(s.net) {
		if changing {
			widths[p] = widthOf(w.high[p])
		}
	}
	s.lay(newLayout(s.net, loosen(s.net, widths)))
	s.fired = make([]bool, len(s.program.actions))
	if s.store = newStore(s.budget, s.layout.words, s.maxStates); s.store == nil {
		return false
	}
	m := make([]uint64, s.layout.words)
	s.layout.pack(s.net.Initial, m)
	_, _, ok := s.store.insert(m, hash(m))
	return ok
}

func (s *search) lay(l *layout) {
	s.layout, s.program = l, compile(s.net, l, s.rank)
	if s.observer != nil {
		s.observer.prepare(s.layout, s.program)
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
	if !s.setUp() {
		s.lost = true
		s.stop = OutOfMemory
		return
	}
	most, sum := s.layout.constant()
	defer func() {
		s.most = max(s.most, most)
		s.sum.plus(sum)
	}()
	if s.covering != nil && !s.afterCovering() {
		return
	}
	if s.observer != nil && s.observer.fresh(0, s.store.at(0)) {
		s.stop = Enough
		return
	}
	for s.head < s.store.n {
		if ctx.Err() != nil {
			s.stop = Interrupted
			return
		}
		if !s.fill() || !s.flush() || !s.checkGrowth() || !s.checkPause() {
			return
		}
	}
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

// fill expands markings into the batch. It gives false when the search ends.
func (s *search) fill() bool {
	for s.head < s.store.n && len(s.hashes) < batchSize {
		before := len(s.hashes)
		switch overflow, more := s.expand(s.head); {
		case overflow >= 0:
			s.batch, s.hashes = s.batch[:before*s.layout.words], s.hashes[:before]
			return s.flush() && s.widen(s.head, s.program.actions[overflow].transition)
		case !more:
			return s.end(Enough)
		}
		s.counts = append(s.counts, uint32(len(s.hashes)-before))
		s.head++
	}
	return true
}

// expand puts the successors of marking i into the batch. It gives the action
// whose result does not fit the layout, else -1; more is false when the
// observer has seen enough.
func (s *search) expand(i uint32) (overflow int, more bool) {
	m, p := s.store.at(i), s.program
	before := len(s.hashes)
	for _, a := range p.always {
		if r := s.try(a, m, i); r >= tryOverflow {
			return stopped(a, r)
		}
	}
	for w, ones := range p.watched {
		for rest := m[w] & ones; rest != 0; {
			slot := &p.slots[w<<6|bits.TrailingZeros64(rest)]
			rest &^= slot.clear
			for _, a := range p.list[slot.lo:slot.hi] {
				if r := s.try(a, m, i); r >= tryOverflow {
					return stopped(a, r)
				}
			}
		}
	}
	degree := len(s.hashes) - before
	s.firings += uint64(degree)
	most, sum := s.layout.tokens(m)
	s.most = max(s.most, most)
	if s.sum.less(sum) {
		s.sum = sum
	}
	if degree == 0 && s.observer != nil && s.observer.dead(i) {
		return -1, false
	}
	return -1, true
}

func stopped(a uint32, r tried) (overflow int, more bool) {
	if r == tryEnough {
		return -1, false
	}
	return int(a), true
}

// tried is what became of an attempt to fire.
type tried uint8

const (
	tryDisabled tried = iota
	tryFired
	tryOverflow
	tryEnough
)

// try fires action a in m, marking i, if it is enabled.
func (s *search) try(a uint32, m []uint64, i uint32) tried {
	p := s.program
	act := &p.actions[a]
	touches := p.touches[act.touch:act.touchEnd]
	full := uint64(0)
	for k := range touches {
		t := &touches[k]
		w := m[t.word]
		if w&t.need != t.need {
			return tryDisabled
		}
		full |= w & t.room
	}
	for k := act.need; k < act.needEnd; k++ {
		if n := &p.needs[k]; n.never || m[n.word]>>n.shift&n.mask < n.bound {
			return tryDisabled
		}
	}
	if !s.fired[a] {
		s.fired[a] = true
		if s.observer != nil && s.observer.fires(act.transition, i) {
			return tryEnough
		}
	}
	if full != 0 {
		return tryOverflow
	}
	for k := act.room; k < act.roomEnd; k++ {
		if n := &p.rooms[k]; n.never || m[n.word]>>n.shift&n.mask > n.bound {
			return tryOverflow
		}
	}
	at := len(s.batch)
	s.batch = append(s.batch, m...)
	next := s.batch[at:]
	for k := range touches {
		t := &touches[k]
		next[t.word] += t.add
	}
	s.hashes = append(s.hashes, hash(next))
	return tryFired
}

// flush looks the batch up and stores what is new. It gives false when the
// search ends.
func (s *search) flush() bool {
	s.warmth += s.store.warm(s.hashes)
	at, words := 0, s.layout.words
	for _, count := range s.counts {
		s.row = s.row[:0]
		for range count {
			next := s.batch[at*words : (at+1)*words]
			j, fresh, ok := s.store.insert(next, s.hashes[at])
			if !ok {
				return s.full()
			}
			at++
			if s.edges != nil {
				s.row = append(s.row, j)
			}
			if !fresh {
				continue
			}
			if !s.parents.child() {
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
	}
	s.batch, s.hashes, s.counts = s.batch[:0], s.hashes[:0], s.counts[:0]
	return true
}

// checkGrowth looks now and then whether the newest marking covers one of its
// ancestors; how often depends on how long that takes. It gives false when the
// search ends.
func (s *search) checkGrowth() bool {
	if !s.growing || s.store.n < 2 || s.store.n < s.nextCheck {
		return true
	}
	newest := s.store.n - 1
	from, found, looked := s.coveredBy(s.parents.of(newest), s.store.at(newest), s.layout.covers)
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
	if s.edges != nil && s.budget.limit-s.budget.used < 32*int64(s.store.n)+4*int64(s.edges.edges) {
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
	if !fireIn(s.net, int(transition), next) {
		return s.end(TooManyTokens)
	}
	if s.growing {
		below := make([]uint64, len(next))
		from, found, _ := s.coveredBy(i, nil, func(_, packed []uint64) bool {
			s.layout.unpack(packed, below)
			return strictlyCovers(next, below)
		})
		if found && !s.cover(append(s.Run(i), transition), len(s.Run(from))) {
			return false
		}
	}
	widths := s.layout.widths()
	for p, n := range next {
		if widths[p] > 0 {
			widths[p] = max(widths[p], widthOf(n))
		}
	}
	return s.relay(newLayout(s.net, loosen(s.net, widths)))
}

// relay lays all markings out anew, chunk by chunk. The batch is empty.

func (s *search) relay(l *layout) bool {

	old, from := s.store, s.layout
	if !old.roomFor(l.words) {
		return s.end(OutOfMemory)
	}
	old.closeTable()
	s.lay(l)
	if s.store = newStore(s.budget, l.words, s.maxStates); s.store == nil {
		s.lost = true
	}
	plain, packed := make([]uint64, len(l.fields)), make([]uint64, l.words)
	for i := uint32(0); i < old.n && !s.lost; i++ {
		from.unpack(old.at(i), plain)
		l.pack(plain, packed)
		_, _, ok := s.store.insert(packed, hash(packed))
		s.lost = !ok
		old.doneBefore(i + 1)
	}
	old.close()
	if s.lost {
		return s.end(OutOfMemory)
	}
	return true
}
