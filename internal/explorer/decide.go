package explorer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/pnml/unfold"
)

// Options bound the searches of an examination. The zero value takes 1 GiB and one
// core, and asks for no witnesses.
type Options struct {
	// Memory is the number of bytes for the tables of a search and of the evaluation
	// after it; 0 means 1 GiB. What the Go runtime and the net need comes on top.
	Memory int64
	// Witnesses asks for runs that prove the answers.
	Witnesses bool
	// SearchTime ends the searches; what is evaluated after them may take longer. 0
	// means no such limit.
	SearchTime time.Duration
	// Unreduced searches the net as it is, without structural reductions.
	Unreduced bool
	// MaxStates ends a search after that many markings; 0 means no such limit.
	MaxStates uint64
	// Cores is how many to search on; 0 means 1. It changes no answer.
	Cores int

	tuning space.Tuning
}

// Answer is one value that is proved.
type Answer struct {
	Item  string // as in examinations.Key
	Value examinations.Value
	// Witness is a run that proves the value, nil where Options.Witnesses is
	// not set or no single run does.
	Witness  *Witness
	Reduced  bool // found on a net that was reduced
	Parallel bool // found on several cores
}

// Report says how far an examination came; of several searches, the largest one.
type Report struct {
	Stop      space.Stop
	States    uint64   // markings found
	Firings   uint64   // edges found
	Undecided []string // items without an answer, in the order of the file
}

// Complete reports whether all reachable markings were seen.
func (r Report) Complete() bool { return r.Stop == space.Complete }

// ErrUnknownExamination says that the explorer has no method for an examination.
var ErrUnknownExamination = errors.New("the explorer does not know this examination")

// Decide answers an examination as far as the limits allow, each value as soon
// as it is proved. props are the properties of the formula file. A property
// that makes no sense for the net, or for the examination, is left undecided
// and is part of the error; the others are answered all the same.
func Decide(ctx context.Context, v unfold.View, exam examinations.ID, props []formula.Property, opt Options, answer func(Answer)) (Report, error) {
	searching, stop := ctx, func() {}
	if opt.SearchTime > 0 {
		searching, stop = clock.Within(ctx, opt.SearchTime)
	}
	defer stop()
	d := &decision{ctx: ctx, searching: searching, view: v, watched: watched{net: v.Net}, exam: exam, lookup: &state.Lookup{View: v}, opt: opt, answer: answer}
	if !exam.HasFormulas() {
		d.places, d.transitions = v.PlaceGroups(), v.TransitionGroups()
	}
	d.waiting = exam.Items(formula.IDs(props))
	defer d.close()
	var err error
	interrupted := clock.Until(ctx, func(c *clock.Clock) error {
		d.clock, d.lookup.Clock = c, c
		if opt.Unreduced {
			err = d.decide(props)
		} else {
			err = d.reduced(props)
		}
		return nil
	})
	report := d.report()
	if interrupted != nil {
		report.Stop = space.Interrupted
	}
	return report, errors.Join(append(d.refused, err)...)
}

// close gives back what the search holds.
func (d *decision) close() {
	if d.search != nil {
		d.search.Close()
	}
}

// decision is an examination under way.
type decision struct {
	ctx       context.Context
	searching context.Context // ends with the time for searches
	clock     *clock.Clock
	view      unfold.View // what ids stand for
	watched
	exam    examinations.ID
	lookup  *state.Lookup
	opt     Options
	answer  func(Answer)
	waiting []string // items without an answer
	search  *space.Search
	largest *Report // of the searches of reduced nets
	refused []error // properties that make no sense
}

// refuse notes that a property makes no sense. It is noted at once, because an
// ended context leaves the work in the middle.
func (d *decision) refuse(p formula.Property, why error) {
	d.refused = append(d.refused, fmt.Errorf("property %q: %w", p.ID, why))
}

func (d *decision) report() Report {
	r := Report{Undecided: d.waiting}
	if d.largest != nil {
		r = *d.largest
		r.Undecided = d.waiting
	}
	if d.search != nil {
		r.Stop, r.States, r.Firings = d.search.Stop(), d.search.States(), d.search.Edges()
	}
	return r
}

// say gives an answer, once per item.
func (d *decision) say(item string, v examinations.Value) { d.prove(item, v, nil) }

// prove gives an answer with a witness, which is made only when it is wanted.
func (d *decision) prove(item string, v examinations.Value, witness func() *Witness) {
	i := slices.Index(d.waiting, item)
	if i < 0 {
		return
	}
	d.waiting = slices.Delete(d.waiting, i, i+1)
	a := Answer{Item: item, Value: v, Parallel: d.search != nil && d.search.Parallel()}
	if witness != nil && d.opt.Witnesses {
		a.Witness = witness()
	}
	d.answer(a)
}

// reached proves an answer by marking i.
func (d *decision) reached(item string, v examinations.Value, i uint32) {
	d.prove(item, v, func() *Witness { return &Witness{Stem: d.search.RunTo(i)} })
}

// truth answers a global property.
func (d *decision) truth(v bool) { d.say(string(d.exam), examinations.Truth(v)) }

// global answers a global property that marking i decides when it was found,
// and the end of a complete search when it was not.
func (d *decision) global(found bool, i uint32, decided bool, complete bool) {
	switch {
	case found:
		d.reached(string(d.exam), examinations.Truth(decided), i)
	case complete:
		d.truth(!decided)
	}
}

func (d *decision) decide(props []formula.Property) error {
	switch d.exam {
	case examinations.StateSpace:
		d.stateSpace()
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		d.deadlock()
	case examinations.OneSafe:
		d.oneSafe()
	case examinations.StableMarking:
		d.stableMarking()
	case examinations.QuasiLiveness:
		d.quasiLiveness()
	case examinations.Liveness:
		d.liveness()
	case examinations.UpperBounds:
		d.upperBounds(props)
	case examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLCardinality, examinations.CTLFireability:
		d.branching(props)
	case examinations.LTLCardinality, examinations.LTLFireability:
		d.linear(props)
	default:
		return fmt.Errorf("%s: %w", d.exam, ErrUnknownExamination)
	}
	return nil
}

// newSearch makes the search of this decision, which is closed with it.
func (d *decision) newSearch(by space.Observer, edges bool) *space.Search {
	o := d.opt
	d.search = space.NewSearch(d.clock, d.net, space.Options{Memory: o.Memory, Edges: edges, MaxStates: o.MaxStates, Cores: o.Cores, Tuning: o.tuning})
	d.search.Observer = by
	return d.search
}

// run searches without edges; complete reports whether all markings were seen.
// When the net proves unbounded, covered is called, if there is one, with the
// coverability graph, and reports whether that decides everything.
func (d *decision) run(o space.Observer, covered func(c *cover.Graph) bool) (complete bool) {
	s := d.newSearch(o, false)
	if covered != nil {
		s.OnCovering = d.coverable(covered)
	}
	s.Run(d.searching)
	return s.Complete()
}

// coverable builds the coverability graph in a quarter of the memory that is
// left.
func (d *decision) coverable(then func(c *cover.Graph) bool) func() bool {
	return func() bool {
		c := cover.New(d.clock, d.net, d.search.Budget().Free()/4)
		return c != nil && then(c)
	}
}
