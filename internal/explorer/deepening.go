package explorer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/internal/explorer/space"
	"podium/internal/explorer/tokens"
)

// problem is something to be decided by the search of one net.
type problem struct {
	// Formulas on a net that is reduced for them; nil once they are decided.
	question reduce.Question
	props    []formula.Property
	r        *reduce.Reduction
	worth    func(r *reduce.Reduction) bool // is the net small enough to be searched?

	whole  func(opt Options) space.Stop // instead of formulas: a global property
	behind uint                         // its limits are so many powers of two smaller
	rounds int                          // how often it may be searched
	over   bool
}

// The searches of the first round are small, those of each further round larger.
const (
	firstSearch  = 1 << 17 // markings
	deeperSearch = 16      // times as many markings in the next round
	aloneBehind  = 3       // for one formula alone: 2^3 times fewer markings
	anyRounds    = math.MaxInt
	// Of more formulas than that, reduced nets are not kept from round to round.
	maxAlone = 64
)

// deepening searches several nets in turn, with a limit of markings that grows, so
// that no net starves another: those that are reduced for many questions
// together, and those reduced for one alone, which may be much smaller.
type deepening struct {
	*decision // whose waiting items are asked for
	problems  []*problem
}

// late reports whether the time for searches is over.
func (r *deepening) late() bool { return clock.Ended(r.searching) }

// run goes on until everything is decided or nothing helps. After the first
// round, more gives further problems.
func (r *deepening) run(first uint64, more func() []*problem) {
	for limit := first; ; limit = min(limit*deeperSearch, math.MaxUint32) {
		open := r.open()
		for _, b := range r.problems {
			if r.late() {
				return
			}
			if r.narrow(b); !b.over {
				r.try(b, limit, more == nil && open == 1 || limit == math.MaxUint32)
			}
		}
		if more != nil {
			r.problems, more = append(r.problems, more()...), nil
		}
		if r.open() == 0 {
			return
		}
	}
}

func (r *deepening) open() (n int) {
	for _, b := range r.problems {
		if r.narrow(b); !b.over {
			n++
		}
	}
	return n
}

// narrow leaves out the formulas of a problem that are decided.
func (r *deepening) narrow(b *problem) {
	b.props = slices.DeleteFunc(b.props, func(p formula.Property) bool {
		r.clock.Work(len(r.waiting))
		return !slices.Contains(r.waiting, p.ID)
	})
	b.over = b.over || len(r.waiting) == 0 || b.whole == nil && len(b.props) == 0
}

// try searches up to a number of markings, or as far as the limits allow.
func (r *deepening) try(b *problem, limit uint64, last bool) {
	opt := r.opt
	limit = max(limit>>b.behind, 1)
	last = last || opt.MaxStates > 0 && opt.MaxStates <= limit
	if !last {
		opt.MaxStates = limit
	}
	var stop space.Stop
	if b.whole != nil {
		stop = b.whole(opt)
	} else {
		if b.r == nil {
			b.r = r.reduce(b.question)
		}
		if b.worth != nil && !b.worth(b.r) {
			b.over = true
			return
		}
		stop = r.part(b.r, watched{net: b.r.Net}, r.exam, slices.Clone(b.props), opt)
		if len(r.problems) > maxAlone {
			b.r = nil
		}
	}
	b.rounds--
	b.over = last || stop != space.TooManyStates || b.rounds <= 0
}

// formulas returns a problem for all formulas that keep the same, and what is to
// follow: one for each that is still undecided then, on a smaller net.
func (d *decision) formulas(props []formula.Property) (joint []*problem, alone func() []*problem) {
	questions := map[string]reduce.Question{} // by item
	for _, p := range props {
		q, err := d.question(p)
		if err != nil {
			d.refuse(p, err)
			continue
		}
		questions[p.ID] = q
		i := slices.IndexFunc(joint, func(b *problem) bool { return b.question.Keep == q.Keep })
		if i < 0 {
			i = len(joint)
			joint = append(joint, &problem{question: reduce.Question{Keep: q.Keep, Up: make([]bool, len(q.Up)), Down: make([]bool, len(q.Up))}, rounds: anyRounds})
		}
		b := joint[i]
		b.props = append(b.props, p)
		for k := range q.Up {
			b.question.Up[k] = b.question.Up[k] || q.Up[k]
			b.question.Down[k] = b.question.Down[k] || q.Down[k]
		}
	}
	alone = func() (problems []*problem) {
		for _, b := range joint {
			if len(b.props) == 1 {
				continue
			}
			for _, p := range b.props {
				problems = append(problems, &problem{question: questions[p.ID], props: []formula.Property{p}, behind: aloneBehind, rounds: anyRounds,
					worth: func(r *reduce.Reduction) bool { return b.r == nil || size(r) < size(b.r) }})
			}
		}
		return problems
	}
	return joint, alone
}

