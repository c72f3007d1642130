// Package explicit is the built-in tool that enumerates the reachable markings.
// It answers by package explorer: exactly on nets small enough, and elsewhere
// what the markings seen within its memory and time prove. What it cannot prove
// it leaves as CANNOT_COMPUTE.
package explicit

import (
	"context"
	"errors"
	"runtime"

	"podium/examinations"
	"podium/internal/explorer"
	"podium/internal/tools"
)

// Engine is the method of the tool. The zero value is ready for use.
type Engine struct{}

// techniques are the keywords of every answer: markings are enumerated one by
// one, packed into bits, on one core.
var techniques = []string{"EXPLICIT", "STATE_COMPRESSION", "SEQUENTIAL_PROCESSING"}

// Answer prints what the reachable markings prove, see tools.Engine.
func (Engine) Answer(ctx context.Context, task tools.Task, out *tools.Printer) error {
	report, err := explorer.Decide(ctx, explorer.Plain(task.Net), task.Exam, task.Properties, options(task), func(a explorer.Answer) {
		out.Value(a.Item, a.Value, techniques...)
	})
	if errors.Is(err, explorer.ErrUnknownExamination) {
		out.DoNotCompete()
		return nil
	}
	if task.Exam.HasFormulas() {
		for _, item := range report.Undecided {
			out.CannotCompute(item)
		}
	}
	return err
}

// defaultMemory is taken when the contest does not say how much there is.
const defaultMemory = 4 << 30

// options leaves a part of the memory to the runtime, the net and the small
// tables, and a part of the time to the evaluation of what was found.
func options(task tools.Task) explorer.Options {
	memory := task.Memory
	if memory == 0 {
		memory = defaultMemory
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	memory -= memory/8 + int64(now.Sys)
	return explorer.Options{Memory: max(memory, 1), SearchTime: task.Budget / 8 * 7}
}

// Examinations are those that the engine takes part in.
var Examinations = []examinations.ID{
	examinations.StateSpace, examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness,
	examinations.Liveness, examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability,
	examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability,
	examinations.GlobalProperties,
}
