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
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// Engine is the method of the tool. The zero value is ready for use.
type Engine struct{}

// techniques are the keywords of an answer: markings are enumerated one by one,
// packed into bits, on one core or on several; coloured nets are unfolded before,
// and nets reduced where that is allowed.
func techniques(view unfold.View, a explorer.Answer) (by []string) {
	if view.Coloured() {
		by = append(by, "UNFOLDING_TO_PT")
	}
	by = append(by, "EXPLICIT", "STATE_COMPRESSION")
	if a.Parallel {
		by = append(by, "PARALLEL_PROCESSING")
	} else {
		by = append(by, "SEQUENTIAL_PROCESSING")
	}
	if a.Reduced {
		by = append(by, "STRUCTURAL_REDUCTION")
	}
	return by
}

// Answer prints what the reachable markings prove, see [engine.Engine].
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	var net *replay.Net
	report, err := explorer.Decide(ctx, task.View, task.Exam, task.Properties, options(task), func(a explorer.Answer) {
		out.Value(a.Item, a.Value, techniques(task.View, a)...)
		claims := claims(task.Exam, a)
		if task.Witnesses == nil || a.Witness == nil || claims == nil {
			return
		}
		if net == nil {
			net = replay.NewNet(task.View)
		}
		task.Witnesses.Leave(net, &witness.Witness{Claims: claims, Paths: a.Witness.Runs()})
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

// claims are the values that the witness of an answer shows: an unbounded net has
// all four values of StateSpace infinite, by one witness.
func claims(exam examinations.ID, a explorer.Answer) (list []witness.Claim) {
	switch {
	case exam != examinations.StateSpace:
		return []witness.Claim{explorer.Claim(a.Item, a.Value)}
	case a.Item == examinations.StateSpaceItems[0]:
		for _, item := range examinations.StateSpaceItems {
			list = append(list, explorer.Claim(item, a.Value))
		}
	}
	return list
}

// options leaves a part of the memory to the runtime, the net and the small
// tables, and a part of the time to the evaluation of what was found. Of the
// cores, it takes as many as the process is allowed to use.
func options(task engine.Task) explorer.Options {
	memory := task.GrantedMemory()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	memory -= memory/8 + int64(now.Sys)
	return explorer.Options{Memory: max(memory, 1), SearchTime: task.Budget / 8 * 7, Cores: min(task.Cores, runtime.GOMAXPROCS(0)), Witnesses: task.Witnesses != nil}
}

// Examinations are those that the engine takes part in.
var Examinations = []examinations.ID{
	examinations.StateSpace, examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness,
	examinations.Liveness, examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability,
	examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability,
	examinations.GlobalProperties,
}
