package trial

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"time"

	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// WriteTasks prints what the tools of a campaign said of tasks: a line for each run with
// the expected verdict, and below it, where there is no verdict or a wrong one, how the run
// ended, what was not taken, and the end of standard error. It gives a sentence about what
// is to be mended, empty for nothing.
func WriteTasks(out io.Writer, c *campaign.Campaign, log *campaign.Log) (blame string, err error) {
	width := 0
	for _, i := range c.Plan.Instances {
		width = max(width, len(i.ID))
	}
	wrong, failed := 0, 0
	for _, i := range c.Plan.Instances {
		for run := range c.Plan.RunsOf(c.Plan.Unit(i)) {
			f, done := log.Finished[run]
			if !done {
				fmt.Fprintf(out, "%-*s  not done: the machine failed\n", width, i.ID)
				failed++
				continue
			}
			said, is := saidOf(f, i.Task)
			fmt.Fprintf(out, "%-*s  expected %-20s said %-20s %-8s CPU %s\n", width, diagnostic.Clean(i.ID), orNothing(i.Task.Expected), orNothing(said), is, f.Outcome.CPUTime.Round(time.Millisecond))
			if is == "wrong" {
				wrong++
			}
			if said != "" && is != "wrong" {
				continue
			}
			if notStarted(f.Outcome) {
				failed++
			}
			if err := explainTask(out, c, f); err != nil {
				return "", err
			}
		}
	}
	switch {
	case wrong > 0:
		return wording.Count(wrong, "verdict is wrong", "verdicts are wrong"), nil
	case failed > 0:
		return wording.Count(failed, "run did not start, crashed or was killed", "runs did not start, crashed or were killed"), nil
	}
	return "", nil
}

// saidOf gives the verdict of a run, and whether it is the expected one.
func saidOf(f campaign.Finished, t *campaign.PlannedTask) (said, is string) {
	if len(f.Answers) == 0 {
		return "", ""
	}
	said = f.Answers[0].Text
	switch {
	case t.Expected == "":
		return said, ""
	case verdict.Against(said, t.Property, t.Parts, t.Reference()) == t.Reference():
		return said, "right"
	}
	return said, "wrong"
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
func explainTask(out io.Writer, c *campaign.Campaign, f campaign.Finished) error {
	end := string(f.Outcome.Termination)
	if f.Outcome.Termination == vm.Exited {
		end = fmt.Sprintf("exited with code %d", f.Outcome.ExitCode)
	}
	fmt.Fprintf(out, "  %s; printed %d bytes\n", end, f.Outcome.OutputBytes)
	findings, err := c.OutputFindings(f)
	if err != nil {
		return err
	}
	for _, line := range slices.Concat(findings, f.Outcome.Warnings) {
		fmt.Fprintf(out, "  %s\n", diagnostic.Clean(line))
	}
	for _, part := range []struct {
		what string
		ref  campaign.PackRef
	}{{"output", f.Stdout}, {"error", f.Stderr}} {
		in, err := c.Output(part.ref)
		if err != nil {
			return err
		}
		lines, err := lastOf(in)
		if err = firstError(err, in.Close()); err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Fprintf(out, "  %s: %s\n", part.what, diagnostic.Clean(line))
		}
	}
	return nil
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// lastOf gives the last lines of an output, and of a long line its beginning.
func lastOf(in io.Reader) (lines []string, err error) {
	r := bufio.NewReaderSize(in, 4096)
	for {
		line, part, err := r.ReadLine()
		if err == io.EOF {
			return lines, nil
		} else if err != nil {
			return lines, err
		}
		lines = append(lines, string(line[:min(len(line), 200)]))
		if len(lines) > lastLines {
			lines = lines[1:]
		}
		for part {
			if _, part, err = r.ReadLine(); err != nil {
				return lines, unlessEnd(err)
			}
		}
	}
}

func unlessEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
