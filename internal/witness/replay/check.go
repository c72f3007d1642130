package replay

import (
	"context"
	"fmt"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// shown is what paths prove of one item: a value, or with atLeast a lower bound.
type shown struct {
	value   examinations.Value
	atLeast bool
	how     string // how the value shows, or what is missing
}

// Check replays a witness for each of its claims. lookup gives the formula of an
// item; it is asked only for examinations that have formulas. The end of ctx ends
// a replay that takes too long.
func (n *Net) Check(ctx context.Context, w *witness.Witness, lookup func(item string) (formula.Formula, bool)) []witness.Result {
	if w.Enumerate || w.Branches != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, longestEnumeration)
		defer stop()
	}
	results := make([]witness.Result, len(w.Claims))
	for i, c := range w.Claims {
		if err := clock.Until(ctx, func(clock *clock.Clock) error {
			results[i] = n.check(clock, w, c, lookup)
			return nil
		}); err != nil {
			results[i] = witness.Result{Claim: c, State: witness.Unconfirmed, Detail: "the witness is too long to be checked in the time that is given"}
		}
	}
	return results
}

func (n *Net) check(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	if err := w.Faults.Err(); err != nil {
		return witness.Result{Claim: c, State: witness.Unconfirmed, Detail: err.Error()}
	}
	n, err := n.of(w)
	if err != nil {
		return witness.Result{Claim: c, State: witness.Unconfirmed, Detail: err.Error()}
	}
	if why := n.beyond(w); why != "" {
		return witness.Result{Claim: c, State: witness.Unconfirmed, Detail: why}
	}
	if w.Enumerate {
		return n.enumerate(clock, w.Exam, c, lookup)
	}
	if w.Branches != nil && w.Proof == nil {
		return n.checkBranches(clock, w, c, lookup)
	}
	if w.Proof != nil {
		return n.checkProof(clock, w, c, lookup)
	}
	return n.checkPaths(clock, w, c, lookup)
}

// checkPaths is check for the paths of a witness.
func (n *Net) checkPaths(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	unconfirmed := func(why string) witness.Result {
		return witness.Result{Claim: c, State: witness.Unconfirmed, Detail: why}
	}
	j, err := n.judge(w.Exam, c.Item, lookup)
	if err != nil {
		return unconfirmed(err.Error())
	}
	if err := n.play(clock, w, j); err != nil {
		return unconfirmed(err.Error())
	}
	r := compare(c, j.shown())
	if r.State == witness.Unconfirmed && c.Value.Kind == examinations.Bool && !n.provable(w.Exam, c, lookup) {
		r.Detail = "no run can prove this value"
	}
	return r
}

// provable is Provable for a claim; Liveness FALSE is, with luck.
func (n *Net) provable(exam examinations.ID, c witness.Claim, lookup func(string) (formula.Formula, bool)) bool {
	var f formula.Formula
	if exam.HasFormulas() {
		f, _ = lookup(c.Item)
	}
	return exam == examinations.Liveness && c.Value == examinations.False || Provable(exam, f, c.Value)
}

// compare says what paths that show s make of a claim.
func compare(c witness.Claim, s shown) witness.Result {
	r := witness.Result{Claim: c, State: witness.Unconfirmed, Detail: s.how}
	if s.value.IsZero() {
		return r
	}
	r.Proved = witness.Claim{Item: c.Item, Value: s.value, AtLeast: s.atLeast}
	if !s.atLeast && !c.AtLeast {
		if r.State = witness.Confirmed; s.value != c.Value {
			r.State = witness.Refuted
		}
		return r
	}
	switch order := witness.CompareNumbers(s.value, c.Value); {
	case c.AtLeast && order >= 0:
		r.State = witness.Confirmed
	case c.AtLeast:
		r.Detail = "the runs show only that it is at least " + s.value.Text + ": " + s.how
	case order > 0:
		r.State = witness.Refuted
	case order == 0:
		r.Detail = "the runs show that it is at least " + s.value.Text + "; that it is no more, no run can show"
	default:
		r.Detail = "the runs show only that it is at least " + s.value.Text + ": " + s.how
	}
	return r
}

// Provable reports whether paths can prove a value; f is the formula of the item,
// where there is one. A finite bound can only be shown to be reached.
func Provable(exam examinations.ID, f formula.Formula, v examinations.Value) bool {
	switch exam {
	case examinations.StateSpace, examinations.UpperBounds:
		return v == examinations.Infinite
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties, examinations.QuasiLiveness:
		return v == examinations.True
	case examinations.OneSafe, examinations.StableMarking:
		return v == examinations.False
	case examinations.Liveness:
		return false // only where a deadlock is the reason, which the value does not tell
	}
	return f != nil && decidedByPaths(f, v == examinations.True)
}

