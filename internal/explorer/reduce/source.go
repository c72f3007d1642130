package reduce

import "slices"

// sourceTransitions removes the places that a transition fills which needs
// nothing and changes no observed count: there are always as many tokens as
// anybody wants (Y. Thierry-Mieg, 2020). What takes tokens from them now stands
// for so many firings of the source before. Where deadlocks are asked for, a net
// with a source has none, and nothing but the source is kept.
func (w *work) sourceTransitions() (done bool) {
	for t := range uint32(len(w.transitions)) {
		x := &w.transitions[t]
		if x.gone || len(x.pre) > 0 {
			continue
		}
		if w.keep == Deadlocks {
			return w.onlySource(t) || done
		}
		if len(x.post) > 0 && w.invisible(t) && w.feed(t) {
			w.used[SourceTransition]++
			done = true
		}
	}
	return done
}

func (w *work) onlySource(t uint32) (done bool) {
	for u := range uint32(len(w.transitions)) {
		if u != t && !w.transitions[u].gone {
			w.dropTransition(u)
			done = true
		}
	}
	for p := range uint32(len(w.places)) {
		if !w.places[p].gone {
			w.dropPlace(p)
			done = true
		}
	}
	if done {
		w.used[SourceTransition]++
	}
	return done
}

// feed removes source t with the places it fills.
func (w *work) feed(t uint32) bool {
	source := w.transitions[t]
	times := map[uint32]uint64{} // firings of the source before a consumer
	var fed []uint32
	for _, a := range source.post {
		for _, u := range w.consumers(a.place) {
			need := (w.pre(a.place, u)-1)/a.weight + 1
			if times[u] == 0 {
				fed = append(fed, u)
			}
			times[u] = max(times[u], need)
		}
	}
	for _, u := range fed {
		if !w.runs.short(w.transitions[u].run, source.run, times[u]) {
			return false
		}
	}
	slices.Sort(fed)
	for _, u := range fed {
		w.transitions[u].run = w.runs.then(w.runs.repeat(source.run, times[u]), w.transitions[u].run)
	}
	w.dropTransition(t)
	for _, a := range source.post {
		w.dropPlace(a.place)
	}
	return true
}
