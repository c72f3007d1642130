package walk

import (
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
)

// lasso is a run that ends in a loop: after the last marking of the trace the
// run goes on at the marking number back, for ever. A dead marking loops on
// itself.
//
// A lasso is sought in three legs: random firings to some marking, a few more
// away from it, then homing: firings that bring the places back to what they
// held there.
type lasso struct {
	*game
	random random
	target []uint64 // marking to come home to
	differ int      // places that differ from it
	trace  []uint32 // transitions fired from the initial marking on
	back   int
}

// Limits of a lasso: firings of the legs, transitions compared in homing.
const (
	shortestLeg = 4
	longestAway = 64
	longestHome = 512
	homeSamples = 12
)

// find makes one attempt, the longer the greater its number, and reports whether
// it found a lasso.
func (l *lasso) find(attempt int) bool {
	l.restart()
	l.trace = l.trace[:0]
	out := l.random.below(shortestLeg * lubyLength(attempt+1) * 4)
	for range out {
		if ended, dead := l.step(l.any); ended {
			return dead
		}
	}
	l.back = len(l.trace)
	l.target = append(l.target[:0], l.tokens...)
	l.differ = 0
	for range 1 + l.random.below(longestAway) {
		if ended, dead := l.step(l.any); ended {
			return dead
		}
		if l.differ == 0 {
			return true
		}
	}
	for range longestHome {
		if ended, dead := l.step(l.homing); ended {
			return dead
		}
		if l.differ == 0 {
			return true
		}
	}
	return false
}

// step fires one transition. It reports whether the walk has ended, because the
// marking is dead (the lasso is complete then) or a number left its range.
func (l *lasso) step(choose func() uint32) (ended, dead bool) {
	if len(l.enabled) == 0 {
		l.back = len(l.trace)
		return true, true
	}
	t := choose()
	before := l.away(t)
	if !l.fire(t) {
		return true, false
	}
	l.differ += l.away(t) - before
	l.trace = append(l.trace, t)
	return false, false
}

// away counts the places that t changes and that differ from the target.
func (l *lasso) away(t uint32) int {
	n := 0
	if len(l.target) == 0 {
		return n
	}
	for _, c := range l.changes[t] {
		if l.tokens[c.place] != l.target[c.place] {
			n++
		}
	}
	return n
}

func (l *lasso) any() uint32 { return l.enabled[l.random.below(len(l.enabled))] }

// homing picks, of a few enabled transitions, the one that brings the places it
// changes nearest to the target.
func (l *lasso) homing() uint32 {
	best := l.any()
	if l.random.below(8) == 0 {
		return best
	}
	least := l.gain(best)
	for range homeSamples {
		t := l.any()
		if g := l.gain(t); g < least {
			best, least = t, g
		}
	}
	return best
}

// gain is the change of the distance to the target when t fires.
func (l *lasso) gain(t uint32) int64 {
	sum := int64(0)
	for _, c := range l.changes[t] {
		now, target, amount := l.tokens[c.place], l.target[c.place], int64(min(c.amount, 1<<32))
		if (now < target) != c.down && now != target {
			amount = -amount
		}
		sum += amount
	}
	return sum
}

// linearTime answers the LTL examinations: a formula that a lasso of the net
// violates does not hold on all runs. Nothing else is ever answered.
func (r *run) linearTime() error {
	g := newGame(r.view)
	atoms := map[formula.Formula]*atomTrace{}
	paths := make([]formula.Formula, len(r.task.Properties))
	var fault error
	open := 0
	for i, p := range r.task.Properties {
		all, ok := p.Formula.(*formula.AllPaths)
		if !ok || !isLinear(all.F) {
			continue
		}
		fits := true
		eachAtom(all.F, func(a formula.Formula) {
			q, err := g.compile(a)
			switch {
			case err == nil:
				atoms[a] = &atomTrace{predicate: q}
			case err == errOutOfRange:
				fits = false
			default:
				fits, fault = false, err
			}
		})
		if fits {
			paths[i] = all.F
			open++
		}
	}
	l := &lasso{game: g, random: seedOf(r.net)}
	refuted := r.refute(l, paths, atoms, open)
	for i, p := range r.task.Properties {
		if !refuted[i] {
			r.out.CannotCompute(p.ID)
		}
	}
	return fault
}

// lassoPatience is the number of attempts without news after which the search
// ends.
const lassoPatience = 30_000

