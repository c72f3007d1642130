// Package proof is the built-in tool that answers only what it leaves evidence for:
// proofs by the state equation, traps and inductive clauses (package prover) of what never
// happens, runs that are met on the way and, on nets of few markings, what a replay shows by
// enumeration. Its witnesses stand in its
// output, where the log of a run has them.
package proof

import (
	"context"
	"slices"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
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
// a fair share of it.
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	r := &run{task: task, out: out, net: replay.NewNet(task.View)}
	budget := task.Budget
	if budget == 0 {
		budget = unknownBudget
	}
	items := task.Exam.Items(formula.IDs(task.Properties))
	deadline := time.Now().Add(budget / 2)
	var open []string
	for k, item := range items {
		limited, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(len(items)-k))
		var w *witness.Witness
		var how []string
		// Its end says that there is no proof.
		clock.Until(limited, func(c *clock.Clock) error {
			w, how = r.prove(c, item)
			return nil
		})
		cancel()
		if w == nil {
			open = append(open, item)
			continue
		}
		r.say(w, how...)
	}
	if len(open) > 0 && ctx.Err() == nil {
		open = r.enumerate(ctx, open)
	}
	for _, item := range open {
		if task.Exam.HasFormulas() {
			out.CannotCompute(item)
		}
	}
	return out.Err()
}

// run is one call of the engine.
type run struct {
	task engine.Task
	out  *engine.Printer
	net  *replay.Net
}

// formula gives the formula of an item, where there is one.
func (r *run) formula(item string) (formula.Formula, bool) {
	k := slices.IndexFunc(r.task.Properties, func(p formula.Property) bool { return p.ID == item })
	if k < 0 {
		return nil, false
	}
	return r.task.Properties[k].Formula, true
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
// found. It gives nil for want of one.
func (r *run) prove(c *clock.Clock, item string) (*witness.Witness, []string) {
	f, _ := r.formula(item)
	if b, ok := f.(*formula.Bound); ok {
		return r.bound(c, item, b)
	}
	claim := prover.Claim(r.task.Exam, item, f)
	bad, _, err := r.net.Bad(r.task.Exam, claim, r.formula)
	if err != nil {
		return nil, nil
	}
	found, err := prover.Strengthen(c, r.task.View, bad)
	switch {
	case err == nil && found.Proof != nil:
		return &witness.Witness{Claims: []witness.Claim{claim}, Proof: found.Proof}, techniques(found.Proof)
	case err == nil && found.Found: // a run to a bad marking shows the opposite
		claim.Value = examinations.Truth(claim.Value == examinations.False)
		return &witness.Witness{Claims: []witness.Claim{claim}, Paths: []witness.Path{witness.Finite(found.Run)}}, []string{"INDUCTION"}
	}
	return nil, nil
}

// bound proves a bound that the initial marking reaches.
func (r *run) bound(c *clock.Clock, item string, b *formula.Bound) (*witness.Witness, []string) {
	places, err := r.task.View.PlacesOf(b.Places)
	if err != nil {
		return nil, nil
	}
	most, proof, _, ok := prover.Bound(c, r.task.View, places)
	initial := uint64(0)
	for _, p := range places {
		initial += r.task.View.Net.Initial[p]
	}
	if !ok || most != initial {
		return nil, nil
	}
	value := examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(most, 10)}
	return &witness.Witness{Claims: []witness.Claim{{Item: item, Value: value}}, Paths: []witness.Path{witness.Finite(nil)}, Proof: proof},
		append(techniques(proof), "INITIAL_STATE")
}

// techniques are the keywords of a proof.
func techniques(p *witness.Proof) []string {
	how := []string{"STATE_EQUATION", "LP_APPROX"}
	if slices.ContainsFunc(p.Facts, func(f witness.Fact) bool { return f.Kind == witness.Trap }) {
		how = append(how, "TOPOLOGICAL")
	}
	if len(p.Clauses) > 0 {
		how = append(how, "INDUCTION")
	}
	return how
}

// enumerate answers items by all markings of a small net, and gives those that are left.
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
			f, _ := r.formula(item)
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
