package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"podium/examinations/output"
	"podium/internal/parallel"
	"podium/pnml/diagnostic"
)

// Reread is what a later version of the reader made of the stored output of a run. Its
// answers count instead of those that the end holds, which stay in the journal. Of
// several of one end the last one counts. What the run took does not change.
type Reread struct {
	End           EndOf                `json:"end"`
	Reader        string               `json:"reader"` // version of podium
	At            time.Time            `json:"at"`
	Participation output.Participation `json:"participation"`
	Answers       Answers              `json:"answers,omitzero"`
	Witnesses     []Witnessed          `json:"witnesses,omitempty"`
	Warnings      []string             `json:"warnings,omitempty"` // of what the record leaves out

	by string // journal that holds it
}

// Unknown is the time of an answer that was read from a stored output, which does not
// say when a line was printed, and that stood on no line of an earlier answer.
const Unknown = -1

// after orders the readings of one end.
func (r *Reread) after(o *Reread) bool {
	return cmp.Or(r.At.Compare(o.At), cmp.Compare(r.by, o.by)) > 0
}

// supersede puts a reading in the place of what an end says.
func (r *Reread) supersede(f *Finished) {
	f.Reread, f.Participation, f.Answers, f.Witnesses = r, r.Participation, r.Answers, r.Witnesses
	for _, w := range r.Warnings {
		if !slices.Contains(f.Outcome.Warnings, w) {
			f.Outcome.Warnings = append(slices.Clip(f.Outcome.Warnings), w)
		}
	}
}

// Text says who read the output when.
func (r *Reread) Text() string {
	return "its output was read again on " + r.At.Format(time.DateOnly) + " by podium " + r.Reader
}

// takeReading takes a record in. The end that it names may come before or after it.
func (l *Log) takeReading(r *Reread, journal string) error {
	if _, err := l.campaign.Plan.model(r.End.Run); err != nil {
		return err
	}
	if l.keysOnly {
		r.Witnesses = nil
	}
	r.by = journal
	key := r.End.key()
	if earlier := l.rereads[key]; earlier != nil && !r.after(earlier) {
		return nil
	}
	l.rereads[key] = r
	if f, ok := l.Finished[r.End.Run]; ok && f.key() == key {
		r.supersede(f)
	}
	for _, f := range l.Further[r.End.Run] {
		if f.key() == key {
			r.supersede(f)
		}
	}
	return nil
}

// Change is an end that the reader of today reads otherwise than the record says.
type Change struct {
	Before *Finished
	After  Reread
}

// Reread reads the stored outputs of the chosen runs again, and returns those that are read
// otherwise now, in the order of the runs, and the number of all by examination. It
// writes nothing. Outputs that cannot be read are left out, and unread names their packs. Where the plan asks for witnesses, replay replays those of new answers.
// The log is one with answers.
func (l *Log) Reread(ctx context.Context, version string, chosen func(Run) bool, replay Replay) (list []Change, read ByExam, unread diagnostic.List, err error) {
	read = ByExam{}
	var missed Unread
	at := time.Now().UTC()
	for runs := range slices.Chunk(l.ends(chosen), 1024) {
		done := 0
		for change, err := range parallel.Try(ctx, runs, func(run Run) (*Change, error) { return l.campaign.reread(ctx, l.Finished[run], replay) }) {
			if f := l.Finished[runs[done]]; err != nil && ctx.Err() == nil && ofOutputs(err) && missed.Note(f, err) {
				done++
				continue
			}
			if err != nil {
				return nil, nil, nil, fmt.Errorf("%s: %w; --only can leave it out", runs[done], err)
			}
			if change != nil {
				change.After.Reader, change.After.At = version, at
				list = append(list, *change)
			}
			read[runs[done].Exam]++
			done++
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
	}
	return list, read, missed.List(l.campaign), nil
}

// ofOutputs reports whether an error says that an output cannot be read, and not that
// the inputs have changed.
func ofOutputs(err error) bool {
	var changed *ChangedError
	return !errors.As(err, &changed)
}

// reread reads the output of an end, and replays the witnesses of new answers; nil when it
// says what the record says.
func (c *Campaign) reread(ctx context.Context, f *Finished, replay Replay) (*Change, error) {
	if f.Stdout.Size == 0 {
		return nil, nil // it printed nothing, or was done elsewhere and imported
	}
	change, err := c.readOtherwise(ctx, f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its output is not in this copy of the campaign: %w", err)
	}
	if change == nil || !c.Plan.Witnesses {
		return change, err
	}
	now := &Finished{Run: f.Run, Stdout: f.Stdout, Left: f.Left, Answers: change.After.Answers}
	now.Outcome.Warnings = change.After.Warnings
	instance, err := newInputs(c).instance(f.Run.Instance)
	if err == nil {
		err = c.replay(ctx, replay, instance.dir, now)
	}
	if err != nil {
		return nil, err
	}
	now.bound()
	change.After.Witnesses, change.After.Warnings = now.Witnesses, now.Outcome.Warnings
	return change, nil
}

// readOtherwise reads the outputs of an end, and checks their digests; nil when they say
// what the record says.
func (c *Campaign) readOtherwise(ctx context.Context, f *Finished) (*Change, error) {
	asked, _ := c.Plan.Instance(f.Run.Instance)
	now, err := asked.kind().reread(ctx, c, f, asked)
	if err != nil || now.same(f) {
		return nil, err
	}
	now.bound()
	return &Change{f, Reread{End: EndOf{f.Run, f.Worker, f.Outcome.Started}, Participation: now.Participation, Answers: now.Answers, Warnings: now.Outcome.Warnings}}, nil
}

// same reports whether two ends say the same, whenever it was said.
func (f *Finished) same(o *Finished) bool {
	return f.Participation == o.Participation && slices.EqualFunc(f.Answers.List(), o.Answers.List(), func(a, b Answer) bool {
		a.At = b.At
		return a == b
	})
}

// timeAt is when an answer was given on the line that begins at an offset.
func (f *Finished) timeAt(offset int64) int64 {
	for a := range f.Answers.All() {
		if a.Offset == offset {
			return a.At
		}
	}
	return Unknown
}

// TakeReadings records changes that Reread gave, all of them or, when it is killed,
// none: in a journal of their own.
func (c *Campaign) TakeReadings(ctx context.Context, version string, list []Change) error {
	if len(list) == 0 {
		return nil
	}
	return c.writeWhole(version, func(write func(Record) error) error {
		for i := range list {
			if err := write(Record{Reread: &list[i].After}); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}
