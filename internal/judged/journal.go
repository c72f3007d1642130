package judged

import (
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/vm"
)

// RunOf names a run of a contest as the journal does.
func RunOf(c *scoring.Contest, sheet, tool int) campaign.Run {
	s := c.Sheets[sheet]
	return campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}
}

func (j *Campaign) run(sheet, tool int) campaign.Run { return RunOf(j.Result.Contest, sheet, tool) }

// end is the end of a run, nil where it has none.
func (j *Campaign) end(sheet, tool int) *campaign.Finished { return j.Log.Finished[j.run(sheet, tool)] }

// worker is what a worker said when it opened its journal, nil for that of an import.
func (j *Campaign) worker(name string) *campaign.Opened {
	j.index.Do(func() {
		j.workers = map[string]*campaign.Opened{}
		for i := range j.Log.Workers {
			j.workers[j.Log.Workers[i].Worker] = &j.Log.Workers[i]
		}
	})
	return j.workers[name]
}

// Ran implements [Facts].
func (j *Campaign) Ran(sheet, tool int) (Ran, bool) {
	ran := Ran{Outcome: &vm.Outcome{}, Participation: output.CannotCompute, Repeated: j.Repeated(sheet, tool)}
	if void, ok := j.Log.Void[j.run(sheet, tool)]; ok {
		ran.Void, ran.Attempts = void.Reason, void.Attempt
		return ran, true
	}
	f := j.end(sheet, tool)
	if f == nil {
		return Ran{}, false
	}
	ran.Outcome, ran.Attempts, ran.Logged, ran.Drift, ran.Reread = &f.Outcome, f.Attempt, f.Stdout.Size+f.Stderr.Size > 0, j.Log.Drift(f), f.Reread
	ran.Place = f.Binding.Text()
	if f.Participation != output.Silent {
		ran.Participation = f.Participation
	}
	ran.By = j.worker(f.Worker)
	return ran, true
}

// Said implements [Facts].
func (j *Campaign) Said(sheet, tool int) iter.Seq[Said] {
	return func(yield func(Said) bool) {
		f := j.end(sheet, tool)
		if f == nil {
			return
		}
		c, marks := j.Result.Contest, j.Result.RunMarks(sheet, tool)
		items, kind := c.Items[c.Sheets[sheet].First:][:len(marks)], f.Run.Exam.Kind()
		next := 0 // most tools answer in the order of the values
		for a := range f.Answers.All() {
			mark, at := scoring.Unjudged, next
			if at >= len(items) || items[at] != a.Item {
				at = slices.Index(items, a.Item)
			}
			if next = at + 1; at >= 0 {
				mark = marks[at]
			}
			if !yield(Said{Item: a.Item, Value: examinations.Value{Kind: kind, Text: a.Text}, Mark: mark, Witness: f.Witness(a.Item),
				Techniques: a.Techniques, At: time.Duration(a.At) * time.Microsecond, Offset: a.Offset}) {
				return
			}
		}
	}
}

// Output implements [Facts].
func (j *Campaign) Output(sheet, tool int) (io.ReadCloser, error) {
	f := j.end(sheet, tool)
	if f == nil {
		return nil, errors.New("the run has no end, and no output")
	}
	log, err := j.Campaign.Log(f)
	if err != nil {
		return nil, j.noteUnread(f, err)
	}
	return &watchedLog{log, j, f}, nil
}

// Curve implements [Facts].
func (j *Campaign) Curve(sheet, tool int) (vm.Curve, campaign.Confinement, error) {
	f := j.end(sheet, tool)
	if f == nil {
		return nil, campaign.Confinement{}, nil
	}
	curve, need, err := j.Campaign.CurveOf(f)
	if err != nil {
		err = j.noteUnread(f, err)
	}
	return curve, need, err
}

// watchedLog notes that an output cannot be read.
type watchedLog struct {
	io.ReadCloser
	j *Campaign
	f *campaign.Finished
}

func (l *watchedLog) Read(b []byte) (int, error) {
	n, err := l.ReadCloser.Read(b)
	if err != nil && err != io.EOF {
		err = l.j.noteUnread(l.f, err)
	}
	return n, err
}

// noteUnread notes an output that cannot be read, unless that is the fault of this computer.
func (j *Campaign) noteUnread(f *campaign.Finished, err error) error {
	if !j.unread.Note(f, err) {
		return err
	}
	return &UnreadableLog{Err: err}
}

// Unread names the packs of outputs that could not be read.
func (j *Campaign) Unread() diagnostic.List { return j.unread.List(j.Campaign) }

// Remarks implements [Facts].
func (j *Campaign) Remarks(sheet, tool int) ([]string, error) {
	if f := j.end(sheet, tool); f != nil && f.Remarkable() {
		return j.Campaign.Remarks(f)
	}
	return nil, nil
}
