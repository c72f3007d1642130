package explorer

import (
	"math/bits"

	"podium/examinations"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/state"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// watched is a net, perhaps a reduced one, and the groups of its places or transitions
// that an examination without formulas asks about.
type watched struct {
	net                 *pnml.Net
	places, transitions [][]uint32
}

// observer is a space.Observer that does nothing; the others embed it.
type observer struct{ *packed.View }

func (q *observer) Prepare(v *packed.View)      { q.View = v }
func (q *observer) Found(uint32, []uint64) bool { return false }
func (q *observer) Deadlock(uint32) bool        { return false }
func (q *observer) Fired(_, _ uint32) bool      { return false }

// deadlock looks for the first dead marking.
type deadlock struct {
	observer
	found  bool
	marked uint32
}

func (d *deadlock) Deadlock(i uint32) bool {
	d.found, d.marked = true, i
	return true
}

// target is a marking that a formula of the file is looking for.
type target struct {
	item          string
	f             state.Formula
	found, missed examinations.Value // the answer when a marking has f, and when none has
}

// targets looks for all targets at one time.
type targets struct {
	observer
	pending []target
	others  bool // something else is asked for, the search is to go on
	found   func(t target, i uint32)
}

func (ts *targets) Found(i uint32, m []uint64) bool {
	for k := 0; k < len(ts.pending); {
		t := ts.pending[k]
		if !t.f.Holds(ts.View, m) {
			k++
			continue
		}
		ts.pending = append(ts.pending[:k], ts.pending[k+1:]...)
		ts.found(t, i)
	}
	return len(ts.pending) == 0 && !ts.others
}

// unsafeMarking looks for a group of places with two tokens.
type unsafeMarking struct {
	observer
	groups [][]uint32
	plain  bool     // every place is a group of its own
	ones   []uint64 // one token in every place
	found  bool
	marked uint32
}

func (u *unsafeMarking) Prepare(v *packed.View) {
	u.observer.Prepare(v)
	u.ones = v.Layout.Ceiling(1)
}

func (u *unsafeMarking) Found(i uint32, m []uint64) bool {
	if u.plain && i > 0 {
		if u.Layout.Covers(u.ones, m) {
			return false
		}
		u.found, u.marked = true, i
		return true
	}
	for _, g := range u.groups {
		if (pnml.Total{Lo: 1}).Less((&state.Sum{Places: g}).Of(u.View, m)) {
			u.found, u.marked = true, i
			return true
		}
	}
	return false
}

// firing waits until a member of every group of transitions has fired.
type firing struct {
	observer
	witnessSearch
	from, by []uint32   // the markings and transitions by which groups fired first
	groupsOf [][]uint32 // per transition
	waiting  []bool     // per group
	left     int
}

func newFiring(w watched) *firing {
	f := &firing{groupsOf: make([][]uint32, w.net.Transitions.Len()), waiting: make([]bool, len(w.transitions)), left: len(w.transitions)}
	for g, ts := range w.transitions {
		f.waiting[g] = true
		for _, t := range ts {
			f.groupsOf[t] = append(f.groupsOf[t], uint32(g))
		}
	}
	return f
}

func (f *firing) Fired(t, i uint32) bool {
	before := f.left
	for _, g := range f.groupsOf[t] {
		if f.waiting[g] {
			f.waiting[g] = false
			f.left--
		}
	}
	if f.left < before {
		f.from, f.by = append(f.from, i), append(f.by, t)
	}
	return f.left == 0
}

func (f *firing) Found(i uint32, _ []uint64) bool { return f.over(i) }

// impossible reports whether no transition of some group can ever fire, because
// it asks for more than a place holds that nothing changes.
func impossible(w watched) bool {
	changing := tokens.Changes(w.net)
	return !everyGroup(w.transitions, func(t uint32) bool { return possible(w.net, int(t), changing) })
}

func possible(net *pnml.Net, t int, changing []bool) bool {
	for k := net.Pre.Start[t]; k < net.Pre.Start[t+1]; k++ {
		if p := net.Pre.Place[k]; !changing[p] && net.Initial[p] < net.Pre.WeightAt(k) {
			return false
		}
	}
	return true
}

// stable watches the groups of places whose token sum has not changed yet.
type stable struct {
	observer
	witnessSearch
	in      []uint32     // the markings in which places changed first
	first   []uint64     // initial marking, packed
	pending []uint64     // per word: fields of single places that have not changed
	single  [][]uint32   // per word: those places
	places  []bool       // per place: a group by itself that has not changed
	groups  []state.Sum  // larger groups that have not changed
	sums    []pnml.Total // their initial sums
	initial []uint64
	left    int // places and groups that have not changed
}

func newStable(w watched) *stable {
	s := &stable{places: make([]bool, w.net.Places.Len()), initial: w.net.Initial}
	for _, g := range w.places {
		s.left++
		if len(g) == 1 && !s.places[g[0]] {
			s.places[g[0]] = true
			continue
		}
		sum := pnml.Total{}
		for _, p := range g {
			sum.Add(w.net.Initial[p])
		}
		s.groups, s.sums = append(s.groups, state.Sum{Places: g}), append(s.sums, sum)
	}
	return s
}

func (s *stable) Prepare(v *packed.View) {
	s.observer.Prepare(v)
	l := v.Layout
	s.first, s.pending, s.single = make([]uint64, l.Words), make([]uint64, l.Words), make([][]uint32, l.Words)
	l.Pack(s.initial, s.first)
	for p, waiting := range s.places {
		if word, mask := l.Bits(uint32(p)); waiting && mask != 0 {
			s.pending[word] |= mask
			s.single[word] = append(s.single[word], uint32(p))
		}
	}
}

func (s *stable) Found(i uint32, m []uint64) bool {
	before := s.left
	s.Clock.Work(len(s.pending))
	for w, pending := range s.pending {
		for rest := (m[w] ^ s.first[w]) & pending; rest != 0; {
			p, mask := s.field(w, bits.TrailingZeros64(rest))
			s.places[p] = false
			s.left--
			s.pending[w] &^= mask
			rest &^= mask
		}
	}
	for k := 0; k < len(s.groups); {
		if s.groups[k].Of(s.View, m) == s.sums[k] {
			k++
			continue
		}
		s.groups, s.sums = append(s.groups[:k], s.groups[k+1:]...), append(s.sums[:k], s.sums[k+1:]...)
		s.left--
	}
	if s.left < before {
		s.in = append(s.in, i)
	}
	return s.left == 0 || s.over(i)
}

// field returns the place that owns a bit, and all its bits.
func (s *stable) field(word, bit int) (place uint32, mask uint64) {
	for _, p := range s.single[word] {
		if _, mask := s.Layout.Bits(p); mask>>bit&1 != 0 {
			return p, mask
		}
	}
	panic("explorer: a bit belongs to no place")
}

// bounds keeps the largest sum of every list of places, and markings that reach them.
type bounds struct {
	observer
	sums []state.Sum
	most []pnml.Total
	at   []uint32
}

func (b *bounds) Found(i uint32, m []uint64) bool {
	for k := range b.sums {
		if sum := b.sums[k].Of(b.View, m); b.most[k].Less(sum) {
			b.most[k], b.at[k] = sum, i
		}
	}
	return false
}
