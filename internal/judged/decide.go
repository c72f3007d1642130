package judged

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/selection"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/whatif"
)

// Considered is one more decision, which is not written yet.
type Considered struct {
	Record  *decisions.Record  // with the decision
	Changes *whatif.Comparison // of the results before and after

	of   *Campaign
	ends map[string][]campaign.EndOf // of Redo: what is done again, by model
}

// Consider returns what one more decision changes. A decision that names what the contest
// does not have is a *NameError.
func (j *Campaign) Consider(ctx context.Context, d decisions.Decision) (*Considered, error) {
	if err := j.complete(&d); err != nil {
		return nil, &NameError{Err: err}
	}
	record, next, err := j.Decided.Next(d)
	if err == nil {
		err = next.CheckNames(j.before)
	}
	if err != nil {
		return nil, &NameError{Err: err}
	}
	c := &Considered{Record: record, of: j}
	undecided, err := j.undecidedUnder(ctx, record)
	if err != nil {
		return nil, err
	}
	c.Changes = whatif.Compare(j.Result, j.Edition.Score(record.Apply(undecided)))
	next.Effect = comparisonLines(c.Changes, mostReferences)
	if d.Kind == decisions.Redo {
		if err := c.redo(next); err != nil {
			return nil, &NameError{Err: err}
		}
	}
	const most = 200
	if n := len(next.Effect); n > most {
		next.Effect = append(next.Effect[:most-1:most-1], fmt.Sprintf("and %d more lines", n-most+1))
	}
	return c, nil
}

// undecidedUnder returns the contest before decisions, under those of a record: where one
// of them revokes or restores a redo, other ends of runs count.
func (j *Campaign) undecidedUnder(ctx context.Context, record *decisions.Record) (*scoring.Contest, error) {
	before, after := campaign.InForce(j.Decided.Revokes()), campaign.InForce(record.Revokes())
	same := true
	for i, d := range j.Decided.Decisions {
		same = same && (d.Kind != decisions.Redo || before[i] == after[i])
	}
	if same {
		return j.before, nil
	}
	log, err := j.Shown.whole.ReadUnder(ctx, record.Revokes())
	if err != nil {
		return nil, err
	}
	j.Shown.log(log)
	return undecided(j.Campaign, log, j.Edition, j.Proofs)
}

// redo finds the runs that a decision has done again, and names them in its effect.
func (c *Considered) redo(d *decisions.Decision) error {
	chosen, err := selection.Choose(c.of.Campaign, c.of.Log, d.Only)
	if err != nil {
		return err
	}
	c.ends = c.of.Log.Ends(chosen)
	var names []string
	for _, list := range c.ends {
		for _, e := range list {
			names = append(names, e.Run.String())
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("no run that is done or void fits %s: there is nothing to do again", diagnostic.Excerpt(d.Only))
	}
	slices.Sort(names)
	d.Effect = append(append(d.Effect, wording.Count(len(names), "run is", "runs are")+" done again by the next `podium run`"), names...)
	return nil
}

// WriteEffect writes what the decision changes, a line for each change.
// Of many changed references it writes the first, or all.
func (c *Considered) WriteEffect(out io.Writer, all bool) error {
	if c.ends == nil {
		return WriteComparison(out, c.Changes, all)
	}
	for _, line := range c.Record.Decisions[len(c.Record.Decisions)-1].Effect {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the decision, whole or not at all: the runs that it has done again are
// asked for first, in its name, which has no effect before the decision is there.
func (c *Considered) Write(ctx context.Context, version string) error {
	if c.ends != nil {
		sum, err := c.Record.Sum()
		if err != nil {
			return err
		}
		if err := c.of.Campaign.Ask(ctx, version, sum, c.ends); err != nil {
			return err
		}
	}
	return c.Record.Write(c.of.Campaign.Dir)
}

// complete writes the value of a correction as references do: T for TRUE, and the
// value that is proved.
func (j *Campaign) complete(d *decisions.Decision) error {
	if d.Kind != decisions.Correct || d.WithoutFamily != "" {
		return nil
	}
	exam, err := decisions.ExaminationOf(d.Examination)
	if err != nil {
		return err
	}
	if d.Proved {
		return j.completeProved(d, exam)
	}
	if exam.Kind() == examinations.Bool {
		switch d.Value {
		case "T", "t":
			d.Value = examinations.True.Text
		case "F", "f":
			d.Value = examinations.False.Text
		}
	}
	if v, ok := examinations.ParseValue(d.Value, exam.Kind()); ok {
		d.Value = v.Text
	}
	return nil
}

func (j *Campaign) completeProved(d *decisions.Decision, exam examinations.ID) error {
	if j.Proofs == nil {
		return fmt.Errorf("--proved needs a certificate, or witnesses of tools: podium prove %s", j.Campaign.Dir)
	}
	sheet := j.before.SheetOf(d.Instance, exam)
	if sheet < 0 {
		if err := d.CheckNames(j.before); err != nil {
			return err
		}
		return errors.New("--proved takes one instance and one examination, and no pattern: a proof is of one value")
	}
	s := j.before.Sheets[sheet]
	key := examinations.Key{Instance: j.before.Instances[s.Instance].ID, Exam: exam, Item: d.Item}
	if items := j.before.Items[s.First : s.First+s.Values]; d.Item == "" && s.Values > 1 {
		return fmt.Errorf("%s asks for %d values of %s: --item names one of them (%s)", exam, s.Values, d.Instance, wording.Few(items, 4))
	} else if d.Item == "" {
		key.Item = items[0]
	}
	v, known := j.Proofs.Values[key]
	if !known {
		return fmt.Errorf("nothing proves a value of %s %s %s", d.Instance, exam, key.Item)
	}
	d.Value = v.Text
	return nil
}
