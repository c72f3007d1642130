package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Form decides the properties of the model form (M-4): the structural ones from
// the net, each behavioural one within the budget of time and memory in o. A
// property that is not decided is unknown, with the reason. A coloured net is
// unfolded.
func Form(ctx context.Context, i models.Instance, o Options) (*models.Form, error) {
	form, err := formOf(ctx, i, o, func() (context.Context, context.CancelFunc) { return clock.Budget(ctx, o.Budget) })
	return form, errors.Join(err, ctx.Err())
}

// formOf is Form; limited gives what ends the search for each behavioural property.
func formOf(ctx context.Context, i models.Instance, o Options, limited func() (context.Context, context.CancelFunc)) (*models.Form, error) {
	form := &models.Form{Model: i.ID.String(), By: "podium " + o.Version}
	doc, err := i.Document()
	if err != nil {
		return nil, err
	}
	view, err := unfold.Of(ctx, doc, unfold.Limits{}) // what is pruned changes no reachable marking
	if large := (*unfold.TooLarge)(nil); errors.As(err, &large) {
		form.Verdicts = folded(doc.Symmetric, large)
		return form, nil
	} else if err != nil {
		return nil, err
	}
	if form.Verdicts, err = structure(ctx, doc, view); err != nil {
		return nil, err
	}
	for _, name := range pnml.BehaviouralProperties {
		if o.Say != nil {
			o.Say("deciding " + name)
		}
		ctx, stop := limited()
		form.Verdicts = append(form.Verdicts, behaviour(ctx, view, name, o))
		stop()
	}
	return form, nil
}

// folded decides what can be seen on a coloured net that cannot be unfolded.
func folded(net *pnml.Symmetric, large *unfold.TooLarge) (list []models.Verdict) {
	for _, name := range slices.Concat(pnml.StructuralProperties, pnml.BehaviouralProperties) {
		list = append(list, models.Verdict{Property: name, Why: large.Error()})
	}
	for _, p := range net.Properties() {
		at := slices.Index(pnml.StructuralProperties, p.Name)
		list[at].Value, list[at].Why = models.Decided(p.Holds), joined(p.Witness, "seen on the coloured net")
	}
	return list
}

// mostBindings bounds the exact unfolding of a form, to about 2 GB.
const mostBindings = 1 << 24

// structure decides the structural properties. Those of a coloured net are those of its
// exact unfolding; where that is too large, of the pruned one, without places that no arc
// touches: rows of tables that no token can use.
func structure(ctx context.Context, doc *pnml.Document, pruned unfold.View) (list []models.Verdict, err error) {
	net, of := pruned.Net, ""
	if pruned.Coloured() {
		exact, err := unfold.Of(ctx, doc, unfold.Limits{Exact: true, Transitions: mostBindings, Arcs: 8 * mostBindings})
		var large *unfold.TooLarge
		switch {
		case errors.As(err, &large):
			net, of = pruned.Net.WithoutIsolated(), "in the pruned unfolding: the exact one is too large"
		case err != nil:
			return nil, err
		default:
			net = exact.Net
		}
	}
	for _, p := range net.Properties() {
		v := models.Verdict{Property: p.Name, Value: models.Decided(p.Holds), Why: joined(p.Witness, of)}
		if pruned.Coloured() && p.Name == "NESTED_UNITS" {
			v.Value, v.Why = models.Unknown, "units are those of a P/T net"
		}
		list = append(list, v)
	}
	return list, nil
}

// joined puts what is said of a property together.
func joined(witness, of string) string {
	if witness != "" && of != "" {
		return witness + ", " + of
	}
	return witness + of
}

