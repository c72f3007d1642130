package walk

import (
	"context"
	"slices"

	"podium/examinations/formula"
	"podium/pnml"
	"podium/pnml/unfold"
)

// prefix is a part of the reachability graph, breadth first from the initial
// marking. Markings up to expanded have all their successors in it; of the
// others only the tokens are known.
//
// A CTL formula is judged on it in three values, as a pair of sets: the markings
// in which it surely holds and those in which it may hold.
type prefix struct {
	net      *pnml.Net
	view     unfold.View // of the net
	tokens   []uint64    // of all markings, one after the other
	count    int
	expanded int
	next     [][]int32                  // successors of the expanded markings
	before   [][]int32                  // predecessors
	atoms    map[formula.Formula][]bool // of the formulas that were prepared
}

// Limits of a prefix.
const (
	prefixMarkings = 20_000
	prefixTokens   = 1 << 23 // numbers held: 64 MB
)

// verdicts tells for every marking of a prefix whether a formula surely holds
// and whether it may hold.
type verdicts struct{ sure, may []bool }

// newPrefix explores from the initial marking. The game stands there again at
// the end.
func newPrefix(ctx context.Context, g *game) *prefix {
	x := &prefix{net: g.net, view: g.view, atoms: map[formula.Formula][]bool{}}
	places := len(g.tokens)
	index := map[string]int32{}
	key := make([]byte, 0, 8*places)
	add := func() int32 {
		key = key[:0]
		for _, v := range g.tokens {
			for ; v >= 0x80; v >>= 7 {
				key = append(key, byte(v)|0x80)
			}
			key = append(key, byte(v))
		}
		if i, ok := index[string(key)]; ok {
			return i
		}
		i := int32(x.count)
		index[string(key)] = i
		x.tokens = append(x.tokens, g.tokens...)
		x.count++
		return i
	}
	g.restart()
	add()
	enabled := make([]uint32, 0, len(g.changes))
	for ; x.expanded < x.count && x.count < prefixMarkings && len(x.tokens) < prefixTokens; x.expanded++ {
		if x.expanded%256 == 0 && ctx.Err() != nil {
			break
		}
		g.set(x.marking(x.expanded))
		enabled = append(enabled[:0], g.enabled...)
		next := make([]int32, 0, len(enabled))
		complete := true
		for _, t := range enabled {
			if !g.fire(t) {
				complete = false
				break
			}
			next = append(next, add())
			g.unfire(t)
		}
		if !complete {
			break
		}
		slices.Sort(next)
		x.next = append(x.next, slices.Compact(next))
	}
	g.restart()
	x.before = make([][]int32, x.count)
	for i, next := range x.next {
		for _, j := range next {
			x.before[j] = append(x.before[j], int32(i))
		}
	}
	return x
}

func (x *prefix) marking(i int) []uint64 {
	n := x.net.Places.Len()
	return x.tokens[i*n : (i+1)*n]
}

// set moves the game to another reachable marking, without its forms.
func (g *game) set(tokens []uint64) {
	for p, now := range tokens {
		switch old := g.tokens[p]; {
		case now < old:
			g.move(uint32(p), true, old-now)
		case now > old:
			g.move(uint32(p), false, now-old)
		}
	}
}

// judge returns the truth of a formula in the initial marking.
func (x *prefix) judge(f formula.Formula) truth {
	v, ok := x.state(f)
	switch {
	case !ok:
		return unknown
	case v.sure[0]:
		return yes
	case !v.may[0]:
		return no
	}
	return unknown
}

func (x *prefix) each(f func(i int) (sure, may bool)) verdicts {
	v := verdicts{make([]bool, x.count), make([]bool, x.count)}
	for i := range x.count {
		v.sure[i], v.may[i] = f(i)
	}
	return v
}

func (v verdicts) not() verdicts {
	n := verdicts{make([]bool, len(v.sure)), make([]bool, len(v.sure))}
	for i := range v.sure {
		n.sure[i], n.may[i] = !v.may[i], !v.sure[i]
	}
	return n
}

func (v verdicts) or(o verdicts) verdicts {
	r := verdicts{slices.Clone(v.sure), slices.Clone(v.may)}
	for i := range r.sure {
		r.sure[i] = r.sure[i] || o.sure[i]
		r.may[i] = r.may[i] || o.may[i]
	}
	return r
}

func (v verdicts) and(o verdicts) verdicts { return v.not().or(o.not()).not() }

// state judges a state formula; ok is false when it is none, or has an atom
// that was not prepared.
func (x *prefix) state(f formula.Formula) (v verdicts, ok bool) {
	switch f := f.(type) {
	case *formula.Not:
		v, ok = x.state(f.F)
		return v.not(), ok
	case *formula.And:
		return x.all(f.Fs, verdicts.and)
	case *formula.Or:
		return x.all(f.Fs, verdicts.or)
	case *formula.ExistsPath:
		return x.path(f.F, false)
	case *formula.AllPaths:
		return x.path(f.F, true)
	}
	known, ok := x.atoms[f]
	return verdicts{known, known}, ok
}

func (x *prefix) all(fs []formula.Formula, join func(verdicts, verdicts) verdicts) (verdicts, bool) {
	if len(fs) == 0 {
		return verdicts{}, false
	}
	total, ok := x.state(fs[0])
	for _, f := range fs[1:] {
		v, fine := x.state(f)
		if ok = ok && fine; !ok {
			return total, false
		}
		total = join(total, v)
	}
	return total, ok
}

