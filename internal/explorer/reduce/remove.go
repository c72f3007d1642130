package reduce

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// deadTransitions removes transitions that never fire: the least fixed point
// of "some transition that may fire adds to it" finds the places that never
// get more tokens than they begin with, the empty ones among them being the
// largest unmarked siphon (F. Commoner, 1972), and a transition that asks such
// a place for more is dead.
func (w *work) deadTransitions() (done bool) {
	missing := make([]int, len(w.transitions)) // places that must gain first
	gains := make([]bool, len(w.places))
	var work []uint32
	for t := range w.transitions {
		x := &w.transitions[t]
		if x.gone {
			continue
		}
		for _, a := range x.pre {
			if w.places[a.place].initial < a.weight {
				missing[t]++
			}
		}
		if missing[t] == 0 {
			work = append(work, uint32(t))
		}
	}
	for len(work) > 0 {
		if w.stop() {
			return false
		}
		t := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range w.transitions[t].post {
			p := a.place
			if gains[p] || !w.gains(p, t) {
				continue
			}
			gains[p] = true
			for _, u := range w.consumers(p) {
				if w.places[p].initial < w.pre(p, u) {
					if missing[u]--; missing[u] == 0 {
						work = append(work, u)
					}
				}
			}
		}
	}
	for t := range w.transitions {
		if !w.transitions[t].gone && missing[t] > 0 {
			w.dropTransition(uint32(t))
			w.used[DeadTransition]++
			done = true
		}
	}
	return done
}

// constantPlaces cuts off places whose count no transition changes and which
// ask for no more than they hold (dead transitions are gone): they restrict
// nothing. They are removed, or stand alone when they are observed.
func (w *work) constantPlaces() (done bool) {
	for p := range uint32(len(w.places)) {
		x := &w.places[p]
		if x.gone || w.stop() {
			continue
		}
		consumers, producers := w.consumers(p), w.producers(p)
		constant := len(consumers) == len(producers) && !slices.ContainsFunc(consumers, func(t uint32) bool { return w.pre(p, t) != w.post(p, t) || w.pre(p, t) > x.initial })
		if !constant || len(consumers) == 0 && x.observed {
			continue
		}
		w.cut(p)
		x.gone = !x.observed
		w.used[ConstantPlace]++
		done = true
	}
	return done
}

// sinkPlaces removes places from which nothing is taken and nothing is asked.
func (w *work) sinkPlaces() (done bool) {
	for p := range uint32(len(w.places)) {
		if x := &w.places[p]; !x.gone && !x.observed && !w.stop() && len(w.consumers(p)) == 0 {
			w.dropPlace(p)
			w.used[SinkPlace]++
			done = true
		}
	}
	return done
}

// implicitPlaces removes a place that never restricts a transition because
// another one, which every transition needs just as much, always holds as few
// tokens or fewer (G. Berthelot, 1987, redundant place; T. Murata, 1989, fusion
// of parallel places): it holds fewer at first, and no transition adds less to
// the first than to the second.
func (w *work) implicitPlaces() (done bool) {
	for p := range uint32(len(w.places)) {
		if w.places[p].gone || w.places[p].observed || w.stop() {
			continue
		}
		consumers := w.consumers(p)
		if len(consumers) == 0 {
			continue
		}
		fewest := slices.MinFunc(consumers, func(t, u uint32) int {
			return cmp.Compare(len(w.transitions[t].pre), len(w.transitions[u].pre))
		})
		for _, q := range w.transitions[fewest].pre {
			if q.place != p && w.implied(p, q.place) {
				w.dropPlace(p)
				w.used[ImplicitPlace]++
				done = true
				break
			}
		}
	}
	return done
}

// implied reports whether place p always holds at least as much as place q, which
// every consumer of p needs as much.
func (w *work) implied(p, q uint32) bool {
	if w.places[p].initial < w.places[q].initial {
		return false
	}
	for _, t := range w.consumers(p) {
		if w.pre(q, t) < w.pre(p, t) || w.effectLess(p, q, t) {
			return false
		}
	}
	// Where q loses and p has no arc, p gets ahead: only gains of q matter.
	return !slices.ContainsFunc(w.producers(q), func(t uint32) bool { return w.effectLess(p, q, t) })
}

