package campaign

import (
	"cmp"
	"slices"

	"podium/internal/tools"
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
// few lines; a hint about how it ended; the last lines of an output without answers; what
// the run over time tells of its end; the last lines of standard error. An error says that the
// output is not here, or damaged.
func (c *Campaign) Remarks(f *Finished) ([]string, error) {
	asked, _ := c.Plan.Instance(f.Run.Instance)
	lines, err := asked.kind().remarks(c, f, asked)
	if err != nil {
		return lines, err
	}
	curve, need, err := c.CurveOf(f)
	if err != nil {
		return lines, err
	}
	stderr, err := c.Tail(f.Stderr)
	return slices.Concat(lines, need.Seen(curve), stderr.Text()), err
}

// hint returns the next step after an end, "" where there is none to give.
func (c *Campaign) hint(f *Finished, i PlannedInstance) string {
	t, ok := c.Plan.Tool(f.Run.Tool)
	if !ok {
		return ""
	}
	return cmp.Or(c.toolOf(t).Unstarted(f.Outcome, c.Plan.Driver), c.Plan.Confinement(t, i).Hint(f.Outcome))
}

// toolOf is a tool of the plan, with what the plan knows of its manifest.
func (c *Campaign) toolOf(t PlannedTool) tools.Tool {
	return tools.Tool{Manifest: tools.Manifest{Name: t.Name, Head: t.Head, Image: t.Image, System: t.System}, Dir: c.Path(t.Dir)}
}

// Startless lists the tools of the plan that are run by a program that this computer does not have.
func (c *Campaign) Startless() (list diagnostic.List) {
	for _, t := range c.Plan.Tools {
		list = append(list, c.toolOf(t).Missing()...)
	}
	return list
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
