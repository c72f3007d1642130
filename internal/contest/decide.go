package contest

import (
	"fmt"

	"podium/examinations"
	"podium/internal/decisions"
	"podium/scoring"
)

// Consider gives what one more decision changes: the record with it, which is not
// written yet, and the difference between the results before and after. A decision
// that names what the contest does not have is a *NameError.
func (j *Judged) Consider(d decisions.Decision) (*decisions.Record, *scoring.Comparison, error) {
	if err := j.complete(&d); err != nil {
		return nil, nil, &NameError{err}
	}
	record, next, err := j.Decided.Next(d)
	if err == nil {
		err = next.CheckNames(j.before)
	}
	if err != nil {
		return nil, nil, &NameError{err}
	}
	changes := scoring.Compare(j.Result, j.Edition.Score(record.Apply(j.before)))
	next.Effect = comparisonLines(changes)
	const most = 200
	if n := len(next.Effect); n > most {
		next.Effect = append(next.Effect[:most-1:most-1], fmt.Sprintf("and %d more lines", n-most+1))
	}
	return record, changes, nil
}

// complete writes the value of a correction as references do: T for TRUE, and the
// value that the certificate proves.
func (j *Judged) complete(d *decisions.Decision) error {
	if d.Kind != decisions.Correct || d.WithoutFamily != "" {
		return nil
	}
	exam, err := examinations.ParseID(d.Examination)
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

func (j *Judged) completeProved(d *decisions.Decision, exam examinations.ID) error {
	if j.Proofs == nil {
		return fmt.Errorf("--proved needs a certificate: podium certify %s", j.Campaign.Dir)
	}
	sheet := j.before.SheetOf(d.Instance, exam)
	if sheet < 0 {
		return nil // CheckNames says what is wrong
	}
	s := j.before.Sheets[sheet]
	key := examinations.Key{Instance: j.before.Instances[s.Instance].ID, Exam: exam, Item: d.Item}
	if d.Item == "" && s.Values == 1 {
		key.Item = j.before.Items[s.First]
	}
	v, known := j.Proofs.Values[key]
	if !known {
		return fmt.Errorf("the certificate proves no value of %s %s %s", d.Instance, exam, key.Item)
	}
	d.Value = v.Text
	return nil
}
