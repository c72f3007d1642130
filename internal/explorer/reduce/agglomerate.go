package reduce

import "slices"

// agglomerate removes places by joining every transition that puts tokens into
// the place with every one that takes them (G. Berthelot, 1987; F.
// M. Bønneland and others, 2019, rules A and B; Y. Thierry-Mieg, 2020). Below, the
// producers of the place are called H, its consumers F. In all cases the place
// is not observed, H and F have no common transition, all arcs have one weight,
// and no token is there at first.
//
//   - Post-agglomeration: each f needs nothing but this place and changes no
//     observed count. Once h has fired, f can fire at any time and hinders
//     nobody, so it may as well fire at once. When there are several f, the
//     choice between them is made sooner, which a branching formula can see.
//     With a single f, h may give several times what f takes, and f can take
//     what is there at first.
//   - Pre-agglomeration: each h gives nothing but this place, changes no
//     observed count, and what it needs is needed by nobody else. Nobody notices
//     when h waits until f wants to fire.
//   - Free agglomeration: each h gives nothing but this place and changes no
//     observed count. When h waits until f wants to fire, others have more
//     tokens meanwhile; more markings are not reachable, and less are only lost
//     between h and f, where the observed counts are those before h.
func (w *work) agglomerate() (done bool) {
	for p := range uint32(len(w.places)) {
		if w.arcs < 0 || w.stop() {
			return done
		}
		if x := &w.places[p]; !x.gone && !x.observed {
			done = w.agglomeratePlace(p) || done
		}
	}
	return done
}

func (w *work) agglomeratePlace(p uint32) bool {
	hs, fs := w.producers(p), w.consumers(p)
	if len(hs) == 0 || len(fs) == 0 || len(hs) > 1 && len(fs) > 1 && (len(hs)-1)*(len(fs)-1) > 16 {
		return false
	}
	take := w.pre(p, fs[0])
	if slices.ContainsFunc(fs, func(f uint32) bool { return w.pre(p, f) != take || w.post(p, f) > 0 }) {
		return false
	}
	rule, ok := w.agglomeration(p, hs, fs, take)
	if !ok {
		return false
	}
	joined, ok := w.join(p, hs, fs, take)
	if !ok {
		return false
	}
	if w.places[p].initial > 0 && !w.fireFirst(fs[0], w.places[p].initial/take) {
		return false
	}
	if rule == PreAgglomeration && w.keep != Reachable {
		for _, h := range hs {
			w.finish = append(w.finish, w.transitions[h].run)
		}
	}
	for _, t := range slices.Concat(hs, fs) {
		w.dropTransition(t)
	}
	w.dropPlace(p)
	for _, t := range joined {
		w.add(t)
	}
	w.used[rule]++
	return true
}

// agglomeration finds the rule that applies to a place.
func (w *work) agglomeration(p uint32, hs, fs []uint32, take uint64) (Rule, bool) {
	all := func(ts []uint32, ok func(t uint32) bool) bool {
		return !slices.ContainsFunc(ts, func(t uint32) bool { return !ok(t) })
	}
	initial := w.places[p].initial
	oneWeight := all(hs, func(h uint32) bool { return w.post(p, h) == take })
	alone := func(arcs []arc) bool { return len(arcs) == 1 }
	if all(fs, func(f uint32) bool { return alone(w.transitions[f].pre) && w.invisible(f) }) {
		if len(fs) == 1 && w.may(PostAgglomeration) && (initial == 0 || w.keep != Firings && initial%take == 0) &&
			all(hs, func(h uint32) bool { return w.post(p, h)%take == 0 }) {
			return PostAgglomeration, true
		}
		if len(fs) > 1 && w.may(PostChoice) && initial == 0 && oneWeight {
			return PostChoice, true
		}
	}
	if initial > 0 || !oneWeight || !all(hs, func(h uint32) bool {
		return alone(w.transitions[h].post) && len(w.transitions[h].pre) > 0 && w.invisible(h)
	}) {
		return 0, false
	}
	if w.may(PreAgglomeration) && all(hs, func(h uint32) bool {
		return !slices.ContainsFunc(w.transitions[h].pre, func(a arc) bool { return len(w.consumers(a.place)) > 1 })
	}) {
		return PreAgglomeration, true
	}
	return FreeAgglomeration, w.may(FreeAgglomeration)
}

// join returns the transitions h f; ok is false when one would be too large.
func (w *work) join(p uint32, hs, fs []uint32, take uint64) (joined []transition, ok bool) {
	for _, h := range hs {
		times := w.post(p, h) / take
		for _, f := range fs {
			x, y := &w.transitions[h], &w.transitions[f]
			if !w.runs.short(x.run, y.run, times) {
				return nil, false
			}
			pre, ok := sum(x.pre, w.without(y.pre, p), 1)
			if !ok {
				return nil, false
			}
			post, ok := sum(w.without(x.post, p), y.post, times)
			if !ok {
				return nil, false
			}
			joined = append(joined, transition{pre: pre, post: post, run: w.runs.then(x.run, w.runs.repeat(y.run, times))})
		}
	}
	return joined, true
}

// fireFirst fires a transition that needs one place only, as often as it can,
// before anything else.
func (w *work) fireFirst(t uint32, times uint64) bool {
	x := &w.transitions[t]
	if !w.runs.short(x.run, x.run, times) {
		return false
	}
	after, ok := sum(w.initialOf(x.post), x.post, times)
	if !ok {
		return false
	}
	for _, a := range after {
		w.places[a.place].initial = a.weight
	}
	w.prefix = append(w.prefix, w.runs.repeat(x.run, times))
	return true
}

// initialOf returns the tokens at first of the places of a row.
func (w *work) initialOf(arcs []arc) []arc {
	out := slices.Clone(arcs)
	for i := range out {
		out[i].weight = w.places[out[i].place].initial
	}
	return out
}
