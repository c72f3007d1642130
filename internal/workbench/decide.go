package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/referee"
	"podium/models"
)

// Decide decides what an examination asks of the model, as `podium prove` does. Outputs
// that are added later are compared with what is decided.
func (b *Bench) Decide(ctx context.Context, name string, o referee.Options) (*Report, error) {
	exam, err := examinations.ParseID(name)
	if err != nil {
		return nil, err
	}
	i, err := b.instance()
	if err != nil {
		return nil, err
	}
	if !b.decidable(exam) {
		return nil, fmt.Errorf("there is nothing to decide for %s: drop the file %s first", exam, exam.FormulaFile())
	}
	formulas, _ := formula.Read(bytes.NewReader(b.files[exam.FormulaFile()]), exam.FormulaFile(), exam)
	r := report("values", string(exam)+" of "+i.ID.String(), nil)
	proved := map[string]oracle.ProvedValue{}
	o.Say = func(remark string) { r.fact("remark", strings.TrimSpace(remark)) }
	o.Proved = func(p oracle.Proof) {
		for _, v := range p.Values {
			proved[v.Item] = v
		}
	}
	judge, err := referee.New(o)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(judge.Instance(ctx, i, []examinations.ID{exam}), judge.Close()); err != nil {
		return nil, err
	}
	r.Heads = []string{"Value", "Decided", "Shown by", "How it was found"}
	values := map[string]examinations.Value{}
	for _, item := range exam.Items(formula.IDs(formulas)) {
		v, known := proved[item]
		if !known {
			r.Rows = append(r.Rows, []string{item, "not decided", "", fmt.Sprintf("not within %s and %d MB", o.Budget, o.Memory/1_000_000)})
			continue
		}
		values[item] = examinations.Value{Kind: exam.Kind(), Text: v.Text}
		r.Rows = append(r.Rows, []string{item, v.Text, string(v.Shown()), v.Found()})
	}
	if b.decided == nil {
		b.decided = map[examinations.ID]map[string]examinations.Value{}
	}
	b.decided[exam] = values
	return r, nil
}

// decidable reports whether there is all that an examination is decided from.
func (b *Bench) decidable(exam examinations.ID) bool {
	return b.files[models.ModelFile] != nil && exam != examinations.GlobalProperties && (!exam.HasFormulas() || b.files[exam.FormulaFile()] != nil)
}

// compared says what the referee has to say of an answer.
func compared(answer, decided examinations.Value) string {
	switch {
	case decided.IsZero():
		return "not decided"
	case answer == decided:
		return "the same"
	case oracle.Refuted(answer, decided) == 0:
		return "an interval, which is not judged; it is " + decided.Text
	}
	return "refuted: it is " + decided.Text
}
