package qualify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/planning"
	"podium/internal/trial"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// tried is what one tool did in a campaign of its own.
type tried struct {
	submission *Submission
	campaign   *campaign.Campaign
	log        *campaign.Log
	paths      map[string]string // of the instances, by name, as a person knows them
	known      trial.Known
	asked      []string // conditions that the edition asks for
}

// unopened is the report on a tool that cannot be opened: nothing of it was tried.
func unopened(s *Submission) Tool {
	t := newTool(s, edition.Conditions)
	t.submitted(s)
	t.Conditions = t.Conditions[:1]
	return *t
}

// submitted takes over what was found before anything ran.
func (t *Tool) submitted(s *Submission) {
	for _, d := range s.Found {
		if d.Severity == diagnostic.Error {
			t.fail(Complete, Failure{Text: d.Error()})
		} else {
			t.Notes = append(t.Notes, d.Error())
		}
	}
}

// judge reports on a tool whose runs are done.
func (by *tried) judge(ctx context.Context) (Tool, error) {
	t := newTool(by.submission, by.asked)
	t.submitted(by.submission)
	for e := range trial.Ends(by.campaign, by.log, by.submission.Name) {
		if !e.Asked {
			continue
		}
		t.Runs++
		var err error
		if e.Undone != "" {
			t.fail(Starts, by.failure(e.Run, "%s", e.Undone))
		} else {
			err = by.run(t, e.Finished, e.Instance)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return *t, err
		}
	}
	return *t, nil
}

// run looks at one run.
func (by *tried) run(t *Tool, f *campaign.Finished, i campaign.PlannedInstance) error {
	o := f.Outcome
	switch {
	case o.NotStarted():
		if why := by.submission.Tool.Unstarted(o, by.campaign.Plan.Driver); why != "" {
			return by.failed(t, Starts, f, "%s", why)
		}
		return by.failed(t, Starts, f, "a program was not found or cannot be executed (exit code %d)", o.ExitCode)
	case o.Termination == vm.Signalled:
		if err := by.failed(t, Ends, f, "%s", o.Ended()); err != nil {
			return err
		}
	case o.Termination == vm.TooMuchOut || o.Termination == vm.DiskFull || o.Termination == vm.Panicked:
		t.fail(Ends, by.failure(f.Run, "%s: it prints or writes more than a run may", o.Ended()))
	case o.Termination != vm.Exited:
		curve, need, err := by.campaign.CurveOf(f)
		if err != nil {
			return err
		}
		t.Notes = append(t.Notes, strings.Join(append([]string{f.Run.String() + ": " + o.Ended()}, need.Seen(curve)...), "; "))
	}
	t.measured(o)
	if slices.Contains(o.Warnings, vm.LeftRunning) {
		t.fail(Releases, by.failure(f.Run, "processes that it had started were still running when it ended"))
	}
	takesPart := by.takesPart(f.Run)
	switch f.Participation {
	case output.Answered:
		t.Answered++
		if !takesPart {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: it answers, and its manifest says that it takes no part; in a contest it is not run there", f.Run))
		}
	case output.Silent:
		if !takesPart {
			t.Declined++
			return nil
		}
		if o.Termination == vm.Exited {
			if err := by.failed(t, Declines, f, "it ended with exit code %d and printed neither an answer nor a word that it has none%s", o.ExitCode, by.submission.Tool.NothingRun(o)); err != nil {
				return err
			}
		}
	default:
		t.Declined++
	}
	if err := by.understood(t, f); err != nil {
		return err
	}
	return by.right(t, f, i)
}

// measured notes, once, that the figures of the tool are not only its own.
func (t *Tool) measured(o vm.Outcome) {
	const note = "its image boots a system of its own, so that its times and memory are those of the whole machine, as the host measures them"
	if o.Measured == vm.ByHost && !slices.Contains(t.Notes, note) {
		t.Notes = append(t.Notes, note)
	}
}

// takesPart reports whether the manifest lets the tool take part (T-4).
func (by *tried) takesPart(run campaign.Run) bool {
	t := campaign.PlannedTool{Participation: planning.Participation(by.submission.Tool)}
	return t.TakesPart(campaign.PlannedInstance{ID: run.Instance}, run.Exam)
}

// understood reads the output once more, for what it says wrongly.
func (by *tried) understood(t *Tool, f *campaign.Finished) error {
	found, err := by.campaign.FindingsOf(f)
	for _, d := range found {
		if d.Severity == diagnostic.Error {
			t.fail(Understood, by.failure(f.Run, "%s", d.Error()))
		}
	}
	return err
}

// right compares the answers with what is known.
func (by *tried) right(t *Tool, f *campaign.Finished, i campaign.PlannedInstance) error {
	items := i.Items(f.Run.Exam)
	known, err := by.known.Of(i.ID, f.Run.Exam, items)
	if err != nil {
		return err
	}
	for a := range f.Answers.All() {
		by.techniques(t, a)
	}
	for _, c := range trial.Compare(f.Run.Exam, items, f.Answers.All(), known) {
		if c.Given && !c.Known.IsZero() {
			t.Checked++
		}
		if c.Wrong() {
			how := "is the known value"
			if _, proved := by.known.Proved[examinations.Key{Instance: models.ParseAnyID(i.ID), Exam: f.Run.Exam, Item: c.Item}]; proved {
				how = "is proved"
			}
			t.fail(Right, by.failure(f.Run, "%s", c.Contradiction(how)))
		}
	}
	return nil
}

// techniques notes a technique that the manifest does not name, once.
func (by *tried) techniques(t *Tool, a campaign.Answer) {
	said := by.submission.Tool.Techniques
	for word := range strings.FieldsSeq(a.Techniques) {
		note := "its answers name the technique " + word + ", and its manifest does not"
		if len(said) > 0 && !slices.Contains(said, word) && !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
}

// failed notes a run that failed as a program, with the end of its standard error, and what
// the run over time tells.
func (by *tried) failed(t *Tool, id ConditionID, f *campaign.Finished, format string, args ...any) error {
	stderr, err := by.campaign.Tail(f.Stderr)
	if err != nil {
		return err
	}
	curve, need, err := by.campaign.CurveOf(f)
	if err != nil {
		return err
	}
	failure := by.failure(f.Run, format, args...)
	failure.Stderr = stderr.Last
	for _, hint := range slices.Concat(stderr.Hints, need.Seen(curve)) {
		failure.Text += "; " + hint
	}
	t.fail(id, failure)
	return nil
}

// failure names a run, with the command that repeats it.
func (by *tried) failure(run campaign.Run, format string, args ...any) Failure {
	path := by.paths[run.Instance]
	if path == "" {
		path = run.Instance
	}
	return Failure{Instance: run.Instance, Examination: run.Exam, Text: fmt.Sprintf(format, args...),
		Repeat: trial.Command(by.submission.Dir, path, run, by.campaign.Plan.Sequential, nil)}
}
