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
	"podium/pnml/diagnostic"
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
	if j.Result.Contest.OptedOut(sheet, tool) {
		_, done := j.Log.Finished[run]
		_, void := j.Log.Void[run]
		if done || void {
			v.OptedOut++
		}
		return
	}
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
	r.CPU, r.Wall, r.MemoryPeak = o.CPUTime.Duration(), o.WallTime.Duration(), o.MemoryPeak
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
	f, ok := r.end()
	if !ok {
		return publish.Setting{}
	}
	o, worker := &f.Outcome, r.j.workerOf(f)
	s := publish.Setting{Attempts: f.Attempt, Machine: worker.Host, Emulated: worker.Emulated, Origin: o.Origin(),
		User: o.UserTime.Duration(), System: o.SystemTime.Duration(), HostCPU: o.HostCPUTime.Duration(), HostMemory: o.HostMemoryPeak,
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

func (r *lateRun) log() (io.ReadCloser, error) {
	f, _ := r.end()
	log, err := r.j.Campaign.Log(f)
	if err != nil {
		return nil, r.j.noteUnread(&f, err)
	}
	return &lateLog{log, r.j, f}, nil
}

// lateLog notes that a log cannot be read.
type lateLog struct {
	io.ReadCloser
	j *Judged
	f campaign.Finished
}

func (l *lateLog) Read(b []byte) (int, error) {
	n, err := l.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		err = l.j.noteUnread(&l.f, err)
	}
	return n, err
}

// noteUnread notes a log that cannot be read, unless that is the fault of this computer.
func (j *Judged) noteUnread(f *campaign.Finished, err error) error {
	if !j.unread.Note(f, err) {
		return err
	}
	return &publish.UnreadableLog{Err: err}
}

// Unread names the packs of logs that pages lack, because they cannot be read.
func (j *Judged) Unread() diagnostic.List { return j.unread.List(j.Campaign) }

func (r *lateRun) remarks() ([]string, error) {
	f, _ := r.end()
	return r.j.Campaign.Remarks(f)
}

// end is the end of the run, if it has one.
func (r *lateRun) end() (campaign.Finished, bool) {
	if r.j.ends != nil {
		return r.j.ends.Get(r.number())
	}
	f, ok := r.j.Log.Finished[r.j.runOf(int(r.sheet), int(r.tool))]
	return f, ok
}

// said is the end of the run, of which only answers and witnesses are sure to be there.
func (r *lateRun) said() campaign.Finished {
	if r.j.ends != nil {
		return r.j.ends.Said(r.number())
	}
	f, _ := r.end()
	return f
}

// number is that of the run among all.
func (r *lateRun) number() int { return int(r.sheet)*len(r.j.Result.Contest.Tools) + int(r.tool) }

// Condense takes the ends of runs out of the log and keeps them for what is shown late, in
// little memory. It comes after View, and nothing else may ask the log for ends then.
func (j *Judged) Condense() {
	c := j.Result.Contest
	ends := campaign.NewEnds(len(c.Sheets) * len(c.Tools))
	for sheet := range c.Sheets {
		for tool := range c.Tools {
			run := j.runOf(sheet, tool)
			if f, ok := j.Log.Finished[run]; ok {
				ends.Set(sheet*len(c.Tools)+tool, f)
				delete(j.Log.Finished, run) // so that its memory may be used at once
			}
		}
	}
	j.ends, j.Log.Finished = ends, nil
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
	f := r.said()
	marks := j.Result.RunMarks(sheet, tool)
	first := int(j.Result.Contest.Sheets[sheet].First)
	items := j.Result.Contest.Items[first:][:len(marks)]
	kind := j.Result.Contest.Exams[j.Result.Contest.Sheets[sheet].Exam].ID.Kind()
	next := 0 // most tools answer in the order of the values
	for a := range f.Answers.All() {
		mark, at := publish.Unjudged, next
		if at >= len(items) || items[at] != a.Item {
			at = slices.Index(items, a.Item)
		}
		if next = at + 1; at >= 0 {
			mark = publish.Mark(marks[at].Char())
			if marks[at] == scoring.Ignored {
				mark = publish.Aside
			}
		}
		w := f.Witness(a.Item)
		if !yield(publish.Answer{Item: a.Item, Value: examinations.Value{Kind: kind, Text: a.Text}, Mark: mark,
			Witness:    publish.Witness{State: string(w.State), Proved: w.Proved, Detail: w.Detail, Format: w.Format, Malformed: w.Malformed},
			Techniques: a.Techniques, At: time.Duration(a.At) * time.Microsecond, Offset: a.Offset}) {
			return
		}
	}
}

// workerOf gives what the worker that did a run has recorded of itself.
func (j *Judged) workerOf(f campaign.Finished) campaign.Opened {
	for i := range j.Log.Workers {
		if j.Log.Workers[i].Worker == f.Worker {
			return j.Log.Workers[i]
		}
	}
	return campaign.Opened{}
}
