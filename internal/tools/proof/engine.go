// Package proof is the built-in tool that answers only what it leaves evidence for:
// proofs (package prover) by the state equation, traps and inductive clauses of what never
// happens, and by ranks that there always is a way back; runs that are met on the way; what a
// replay shows by enumeration on nets of few markings and, on others, formulas of CTL that are
// decided near the initial marking. Its witnesses stand in its output, where the log of a run
// has them.
package proof

import (
	"context"
	"slices"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/prover"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/internal/witness/replay"
)

// Engine is the method of the tool. The zero value is ready for use.
type Engine struct{}

// unknownBudget is taken when the contest does not say how much time there is.
const unknownBudget = time.Minute

// Answer implements [engine.Engine]. Proofs are looked for in half of the budget, each in
// a fair share of it; then comes enumeration, and what is left in up to 7/8 of the budget.
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	r := &run{task: task, out: out, net: replay.NewNet(task.View)}
	budget := task.Budget
	if budget == 0 {
		budget = unknownBudget
	}
	items := task.Exam.Items(formula.IDs(task.Properties))
	began := time.Now()
	open := r.each(ctx, items, began.Add(budget/2), r.prove)
	if len(open) > 0 && ctx.Err() == nil {
		open = r.enumerate(ctx, open)
	}
	switch task.Exam {
	case examinations.CTLCardinality, examinations.CTLFireability:
		open = r.each(ctx, open, began.Add(budget*7/8), r.branch)
	case examinations.Liveness:
		open = r.each(ctx, open, began.Add(budget*7/8), r.live)
	}
	for _, item := range open {
		if task.Exam.HasFormulas() {
			out.CannotCompute(item)
		}
	}
	return out.Err()
}

// each looks for witnesses of some items until a deadline, each in a fair share of the time,
// and returns the items that are left.
func (r *run) each(ctx context.Context, items []string, deadline time.Time, find func(*clock.Clock, string) (*witness.Witness, []string)) (open []string) {
	for k, item := range items {
		limited, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(len(items)-k))
		var w *witness.Witness
		var how []string
		// Its end says that nothing is found.
		clock.Until(limited, func(c *clock.Clock) error {
			w, how = find(c, item)
			return nil
		})
		cancel()
		if w == nil {
			open = append(open, item)
			continue
		}
		r.say(w, how...)
	}
	return open
}

// run is one call of the engine.
type run struct {
	task engine.Task
	out  *engine.Printer
	net  *replay.Net

	proofs *prover.Net // nil before the first proof
}

// forProofs is what all searches for proofs about the net share.
func (r *run) forProofs(c *clock.Clock) *prover.Net {
	if r.proofs == nil {
		r.proofs = prover.NewNet(c, r.task.View)
	}
	return r.proofs
}

// say prints the values of a witness and, where it is asked for, the witness.
func (r *run) say(w *witness.Witness, how ...string) {
	how = append(how, "SEQUENTIAL_PROCESSING")
	if r.task.View.Coloured() {
		how = append(how, "UNFOLDING_TO_PT")
	}
	for _, c := range w.Claims {
		r.out.Value(c.Item, c.Value, how...)
	}
	if r.task.Witnesses != nil {
		w.Instance, w.Exam = r.task.Instance, r.task.Exam
		r.out.Witness(r.net, w)
	}
}

// prove looks for a proof of the value that an item may have by one, and says how it was
// found. It returns nil for want of one.
func (r *run) prove(c *clock.Clock, item string) (*witness.Witness, []string) {
	f, _ := r.task.Formula(item)
	if b, ok := f.(*formula.Bound); ok {
		return r.bound(c, item, b)
	}
	switch r.task.Exam {
	case examinations.QuasiLiveness, examinations.Liveness:
		return proved(item, examinations.False, r.forProofs(c).DeadTransition(c))
	case examinations.StableMarking:
		return proved(item, examinations.True, r.forProofs(c).ConstantPlace(c))
	}
	claim := prover.Claim(r.task.Exam, item, f)
	bad, _, err := r.net.Bad(r.task.Exam, claim, r.task.Formula)
	if err != nil {
		return r.back(c, item, f)
	}
	found, err := r.forProofs(c).Strengthen(c, bad)
	switch {
	case err != nil: // the formula is about more than one marking
		return r.back(c, item, f)
	case found.Proof != nil:
		return &witness.Witness{Claims: []witness.Claim{claim}, Proof: found.Proof}, techniques(found.Proof)
	case found.Found: // a run to a bad marking shows the opposite
		claim.Value = examinations.Truth(claim.Value == examinations.False)
		w := &witness.Witness{Exam: r.task.Exam, Claims: []witness.Claim{claim}, Paths: []witness.Path{witness.Finite(found.Run)}}
		if r.net.Check(context.Background(), w, r.task.Formula)[0].State == witness.Confirmed {
			return w, []string{"INDUCTION"}
		}
	}
	return nil, nil
}

