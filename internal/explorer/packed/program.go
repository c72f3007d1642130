package packed

import (
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Program is a net compiled against a layout: which bits of a packed marking each
// transition tests and changes. A transition that can never fire, because a place
// that never changes has too few tokens, has no action. The actions have the same
// numbers in every layout of a net.
type Program struct {
	keys    Keys
	actions []action // those that watch no place, then by watched place
	touches []touch
	guards  []guard
	free    uint32   // guards of actions that watch no place
	watched []uint64 // per word: the fields some action watches
	slots   []slot   // per bit of a packed marking: whose field it is
	of      []int32  // transition to action, -1 when it is left out
}

// action is one transition.
type action struct {
	touch, touchEnd uint32
	transition      uint32
	never, spills   uint64 // not 0: no marking of this layout enables it; there is never room after it
	change          wide   // of the hash sum
}

// touch is what an action does to one word: the fields below need disable it,
// those that have no room for gain overflow, and add is the sum of all changes,
// which never carries from one field to the next.
type touch struct {
	need, gain, add uint64
	seams           uint64 // of the word, see layout
	word            uint32
}

// guard is what enables an action, as far as one word goes. The guards of an
// action follow each other; none are there when no marking of the layout enables
// the action.
type guard struct {
	need, seams  uint64
	keep         uint64 // 0 for the last guard of an action, else all ones
	word, action uint32
}

// slot is a field as the bits of its word see it.
type slot struct {
	clear  uint64 // all bits of the field
	lo, hi uint32 // guards of the actions that watch the place
}

// Compile makes the program of a net. rank says how often each place had a token in
// a trial: of the places that a transition needs, the program looks at the one with
// the lowest rank first.
func Compile(clock *clock.Clock, net *pnml.Net, l *Layout, rank []uint32) *Program {
	p := &Program{keys: NewKeys(l.Words), watched: make([]uint64, l.Words), slots: make([]slot, 64*l.Words), of: make([]int32, net.Transitions.Len())}
	free, watchers := p.watchers(net, l, rank)
	for _, t := range free {
		p.action(clock, net, l, t)
	}
	p.free = uint32(len(p.guards))
	for place, ts := range watchers {
		if len(ts) == 0 {
			continue
		}
		f := &l.fields[place]
		s := slot{clear: f.mask << f.shift, lo: uint32(len(p.guards))}
		for _, t := range ts {
			p.action(clock, net, l, t)
		}
		s.hi = uint32(len(p.guards))
		p.watched[f.word] |= s.clear
		for b := range f.width {
			p.slots[f.word*64+uint32(f.shift+b)] = s
		}
	}
	return p
}

// watchers returns the transitions that watch no place, and those that watch each
// place.
func (p *Program) watchers(net *pnml.Net, l *Layout, rank []uint32) (free []int, watchers [][]int) {
	watchers = make([][]int, len(l.fields))
	for t := range p.of {
		p.of[t] = -1
		watch, possible := p.watch(net, l, t, rank)
		switch {
		case !possible:
		case watch < 0:
			free = append(free, t)
		default:
			watchers[watch] = append(watchers[watch], t)
		}
	}
	return free, watchers
}

// watch returns the place to watch, -1 when the transition needs no token of a
// place that changes, and whether it can fire at all.
func (p *Program) watch(net *pnml.Net, l *Layout, t int, rank []uint32) (place int, possible bool) {
	place = -1
	places, _ := net.Pre.Row(t)
	for k, q := range places {
		f := &l.fields[q]
		if f.width == 0 {
			if f.base < net.Pre.WeightAt(net.Pre.Start[t]+uint32(k)) {
				return -1, false
			}
			continue
		}
		if place < 0 || rank[q] < rank[place] {
			place = int(q)
		}
	}
	return place, true
}

func (p *Program) action(clock *clock.Clock, net *pnml.Net, l *Layout, t int) {
	p.of[t] = int32(len(p.actions))
	a := action{touch: uint32(len(p.touches)), transition: uint32(t)}
	for e := range tokens.Effects(net, t) {
		f := &l.fields[e.Place]
		if f.width == 0 {
			continue
		}
		touch, looked := p.touch(a.touch, f.word, l)
		clock.Work(4 + looked)
		if e.Pre > f.mask {
			a.never = 1
		}
		touch.need += e.Pre & f.mask << f.shift
		touch.add += (e.Post - e.Pre) << f.shift
		if e.Post <= e.Pre {
			a.change.minus(p.keys[f.word], (e.Pre-e.Post)<<f.shift)
			continue
		}
		if e.Post-e.Pre > f.mask {
			a.spills = 1
		}
		touch.gain += (e.Post - e.Pre) & f.mask << f.shift
		a.change.plus(p.keys[f.word], (e.Post-e.Pre)<<f.shift)
	}
	a.touchEnd = uint32(len(p.touches))
	p.actions = append(p.actions, a)
	if a.never == 0 {
		p.guard(p.touches[a.touch:])
	}
}

// guard makes the guards of the last action.
func (p *Program) guard(touches []touch) {
	first := len(p.guards)
	for _, t := range touches {
		if t.need != 0 {
			p.guards = append(p.guards, guard{need: t.need, seams: t.seams, keep: ^uint64(0), word: t.word, action: uint32(len(p.actions) - 1)})
		}
	}
	if len(p.guards) == first {
		p.guards = append(p.guards, guard{action: uint32(len(p.actions) - 1)})
	}
	p.guards[len(p.guards)-1].keep = 0
}

// touch returns the touch of a word among those from first on, mostly the last one,
// and tells how many it looked at.
func (p *Program) touch(first, word uint32, l *Layout) (t *touch, looked int) {
	own := p.touches[first:]
	for i := range slices.Backward(own) {
		if own[i].word == word {
			return &own[i], len(own) - i
		}
	}
	p.touches = append(p.touches, touch{word: word, seams: l.seams[word]})
	return &p.touches[len(p.touches)-1], len(own)
}

// enabled reports whether action a may fire in m.
func (p *Program) enabled(a *action, m []uint64) bool {
	miss := a.never
	for i := a.touch; i < a.touchEnd; i++ {
		t := &p.touches[i]
		miss |= below(m[t.word], t.need, t.seams)
	}
	return miss == 0
}

// fits reports whether the marking after a can be packed.
func (p *Program) fits(a *action, m []uint64) bool {
	full := a.spills
	for i := a.touch; i < a.touchEnd; i++ {
		t := &p.touches[i]
		full |= spills(m[t.word], t.gain, t.seams)
	}
	return full == 0
}

// apply changes m by action a, which is enabled and fits.
func (p *Program) apply(a *action, m []uint64) {
	for i := a.touch; i < a.touchEnd; i++ {
		t := &p.touches[i]
		m[t.word] += t.add
	}
}

// Actions is the number of actions; they are numbered from 0.
func (p *Program) Actions() int { return len(p.actions) }

// Transition is the transition that an action fires.
func (p *Program) Transition(a uint32) uint32 { return p.actions[a].transition }

// Fire fires an action in the packed marking m. It returns false, and m is as it
// was, when the action is not enabled or the marking after it does not fit the
// layout.
func (p *Program) Fire(a uint32, m []uint64) bool {
	act := &p.actions[a]
	if !p.enabled(act, m) || !p.fits(act, m) {
		return false
	}
	p.apply(act, m)
	return true
}