func size(r *reduce.Reduction) int { return r.Net.Places.Len() + r.Net.Transitions.Len() }

// decideFormulas decides formulas by searches whose limits grow.
func (d *decision) decideFormulas(props []formula.Property) {
	joint, alone := d.formulas(props)
	r := deepening{decision: d, problems: joint}
	r.run(firstSearch, func() []*problem {
		if len(d.waiting) > maxAlone {
			return nil
		}
		return alone()
	})
}

// Of a global property, the search of the whole is the largest one by far, and
// the questions that it consists of are asked one by one in a few small ones.
const (
	firstWhole  = 1 << 27 // divided by the number of places and transitions
	itemsBehind = 6
	itemRounds  = 3
	maxItems    = 2000
)

// fired is the run of an answer that shows one of the formulas of [decision.decideEvery]; for
// QuasiLiveness it fires the transition that is enabled at its end. ok is false where that
// leaves more tokens in a place than can be counted.
func (d *decision) fired(a Answer) (run []uint32, ok bool) {
	run = a.Witness.Stem
	at, err := tokens.Replay(d.net, run)
	group, notNumber := strconv.Atoi(a.Item)
	if d.exam != examinations.QuasiLiveness || err != nil || notNumber != nil {
		return run, true
	}
	for _, t := range d.transitions[group] {
		if tokens.Enabled(d.net, int(t), at) && tokens.Fire(d.net, int(t), at) {
			return append(slices.Clone(run), t), true
		}
	}
	return nil, false
}

// decideEvery decides a global property that holds, or not, when all of some formulas
// are true: good is its value then, zero when that decides nothing, and bad its
// value when one is false. The search of the whole may be faster; those of the
// formulas, each on a net of its own, reach further.
func (d *decision) decideEvery(fs []formula.Formula, good, bad examinations.Value, wholes ...*problem) {
	items := &decision{ctx: d.ctx, searching: d.searching, clock: d.clock, view: d.view, watched: watched{net: d.net}, exam: examinations.ReachabilityCardinality, lookup: d.lookup, opt: d.opt, waiting: []string{string(d.exam)}}
	var props []formula.Property
	for i, f := range fs {
		props = append(props, formula.Property{ID: fmt.Sprint(i), Formula: f})
	}
	for _, b := range wholes {
		search := b.whole
		b.rounds, b.whole = anyRounds, func(opt Options) space.Stop {
			stop := search(opt)
			if len(d.waiting) == 0 {
				items.waiting = nil
			}
			return stop
		}
	}
	open, reduced, parallel := len(fs), false, false
	proof, proved := &collection{}, d.opt.Witnesses
	items.answer = func(a Answer) {
		open--
		reduced, parallel = reduced || a.Reduced, parallel || a.Parallel
		switch {
		case len(d.waiting) == 0:
			return
		case a.Value == examinations.False:
			d.pass(Answer{Item: string(d.exam), Value: bad, Witness: a.Witness, Reduced: a.Reduced, Parallel: a.Parallel})
			items.waiting = nil
			return
		case a.Witness == nil:
			proved = false
		case proved:
			var run []uint32
			if run, proved = d.fired(a); proved {
				proof.add(run)
			}
		}
		if open == 0 && !good.IsZero() {
			all := Answer{Item: string(d.exam), Value: good, Reduced: reduced, Parallel: parallel}
			if proved {
				all.Witness = proof.witness()
			}
			d.pass(all)
			items.waiting = nil
		}
	}
	r := deepening{decision: items, problems: wholes}
	nodes := d.net.Places.Len() + d.net.Transitions.Len()
	r.run(max(firstWhole/uint64(nodes+1), firstSearch/8), func() []*problem {
		if len(fs) > maxItems || len(items.waiting) == 0 {
			return nil
		}
		for _, p := range props {
			items.waiting = append(items.waiting, p.ID)
		}
		joint, alone := items.formulas(props)
		problems := slices.Concat(joint, alone())
		for _, b := range problems {
			b.behind, b.rounds = itemsBehind, itemRounds
		}
		for _, b := range joint {
			b.rounds = 1
		}
		return problems
	})
	d.largest = cmp.Or(d.largest, items.largest)
}