func (n *Net) judge(exam examinations.ID, item string, lookup func(string) (formula.Formula, bool)) (judge, error) {
	if exam.HasFormulas() {
		f, ok := lookup(item)
		if !ok {
			return nil, fmt.Errorf("%s has no formula %s", exam, excerpt(item))
		}
		if b, ok := f.(*formula.Bound); ok {
			places, err := n.view.PlacesOf(b.Places)
			return &countJudge{places: places, growth: "the cycle adds no token to the places of the bound"}, err
		}
		return newFormulaJudge(n, f, exam == examinations.LTLCardinality || exam == examinations.LTLFireability)
	}
	known := false
	for _, other := range exam.Items(nil) {
		known = known || item == other
	}
	if !known {
		return nil, fmt.Errorf("%s has no value %s", exam, excerpt(item))
	}
	switch exam {
	case examinations.StateSpace:
		return &countJudge{item: item, growth: "the cycle adds no token"}, nil
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		return &deadJudge{value: examinations.True}, nil
	case examinations.Liveness:
		if n.view.Transitions().Len() == 0 {
			return nil, fmt.Errorf("a net without transitions is live")
		}
		return &deadJudge{value: examinations.False}, nil
	case examinations.OneSafe:
		return &unsafeJudge{placeOf: n.placeOf()}, nil
	case examinations.QuasiLiveness:
		return newFiredJudge(n), nil
	case examinations.StableMarking:
		return newChangedJudge(n), nil
	}
	return nil, fmt.Errorf("runs prove nothing about %s", exam)
}

func (e *ended) after() string {
	if e.firings == 1 {
		return "after 1 firing"
	}
	return fmt.Sprintf("after %d firings", e.firings)
}

// quiet is a judge that sees nothing; others are made from it.
type quiet struct{ result shown }

func (*quiet) begin(*game)         {}
func (*quiet) fired(*game, uint32) {}
func (q *quiet) shown() shown      { return q.result }

// deadJudge waits for a path that ends in a dead marking.
type deadJudge struct {
	quiet
	value examinations.Value
}

func (j *deadJudge) end(e *ended) {
	switch {
	case !j.result.value.IsZero():
	case e.dead():
		j.result = shown{value: j.value, how: e.after() + " no transition is enabled"}
	default:
		j.result.how = fmt.Sprintf("%s transition %s is enabled", e.after(), e.net.transition(uint32(e.hint)))
		if j.value == examinations.False {
			j.result.how += "; that a transition is not live a run can only show by ending in a dead marking"
		}
	}
}

// unsafeJudge waits for a path that ends with two tokens in a place, on coloured
// nets of any colours.
type unsafeJudge struct {
	quiet
	placeOf []uint32
}

// placeOf returns the place that ids name of each place of the net.
func (n *Net) placeOf() []uint32 { return unfold.GroupOf(n.view.PlaceGroups(), n.net.Places.Len()) }

func (j *unsafeJudge) end(e *ended) {
	if !j.result.value.IsZero() {
		return
	}
	names := e.net.view.Places()
	sums := make([]pnml.Total, names.Len())
	for p, tokens := range e.tokens {
		place := j.placeOf[p]
		sums[place].Add(tokens)
		if (pnml.Total{Lo: 1}).Less(sums[place]) {
			j.result = shown{value: examinations.False, how: fmt.Sprintf("%s place %s holds %s tokens or more",
				e.after(), excerpt(names.At(int(place))), sums[place].String())}
			return
		}
	}
	j.result.how = e.after() + " no place holds two tokens"
}

// countJudge keeps the largest count at the end of paths, and looks for a covering
// path that raises it.
type countJudge struct {
	quiet
	item   string   // of StateSpace, "" for a bound
	places []uint32 // of a bound
	growth string   // what a cycle that raises no count lacks
}

