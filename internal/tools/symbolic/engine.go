package symbolic

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
	"podium/pnml/unfold"
)

// Engine answers with decision diagrams. The zero value is ready for use.
type Engine struct{}

// Answer implements [engine.Engine]. It answers CANNOT_COMPUTE for nets that are
// not one-safe (except OneSafe itself) and where memory or time run out.
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	r := run{task: task, view: task.View, out: out}
	r.answer(ctx)
	if r.err != nil {
		return r.err
	}
	return out.Err()
}

// run is one call of the engine.
type run struct {
	task  engine.Task
	view  unfold.View
	out   *engine.Printer
	order ordering
	err   error // a fault of the input
}

func (r *run) answer(ctx context.Context) {
	free := 0
	if r.linear() {
		free = 2 * guesses(r.task.Properties)
	}
	d, err := newDiagram(ctx, max(1, r.view.Net.Places.Len())+free, r.task.Memory)
	if err != nil {
		r.err = err
		return
	}
	d.free = uint32(free)
	r.order = orderPlaces(r.view.Net)
	s, err := explore(d, r.view, r.order)
	switch {
	case errors.Is(err, errNotSafe) && r.task.Exam == examinations.OneSafe:
		r.value(string(examinations.OneSafe), examinations.False)
	case err != nil:
		r.giveUp()
	case r.task.Exam.HasFormulas():
		r.formulas(s)
	case r.task.Exam == examinations.StateSpace:
		r.stateSpace(s)
	default:
		r.globalProperty(s)
	}
}

// linear tells that LTL is asked.
func (r *run) linear() bool {
	return r.task.Exam == examinations.LTLCardinality || r.task.Exam == examinations.LTLFireability
}

// giveUp says CANNOT_COMPUTE for everything that was asked.
func (r *run) giveUp() {
	if len(r.task.Properties) == 0 {
		r.out.CannotCompute("")
	}
	for _, p := range r.task.Properties {
		r.out.CannotCompute(p.ID)
	}
}

func (r *run) value(item string, v examinations.Value) {
	techniques := []string{"SEQUENTIAL_PROCESSING", "DECISION_DIAGRAMS", "SATURATION"}
	if r.order.moved {
		techniques = append(techniques, "STATIC_VARIABLE_REORDERING")
	}
	if r.order.nupn {
		techniques = append(techniques, "USE_NUPN")
	}
	if r.view.Coloured() {
		techniques = append(techniques, "UNFOLDING_TO_PT")
	}
	r.out.Value(item, v, techniques...)
}

func (r *run) stateSpace(s *space) {
	number := func(text string) examinations.Value {
		return examinations.Value{Kind: examinations.Nat, Text: text}
	}
	weights := s.weights(slices.Concat(s.view.PlaceGroups()...)...)
	steps := []struct {
		item string
		text func() string
	}{
		{"STATES", func() string { return s.countStates().String() }},
		{"MAX_TOKEN_IN_PLACE", func() string { return strconv.FormatInt(min(1, s.largest(weights)), 10) }},
		{"MAX_TOKEN_PER_MARKING", func() string { return strconv.FormatInt(s.largest(weights), 10) }},
		{"TRANSITIONS", func() string { return s.countEdges().String() }},
	}
	printed := 0
	for _, st := range steps {
		text := ""
		if s.guard(func() { text = st.text() }) != nil {
			break
		}
		r.value(st.item, number(text))
		printed++
	}
	if printed == 0 {
		r.out.CannotCompute("")
	}
}

func (r *run) globalProperty(s *space) {
	holds, known := false, true
	err := s.guard(func() {
		switch r.task.Exam {
		case examinations.OneSafe:
			holds = s.oneSafe()
		case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
			holds = s.hasDeadlock()
		case examinations.QuasiLiveness:
			holds = s.quasiLive(s.states)
		case examinations.StableMarking:
			holds = s.hasStablePlace()
		case examinations.Liveness:
			holds = s.live()
		default:
			known = false
		}
	})
	if err != nil || !known {
		r.out.CannotCompute("")
		return
	}
	r.value(string(r.task.Exam), examinations.Truth(holds))
}

func (r *run) formulas(s *space) {
	broken := false
	for _, p := range r.task.Properties {
		if broken {
			r.out.CannotCompute(p.ID)
			continue
		}
		var v examinations.Value
		var wrong error
		undecided := s.guard(func() { v, wrong = r.property(s, p) })
		switch {
		case errors.Is(wrong, errTooLarge) || undecided != nil:
			r.out.CannotCompute(p.ID)
		case wrong != nil:
			r.out.CannotCompute(p.ID)
			if r.err == nil {
				r.err = wrong
			}
		default:
			r.value(p.ID, v)
		}
		// Also after a failure: the old table may be full, the copy is not.
		if s.taken > 1<<20 || undecided != nil {
			broken = s.tidy() != nil
		}
	}
}

func (r *run) property(s *space, p formula.Property) (examinations.Value, error) {
	if b, ok := p.Formula.(*formula.Bound); ok {
		places, err := s.view.PlacesOf(b.Places)
		if err != nil {
			return examinations.Value{}, err
		}
		return examinations.Value{Kind: examinations.Nat, Text: strconv.FormatInt(s.largest(s.weights(places...)), 10)}, nil
	}
	decide := s.holds
	if r.linear() {
		decide = s.linearTime
	}
	b, err := decide(p.Formula)
	return examinations.Truth(b), err
}
