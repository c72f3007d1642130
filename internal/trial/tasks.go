package trial

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/tools"
	"podium/internal/witness/program"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Tasks is the trial of a tool on tasks, which ran in a campaign of their own.
type Tasks struct {
	Campaign *campaign.Campaign
	Log      *campaign.Log
	Edition  *edition.Edition // whose rules say which witnesses are taken
	Logs     io.Writer        // gets all that the tool printed; nil for none
	Record
}

// All shows every run: a line with the expected verdict, and below it, where there is no
// verdict or a wrong one, how the run ended, what was not taken, and the end of what was
// printed; and what is wrong with the form of its witness. Of runs in a row that fail to start
// alike it shows the first.
func (t *Tasks) All() error {
	width, more, shown := 0, 0, t.Out
	defer func() { t.Out = shown }()
	for _, i := range t.Campaign.Plan.Instances {
		width = max(width, len(i.ID))
	}
	for e := range Ends(t.Campaign, t.Log, t.Tool.Name) {
		if e.Undone != "" {
			fmt.Fprintf(t.Out, "%-*s  %s\n", width, diagnostic.Clean(e.Run.Instance), diagnostic.Clean(e.Undone))
			t.undone++
		} else if e.Finished != nil {
			if t.Out = shown; t.cannotStart() && e.Finished.Outcome.NotStarted() && e.Finished.Outcome.ExitCode == t.exitCode {
				t.Out = io.Discard
				more++
			}
			if err := t.one(e.Finished, e.Instance, width); err != nil {
				return err
			}
			t.ended(e.Finished.Outcome)
		}
	}
	if more > 0 {
		fmt.Fprintf(shown, "the tool cannot start: %s not shown\n", wording.Count(more, "more run is", "more runs are"))
	}
	return nil
}

// one shows a run and adds it up.
func (t *Tasks) one(f *campaign.Finished, i campaign.PlannedInstance, width int) error {
	said, is := t.saidOf(f, i)
	fmt.Fprintf(t.Out, "%-*s  expected %-20s said %-20s %-8s CPU %s\n", width, diagnostic.Clean(i.ID), cmp.Or(i.Task.Expected, "nothing"), cmp.Or(said, "nothing"), is, f.Outcome.CPUTime.Duration().Round(time.Millisecond))
	result := &Result{Format: format, Outcome: f.Outcome, Said: f.Participation, Answers: f.Answers.List()}
	kept, err := t.keep(f, result)
	if err != nil {
		return err
	}
	at := cmp.Or(kept, filepath.Join(t.Tool.Dir, tools.ManifestFile))
	marks := Marks{Asked: 1, Answered: len(result.Answers)}
	var found diagnostic.List
	add := func(code, message string) {
		found.Add(diagnostic.Diagnostic{File: at, Code: code, Message: f.Run.String() + ": " + message})
	}
	switch is {
	case "right":
		marks.Right = 1
	case "wrong":
		marks.Wrong = 1
		t.verdicts++
		add("answer-wrong", "said "+said+", and "+i.Task.Expected+" is expected")
	}
	if said == "" || is == "wrong" {
		if failure := result.Failure(); failure != "" {
			t.failed++
			add("tool-failed", failure)
		}
		if err := explainTask(t.Out, t.Campaign, f); err != nil {
			return err
		}
	}
	form, err := t.witness(f, i)
	if err != nil {
		return err
	}
	t.Cases = append(t.Cases, Case{f.Run, result, marks, append(found, form...)})
	return nil
}

