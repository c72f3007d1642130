package reduce

import (
	"iter"
	"math/bits"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// arc is one entry of a row or column of the incidence matrices.
type arc struct {
	place  uint32
	weight uint64
}

// transition is a transition of the net at work. Arcs ascend by place.
type transition struct {
	pre, post []arc
	run       uint32 // what it stands for
	gone      bool
}

// place is a place of the net at work. The lists may hold transitions that are
// gone or have no arc here any more; consumers and producers leave them out.
type place struct {
	initial   uint64
	observed  bool
	up, down  bool // more (fewer) tokens than a limit are asked for
	gone      bool
	consumers []uint32
	producers []uint32
}

// work is the net while it is reduced.
type work struct {
	keep        Keep
	twins       bool // are to stay
	places      []place
	transitions []transition
	runs        runs
	prefix      []uint32 // runs fired before everything else
	finish      []uint32 // runs to fire, the last one first, until the marking is dead
	used        [rules]int
	arcs        int         // that may still be added: a reduced net has at most twice as many
	stop        func() bool // asked where the net is whole
	clock       *clock.Clock
}

func newWork(c *clock.Clock, net *pnml.Net, q Question, stop func() bool) *work {
	w := &work{clock: c, keep: q.Keep, twins: q.Twins, stop: stop, places: make([]place, net.Places.Len()), transitions: make([]transition, net.Transitions.Len())}
	for p := range w.places {
		w.places[p] = place{initial: net.Initial[p], up: q.up(p), down: q.down(p)}
		w.places[p].observed = w.places[p].up || w.places[p].down
	}
	w.runs.nodes = make([]runNode, 0, 2*len(w.transitions))
	arcs := make([]arc, 0, net.Pre.Len()+net.Post.Len())
	row := func(a *pnml.Arcs, t int) []arc {
		from := len(arcs)
		for k := a.Start[t]; k < a.Start[t+1]; k++ {
			arcs = append(arcs, arc{a.Place[k], a.WeightAt(k)})
		}
		return arcs[from:len(arcs):len(arcs)]
	}
	for t := range w.transitions {
		c.Work(64)
		w.transitions[t] = transition{pre: row(&net.Pre, t), post: row(&net.Post, t), run: w.runs.leaf(t)}
		w.enlist(uint32(t))
	}
	w.arcs = len(arcs) + 1000
	return w
}

// enlist enters a transition into the lists of its places.
func (w *work) enlist(t uint32) {
	for _, a := range w.transitions[t].pre {
		w.places[a.place].consumers = append(w.places[a.place].consumers, t)
	}
	for _, a := range w.transitions[t].post {
		w.places[a.place].producers = append(w.places[a.place].producers, t)
	}
}

func weight(arcs []arc, p uint32) uint64 {
	if i, ok := slices.BinarySearchFunc(arcs, p, func(a arc, p uint32) int { return int(a.place) - int(p) }); ok {
		return arcs[i].weight
	}
	return 0
}

func (w *work) pre(p, t uint32) uint64  { return weight(w.transitions[t].pre, p) }
func (w *work) post(p, t uint32) uint64 { return weight(w.transitions[t].post, p) }

// gains reports whether place p holds more after transition t than before, and
// loses whether it holds fewer.
func (w *work) gains(p, t uint32) bool { return w.post(p, t) > w.pre(p, t) }
func (w *work) loses(p, t uint32) bool { return w.post(p, t) < w.pre(p, t) }

// consumers returns the transitions that need tokens of place p, ascending.
func (w *work) consumers(p uint32) []uint32 {
	list := &w.places[p].consumers
	*list = w.tidy(*list, func(t uint32) bool { return w.pre(p, t) > 0 })
	return *list
}

// producers returns the transitions that put tokens into place p, ascending.
func (w *work) producers(p uint32) []uint32 {
	list := &w.places[p].producers
	*list = w.tidy(*list, func(t uint32) bool { return w.post(p, t) > 0 })
	return *list
}

func (w *work) tidy(list []uint32, touches func(t uint32) bool) []uint32 {
	w.clock.Work(8 * (1 + len(list)))
	list = slices.DeleteFunc(list, func(t uint32) bool { return w.transitions[t].gone || !touches(t) })
	if !slices.IsSorted(list) {
		slices.Sort(list)
	}
	return slices.Compact(list)
}

// may reports whether a rule may be used.
func (w *work) may(r Rule) bool { return r.Allowed(w.keep) && !(w.twins && r == TwinTransition) }

// dropTransition takes a transition out of the net.
func (w *work) dropTransition(t uint32) {
	x := &w.transitions[t]
	w.arcs += len(x.pre) + len(x.post)
	x.gone = true
}

// dropPlace takes a place out of the net with all its arcs.
func (w *work) dropPlace(p uint32) {
	w.cut(p)
	w.places[p].gone = true
}

// cut takes all arcs of a place out of the net.
func (w *work) cut(p uint32) {
	for _, t := range w.consumers(p) {
		w.transitions[t].pre = w.without(w.transitions[t].pre, p)
	}
	for _, t := range w.producers(p) {
		w.transitions[t].post = w.without(w.transitions[t].post, p)
	}
	w.places[p].consumers, w.places[p].producers = nil, nil
}

// without copies a row, for rows may share their memory.
func (w *work) without(arcs []arc, p uint32) []arc {
	w.clock.Work(len(arcs))
	out := make([]arc, 0, len(arcs))
	for _, a := range arcs {
		if a.place != p {
			out = append(out, a)
		}
	}
	return out
}

// add enters a new transition.
func (w *work) add(t transition) {
	w.arcs -= len(t.pre) + len(t.post)
	w.transitions = append(w.transitions, t)
	w.enlist(uint32(len(w.transitions) - 1))
}

// sum adds times b to a; ok is false when a weight would not fit.
func sum(a, b []arc, times uint64) (out []arc, ok bool) {
	out = make([]arc, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].place < b[0].place:
			out, a = append(out, a[0]), a[1:]
			continue
		case len(a) == 0 || b[0].place < a[0].place:
			out = append(out, arc{b[0].place, 0})
		default:
			out, a = append(out, a[0]), a[1:]
		}
		last := &out[len(out)-1]
		hi, product := bits.Mul64(b[0].weight, times)
		more, carry := bits.Add64(last.weight, product, 0)
		if hi > 0 || carry > 0 {
			return nil, false
		}
		last.weight, b = more, b[1:]
	}
	return out, true
}

