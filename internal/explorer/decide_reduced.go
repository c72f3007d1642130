package explorer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"podium/examinations"
	"podium/internal/explorer/reduce"
)

// reduced decides on reduced nets, see package reduce for what may be reduced
// where.
func (d *decision) reduced(props []examinations.Property) error {
	switch d.exam {
	case examinations.StateSpace:
		r := d.reduce(reduce.Question{Keep: reduce.Graph})
		d.part(r, Plain(r.Net), d.exam, nil, d.opt)
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		r := d.reduce(reduce.Question{Keep: reduce.Deadlocks})
		d.part(r, Plain(r.Net), d.exam, nil, d.opt)
	case examinations.OneSafe:
		r := d.reduce(reduce.Question{Keep: reduce.Reachable, Up: all(d.view.Net.Places.Len())})
		v := View{Net: r.Net, Places: d.view.Places}
		if v.Places != nil {
			v.Places = groupsOf(d.view.placeGroups(), func(p uint32) []uint32 {
				q, _ := r.Place(p)
				return []uint32{q}
			})
		}
		d.part(r, v, d.exam, nil, d.opt)
	case examinations.StableMarking:
		if s := newStable(d.view); s.left == 0 || s.settled(d.view) {
			d.truth(s.left > 0)
			return nil
		}
		d.firings(examinations.QuasiLiveness, d.changing())
	case examinations.QuasiLiveness, examinations.Liveness:
		d.firings(d.exam, d.view.transitionGroups())
	case examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLCardinality,
		examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability:
		return d.deepen(props)
	default:
		return d.decide(props)
	}
	return nil
}

func (d *decision) reduce(q reduce.Question) *reduce.Reduction {
	return reduce.Net(d.ctx, d.view.Net, q)
}

func all(n int) []bool { return slices.Repeat([]bool{true}, n) }

// firings decides whether a member of every group fires, or can always fire
// again.
func (d *decision) firings(exam examinations.ID, groups [][]uint32) {
	// A witness is to fire every transition, and twins may stand for runs
	// through different places.
	r := d.reduce(reduce.Question{Keep: reduce.Firings, Twins: d.opt.Witnesses})
	in := make([][]uint32, d.view.Net.Transitions.Len()) // transitions of the reduced net that contain one
	for t := range r.Net.Transitions.Len() {
		for _, u := range r.Contained(t) {
			in[u] = append(in[u], uint32(t))
		}
	}
	d.part(r, View{Net: r.Net, Transitions: groupsOf(groups, func(t uint32) []uint32 { return in[t] })}, exam, nil, d.opt)
}

// groupsOf replaces the members of groups.
func groupsOf(groups [][]uint32, by func(uint32) []uint32) []Group {
	out := make([]Group, len(groups))
	for i, g := range groups {
		for _, m := range g {
			out[i].Members = append(out[i].Members, by(m)...)
		}
		slices.Sort(out[i].Members)
		out[i].Members = slices.Compact(out[i].Members)
	}
	return out
}