// prepare judges the atoms of formulas: for each marking, all of them at once.
func (x *prefix) prepare(ctx context.Context, fs []formula.Formula) {
	g := newGame(x.view)
	compiled := map[formula.Formula]*predicate{}
	for _, f := range fs {
		eachAtom(f, func(a formula.Formula) {
			if p, err := g.compile(a); err == nil {
				compiled[a] = p
				x.atoms[a] = make([]bool, x.count)
			}
		})
	}
	for i := range x.count {
		if i%256 == 0 && ctx.Err() != nil {
			clear(x.atoms)
			return
		}
		g.set(x.marking(i))
		if !g.recompute() {
			clear(x.atoms)
			return
		}
		for a, p := range compiled {
			x.atoms[a][i] = p.holds(&g.position)
		}
	}
}

// eachAtom calls do for every subformula without connectives.
func eachAtom(f formula.Formula, do func(formula.Formula)) {
	switch f := f.(type) {
	case *formula.Not:
		eachAtom(f.F, do)
	case *formula.And:
		for _, g := range f.Fs {
			eachAtom(g, do)
		}
	case *formula.Or:
		for _, g := range f.Fs {
			eachAtom(g, do)
		}
	case *formula.ExistsPath:
		eachAtom(f.F, do)
	case *formula.AllPaths:
		eachAtom(f.F, do)
	case *formula.Next:
		eachAtom(f.F, do)
	case *formula.Globally:
		eachAtom(f.F, do)
	case *formula.Finally:
		eachAtom(f.F, do)
	case *formula.Until:
		eachAtom(f.Before, do)
		eachAtom(f.Reach, do)
	default:
		do(f)
	}
}

// path judges a quantified path formula; universal ones by their duals.
func (x *prefix) path(f formula.Formula, universal bool) (verdicts, bool) {
	switch f := f.(type) {
	case *formula.Next:
		v, ok := x.state(f.F)
		switch {
		case !ok:
			return v, false
		case universal:
			return x.someNext(v.not()).not(), true
		}
		return x.someNext(v), true
	case *formula.Finally:
		v, ok := x.state(f.F)
		switch {
		case !ok:
			return v, false
		case universal:
			return x.someStay(v.not()).not(), true
		}
		return x.someUntil(x.each(func(int) (bool, bool) { return true, true }), v), true
	case *formula.Globally:
		v, ok := x.state(f.F)
		switch {
		case !ok:
			return v, false
		case universal:
			return x.someUntil(x.each(func(int) (bool, bool) { return true, true }), v.not()).not(), true
		}
		return x.someStay(v), true
	case *formula.Until:
		before, ok := x.state(f.Before)
		reach, fine := x.state(f.Reach)
		switch {
		case !ok || !fine:
			return before, false
		case universal:
			fails := x.someUntil(reach.not(), reach.not().and(before.not()))
			return fails.or(x.someStay(reach.not())).not(), true
		}
		return x.someUntil(before, reach), true
	}
	return verdicts{}, false
}

// someNext is EX.
func (x *prefix) someNext(v verdicts) verdicts {
	return x.each(func(i int) (bool, bool) {
		if i >= x.expanded {
			return false, true
		}
		sure, may := false, false
		for _, j := range x.next[i] {
			sure, may = sure || v.sure[j], may || v.may[j]
		}
		return sure, may
	})
}

// someUntil is E before U reach: a backward search from where it is fulfilled;
// it may be fulfilled beyond the markings that are not expanded.
func (x *prefix) someUntil(before, reach verdicts) verdicts {
	search := func(start func(i int) bool, through []bool) []bool {
		set := make([]bool, x.count)
		var list []int32
		for i := range set {
			if set[i] = start(i); set[i] {
				list = append(list, int32(i))
			}
		}
		for len(list) > 0 {
			last := list[len(list)-1]
			list = list[:len(list)-1]
			for _, i := range x.before[last] {
				if !set[i] && through[i] {
					set[i] = true
					list = append(list, i)
				}
			}
		}
		return set
	}
	return verdicts{
		search(func(i int) bool { return reach.sure[i] }, before.sure),
		search(func(i int) bool { return reach.may[i] || i >= x.expanded && before.may[i] }, before.may),
	}
}

// someStay is EG: markings are taken out while they have no successor left and
// are not known to be dead; what is not expanded may go on for ever.
func (x *prefix) someStay(v verdicts) verdicts {
	shrink := func(set []bool, beyond bool) []bool {
		set = slices.Clone(set)
		left := make([]int, x.count)
		var list []int32
		for i := range set {
			if i >= x.expanded {
				set[i] = set[i] && beyond
				continue
			}
			left[i] = len(x.next[i])
		}
		for i := range set {
			if !set[i] {
				list = append(list, int32(i))
			}
		}
		for len(list) > 0 {
			last := list[len(list)-1]
			list = list[:len(list)-1]
			for _, i := range x.before[last] {
				// A marking with successors leaves when the last of them has left.
				if left[i]--; left[i] == 0 && set[i] {
					set[i] = false
					list = append(list, i)
				}
			}
		}
		return set
	}
	return verdicts{shrink(v.sure, false), shrink(v.may, true)}
}
