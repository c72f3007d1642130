package explorer

import (
	"math/bits"

	"podium/pnml"
)

// program is the net compiled against a layout: what is tested and changed in
// the words of a packed marking when a transition fires. Transitions that can
// never fire, because a place that never changes holds too little, are left out.
type program struct {
	words   int
	actions []action
	touches []touch
	needs   []threshold // wide fields: lowest count that enables
	rooms   []threshold // wide fields: highest count that fits after firing
	watched []uint64    // per word: the fields some action watches
	slots   []slot      // per bit of a packed marking: whose field it is
	list    []uint32    // actions in the order of the slots
	always  []uint32    // actions that watch no place
	of      []int32     // transition to action, -1 when it is left out
}

// action is one transition: ranges of touches, needs and rooms.
type action struct {
	touch, touchEnd uint32
	need, needEnd   uint32
	room, roomEnd   uint32
	transition      uint32
}

// touch is what an action does to one word: the one-bit fields that must be 1,
// those that must be 0 lest they overflow, and the sum of all changes, which
// never carries from one field to the next.
type touch struct {
	need, room, add uint64
	word            uint32
}

type threshold struct {
	mask, bound uint64
	word        uint32
	shift       uint8
	never       bool // no count fits
}

// slot is a field as the bits of its word see it.
type slot struct {
	clear  uint64 // all bits of the field
	lo, hi uint32 // the actions that watch the place: list[lo:hi]
}

// compile makes the program. rank orders the places by how often they hold a
// token: every transition watches the rarest of its places.
func compile(net *pnml.Net, l *layout, rank []uint32) *program {
	p := &program{words: l.words, watched: make([]uint64, l.words), slots: make([]slot, 64*l.words)}
	for place, as := range p.compileActions(net, l, rank) {
		if len(as) == 0 {
			continue
		}
		f := &l.fields[place]
		s := slot{clear: f.mask << f.shift, lo: uint32(len(p.list)), hi: uint32(len(p.list) + len(as))}
		p.list = append(p.list, as...)
		p.watched[f.word] |= s.clear
		for b := range f.width {
			p.slots[f.word*64+uint32(f.shift+b)] = s
		}
	}
	return p
}

// compileActions makes the actions and gives, per place, those that watch it.
func (p *program) compileActions(net *pnml.Net, l *layout, rank []uint32) (watchers [][]uint32) {
	p.of = make([]int32, net.Transitions.Len())
	watchers = make([][]uint32, len(l.fields))
	for t := range p.of {
		p.of[t] = -1
		watch, possible := p.watch(net, l, t, rank)
		if !possible {
			continue
		}
		a := uint32(len(p.actions))
		p.of[t] = int32(a)
		p.actions = append(p.actions, p.action(net, l, t))
		if watch < 0 {
			p.always = append(p.always, a)
		} else {
			watchers[watch] = append(watchers[watch], a)
		}
	}
	return watchers
}

