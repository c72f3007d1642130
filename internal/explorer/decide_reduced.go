package explorer

import (
	"cmp"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/space"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// reduced decides on reduced nets, see package reduce for what may be reduced
// where.
func (d *decision) reduced(props []formula.Property) error {
	switch d.exam {
	case examinations.StateSpace:
		r := d.reduce(reduce.Question{Keep: reduce.Graph})
		d.part(r, watched{net: r.Net}, d.exam, nil, d.opt)
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		r := d.reduce(reduce.Question{Keep: reduce.Deadlocks})
		d.part(r, watched{net: r.Net}, d.exam, nil, d.opt)
	case examinations.OneSafe:
		d.reducedOneSafe()
	case examinations.StableMarking:
		changing := Changing(d.clock, d.net, d.places)
		if len(changing) == 0 || slices.ContainsFunc(changing, none) {
			d.truth(len(changing) > 0)
			return nil
		}
		d.decideEvery(d.changed(), examinations.False, examinations.True, d.firings(examinations.QuasiLiveness, changing))
	case examinations.QuasiLiveness:
		d.decideEvery(d.fireable(), examinations.True, examinations.False, d.firings(d.exam, d.transitions))
	case examinations.Liveness:
		d.decideEvery(d.fireable(), examinations.Value{}, examinations.False, d.firings(d.exam, d.transitions), d.notLive())
	case examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLCardinality,
		examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability:
		d.decideFormulas(props)
	default:
		return d.decide(props)
	}
	return nil
}

// reduce takes a part of the memory and of the time; a net that is too large
// for that is left as it is.
func (d *decision) reduce(q reduce.Question) *reduce.Reduction {
	net := d.net
	if reduce.Bytes(net) > cmp.Or(d.opt.Memory, space.DefaultMemory)/8 {
		return reduce.None(net)
	}
	ctx, stop := clock.Part(d.searching, 8)
	defer stop()
	return reduce.Net(ctx, d.clock, net, q)
}

func all(n int) []bool { return slices.Repeat([]bool{true}, n) }

// reducedOneSafe looks for a place with two tokens on a net that keeps all
// places, and on nets for single places.
func (d *decision) reducedOneSafe() {
	r := d.reduce(reduce.Question{Keep: reduce.Reachable, Up: all(d.net.Places.Len())})
	w := watched{net: r.Net, places: replaced(d.places, func(p uint32) []uint32 {
		q, _ := r.Place(p)
		return []uint32{q}
	})}
	var fs []formula.Formula
	for g := range d.places {
		fs = append(fs, &formula.AllPaths{F: &formula.Globally{F: &formula.LessEqual{Left: d.tokensOf(g), Right: &formula.Number{N: 1}}}})
	}
	d.decideEvery(fs, examinations.True, examinations.False, &problem{whole: func(opt Options) space.Stop { return d.part(r, w, d.exam, nil, opt) }})
}

// tokensOf counts a group of places.
func (d *decision) tokensOf(g int) formula.Integer {
	return &formula.TokensCount{Places: []string{d.view.Places().At(g)}}
}

// fireable says of every transition that it can fire.
func (d *decision) fireable() (fs []formula.Formula) {
	for g := range d.transitions {
		id := d.view.Transitions().At(g)
		fs = append(fs, &formula.ExistsPath{F: &formula.Finally{F: &formula.Fireable{Transitions: []string{id}}}})
	}
	return fs
}

// changed says of every place that its count can change.
func (d *decision) changed() (fs []formula.Formula) {
	for g, places := range d.places {
		first := pnml.Total{}
		for _, p := range places {
			first.Add(d.net.Initial[p])
		}
		if first.Hi > 0 {
			return nil // no formula can say it
		}
		sum, number := d.tokensOf(g), &formula.Number{N: first.Lo}
		fs = append(fs, &formula.ExistsPath{F: &formula.Finally{F: &formula.Or{Fs: []formula.Formula{
			&formula.Not{F: &formula.LessEqual{Left: sum, Right: number}}, &formula.Not{F: &formula.LessEqual{Left: number, Right: sum}}}}}})
	}
	return fs
}

// firings is the problem whether a member of every group fires, or can always
// fire again.
func (d *decision) firings(exam examinations.ID, groups [][]uint32) *problem {
	// A witness is to fire every transition, and twins may stand for runs
	// through different places.
	r := d.reduce(reduce.Question{Keep: reduce.Firings, Twins: d.opt.Witnesses})
	in := make([][]uint32, d.net.Transitions.Len()) // transitions of the reduced net that contain one
	for t := range r.Net.Transitions.Len() {
		for _, u := range r.Contained(t) {
			in[u] = append(in[u], uint32(t))
		}
	}
	w := watched{net: r.Net, transitions: replaced(groups, func(t uint32) []uint32 { return in[t] })}
	return &problem{whole: func(opt Options) space.Stop { return d.part(r, w, exam, nil, opt) }}
}

// notLive looks for a deadlock, where no transition is live.
func (d *decision) notLive() *problem {
	r := d.reduce(reduce.Question{Keep: reduce.Deadlocks})
	return &problem{behind: 1, whole: func(opt Options) space.Stop {
		if d.net.Transitions.Len() == 0 {
			return space.Enough
		}
		return d.part(r, watched{net: r.Net}, examinations.ReachabilityDeadlock, nil, opt)
	}}
}

// replaced replaces the members of groups.
func replaced(groups [][]uint32, by func(uint32) []uint32) [][]uint32 {
	out := make([][]uint32, len(groups))
	for i, g := range groups {
		for _, m := range g {
			out[i] = append(out[i], by(m)...)
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// Changing returns, for every group of places, the transitions that change its sum. A group
// is stable when none of them fires.
func Changing(c *clock.Clock, net *pnml.Net, groups [][]uint32) [][]uint32 {
	of := make([][]uint32, net.Places.Len())
	for g, ps := range groups {
		for _, p := range ps {
			of[p] = append(of[p], uint32(g))
		}
	}
	out := make([][]uint32, len(groups))
	for t := range net.Transitions.Len() {
		c.Work(64)
		pre, post := map[uint32]pnml.Total{}, map[uint32]pnml.Total{}
		for e := range tokens.Effects(net, t) {
			for _, g := range of[e.Place] {
				a, b := pre[g], post[g]
				a.Add(e.Pre)
				b.Add(e.Post)
				pre[g], post[g] = a, b
			}
		}
		for g := range pre {
			if pre[g] != post[g] {
				out[g] = append(out[g], uint32(t))
			}
		}
	}
	return out
}

// none reports whether a group has no members.
func none(group []uint32) bool { return len(group) == 0 }

// part decides some items on a reduced net and hands on what it proves.
func (d *decision) part(r *reduce.Reduction, w watched, exam examinations.ID, props []formula.Property, opt Options) space.Stop {
	sub := &decision{ctx: d.ctx, searching: d.searching, clock: d.clock, view: d.view, watched: w, exam: exam, lookup: d.lookup, opt: opt, waiting: exam.Items(formula.IDs(props))}
	if r.Changed() {
		l := *d.lookup
		l.Reduced = r
		sub.lookup = &l
	} else if exam == d.exam {
		sub.watched = d.watched
	}
	sub.answer = func(a Answer) {
		if exam != d.exam {
			// Whether every place changes is asked as QuasiLiveness, and that a net
			// is not live may be proved by a deadlock; that there is none says
			// nothing.
			if d.exam == examinations.Liveness && a.Value == examinations.False {
				return
			}
			a.Item, a.Value = string(d.exam), examinations.Truth(a.Value == examinations.False)
		}
		d.lifted(r, a, props)
	}
	defer sub.close()
	// Properties that make no sense were left out before.
	_ = sub.decide(props)
	if sub.search == nil {
		return space.Enough
	}
	if found := sub.report(); d.largest == nil || found.States >= d.largest.States {
		d.largest = &found
	}
	return sub.search.Stop()
}

// pass hands on an answer that is waited for.
func (d *decision) pass(a Answer) {
	if i := slices.Index(d.waiting, a.Item); i >= 0 {
		d.waiting = slices.Delete(d.waiting, i, i+1)
		d.answer(a)
	}
}