// changing gives, for every group of places, the transitions that change its
// sum. A group is stable when none of them fires.
func (d *decision) changing() [][]uint32 {
	net, groups := d.view.Net, d.view.placeGroups()
	of := make([][]uint32, net.Places.Len())
	for g, ps := range groups {
		for _, p := range ps {
			of[p] = append(of[p], uint32(g))
		}
	}
	out := make([][]uint32, len(groups))
	for t := range net.Transitions.Len() {
		pre, post := map[uint32]total{}, map[uint32]total{}
		for e := range effects(net, t) {
			for _, g := range of[e.place] {
				a, b := pre[g], post[g]
				a.add(e.pre)
				b.add(e.post)
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

// part decides some items on a reduced net and hands on what it proves.
func (d *decision) part(r *reduce.Reduction, v View, exam examinations.ID, props []examinations.Property, opt Options) Stop {
	sub := &decision{ctx: d.ctx, view: v, exam: exam, lookup: d.lookup, opt: opt, waiting: exam.Items(props)}
	if r.Changed() {
		l := *d.lookup
		l.reduced = r
		sub.lookup = &l
	} else if exam == d.exam {
		sub.view = d.view
	}
	sub.answer = func(a Answer) {
		if exam != d.exam { // whether every place changes, asked as QuasiLiveness
			a.Item, a.Value = string(d.exam), examinations.Truth(a.Value == examinations.False)
		}
		d.lifted(r, a)
	}
	// Properties that make no sense were left out before.
	_ = sub.decide(props)
	if sub.search == nil {
		return Enough
	}
	sub.search.Close()
	if found := sub.report(); d.largest == nil || found.States >= d.largest.States {
		d.largest = &found
	}
	return sub.search.stop
}

// lifted hands on an answer, with its witness lifted to the net of the view.
func (d *decision) lifted(r *reduce.Reduction, a Answer) {
	if a.Reduced = r.Changed(); a.Reduced && a.Witness != nil {
		a.Witness = d.lift(r, a.Witness)
	}
	if i := slices.Index(d.waiting, a.Item); i >= 0 {
		d.waiting = slices.Delete(d.waiting, i, i+1)
		d.answer(a)
	}
}

// lift gives nil when a run would be too long, or cannot be fired.
func (d *decision) lift(r *reduce.Reduction, w *Witness) *Witness {
	if len(w.Inner) > 0 {
		return d.liftFilling(r, w)
	}
	dead := false
	switch d.exam {
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties, examinations.Liveness, examinations.LTLCardinality, examinations.LTLFireability:
		dead = len(w.Cycle) == 0
	}
	run := func(stem, cycle []uint32) (*Witness, bool) {
		stem, cycle, err := r.Lift(stem, cycle, dead)
		if err == nil {
			_, err = Replay(d.view.Net, slices.Concat(stem, cycle))
		}
		return &Witness{Stem: stem, Cycle: cycle}, err == nil
	}
	lifted, ok := run(w.Stem, w.Cycle)
	for _, stem := range w.Further {
		further, fires := run(stem, nil)
		lifted.Further, ok = append(lifted.Further, further.Stem), ok && fires
	}
	if !ok {
		return nil
	}
	return lifted
}

// problem is a set of formulas on one reduced net.
type problem struct {
	question reduce.Question
	props    []examinations.Property
	r        *reduce.Reduction
	over     bool // a larger search would not tell more
}

// The searches of deepen: the first one is small, and each is so many times
// larger than the one before.
const (
	firstSearch  = 1 << 17
	deeperSearch = 16
	// With more formulas than that, none is looked at by itself.
	maxAlone = 64
)

// deepen decides formulas on nets that are reduced for all of them together and
// on nets that are reduced for one alone, which may be much smaller: all nets in
// turn, with a limit of markings that grows, so that no net starves another.
func (d *decision) deepen(props []examinations.Property) error {
	var errs []error
	questions := map[string]reduce.Question{} // by item
	var problems []*problem
	for _, p := range props {
		q, err := d.question(p)
		if err != nil {
			errs = append(errs, fmt.Errorf("property %q: %w", p.ID, err))
			continue
		}
		questions[p.ID] = q
		i := slices.IndexFunc(problems, func(b *problem) bool { return b.question.Keep == q.Keep })
		if i < 0 {
			i = len(problems)
			problems = append(problems, &problem{question: reduce.Question{Keep: q.Keep, Up: make([]bool, len(q.Up)), Down: make([]bool, len(q.Up))}})
		}
		b := problems[i]
		b.props = append(b.props, p)
		for k := range q.Up {
			b.question.Up[k] = b.question.Up[k] || q.Up[k]
			b.question.Down[k] = b.question.Down[k] || q.Down[k]
		}
	}
	joint := len(problems)
	start := time.Now()
	for limit := uint64(firstSearch); ; limit *= deeperSearch {
		open := 0
		for _, b := range problems {
			if d.narrow(b); !b.over {
				open++
			}
		}
		if open == 0 {
			break
		}
		last := open == 1 && (len(problems) > joint || len(problems[0].props) == 1) || limit >= math.MaxUint32
		for _, b := range problems {
			if d.narrow(b); b.over {
				continue
			}
			if d.ctx.Err() != nil || d.opt.SearchTime > 0 && time.Since(start) >= d.opt.SearchTime {
				return errors.Join(errs...)
			}
			d.try(b, limit, last, start)
		}
		if len(problems) == joint {
			problems = append(problems, d.alone(problems, questions)...)
		}
	}
	return errors.Join(errs...)
}

// narrow leaves out the formulas of a problem that are decided.
func (d *decision) narrow(b *problem) {
	b.props = slices.DeleteFunc(b.props, func(p examinations.Property) bool { return !slices.Contains(d.waiting, p.ID) })
	b.over = b.over || len(b.props) == 0
}

// try searches up to a number of markings, or as far as the limits allow.
func (d *decision) try(b *problem, limit uint64, last bool, start time.Time) {
	if b.r == nil {
		b.r = d.reduce(b.question)
	}
	opt := d.opt
	if opt.SearchTime > 0 {
		opt.SearchTime = max(opt.SearchTime-time.Since(start), 1)
	}
	whole := last || opt.MaxStates > 0 && opt.MaxStates <= limit
	if !whole {
		opt.MaxStates = limit
	}
	stop := d.part(b.r, View{Net: b.r.Net}, d.exam, slices.Clone(b.props), opt)
	b.over = whole || stop != TooManyStates
}

// alone gives a problem for every undecided formula that a smaller net is
// enough for.
func (d *decision) alone(joint []*problem, questions map[string]reduce.Question) (problems []*problem) {
	for _, b := range joint {
		if d.narrow(b); len(b.props) > maxAlone {
			continue
		}
		for _, p := range b.props {
			r := d.reduce(questions[p.ID])
			if size(r) < size(b.r) {
				problems = append(problems, &problem{question: questions[p.ID], props: []examinations.Property{p}, r: r})
			}
		}
	}
	return problems
}

func size(r *reduce.Reduction) int { return r.Net.Places.Len() + r.Net.Transitions.Len() }

// question says what a formula lets a reduction do.
func (d *decision) question(p examinations.Property) (reduce.Question, error) {
	o := observed{d.view, make([]bool, d.view.Net.Places.Len()), make([]bool, d.view.Net.Places.Len()), false}
	q := reduce.Question{Keep: reduce.Reachable, Up: o.up, Down: o.down}
	switch d.exam {
	case examinations.UpperBounds:
		b, ok := p.Formula.(*examinations.Bound)
		if !ok {
			return q, fmt.Errorf("%T is no place-bound", p.Formula)
		}
		places, err := d.lookup.placesOf(b.Places)
		mark(o.up, places)
		return q, err
	case examinations.LTLCardinality, examinations.LTLFireability:
		l, err := d.lookup.ltlQuestion(p)
		if err != nil {
			return q, err
		}
		q.Keep = reduce.Linear
		for _, f := range l.table.atoms {
			o.see(f, false)
		}
		if slices.ContainsFunc(l.table.nodes, func(n ltlNode) bool { return n.op == ltlNext }) {
			q.Keep = reduce.Steps
		}
	default:
		t, ok, err := d.lookup.target(p)
		if err != nil {
			return q, err
		}
		if ok {
			o.see(t.f, false)
			break
		}
		f, err := d.lookup.ctl(p.Formula)
		if err != nil {
			return q, err
		}
		q.Keep = o.seeCTL(f)
	}
	if o.dead {
		q.Keep = reduce.Steps
	}
	return q, nil
}

func mark(set []bool, places []uint32) {
	for _, p := range places {
		set[p] = true
	}
}

// observed collects the places that a formula counts: those of which more
// tokens, and those of which fewer, help to make it true.
type observed struct {
	view     View
	up, down []bool
	dead     bool // it asks for dead markings
}

func (o *observed) see(f predicate, negated bool) {
	up, down := o.up, o.down
	if negated {
		up, down = down, up
	}
	switch f := f.(type) {
	case notP:
		o.see(f.f, !negated)
	case andP:
		for _, g := range f {
			o.see(g, negated)
		}
	case orP:
		for _, g := range f {
			o.see(g, negated)
		}
	case fireableP:
		for _, t := range f {
			places, _ := o.view.Net.Pre.Row(int(t))
			mark(up, places)
		}
	case *atMostP:
		mark(down, f.left.places)
		mark(up, f.right.places)
	case deadP:
		o.dead = true
	}
}

// seeCTL collects the places of a CTL formula and tells what is to be kept.
func (o *observed) seeCTL(f ctl) reduce.Keep {
	keep := reduce.Futures
	below := func(fs ...ctl) {
		for _, g := range fs {
			keep = min(keep, o.seeCTL(g)) // the stricter ones come first
		}
	}
	switch f := f.(type) {
	case atomC:
		o.see(f.f, false)
	case notC:
		below(f.f)
	case andC:
		below(f.fs...)
	case orC:
		below(f.fs...)
	case nextC:
		keep = reduce.Steps
		below(f.f)
	case untilC:
		below(f.f, f.g)
	case alwaysC:
		keep = reduce.Branching
		below(f.f)
	}
	return keep
}
