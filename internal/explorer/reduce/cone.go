package reduce

// cone removes what has no influence on the observed counts (slicing, K.
// Jensen and others; F. M. Bønneland and others, 2019, rule I). Upwards counts
// places of which many tokens may be needed, downwards those of which few are:
// a transition matters when it adds to the first or takes from the second, and
// then many tokens of what it needs may be needed. Any other transition can be
// left out of a run, all that matters stays enabled. Where futures are kept,
// every change of a place that matters matters.
func (w *work) cone() (done bool) {
	up, down := make([]bool, len(w.places)), make([]bool, len(w.places))
	relevant := make([]bool, len(w.transitions))
	var todo []uint32
	need := func(p uint32, more, fewer bool) {
		if w.keep == Futures {
			more, fewer = true, true
		}
		if more && !up[p] || fewer && !down[p] {
			up[p], down[p] = up[p] || more, down[p] || fewer
			todo = append(todo, p)
		}
	}
	for p := range uint32(len(w.places)) {
		if x := &w.places[p]; !x.gone && x.observed {
			need(p, x.up, x.down)
		}
	}
	matters := func(t uint32) {
		if !relevant[t] {
			relevant[t] = true
			for _, a := range w.transitions[t].pre {
				need(a.place, true, false)
			}
		}
	}
	for len(todo) > 0 {
		if w.stop() {
			return false
		}
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if up[p] {
			for _, t := range w.producers(p) {
				if w.gains(p, t) {
					matters(t)
				}
			}
		}
		if down[p] {
			for _, t := range w.consumers(p) {
				if w.loses(p, t) {
					matters(t)
				}
			}
		}
	}
	for t := range w.transitions {
		if !w.transitions[t].gone && !relevant[t] {
			w.dropTransition(uint32(t))
			w.used[Cone]++
			done = true
		}
	}
	for p := range uint32(len(w.places)) {
		if !w.places[p].gone && !up[p] && !down[p] {
			w.dropPlace(p)
			w.used[Cone]++
			done = true
		}
	}
	return done
}
