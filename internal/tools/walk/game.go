package walk

import (
	"math"
	"math/bits"
	"slices"

	"podium/internal/tools/engine"
	"podium/pnml"
	"podium/pnml/unfold"
)

// change is what the firing of a transition does to one place.
type change struct {
	place  uint32
	down   bool
	amount uint64
}

// consumer is an arc from a place to a transition.
type consumer struct {
	transition uint32
	weight     uint64
}

// shift is what the firing of a transition adds to a form.
type shift struct {
	form uint32
	add  int64
}

// game is the token game: a marking, the transitions it enables, and the value
// of every form, all kept up to date by each firing. Nothing is allocated while
// it is played.
type game struct {
	net       *pnml.Net
	view      unfold.View     // of the net
	changes   [][]change      // by transition
	consumers [][]consumer    // by place
	shifts    [][]shift       // by transition
	sums      []engine.Linear // by form
	heldWith  []int           // place -> form of the sum of its group, or -1; see watchSums
	start     position        // at the initial marking
	position
}

// position is one marking and what follows from it.
type position struct {
	tokens  []uint64
	lack    []uint32 // transition -> inputs that hold too little
	enabled []uint32 // enabled transitions, in no order
	where   []int32  // transition -> its place in enabled, or -1
	forms   []int64
}

func newGame(view unfold.View) *game {
	net := view.Net
	places, transitions := net.Places.Len(), net.Transitions.Len()
	g := &game{net: net, view: view, changes: make([][]change, transitions), consumers: make([][]consumer, places), shifts: make([][]shift, transitions)}
	p := position{tokens: slices.Clone(net.Initial), lack: make([]uint32, transitions), enabled: make([]uint32, 0, transitions), where: make([]int32, transitions)}
	for t := range transitions {
		g.changes[t] = effect(net, t)
		for k := net.Pre.Start[t]; k < net.Pre.Start[t+1]; k++ {
			input, w := net.Pre.Place[k], net.Pre.WeightAt(k)
			g.consumers[input] = append(g.consumers[input], consumer{uint32(t), w})
			if p.tokens[input] < w {
				p.lack[t]++
			}
		}
		p.where[t] = -1
		if p.lack[t] == 0 {
			p.where[t] = int32(len(p.enabled))
			p.enabled = append(p.enabled, uint32(t))
		}
	}
	g.start = p
	g.position = p.clone()
	return g
}

// effect lists the places that transition t changes, first those that lose.
func effect(net *pnml.Net, t int) []change {
	gain := map[uint32]uint64{}
	for k := net.Post.Start[t]; k < net.Post.Start[t+1]; k++ {
		gain[net.Post.Place[k]] = net.Post.WeightAt(k)
	}
	var list []change
	for k := net.Pre.Start[t]; k < net.Pre.Start[t+1]; k++ {
		p, w := net.Pre.Place[k], net.Pre.WeightAt(k)
		switch in := gain[p]; {
		case in < w:
			list = append(list, change{p, true, w - in})
			delete(gain, p)
		default:
			gain[p] = in - w
		}
	}
	for k := net.Post.Start[t]; k < net.Post.Start[t+1]; k++ {
		if p := net.Post.Place[k]; gain[p] > 0 {
			list = append(list, change{p, false, gain[p]})
		}
	}
	return list
}

func (p *position) clone() position {
	return position{slices.Clone(p.tokens), slices.Clone(p.lack), append(make([]uint32, 0, cap(p.enabled)), p.enabled...), slices.Clone(p.where), slices.Clone(p.forms)}
}

// copyFrom makes p equal to q, of the same game.
func (p *position) copyFrom(q *position) {
	copy(p.tokens, q.tokens)
	copy(p.lack, q.lack)
	p.enabled = append(p.enabled[:0], q.enabled...)
	copy(p.where, q.where)
	copy(p.forms, q.forms)
}

// restart goes back to the initial marking.
func (g *game) restart() { g.position.copyFrom(&g.start) }

// fire fires an enabled transition. It returns false, and changes nothing, when
// a number would leave its range.
func (g *game) fire(t uint32) bool {
	for _, c := range g.changes[t] {
		if !c.down && g.tokens[c.place] > math.MaxUint64-c.amount {
			return false
		}
	}
	if !g.shift(t, 1) {
		return false
	}
	for _, c := range g.changes[t] {
		g.move(c.place, c.down, c.amount)
	}
	return true
}

// unfire takes back a firing of t that has just been made.
func (g *game) unfire(t uint32) {
	g.shift(t, -1)
	for _, c := range g.changes[t] {
		g.move(c.place, !c.down, c.amount)
	}
}

// shift brings the forms up to date, or gives false and leaves them alone.
func (g *game) shift(t uint32, sign int64) bool {
	list := g.shifts[t]
	for i, s := range list {
		add := s.add * sign
		old := g.forms[s.form]
		sum := old + add
		if (sum > old) != (add > 0) {
			for _, back := range list[:i] {
				g.forms[back.form] -= back.add * sign
			}
			return false
		}
		g.forms[s.form] = sum
	}
	return true
}

// move changes one place and the transitions that hang on it.
func (g *game) move(place uint32, down bool, amount uint64) {
	old := g.tokens[place]
	if down {
		now := old - amount
		g.tokens[place] = now
		for _, c := range g.consumers[place] {
			if c.weight <= old && c.weight > now {
				if g.lack[c.transition]++; g.lack[c.transition] == 1 {
					g.disable(c.transition)
				}
			}
		}
		return
	}
	now := old + amount
	g.tokens[place] = now
	for _, c := range g.consumers[place] {
		if c.weight > old && c.weight <= now {
			if g.lack[c.transition]--; g.lack[c.transition] == 0 {
				g.where[c.transition] = int32(len(g.enabled))
				g.enabled = append(g.enabled, c.transition)
			}
		}
	}
}

func (g *game) disable(t uint32) {
	at, last := g.where[t], len(g.enabled)-1
	moved := g.enabled[last]
	g.enabled[at] = moved
	g.where[moved] = at
	g.enabled = g.enabled[:last]
	g.where[t] = -1
}

// random is a xorshift generator (Marsaglia 2003, Vigna 2016).
type random uint64

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	hi, _ := bits.Mul64(x*0x2545f4914f6cdd1d, uint64(n))
	return int(hi)
}

// seedOf makes a seed of the content of a net: the same net, the same walks.
func seedOf(net *pnml.Net) random {
	h := uint64(0xcbf29ce484222325)
	mix := func(x uint64) { h = (h ^ x) * 0x100000001b3 }
	for i := range net.Places.Len() {
		mix(net.Initial[i])
	}
	for _, arcs := range []*pnml.Arcs{&net.Pre, &net.Post} {
		for t := range net.Transitions.Len() {
			mix(uint64(arcs.Start[t+1]))
		}
		for k := range uint32(arcs.Len()) {
			mix(uint64(arcs.Place[k]))
			mix(arcs.WeightAt(k))
		}
	}
	return random(h | 1)
}