// change is what a transition does to one place.
type change struct {
	place     uint32
	pre, post uint64
}

// changes returns what a transition takes and returns, by place.
func (w *work) changes(t uint32) iter.Seq[change] {
	return func(yield func(change) bool) {
		a, b := w.transitions[t].pre, w.transitions[t].post
		w.clock.Work(len(a) + len(b))
		for len(a)+len(b) > 0 {
			var c change
			switch {
			case len(b) == 0 || len(a) > 0 && a[0].place < b[0].place:
				c, a = change{a[0].place, a[0].weight, 0}, a[1:]
			case len(a) == 0 || b[0].place < a[0].place:
				c, b = change{b[0].place, 0, b[0].weight}, b[1:]
			default:
				c, a, b = change{a[0].place, a[0].weight, b[0].weight}, a[1:], b[1:]
			}
			if !yield(c) {
				return
			}
		}
	}
}

// invisible reports whether a transition changes no observed count.
func (w *work) invisible(t uint32) bool {
	for c := range w.changes(t) {
		if c.pre != c.post && w.places[c.place].observed {
			return false
		}
	}
	return true
}

// covers reports whether row a asks at least for what row b asks for.
func covers(a, b []arc) bool {
	if len(b) > len(a) {
		return false
	}
	for _, x := range b {
		if weight(a, x.place) < x.weight {
			return false
		}
	}
	return true
}

// lessSum reports whether a+b < c+d.
func lessSum(a, b, c, d uint64) bool {
	left, high := bits.Add64(a, b, 0)
	right, higher := bits.Add64(c, d, 0)
	return high < higher || high == higher && left < right
}
