package judged

import (
	"slices"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

// FromJournal makes a contest from the journal of a campaign. Runs of
// examinations that the edition does not have are left out, and so are repetitions:
// the first time that a run is made counts.
func FromJournal(c *campaign.Campaign, log *campaign.Log, ed *edition.Edition) (*scoring.Contest, error) {
	b := ed.Builder()
	has := func(exam examinations.ID) bool { _, ok := ed.Asked(exam); return ok }
	for _, t := range c.Plan.Tools {
		declared := ed.Participant(t.Name)
		declared.Family, declared.OutOfCompetition = t.Family, declared.OutOfCompetition || t.OutOfCompetition
		declared.OptOut = slices.Concat(declared.OptOut, c.Plan.OptsOut(&t))
		b.Tool(declared)
	}
	for _, i := range c.Plan.Instances {
		class, err := models.ParseClass(i.Class)
		if err != nil {
			return nil, err
		}
		b.Instance(i.ID, class)
		for _, exam := range c.Plan.Examinations {
			if !has(exam) || !i.Asks(exam) {
				continue
			}
			if err := b.Declare(i.ID, exam, examinations.Ranked(i.Items(exam))...); err != nil {
				return nil, err
			}
			if expected := i.Reference(); !expected.IsZero() {
				if err := b.Oracle(i.ID, exam, string(exam), expected); err != nil {
					return nil, err
				}
			}
		}
	}
	for run, v := range log.Void {
		if has(run.Exam) && run.Repetition == 0 {
			if err := b.Add(unmeasured(run, scoring.Void, v.Reason)); err != nil {
				return nil, err
			}
		}
	}
	if err := addRefused(c, log, b, has); err != nil {
		return nil, err
	}
	answers := 0
	for _, f := range log.Finished {
		answers += f.Answers.Len()
	}
	b.Expect(len(log.Finished)+len(log.Void), answers)
	var e scoring.Entry
	for run, f := range log.Finished {
		if has(run.Exam) && run.Repetition == 0 {
			e = entry(f, e.Answers[:0])
			if i, _ := c.Plan.Instance(run.Instance); i.Task != nil {
				ofTask(&e, i.Task, ed)
			}
			if err := b.Add(e); err != nil {
				return nil, err
			}
		}
	}
	return b.Contest().WithTold(c.Plan.Told()).WithCopies(c.Plan.Copies()), nil
}

// addRefused adds the runs that no tool is asked for, because its manifest takes no part
// in them (T-4): they count as if it had declined.
func addRefused(c *campaign.Campaign, log *campaign.Log, b *scoring.Builder, has func(examinations.ID) bool) error {
	for k := range c.Plan.Tools {
		t := &c.Plan.Tools[k]
		if t.Participation == nil {
			continue
		}
		for _, i := range c.Plan.Instances {
			for _, exam := range c.Plan.Examinations {
				run := campaign.Run{Tool: t.Name, Instance: i.ID, Exam: exam}
				_, finished := log.Finished[run]
				_, void := log.Void[run]
				if !has(exam) || !i.Asks(exam) || t.TakesPart(i, exam) || finished || void {
					continue
				}
				if err := b.Add(unmeasured(run, scoring.DoNotCompete, "the manifest takes no part (T-4)")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unmeasured is a run that was not made.
func unmeasured(run campaign.Run, is scoring.Participation, source string) scoring.Entry {
	return scoring.Entry{Tool: run.Tool, Instance: run.Instance, Exam: run.Exam,
		Run: scoring.Run{Participation: is, CPU: scoring.Unmeasured, Wall: scoring.Unmeasured, Memory: scoring.Unmeasured, Source: source}}
}

// Entry returns a finished run in the form that is scored.
func Entry(f *campaign.Finished) scoring.Entry { return entry(f, nil) }

// entry is Entry, with answers in the memory of a slice.
func entry(f *campaign.Finished, answers []scoring.AnsweredValue) scoring.Entry {
	run := f.Run
	e := scoring.Entry{Tool: run.Tool, Instance: run.Instance, Exam: run.Exam, Run: scoring.Run{
		Participation: participation(f), Ending: endings[f.Outcome.Termination], CPU: f.Outcome.CPUTime.Microseconds(), Wall: f.Outcome.WallTime.Microseconds(),
		Memory: f.Outcome.MemoryPeak, Source: f.Worker + " " + run.String(),
	}}
	if !f.Outcome.Measures(vm.Times) {
		e.CPU, e.Wall = scoring.Unmeasured, scoring.Unmeasured
	}
	if f.Outcome.Energy.State() == "measured" { // estimates are shown and rank nobody
		of := f.Outcome.Energy
		e.Energy, e.Parts = of.Package, scoring.EnergyParts{Core: of.Core, Uncore: of.Uncore, DRAM: of.DRAM}.OrNil()
	}
	if !f.Outcome.Measures(vm.Memory) {
		e.Memory = scoring.Unmeasured
	}
	e.Answers = slices.Grow(answers, f.Answers.Len())
	for a := range f.Answers.All() {
		e.Answers = append(e.Answers, scoring.AnsweredValue{Item: a.Item, Value: examinations.Value{Kind: run.Exam.Kind(), Text: a.Text},
			Witness: witnessState(f.Witness(a.Item).State), AnsweredAt: scoring.AnswerTime(a.At)})
	}
	return e
}

// endings are those that scores know.
var endings = map[vm.Termination]scoring.Ending{vm.Exited: scoring.ByItself, vm.Signalled: scoring.Crashed, vm.Panicked: scoring.Crashed, vm.OutOfCPU: scoring.AtTimeLimit,
	vm.OutOfTime: scoring.AtTimeLimit, vm.OutOfMem: scoring.AtMemoryLimit, vm.TooMuchOut: scoring.AtOtherLimit, vm.DiskFull: scoring.AtOtherLimit}

// ofTask gives the answer of a run on a task the form in which it is compared with the
// expected verdict.
func ofTask(e *scoring.Entry, t *campaign.PlannedTask, ed *edition.Edition) {
	for i := range e.Answers {
		a := &e.Answers[i]
		a.Value = ed.Verdicts.Against(a.Value.Text, t.Property, t.Parts, t.Expected)
	}
}

// participation is what became of a run as a whole (E-1.7).
func participation(f *campaign.Finished) scoring.Participation {
	switch {
	case f.Participation == output.Answered:
		return scoring.Answered
	case f.Participation == output.DoesNotCompete:
		return scoring.DoNotCompete
	case f.Participation == output.CannotCompute:
		return scoring.CannotCompute
	case f.Outcome.Termination == vm.OutOfCPU || f.Outcome.Termination == vm.OutOfTime:
		return scoring.OutOfTime
	}
	return scoring.CannotCompute
}

// witnessState is the state of an answer as schemes of scores know it.
func witnessState(s witness.State) scoring.Witness {
	switch s {
	case witness.Confirmed:
		return scoring.Confirmed
	case witness.Unconfirmed, witness.Refuted:
		return scoring.Unconfirmed
	}
	return scoring.Unasked
}
