package contest

import (
	"io"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/publish"
	"podium/scoring"
	"podium/vm"
)

func (j *Judged) runOf(sheet, tool int) campaign.Run {
	c := j.Result.Contest
	s := c.Sheets[sheet]
	return campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}
}

// viewRun shows one run: what was measured, said and booked.
func (j *Judged) viewRun(v *publish.Contest, sheet, tool int) {
	run := j.runOf(sheet, tool)
	id := j.Result.Contest.Instances[j.Result.Contest.Sheets[sheet].Instance].ID
	r := publish.Run{Tool: run.Tool, Instance: id, Exam: run.Exam, Participation: publish.CannotCompute}
	if !j.brief {
		r.Repeated = j.Repeated(sheet, tool)
	}
	if void, ok := j.Log.Void[run]; ok {
		r.Void, r.Attempts = void.Reason, void.Attempt
		r.NoScore = j.Result.NoScore(sheet, tool)
		v.Runs = append(v.Runs, r)
		return
	}
	f, ok := j.Log.Finished[run]
	if !ok {
		return
	}
	o := f.Outcome
	worker := j.workerOf(f)
	r.Attempts, r.Machine, r.Emulated, r.Origin = f.Attempt, worker.Host, worker.Emulated, o.Origin()
	r.Termination, r.ExitCode, r.Signal = string(o.Termination), o.ExitCode, o.Signal
	r.CPU, r.User, r.System, r.Wall = o.CPUTime, o.UserTime, o.SystemTime, o.WallTime
	r.HostCPU, r.HostMemory = o.HostCPUTime, o.HostMemoryPeak
	r.MemoryPeak, r.OutputBytes, r.Measured, r.Warnings = o.MemoryPeak, o.OutputBytes, o.Measured, o.Warnings
	if drift := j.Log.Drift(f); len(drift) > 0 {
		r.Warnings, r.Drifted = slices.Concat(r.Warnings, drift), true
	}
	if f.Reread != nil {
		r.Warnings = append(slices.Clip(r.Warnings), f.Reread.Text())
	}
	if e := o.Energy; e != nil {
		r.Energy = publish.Energy{State: e.State(), Package: e.Package, Core: e.Core, Uncore: e.Uncore, DRAM: e.DRAM, Why: e.Why}
	}
	r.NoTimes, r.NoMemory = !o.Measures(vm.Times), !o.Measures(vm.Memory)
	switch f.Participation {
	case output.Answered:
		r.Participation = publish.Answered
	case output.DoesNotCompete:
		r.Participation = publish.DoNotCompete
	}
	if j.brief {
		v.Runs = append(v.Runs, r)
		return
	}
	if f.Stdout.Size+f.Stderr.Size > 0 {
		r.Log = func() (io.ReadCloser, error) { return j.Campaign.Log(j.Log.Finished[run]) }
	}
	if f.Findings > 0 && f.Stdout.Size > 0 {
		r.Findings = func() ([]string, error) { return j.Campaign.OutputFindings(f) }
	}
	j.accounts.Fill(&r, sheet, tool)
	r.Late = lateRun{j, sheet, tool}
	v.Runs = append(v.Runs, r)
}

// lateRun gives the answers and the items of a run when they are shown.
type lateRun struct {
	j           *Judged
	sheet, tool int
}

func (r lateRun) Items() (items, factors []publish.Item) { return r.j.accounts.Items(r.sheet, r.tool) }

func (r lateRun) Answers() []publish.Answer {
	return r.j.answers(r.sheet, r.tool, r.j.Log.Finished[r.j.runOf(r.sheet, r.tool)])
}

// answers shows what a run said, each value with its mark.
func (j *Judged) answers(sheet, tool int, f campaign.Finished) []publish.Answer {
	marks := j.Result.RunMarks(sheet, tool)
	first := int(j.Result.Contest.Sheets[sheet].First)
	list := make([]publish.Answer, 0, len(f.Answers))
	for _, a := range f.Answers {
		mark := publish.Unjudged
		if at := j.Result.Contest.ValueOf(sheet, a.Item) - first; at >= 0 && at < len(marks) {
			mark = publish.Mark(marks[at].Char())
			if marks[at] == scoring.Ignored {
				mark = publish.Aside
			}
		}
		w := f.Witness(a.Item)
		list = append(list, publish.Answer{Item: a.Item, Value: examinations.Value{Kind: f.Run.Exam.Kind(), Text: a.Text}, Mark: mark,
			Witness:    publish.Witness{State: string(w.State), Proved: w.Proved, Detail: w.Detail},
			Techniques: strings.Fields(a.Techniques), At: time.Duration(a.At) * time.Microsecond, Offset: a.Offset})
	}
	return list
}

// workerOf gives what the worker that did a run has recorded of itself.
func (j *Judged) workerOf(f campaign.Finished) campaign.Opened {
	for _, w := range j.Log.Workers {
		if w.Worker == f.Worker {
			return w
		}
	}
	return campaign.Opened{}
}