func (j *countJudge) end(e *ended) {
	if j.result.value == examinations.Infinite {
		return
	}
	missing := ""
	switch {
	case j.item != "" && e.filled != nil || slices.ContainsFunc(j.places, e.full):
		j.result = shown{value: examinations.Infinite, how: "repeated cycles fill the places with as many tokens as one likes"}
		return
	case e.atCycle != nil && !e.covers():
		missing = j.lost(e)
	case e.atCycle != nil && j.item == "" && !pnml.TotalOf(e.atCycle, j.places).Less(pnml.TotalOf(e.tokens, j.places)):
		missing = j.growth
	case e.atCycle != nil:
		j.result = shown{value: examinations.Infinite, how: fmt.Sprintf("the last %d firings of %d can be repeated for ever, and add tokens each time", e.cycle, e.firings)}
		return
	}
	var count pnml.Total
	switch j.item {
	case "":
		count = pnml.TotalOf(e.tokens, j.places)
	case "MAX_TOKEN_PER_MARKING":
		for _, tokens := range e.tokens {
			count.Add(tokens)
		}
	case "MAX_TOKEN_IN_PLACE":
		for _, tokens := range e.tokens {
			count = pnml.Total{Lo: max(count.Lo, tokens)}
		}
	default:
		if missing == "" {
			missing = "the run has no cycle"
		}
		j.result.how = missing
		return
	}
	value := examinations.Value{Kind: examinations.Nat, Text: count.String()}
	if !j.result.value.IsZero() && witness.CompareNumbers(value, j.result.value) <= 0 {
		return
	}
	j.result = shown{value: value, atLeast: true, how: e.after() + " it is " + value.Text}
	if missing != "" {
		j.result.how += ", and " + missing
	}
}

// lost says why a cycle is no covering.
func (j *countJudge) lost(e *ended) string {
	for p, now := range e.tokens {
		if before := e.atCycle[p]; now < before {
			return fmt.Sprintf("the cycle takes tokens away: place %s holds %d before and %d after it", excerpt(e.net.net.Places.At(p)), before, now)
		}
	}
	return "the cycle adds no token"
}

// waiting are the places or transitions that ids name to which something has not
// happened yet.
type waiting struct {
	open  []bool
	left  int
	names *pnml.Names
}

func newWaiting(names *pnml.Names) waiting {
	return waiting{slices.Repeat([]bool{true}, names.Len()), names.Len(), names}
}

func (w *waiting) done(k uint32) {
	if w.open[k] {
		w.open[k] = false
		w.left--
	}
}

// shown returns a value when nothing is waited for any more, else what is missing.
func (w *waiting) shown(v examinations.Value, how, missing string) shown {
	if w.left == 0 {
		return shown{value: v, how: how}
	}
	first := slices.Index(w.open, true)
	return shown{how: fmt.Sprintf("%d of %d %s, %s among them", w.left, len(w.open), missing, excerpt(w.names.At(first)))}
}

// firedJudge waits until every transition has fired.
type firedJudge struct {
	quiet
	waiting
	transitionOf []uint32
}

func newFiredJudge(n *Net) *firedJudge {
	return &firedJudge{waiting: newWaiting(n.view.Transitions()), transitionOf: unfold.GroupOf(n.view.TransitionGroups(), n.net.Transitions.Len())}
}

func (j *firedJudge) fired(_ *game, t uint32) { j.done(j.transitionOf[t]) }
func (*firedJudge) end(*ended)                {}

func (j *firedJudge) shown() shown {
	return j.waiting.shown(examinations.True, "every transition fires", "transitions do not fire")
}

// changedJudge waits until every place has once held another number of tokens than
// at first. Numbers are compared by their last 64 bits: those that differ there
// differ.
type changedJudge struct {
	waiting
	net     *pnml.Net
	placeOf []uint32
	initial []uint64 // by what ids name
	now     []uint64
	before  []uint64 // tokens per place, before the last firing
}

func newChangedJudge(n *Net) *changedJudge {
	places := n.view.Places()
	j := &changedJudge{waiting: newWaiting(places), net: n.net, placeOf: n.placeOf(), initial: make([]uint64, places.Len()), now: make([]uint64, places.Len()),
		before: make([]uint64, len(n.net.Initial))}
	for p, tokens := range n.net.Initial {
		j.initial[j.placeOf[p]] += tokens
	}
	return j
}

func (j *changedJudge) begin(g *game) {
	copy(j.before, g.tokens)
	copy(j.now, j.initial)
}

func (j *changedJudge) fired(g *game, t uint32) {
	changes(j.net, t, func(p uint32) {
		j.now[j.placeOf[p]] += g.tokens[p] - j.before[p]
		j.before[p] = g.tokens[p]
	})
	changes(j.net, t, func(p uint32) {
		if place := j.placeOf[p]; j.now[place] != j.initial[place] {
			j.done(place)
		}
	})
}

func (*changedJudge) end(*ended) {}

func (j *changedJudge) shown() shown {
	return j.waiting.shown(examinations.False, "every place changes its number of tokens", "places keep their number of tokens")
}
