package scoring

import (
	"slices"

	"podium/confidence"
)

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
func (e Ending) ByLimit() bool { return e.OutOfTime() || e == AtMemoryLimit }

// OutOfTime reports whether a limit of time ended the run.
func (e Ending) OutOfTime() bool { return e == AtTimeLimit || e == AtBothLimits }

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

// Outcome gives what became of a run; empty where there is none that counts.
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

// Keeping gives a contest of the runs of a result, its own or one that asks other
// examinations, in which only runs of some outcomes said anything. A run that the result
// does not have has no outcome.
func (r *Result) Keeping(c *Contest, outcomes ...Outcome) *Contest {
	sheets, tools := r.Contest.SheetIndex(), map[string]int{}
	for t := range r.Contest.Tools {
		tools[r.Contest.Tools[t].Name] = t
	}
	return c.silencing(CannotCompute, func(sheet, tool int, _ *Run) bool {
		s := c.Sheets[sheet]
		sheet, asked := sheets[SheetName{c.Instances[s.Instance].Name, c.Exams[s.Exam].ID}]
		tool, there := tools[c.Tools[tool].Name]
		return !asked || !there || !slices.Contains(outcomes, r.Outcome(sheet, tool))
	})
}

// silencing gives the contest in which answered runs for which the function is true said
// nothing, and ended otherwise.
func (c *Contest) silencing(ended Participation, silent func(sheet, tool int, run *Run) bool) *Contest {
	out, ballots := *c, *c.Ballots
	out.Runs, ballots.Cells = slices.Clone(c.Runs), slices.Clone(c.Ballots.Cells)
	out.Ballots = &ballots
	for i, s := range c.Sheets {
		for t := range c.Tools {
			run := out.Run(i, t)
			if run.Participation != Answered || !silent(i, t, run) {
				continue
			}
			run.Participation = ended
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				ballots.Cells[v*len(c.Tools)+t] = confidence.None
			}
		}
	}
	return &out
}
