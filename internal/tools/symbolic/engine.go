// Package symbolic is the built-in tool that computes with sets of markings. It answers by package
// explorer/diagram: exactly where the diagrams of the reachable markings fit into its memory and
// time, and CANNOT_COMPUTE elsewhere. It counts no marking by itself, so that it answers large nets
// whose parts move apart, and fails small ones whose parts are entangled.
package symbolic

import (
	"context"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/diagram"
	"podium/internal/tools/engine"
)

// Engine is the method of the tool. The zero value is ready for use.
type Engine struct{}

// Answer prints what the set of reachable markings shows, see [engine.Engine].
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	search := diagram.NewSearch(ctx, task.View, int(task.GrantedMemory()/4*3))
	space := search.Explore(ctx, task.Cores)
	by := []string{"SEQUENTIAL_PROCESSING", "DECISION_DIAGRAMS", "SATURATION", "STATIC_VARIABLE_REORDERING"}
	if task.Cores > 1 {
		by[0] = "PARALLEL_PROCESSING"
	}
	if task.View.Coloured() {
		by = append(by, "UNFOLDING_TO_PT")
	}
	decide := func(exam examinations.ID, item string, f formula.Formula) (known bool) {
		if space == nil {
			return false
		}
		_ = clock.Until(ctx, func(c *clock.Clock) error { // what has no answer by then has none
			var v examinations.Value
			if v, known = space.Decide(c, exam, item, f); known {
				out.Value(item, v, by...)
			}
			return nil
		})
		return known
	}
	switch {
	case task.Exam.HasFormulas():
		for _, p := range task.Properties {
			if !decide(task.Exam, p.ID, p.Formula) {
				out.CannotCompute(p.ID)
			}
		}
	case task.Exam == examinations.StateSpace:
		for _, item := range examinations.StateSpaceItems {
			decide(task.Exam, item, nil)
		}
	case task.Exam == examinations.GlobalProperties: // of old editions
		decide(examinations.ReachabilityDeadlock, string(task.Exam), nil)
	default:
		decide(task.Exam, string(task.Exam), nil)
	}
	return out.Err()
}