// behaviour decides one behavioural property by the examination that asks the
// same. Dead places, dead and live transitions are those of the view, coloured ones
// in a coloured net; all else is asked of the unfolded net.
func behaviour(ctx context.Context, view unfold.View, name string, o Options) models.Verdict {
	asked := map[string]struct {
		exam    examinations.ID
		negated bool
	}{
		"SAFE": {examinations.OneSafe, false}, "DEAD_TRANSITIONS": {examinations.QuasiLiveness, true},
		"DEADLOCK": {examinations.ReachabilityDeadlock, false}, "LIVE": {examinations.Liveness, false},
		"DEAD_PLACES": {examinations.UpperBounds, false}, "REVERSIBLE": {examinations.CTLCardinality, false},
	}[name]
	var questions []formula.Property
	switch name {
	case "LIVE", "DEAD_TRANSITIONS":
	case "DEAD_PLACES":
		for p := range view.Places().Len() {
			id := view.Places().At(p)
			questions = append(questions, formula.Property{ID: id, Formula: &formula.Bound{Places: []string{id}}})
		}
	case "REVERSIBLE":
		questions = []formula.Property{{ID: name, Formula: homeMarking(view.Net)}}
		fallthrough
	default:
		view = unfold.Plain(view.Net)
	}
	answers := map[string]examinations.Value{}
	decide := func(most uint64) (explorer.Report, error) {
		return explorer.Decide(ctx, view, asked.exam, questions, explorer.Options{Memory: o.Memory, MaxStates: most}, func(a explorer.Answer) { answers[a.Item] = a.Value })
	}
	v, most := models.Verdict{Property: name}, uint64(0)
	if name == "REVERSIBLE" {
		most = few
	}
	report, err := decide(most)
	if most > 0 && len(answers) == 0 && err == nil && !clock.Ended(ctx) {
		if unbounded(ctx, view, o) {
			v.Why = fmt.Sprintf("not decided after %d markings: the net is unbounded", report.States)
			return v
		}
		report, err = decide(0)
	}
	why := undecided(ctx, report, o.Budget, err)
	if name == "DEAD_PLACES" {
		return deadPlaces(v, questions, answers, why)
	}
	for _, value := range answers {
		v.Value = models.Decided((value == examinations.True) != asked.negated)
	}
	if v.Value == models.Unknown {
		v.Why = why
	}
	return v
}

// unbounded reports whether few markings show that a net has infinitely many.
func unbounded(ctx context.Context, view unfold.View, o Options) (found bool) {
	_, _ = explorer.Decide(ctx, view, examinations.StateSpace, nil, explorer.Options{Memory: o.Memory, MaxStates: few}, func(a explorer.Answer) { found = found || a.Value == examinations.Infinite })
	return found
}

// homeMarking says that the initial marking can always be reached again.
func homeMarking(net *pnml.Net) formula.Formula {
	all := []formula.Formula{&formula.Constant{Value: true}, &formula.Constant{Value: true}}
	for p := range net.Places.Len() {
		count := &formula.TokensCount{Places: []string{net.Places.At(p)}}
		tokens := &formula.Number{N: net.Initial[p]}
		all = append(all, &formula.LessEqual{Left: count, Right: tokens}, &formula.LessEqual{Left: tokens, Right: count})
	}
	return &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: all}}}}}
}

// deadPlaces looks for a place that is never marked. Why says why a bound is not known.
func deadPlaces(v models.Verdict, places []formula.Property, bounds map[string]examinations.Value, why string) models.Verdict {
	for _, p := range places {
		bound, known := bounds[p.ID]
		if known && bound.Text == "0" {
			v.Value, v.Why = models.True, "place "+p.ID
			return v
		}
		if !known {
			v.Why = why
		}
	}
	if v.Why == "" {
		v.Value = models.False
	}
	return v
}

// undecided says why a search left something open.
func undecided(ctx context.Context, report explorer.Report, budget time.Duration, err error) string {
	why := report.Stop.String()
	switch {
	case err != nil:
		return err.Error()
	case clock.Ended(ctx) && errors.Is(ctx.Err(), context.DeadlineExceeded):
		why = fmt.Sprintf("the budget of %s is used up", budget)
	}
	return fmt.Sprintf("not decided after %d markings: %s", report.States, why)
}