// watch gives the place to watch, -1 when the transition needs no token of a
// place that changes, and whether it can fire at all.
func (p *program) watch(net *pnml.Net, l *layout, t int, rank []uint32) (place int, possible bool) {
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

func (p *program) action(net *pnml.Net, l *layout, t int) action {
	a := action{touch: uint32(len(p.touches)), need: uint32(len(p.needs)), room: uint32(len(p.rooms)), transition: uint32(t)}
	for e := range effects(net, t) {
		f := &l.fields[e.place]
		if f.width == 0 {
			continue
		}
		bit := uint64(1) << f.shift
		if e.pre == 1 && f.width == 1 {
			p.touch(a.touch, f.word).need |= bit
		} else if e.pre > 0 {
			p.needs = append(p.needs, threshold{mask: f.mask, bound: e.pre, word: f.word, shift: f.shift, never: e.pre > f.mask})
		}
		switch gain := e.post - e.pre; {
		case e.post == e.pre:
		case e.post < e.pre:
			p.touch(a.touch, f.word).add -= (e.pre - e.post) << f.shift
		case gain == 1 && f.width == 1:
			p.touch(a.touch, f.word).room |= bit
			p.touch(a.touch, f.word).add += bit
		default:
			p.rooms = append(p.rooms, threshold{mask: f.mask, bound: f.mask - gain, word: f.word, shift: f.shift, never: gain > f.mask})
			p.touch(a.touch, f.word).add += gain << f.shift
		}
	}
	a.touchEnd, a.needEnd, a.roomEnd = uint32(len(p.touches)), uint32(len(p.needs)), uint32(len(p.rooms))
	return a
}

// touch gives the touch of a word among those from first on.
func (p *program) touch(first, word uint32) *touch {
	for i := first; i < uint32(len(p.touches)); i++ {
		if p.touches[i].word == word {
			return &p.touches[i]
		}
	}
	p.touches = append(p.touches, touch{word: word})
	return &p.touches[len(p.touches)-1]
}

// enabled tells whether action a may fire in m.
func (p *program) enabled(a *action, m []uint64) bool {
	for i := a.touch; i < a.touchEnd; i++ {
		if t := &p.touches[i]; m[t.word]&t.need != t.need {
			return false
		}
	}
	for i := a.need; i < a.needEnd; i++ {
		if n := &p.needs[i]; n.never || m[n.word]>>n.shift&n.mask < n.bound {
			return false
		}
	}
	return true
}

// fits tells whether the marking after a can be packed.
func (p *program) fits(a *action, m []uint64) bool {
	for i := a.touch; i < a.touchEnd; i++ {
		if t := &p.touches[i]; m[t.word]&t.room != 0 {
			return false
		}
	}
	for i := a.room; i < a.roomEnd; i++ {
		if n := &p.rooms[i]; n.never || m[n.word]>>n.shift&n.mask > n.bound {
			return false
		}
	}
	return true
}

// fire changes m by action a, which is enabled and fits.
func (p *program) fire(a *action, m []uint64) {
	for i := a.touch; i < a.touchEnd; i++ {
		t := &p.touches[i]
		m[t.word] += t.add
	}
}

// dead tells whether nothing is enabled in m.
func (p *program) dead(m []uint64) bool {
	for i := range p.actions {
		if p.enabled(&p.actions[i], m) {
			return false
		}
	}
	return true
}

// effect is what a transition does to one place.
type effect struct {
	place     uint32
	pre, post uint64
}

// effects merges the two rows of a transition, places ascending.
func effects(net *pnml.Net, t int) func(yield func(effect) bool) {
	return func(yield func(effect) bool) {
		i, iEnd := net.Pre.Start[t], net.Pre.Start[t+1]
		j, jEnd := net.Post.Start[t], net.Post.Start[t+1]
		for i < iEnd || j < jEnd {
			e := effect{place: ^uint32(0)}
			if i < iEnd {
				e.place = net.Pre.Place[i]
			}
			if j < jEnd {
				e.place = min(e.place, net.Post.Place[j])
			}
			if i < iEnd && net.Pre.Place[i] == e.place {
				e.pre = net.Pre.WeightAt(i)
				i++
			}
			if j < jEnd && net.Post.Place[j] == e.place {
				e.post = net.Post.WeightAt(j)
				j++
			}
			if !yield(e) {
				return
			}
		}
	}
}

// changes tells, per place, whether some transition has an effect on it.
func changes(net *pnml.Net) []bool {
	c := make([]bool, net.Places.Len())
	for t := range net.Transitions.Len() {
		for e := range effects(net, t) {
			if e.pre != e.post {
				c[e.place] = true
			}
		}
	}
	return c
}

// grows tells whether some transition adds more tokens than it takes. A net
// where none does is bounded.
func grows(net *pnml.Net) bool {
	for t := range net.Transitions.Len() {
		var in, out total
		for e := range effects(net, t) {
			in.add(e.pre)
			out.add(e.post)
		}
		if in.less(out) {
			return true
		}
	}
	return false
}

// widthOf is the number of bits that hold n, at least 1.
func widthOf(n uint64) uint8 { return uint8(max(1, bits.Len64(n))) }