// refute seeks lassos until every formula is violated or the limits are met;
// what is violated is printed. Of the paths, open ones are not nil.
func (r *run) refute(l *lasso, paths []formula.Formula, atoms map[formula.Formula]*atomTrace, open int) []bool {
	refuted := make([]bool, len(paths))
	deadline := time.Now().Add(share(r.task.Budget))
	for attempt, news := 0, 0; open > 0 && attempt-news < lassoPatience; attempt++ {
		if attempt%64 == 0 && (r.ctx.Err() != nil || time.Now().After(deadline)) {
			break
		}
		if !l.find(attempt) {
			continue
		}
		l.replay(atoms)
		w := word{atoms, len(l.trace) + 1, l.back}
		if l.differ == 0 && l.back < len(l.trace) {
			w.length-- // the last marking is the one at back
		}
		for i, f := range paths {
			if f != nil && !refuted[i] && !w.holds(f)[0] {
				item := r.task.Properties[i].ID
				r.value(item, examinations.False, byWalk)
				r.prove(claim(item, examinations.False), witness.Lasso(l.trace[:l.back], l.trace[l.back:]))
				refuted[i] = true
				news = attempt
				open--
			}
		}
	}
	return refuted
}

// atomTrace is an atom with its values along a trace.
type atomTrace struct {
	predicate *predicate
	values    []bool
}

// replay notes the value of every atom in every marking of the trace.
func (l *lasso) replay(atoms map[formula.Formula]*atomTrace) {
	l.restart()
	for _, a := range atoms {
		a.values = a.values[:0]
	}
	for i := 0; ; i++ {
		for _, a := range atoms {
			a.values = append(a.values, a.predicate.holds(&l.position))
		}
		if i == len(l.trace) {
			return
		}
		l.fire(l.trace[i])
	}
}

// word is a lasso as LTL sees it: positions 0 to length-1, the last followed by
// back.
type word struct {
	atoms  map[formula.Formula]*atomTrace
	length int
	back   int
}

// holds returns the truth of an LTL formula at every position.
func (w word) holds(f formula.Formula) []bool {
	switch f := f.(type) {
	case *formula.Not:
		return w.each(func(i int, v []bool) bool { return !v[i] }, f.F)
	case *formula.And:
		res := w.each(func(i int, v []bool) bool { return v[i] }, f.Fs[0])
		for _, g := range f.Fs[1:] {
			res = w.each(func(i int, v []bool) bool { return v[i] && res[i] }, g)
		}
		return res
	case *formula.Or:
		res := w.each(func(i int, v []bool) bool { return v[i] }, f.Fs[0])
		for _, g := range f.Fs[1:] {
			res = w.each(func(i int, v []bool) bool { return v[i] || res[i] }, g)
		}
		return res
	case *formula.Next:
		return w.each(func(i int, v []bool) bool { return v[w.after(i)] }, f.F)
	case *formula.Finally:
		return w.until(nil, w.holds(f.F))
	case *formula.Globally: // not F not
		never := w.until(nil, w.each(func(i int, v []bool) bool { return !v[i] }, f.F))
		for i := range never {
			never[i] = !never[i]
		}
		return never
	case *formula.Until:
		return w.until(w.holds(f.Before), w.holds(f.Reach))
	}
	return w.atoms[f].values
}

func (w word) after(i int) int {
	if i == w.length-1 {
		return w.back
	}
	return i + 1
}

func (w word) each(value func(i int, v []bool) bool, f formula.Formula) []bool {
	v := w.holds(f)
	res := make([]bool, w.length)
	for i := range res {
		res[i] = value(i, v)
	}
	return res
}

// until is the least solution of its expansion law; twice around the loop is
// enough. A nil before is true everywhere.
func (w word) until(before, reach []bool) []bool {
	res := make([]bool, w.length)
	for range 2 {
		for i := w.length - 1; i >= 0; i-- {
			res[i] = reach[i] || (before == nil || before[i]) && res[w.after(i)]
		}
	}
	return res
}

// isLinear reports whether a formula has no path quantifiers and no empty
// connectives.
func isLinear(f formula.Formula) bool {
	operands := formula.Operands(f)
	switch f.(type) {
	case *formula.AllPaths, *formula.ExistsPath, *formula.Bound:
		return false
	case *formula.And, *formula.Or:
		if len(operands) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(operands, func(g formula.Formula) bool { return !isLinear(g) })
}
