package contest

import (
	"io"
	"iter"
	"slices"
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
	if j.Result.Contest.OptedOut(sheet, tool) {
		return
	}
	run := j.runOf(sheet, tool)
	id := j.Result.Contest.Instances[j.Result.Contest.Sheets[sheet].Instance].ID
	c := j.Result.Contest
	r := publish.Run{Tool: c.Tools[tool].Name, Instance: id, Exam: run.Exam, Participation: publish.CannotCompute}
	if !j.brief {
		r.Repeated, r.Late = j.Repeated(sheet, tool), &lateRun{j, int32(sheet), int32(tool)}
	}
	if void, ok := j.Log.Void[run]; ok {
		r.Void = void.Reason
		r.NoScore = j.Result.NoScore(sheet, tool)
		v.Runs = append(v.Runs, r)
		return
	}
	f, ok := j.Log.Finished[run]
	if !ok {
		return
	}
	o := &f.Outcome
	r.Termination, r.ExitCode, r.Signal = string(o.Termination), o.ExitCode, o.Signal
	r.CPU, r.Wall, r.MemoryPeak = o.CPUTime, o.WallTime, o.MemoryPeak
	r.NoTimes, r.NoMemory, r.Drifted = !o.Measures(vm.Times), !o.Measures(vm.Memory), len(j.Log.Drift(f)) > 0
	switch f.Participation {
	case output.Answered:
		r.Participation = publish.Answered
	case output.DoesNotCompete:
		r.Participation = publish.DoNotCompete
	}
	if !j.brief {
		r.Logged = f.Stdout.Size+f.Stderr.Size > 0
		j.accounts.Fill(&r, sheet, tool)
	}
	v.Runs = append(v.Runs, r)
}

// lateRun gives what else is known of a run when it is shown.
type lateRun struct {
	j           *Judged
	sheet, tool int32
}

// Setting says where a run took place, and what was measured of it besides. Several
// goroutines may ask: viewRun has asked for the drift of every run before, so that the log
// knows all hosts.
func (r *lateRun) Setting() publish.Setting {
	run := r.j.runOf(int(r.sheet), int(r.tool))
	if void, ok := r.j.Log.Void[run]; ok {
		return publish.Setting{Attempts: void.Attempt}
	}
	f, ok := r.j.Log.Finished[run]
	if !ok {
		return publish.Setting{}
	}
	o, worker := &f.Outcome, r.j.workerOf(f)
	s := publish.Setting{Attempts: f.Attempt, Machine: worker.Host, Emulated: worker.Emulated, Origin: o.Origin(),
		User: o.UserTime, System: o.SystemTime, HostCPU: o.HostCPUTime, HostMemory: o.HostMemoryPeak,
		OutputBytes: o.OutputBytes, Measured: o.Measured, Warnings: slices.Concat(o.Warnings, r.j.Log.Drift(f)),
		Flags: r.j.Result.FlagTexts(int(r.sheet), int(r.tool))}
	if f.Reread != nil {
		s.Warnings = append(s.Warnings, f.Reread.Text())
	}
	if e := o.Energy; e != nil {
		s.Energy = publish.Energy{State: e.State(), Package: e.Package, Core: e.Core, Uncore: e.Uncore, DRAM: e.DRAM, Why: e.Why}
	}
	if f.Stdout.Size+f.Stderr.Size > 0 {
		s.Log = r.log
	}
	if f.Remarkable() {
		s.Remarks = r.remarks
	}
	return s
}

func (r *lateRun) log() (io.ReadCloser, error) { return r.j.Campaign.Log(r.finished()) }

func (r *lateRun) remarks() ([]string, error) { return r.j.Campaign.Remarks(r.finished()) }

// finished is the end of the run, zero where it has none.
func (r *lateRun) finished() campaign.Finished {
	return r.j.Log.Finished[r.j.runOf(int(r.sheet), int(r.tool))]
}

// Items gives the points of a run, one by one.
func (r *lateRun) Items() (items, factors []publish.Item) {
	return r.j.accounts.Items(int(r.sheet), int(r.tool))
}

// Answers gives what a run said.
func (r *lateRun) Answers() iter.Seq[publish.Answer] {
	return func(yield func(publish.Answer) bool) { r.answers(yield) }
}

// answers shows what a run said, each value with its mark.
func (r *lateRun) answers(yield func(publish.Answer) bool) {
	j, sheet, tool := r.j, int(r.sheet), int(r.tool)
	f := r.finished()
	marks := j.Result.RunMarks(sheet, tool)
	first := int(j.Result.Contest.Sheets[sheet].First)
	for a := range f.Answers.All() {
		mark := publish.Unjudged
		if at := j.Result.Contest.ValueOf(sheet, a.Item) - first; at >= 0 && at < len(marks) {
			mark = publish.Mark(marks[at].Char())
			if marks[at] == scoring.Ignored {
				mark = publish.Aside
			}
		}
		w := f.Witness(a.Item)
		if !yield(publish.Answer{Item: a.Item, Value: examinations.Value{Kind: f.Run.Exam.Kind(), Text: a.Text}, Mark: mark,
			Witness:    publish.Witness{State: string(w.State), Proved: w.Proved, Detail: w.Detail, Format: w.Format, Malformed: w.Malformed},
			Techniques: a.Techniques, At: time.Duration(a.At) * time.Microsecond, Offset: a.Offset}) {
			return
		}
	}
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
