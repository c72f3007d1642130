package trial

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
	"podium/vm"
)

// Tasks is the trial of a tool on tasks, which ran in a campaign of their own.
type Tasks struct {
	Campaign *campaign.Campaign
	Log      *campaign.Log
	Edition  *edition.Edition // whose rules say which witnesses are taken
	Tool     tools.Tool
	Keep     string    // directory that gets all that runs leave, by task and category; "" for none
	Logs     io.Writer // gets all that the tool printed; nil for none
	Out      io.Writer // of the lines

	record
	wrong, failed, malformed int
}

// All shows every run: a line with the expected verdict, and below it, where there is no
// verdict or a wrong one, how the run ended, what was not taken, and the end of what was
// printed; and what is wrong with the form of its witness.
func (t *Tasks) All() error {
	width := 0
	for _, i := range t.Campaign.Plan.Instances {
		width = max(width, len(i.ID))
	}
	for _, i := range t.Campaign.Plan.Instances {
		for run := range t.Campaign.Plan.RunsOf(t.Campaign.Plan.Unit(i)) {
			f, done := t.Log.Finished[run]
			if !done {
				fmt.Fprintf(t.Out, "%-*s  not done: the machine failed\n", width, i.ID)
				t.failed++
				continue
			}
			if err := t.one(f, i, width); err != nil {
				return err
			}
		}
	}
	return nil
}

// one shows a run and adds it up.
func (t *Tasks) one(f *campaign.Finished, i campaign.PlannedInstance, width int) error {
	said, is := t.saidOf(f, i.Task)
	fmt.Fprintf(t.Out, "%-*s  expected %-20s said %-20s %-8s CPU %s\n", width, diagnostic.Clean(i.ID), orNothing(i.Task.Expected), orNothing(said), is, f.Outcome.CPUTime.Duration().Round(time.Millisecond))
	kept, err := t.keep(f)
	if err != nil {
		return err
	}
	at := cmp.Or(kept, filepath.Join(t.Tool.Dir, tools.ManifestFile))
	var found diagnostic.List
	add := func(code, message string) {
		found.Add(diagnostic.Diagnostic{File: at, Code: code, Message: f.Run.String() + ": " + message})
	}
	if is == "wrong" {
		t.wrong++
		add("answer-wrong", "said "+said+", and "+i.Task.Expected+" is expected")
	}
	if said == "" || is == "wrong" {
		if notStarted(f.Outcome) {
			t.failed++
			add("tool-failed", f.Outcome.Ended())
		}
		if err := explainTask(t.Out, t.Campaign, f); err != nil {
			return err
		}
	}
	form, err := t.witness(f, i)
	if err != nil {
		return err
	}
	marks := Marks{Asked: 1}
	switch is {
	case "right":
		marks.Right = 1
	case "wrong":
		marks.Wrong = 1
	}
	if said != "" {
		marks.Answered = 1
	}
	t.add(Case{f.Run, &Result{Outcome: f.Outcome, Said: f.Participation}, marks, append(found, form...)})
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
		name = filepath.Join(t.keptAt(f), "results", name)
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

// keptAt is the directory that gets all that a run leaves.
func (t *Tasks) keptAt(f *campaign.Finished) string {
	return filepath.Join(t.Keep, f.Run.Instance, string(f.Run.Exam))
}

// keep copies what a run printed and left, as a trial on nets keeps it, and returns the file of
// its output; empty where nothing is kept.
func (t *Tasks) keep(f *campaign.Finished) (stdout string, err error) {
	type part struct {
		name string
		ref  campaign.PackRef
		to   io.Writer
	}
	parts := []part{{"stdout", f.Stdout, t.Logs}, {"stderr", f.Stderr, t.Logs}}
	if tool, ok := t.Campaign.Plan.Tool(f.Run.Tool); ok && f.Left.Size > 0 {
		parts = append(parts, part{filepath.Join("results", tool.Task.Witness), f.Left, nil})
	}
	dir := t.keptAt(f)
	if t.Keep != "" {
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, "results")), os.MkdirAll(filepath.Join(dir, "results"), 0o755)); err != nil {
			return "", err
		}
		text, err := json.Marshal(Result{Format: format, Outcome: f.Outcome, Said: f.Participation, Answers: f.Answers.List()})
		if err == nil {
			err = files.Replace(filepath.Join(dir, "result.json"), files.Bytes(text))
		}
		if err != nil {
			return "", err
		}
		stdout = filepath.Join(dir, "stdout")
	}
	for _, p := range parts {
		if t.Keep == "" && p.to == nil {
			continue
		}
		if err := t.copyOutput(p.ref, filepath.Join(dir, p.name), p.to); err != nil {
			return "", err
		}
	}
	return stdout, nil
}

// copyOutput copies what is packed to a file, where all is kept, and to a writer that is not
// nil.
func (t *Tasks) copyOutput(ref campaign.PackRef, path string, to io.Writer) error {
	in, err := t.Campaign.Output(ref)
	if err != nil {
		return err
	}
	defer in.Close()
	if t.Keep == "" {
		_, err = io.Copy(to, in)
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(several(file, to), in)
	return errors.Join(err, file.Close())
}

// Write ends a trial: it writes the findings in another form than text, which has been shown.
func (t *Tasks) Write(out io.Writer, format diagnostic.Format) error {
	if format == diagnostic.Text {
		return nil
	}
	return t.writeFindings(out, format)
}

// Name is that of the tool.
func (t *Tasks) Name() string { return t.Tool.Name }

// WriteJUnit writes the runs as tests.
func (t *Tasks) WriteJUnit(out io.Writer) error { return WriteJUnit(out, t.Tool.Name, t.cases) }

// Blame says what has to be mended; it is empty when all is well.
func (t *Tasks) Blame() string {
	return blamed(mending{t.wrong, "verdict is wrong", "verdicts are wrong"},
		mending{t.failed, "run did not start, crashed or was killed", "runs did not start, crashed or were killed"},
		mending{t.malformed, "witness is malformed", "witnesses are malformed"})
}

// saidOf returns the verdict of a run, and whether it is the expected one.
func (x *Tasks) saidOf(f *campaign.Finished, t *campaign.PlannedTask) (said, is string) {
	if f.Answers.IsZero() {
		return "", ""
	}
	said = f.Answers.First().Text
	switch x.Edition.Verdicts.Against(said, t.Property, t.Parts, t.Expected) {
	case t.Reference():
		if t.Expected != "" {
			is = "right"
		}
	case examinations.Value{}:
		is = "unknown"
	default:
		is = "wrong"
	}
	return said, is
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// notStarted tells of a run whose program was not there or fell over.
func notStarted(o vm.Outcome) bool {
	return o.Termination == vm.Exited && (o.ExitCode == 126 || o.ExitCode == 127) || o.Termination == vm.Signalled || o.Termination == vm.OutOfMem
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
