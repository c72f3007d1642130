package scoring

import "slices"

// Ending says how the program of a run ended, as far as it is known.
type Ending uint8

// The endings.
const (
	UnknownEnding Ending = iota // files of results do not say it
	ByItself
	AtTimeLimit
	AtMemoryLimit
	AtBothLimits // of time and memory, as files of results may say
	AtOtherLimit // of output or disk space
	Crashed      // by a signal, or with its machine
)

// ByLimit reports whether a limit of time or memory ended the run.
func (e Ending) ByLimit() bool { return e.OutOfTime() || e.OutOfMemory() }

// OutOfTime reports whether a limit of time ended the run.
func (e Ending) OutOfTime() bool { return e == AtTimeLimit || e == AtBothLimits }

// OutOfMemory reports whether the limit of memory ended the run.
func (e Ending) OutOfMemory() bool { return e == AtMemoryLimit || e == AtBothLimits }

// Outcome is what became of a run, in one word: the first that fits in the order of
// [Outcomes].
type Outcome string

// The outcomes.
const (
	OutcomeWrong    Outcome = "wrong" // some value is judged wrong
	OutcomeTime     Outcome = "time-limit"
	OutcomeMemory   Outcome = "memory-limit"
	OutcomeOther    Outcome = "other-limit"
	OutcomeCrash    Outcome = "crash"
	OutcomeAnswered Outcome = "answered" // it gave values, ended by itself, and none is wrong
	OutcomeSilent   Outcome = "silent"   // it ended by itself and gave no value
)

// Outcomes lists the outcomes in their order.
var Outcomes = []Outcome{OutcomeWrong, OutcomeTime, OutcomeMemory, OutcomeOther, OutcomeCrash, OutcomeAnswered, OutcomeSilent}

var outcomeOfEnding = map[Ending]Outcome{AtTimeLimit: OutcomeTime, AtBothLimits: OutcomeTime, AtMemoryLimit: OutcomeMemory, AtOtherLimit: OutcomeOther, Crashed: OutcomeCrash}

// Outcome returns what became of a run; empty where there is none that counts.
func (r *Result) Outcome(sheet, tool int) Outcome {
	run := r.Contest.Run(sheet, tool)
	if run.Participation == Absent || run.Participation == Void {
		return ""
	}
	if slices.Contains(r.sheetMarks(sheet, tool), Wrong) {
		return OutcomeWrong
	}
	if limit, stopped := outcomeOfEnding[run.Ending]; stopped {
		return limit
	}
	if run.Participation == Answered {
		return OutcomeAnswered
	}
	return OutcomeSilent
}
