package modelfiles

import (
	"errors"
	"fmt"
	"io"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/models"
)

// Stripped rewrites the formula files of an instance with the names of a renaming
// (E-4.4).
func Stripped(i models.Instance, r *models.Renaming) (map[string]func(io.Writer) error, error) {
	files := map[string]func(io.Writer) error{}
	for _, exam := range examinations.All() {
		if !exam.HasFormulas() || !i.Has(exam.FormulaFile()) {
			continue
		}
		var renamed []formula.Property
		var unknown error
		node := func(id string) string {
			fresh, ok := r.New(id)
			if !ok {
				unknown = fmt.Errorf("%s names %q, which the net does not have", exam.FormulaFile(), id)
			}
			return fresh
		}
		if err := i.With(exam.FormulaFile(), func(in io.Reader) error {
			properties, found := formula.Read(in, i.File(exam.FormulaFile()), exam)
			number := 0
			renamed = formula.Rename(properties, func(old string) string {
				fresh := fmt.Sprintf("%s-%s-%02d", r.Stripped, exam, number)
				number++
				r.AddFormula(old, fresh)
				return fresh
			}, node)
			return errors.Join(found.Err(), unknown)
		}); err != nil {
			return nil, err
		}
		files[exam.FormulaFile()] = func(w io.Writer) error { return formula.Write(w, renamed) }
		files[string(exam)+".txt"] = func(w io.Writer) error { return formula.WriteText(w, renamed) }
	}
	return files, nil
}
