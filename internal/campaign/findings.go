package campaign

import (
	"context"

	"podium/examinations/output"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// How many findings of one kind, and of all kinds, are shown of an output.
const (
	mostAlike = 3
	mostShown = 20
)

// Remarkable reports whether there is something to say of an end: the reader of answers found
// something, or the run did not end by itself with exit code 0.
func (f *Finished) Remarkable() bool {
	return f.Findings > 0 || f.Outcome.Termination != vm.Exited || f.Outcome.ExitCode != 0
}

// Remarks returns what `podium try` would print of an end besides its values: what is to be
// said of its stored output, errors first, each with its line, those that are alike in a
// few lines; a hint about how it ended; the last lines of an output without answers, and of
// standard error. An error says that the output is not here, or damaged.
func (c *Campaign) Remarks(f *Finished) ([]string, error) {
	asked, _ := c.Plan.Instance(f.Run.Instance)
	lines, err := c.outputFindings(f, asked)
	if err != nil {
		return lines, err
	}
	if tool, ok := c.Plan.Tool(f.Run.Tool); ok && asked.Task == nil {
		if hint := c.Plan.Confinement(tool, asked).Hint(f.Outcome); hint != "" {
			lines = append(lines, "hint: "+hint)
		}
	}
	if f.Participation == output.Silent && asked.Task == nil {
		stdout, err := c.Tail(f.Stdout)
		if err != nil {
			return lines, err
		}
		for _, line := range stdout.Last {
			lines = append(lines, "stdout: "+diagnostic.Printable(line))
		}
	}
	stderr, err := c.Tail(f.Stderr)
	return append(lines, stderr.Text()...), err
}

// outputFindings reads the stored output of an end again.
func (c *Campaign) outputFindings(f *Finished, asked PlannedInstance) ([]string, error) {
	if f.Findings == 0 {
		return nil, nil
	}
	if asked.Task != nil {
		a, err := c.verdictOf(context.Background(), f)
		return a.Findings, err
	}
	findings, err := c.FindingsOf(f)
	Unadvise(findings, f.Outcome)
	findings.ErrorsFirst()
	lines := findings.Brief(mostAlike)
	return lines[:min(len(lines), mostShown)], err
}

// FindingsOf reads the stored output of an end on a net once more, for all that is to be said of it.
func (c *Campaign) FindingsOf(f *Finished) (diagnostic.List, error) {
	out, err := c.Output(f.Stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	asked, _ := c.Plan.Instance(f.Run.Instance)
	_, findings, err := read(out, f.Run, asked, c.Plan.Intervals, nil, nil)
	return findings, err
}

// Unadvise takes back, from the findings of a run that was ended from outside or failed, the
// advice to say that nothing is answered: it could not.
func Unadvise(findings diagnostic.List, o vm.Outcome) {
	if o.Termination == vm.Exited && o.ExitCode == 0 {
		return
	}
	for i := range findings {
		if code := findings[i].Code; code == "answer-none" || code == "answer-unanswered" {
			findings[i].Hint = ""
		}
	}
}