// branch decides a formula of CTL near the initial marking.
func (r *run) branch(c *clock.Clock, item string) (*witness.Witness, []string) {
	f, _ := r.task.Formula(item)
	w := &witness.Witness{Exam: r.task.Exam}
	holds, show, ok := directed.Branch(c, r.task.View, f, true, false)
	w.Claims, w.Branches = []witness.Claim{{Item: item, Value: examinations.Truth(holds)}}, show
	if !ok || r.net.Check(context.Background(), w, r.task.Formula)[0].State != witness.Confirmed {
		return nil, nil
	}
	return w, []string{"EXPLICIT", "RANDOM_WALK"}
}

// live shows Liveness by a way back to the initial marking, and runs that fire all transitions.
func (r *run) live(c *clock.Clock, item string) (*witness.Witness, []string) {
	w := &witness.Witness{Exam: r.task.Exam, Claims: []witness.Claim{{Item: item, Value: examinations.True}}, Proof: r.forProofs(c).Home(c)}
	if w.Proof == nil {
		return nil, nil
	}
	runs, _ := directed.Cover(c, r.task.View, r.task.View.TransitionGroups())
	for _, run := range runs {
		w.Paths = append(w.Paths, witness.Finite(run))
	}
	if r.net.Check(context.Background(), w, r.task.Formula)[0].State != witness.Confirmed {
		return nil, nil
	}
	return w, append(techniques(w.Proof), "EXPLICIT", "RANDOM_WALK")
}

// back shows a formula of CTL that is decided when there always is a way to some markings.
func (r *run) back(c *clock.Clock, item string, f formula.Formula) (*witness.Witness, []string) {
	if r.task.Exam != examinations.CTLCardinality && r.task.Exam != examinations.CTLFireability {
		return nil, nil
	}
	known, proof := r.forProofs(c).Ways(c, f, r.net.In)
	if proof == nil {
		return nil, nil
	}
	left, ok := r.net.Left(r.task.Exam, item, known, r.task.Formula).(*formula.Constant)
	if !ok {
		return nil, nil
	}
	return proved(item, examinations.Truth(left.Value), proof)
}

// proved is a witness of a value with a proof; nil for want of one.
func proved(item string, value examinations.Value, proof *witness.Proof) (*witness.Witness, []string) {
	if proof == nil {
		return nil, nil
	}
	return &witness.Witness{Claims: []witness.Claim{{Item: item, Value: value}}, Proof: proof}, techniques(proof)
}

// bound proves a bound that the initial marking, or a walk, reaches.
func (r *run) bound(c *clock.Clock, item string, b *formula.Bound) (*witness.Witness, []string) {
	places, err := r.task.View.PlacesOf(b.Places)
	if err != nil {
		return nil, nil
	}
	most, proof, firings, ok := r.forProofs(c).Bound(c, places)
	initial := uint64(0)
	for _, p := range places {
		initial += r.task.View.Net.Initial[p]
	}
	if !ok {
		return nil, nil
	}
	var way []uint32
	how := append(techniques(proof), "INITIAL_STATE")
	if initial < most {
		reach := &formula.LessEqual{Left: &formula.Number{N: most}, Right: &formula.TokensCount{Places: b.Places}}
		if way, ok = directed.Walk(c, r.task.View, reach, firings); !ok {
			return nil, nil
		}
		how = append(techniques(proof), "EXPLICIT", "RANDOM_WALK")
	}
	value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(most, 10)}
	return &witness.Witness{Claims: []witness.Claim{{Item: item, Value: value}}, Paths: []witness.Path{witness.Finite(way)}, Proof: proof}, how
}

// techniques are the keywords of a proof, of what it has: sums of inequalities, which linear
// programs find, invariants of the state equation, traps and siphons, and clauses.
func techniques(p *witness.Proof) (how []string) {
	kind := func(list ...witness.FactKind) bool {
		return slices.ContainsFunc(p.Facts, func(f witness.Fact) bool { return slices.Contains(list, f.Kind) })
	}
	if kind(witness.Invariant) {
		how = append(how, "STATE_EQUATION")
	}
	if len(p.Clauses) == 0 || kind(witness.Invariant) {
		how = append(how, "LP_APPROX")
	}
	if kind(witness.Trap, witness.Siphon) {
		how = append(how, "TOPOLOGICAL")
	}
	if len(p.Clauses) > 0 {
		how = append(how, "INDUCTION")
	}
	return how
}

// enumerate answers items by all markings of a small net, and returns those that are left.
func (r *run) enumerate(ctx context.Context, items []string) (open []string) {
	var graph *enumeration.Graph
	w := &witness.Witness{Enumerate: true}
	err := clock.Until(ctx, func(c *clock.Clock) (err error) {
		graph, err = enumeration.Explore(c, r.task.View, enumeration.Beside)
		return err
	})
	for _, item := range items {
		var value examinations.Value
		if err == nil {
			f, _ := r.task.Formula(item)
			err := clock.Until(ctx, func(c *clock.Clock) (err error) {
				value, err = graph.Value(c, r.task.Exam, item, f)
				return err
			})
			if err == nil {
				w.Claims = append(w.Claims, witness.Claim{Item: item, Value: value})
				continue
			}
		}
		open = append(open, item)
	}
	if len(w.Claims) > 0 {
		r.say(w, "EXPLICIT")
	}
	return open
}
