package campaign

import (
	"context"

	"podium/examinations/output"
	"podium/models"
)

// How many findings of one kind, and of all kinds, are shown of an output.
const (
	mostAlike = 3
	mostShown = 20
)

// OutputFindings reads the stored output of an end again and gives what `podium try` would
// print of it, errors first, each with its line of the output; those that are alike in a few
// lines. An error says that the output is not here, or damaged.
func (c *Campaign) OutputFindings(f Finished) ([]string, error) {
	asked, _ := c.Plan.Instance(f.Run.Instance)
	if asked.Task != nil {
		a, err := c.verdictOf(context.Background(), &f)
		return a.Findings, err
	}
	id, err := models.ParseID(f.Run.Instance)
	if err != nil {
		return nil, err
	}
	out, err := c.Output(f.Stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	r := output.NewReader(out, f.Run.Exam, output.ReaderOptions{Instance: id, Items: asked.Items(f.Run.Exam), File: "output"})
	for r.Scan() {
	}
	findings := r.Diagnostics()
	findings.ErrorsFirst()
	lines := findings.Brief(mostAlike)
	return lines[:min(len(lines), mostShown)], r.Err()
}