// effectLess reports whether transition t adds less to p than to q.
func (w *work) effectLess(p, q, t uint32) bool {
	// post(p)-pre(p) < post(q)-pre(q), as sums of at most 65 bits.
	return lessSum(w.post(p, t), w.pre(q, t), w.post(q, t), w.pre(p, t))
}

// sameEffect reports whether two transitions change every count alike.
func (w *work) sameEffect(t, u uint32) bool {
	within := func(t, u uint32) bool {
		for c := range w.changes(t) {
			if pre, post := w.pre(c.place, u), w.post(c.place, u); lessSum(c.post, pre, post, c.pre) || lessSum(post, c.pre, c.post, pre) {
				return false
			}
		}
		return true
	}
	return within(t, u) && within(u, t)
}

// maxRivals bounds how many transitions of one effect are compared in pairs.
const maxRivals = 200

// dearTransitions removes transitions that are as good as another one: twins
// have the same arcs (Berthelot, 1987, identical transitions); a dominated one
// has the same effect and asks for more (Y. Thierry-Mieg, 2020).
func (w *work) dearTransitions() (done bool) {
	rivals := map[string][]uint32{}
	var keys []string
	var key []byte
	for t := range uint32(len(w.transitions)) {
		if w.transitions[t].gone {
			continue
		}
		if w.stop() {
			return false
		}
		key = w.effectKey(key[:0], t)
		if _, ok := rivals[string(key)]; !ok {
			keys = append(keys, string(key))
		}
		rivals[string(key)] = append(rivals[string(key)], t)
	}
	for _, key := range keys {
		if ts := rivals[key]; len(ts) > 1 && !w.stop() {
			done = w.cheapest(ts) || done
		}
	}
	return done
}

// effectKey writes down what a transition changes.
func (w *work) effectKey(key []byte, t uint32) []byte {
	for c := range w.changes(t) {
		if c.pre != c.post {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(c.place)), c.post-c.pre)
		}
	}
	return key
}

// cheapest keeps the transitions of one effect that no other one dominates.
func (w *work) cheapest(ts []uint32) (done bool) {
	w.clock.Work(64 * len(ts))
	slices.SortStableFunc(ts, func(t, u uint32) int {
		a, b := w.transitions[t].pre, w.transitions[u].pre
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(a, b arc) int { return cmp.Compare(a.weight, b.weight) }))
	})
	var kept []uint32
	for _, t := range ts {
		w.clock.Work(8 * len(kept))
		by := slices.IndexFunc(kept, func(u uint32) bool { return w.better(u, t) })
		if by < 0 {
			if len(kept) < maxRivals {
				kept = append(kept, t)
			}
			continue
		}
		u := kept[by]
		if slices.Equal(w.transitions[t].pre, w.transitions[u].pre) {
			w.transitions[u].run = w.runs.twin(w.transitions[u].run, w.transitions[t].run)
			w.used[TwinTransition]++
		} else {
			w.used[DominatedTransition]++
		}
		w.dropTransition(t)
		done = true
	}
	return done
}

// better reports whether transition u makes transition t superfluous.
func (w *work) better(u, t uint32) bool {
	x, y := &w.transitions[u], &w.transitions[t]
	if slices.Equal(x.pre, y.pre) {
		return w.may(TwinTransition) && slices.Equal(x.post, y.post)
	}
	return w.may(DominatedTransition) && covers(y.pre, x.pre) && w.sameEffect(t, u)
}

// identityTransitions removes transitions that change nothing and that are only
// enabled along with another one.
func (w *work) identityTransitions() (done bool) {
	for t := range uint32(len(w.transitions)) {
		x := &w.transitions[t]
		if x.gone || !slices.Equal(x.pre, x.post) || w.stop() || !w.accompanied(t) {
			continue
		}
		w.dropTransition(t)
		w.used[IdentityTransition]++
		done = true
	}
	return done
}

// accompanied reports whether another transition is enabled whenever t is.
func (w *work) accompanied(t uint32) bool {
	for _, a := range w.transitions[t].pre {
		for _, u := range w.consumers(a.place) {
			if u != t && covers(w.transitions[t].pre, w.transitions[u].pre) {
				return true
			}
		}
	}
	return false
}