// witness checks the form of the witness of a run, shows what it is, and returns what is
// wrong with it.
func (t *Tasks) witness(f *campaign.Finished, i campaign.PlannedInstance) (diagnostic.List, error) {
	if f.Left.Size == 0 || f.Answers.Len() == 0 {
		return nil, nil
	}
	in, err := t.Campaign.Output(f.Left)
	if err != nil {
		return nil, err
	}
	tool, _ := t.Campaign.Plan.Tool(f.Run.Tool)
	name := tool.Task.Witness
	if t.Keep != "" {
		name = filepath.Join(t.keptAt(f.Run), "results", name)
	}
	report, found, err := judged.CheckWitness(i.Task, t.Campaign.Path(i.Path), name, in, f.Answers.First().Text, f.Run.Exam, t.Edition)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	if report.Format == program.Own {
		fmt.Fprintf(t.Out, "  witness: %d bytes, in a format that is none of SV-COMP\n", f.Left.Size)
	} else {
		fmt.Fprintf(t.Out, "  witness: %d bytes, format %s\n", f.Left.Size, report.Format)
	}
	for _, d := range found {
		fmt.Fprintf(t.Out, "  %s\n", d.Error())
	}
	if found.Err() != nil {
		t.malformed++
	}
	return found, nil
}

// keep copies what a run printed and left, as a trial on nets keeps it, and returns the file of
// its output; empty where nothing is kept.
func (t *Tasks) keep(f *campaign.Finished, r *Result) (stdout string, err error) {
	if t.Keep == "" && t.Logs == nil {
		return "", nil
	}
	dir := t.keptAt(f.Run)
	copied := func(name string, ref campaign.PackRef, to io.Writer) error {
		in, err := t.Campaign.Output(ref)
		if err != nil {
			return err
		}
		defer in.Close()
		if t.Keep == "" {
			_, err = io.Copy(several(to), in)
			return err
		}
		return files.Replace(filepath.Join(dir, name), func(out io.Writer) error {
			_, err := io.Copy(several(out, to), in)
			return err
		})
	}
	if t.Keep != "" {
		_, err := results(dir)
		if err = errors.Join(err, r.write(filepath.Join(dir, "result.json"))); err != nil {
			return "", err
		}
		stdout = filepath.Join(dir, "stdout")
	}
	err = errors.Join(copied("stdout", f.Stdout, t.Logs), copied("stderr", f.Stderr, t.Logs))
	if tool, ok := t.Campaign.Plan.Tool(f.Run.Tool); ok && f.Left.Size > 0 {
		err = errors.Join(err, copied(filepath.Join("results", tool.Task.Witness), f.Left, nil))
	}
	return stdout, err
}

// Write ends a trial: it writes the findings in another form than text, which has been shown.
func (t *Tasks) Write(out io.Writer, format diagnostic.Format) error {
	if format == diagnostic.Text {
		return nil
	}
	return t.writeFindings(out, format)
}

// saidOf returns the verdict of a run, and whether it is the expected one.
func (t *Tasks) saidOf(f *campaign.Finished, i campaign.PlannedInstance) (said, is string) {
	if f.Answers.IsZero() {
		return "", ""
	}
	said = f.Answers.First().Text
	switch t.Edition.Verdicts.Against(said, i.Task.Property, i.Task.Parts, i.Task.Expected) {
	case i.Reference():
		if i.Task.Expected != "" {
			is = "right"
		}
	case examinations.Value{}:
		is = "unknown"
	default:
		is = "wrong"
	}
	return said, is
}

// explainTask says how a run ended, and shows the end of what it printed.
func explainTask(out io.Writer, c *campaign.Campaign, f *campaign.Finished) error {
	fmt.Fprintf(out, "  %s; printed %s\n", f.Outcome.Ended(), wording.Count(f.Outcome.OutputBytes, "byte", "bytes"))
	remarks, err := c.Remarks(f)
	if err != nil {
		return err
	}
	stdout, err := c.Tail(f.Stdout)
	if err != nil {
		return err
	}
	for _, line := range stdout.Last {
		fmt.Fprintf(out, "  stdout: %s\n", diagnostic.Printable(line))
	}
	for _, line := range slices.Concat(remarks, f.Outcome.Warnings) {
		fmt.Fprintf(out, "  %s\n", diagnostic.Clean(line))
	}
	return nil
}
