package judged

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/files"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// electedWord stands in oracle files for the technique: where the values come from.
const electedWord = "ELECTED"

// WriteOracle writes the reference values as oracle files into a directory, which is
// made where it is missing: a file for each examination of an instance that has some.
// Chosen leaves out what no run of the result asks for. What oracle files cannot hold is
// left out, with a warning.
func WriteOracle(dir string, r *scoring.Result, chosen bool) (diagnostic.List, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c := r.Contest
	var left oracleLosses
	for sheet, s := range c.Sheets {
		if chosen && !c.HasRuns(sheet) {
			continue
		}
		values := left.values(r, sheet)
		if len(values) == 0 {
			continue
		}
		id, exam := c.Instances[s.Instance].ID, c.Exams[s.Exam].ID
		err := files.Replace(filepath.Join(dir, oracle.FileName(id, exam)), func(out io.Writer) error {
			return oracle.Write(out, id, exam, exam.Items(c.Items[s.First:s.First+s.Values]), values, electedWord)
		})
		if err != nil {
			return nil, err
		}
	}
	return left.warnings(), nil
}

// oracleLosses counts what oracle files cannot hold.
type oracleLosses struct{ unnamed, partial, rounded, unreadable int }

// values returns the references of a sheet that an oracle file can hold.
func (l *oracleLosses) values(r *scoring.Result, sheet int) map[examinations.Key]examinations.Value {
	c := r.Contest
	s := c.Sheets[sheet]
	i, exam := &c.Instances[s.Instance], &c.Exams[s.Exam]
	items := c.Items[s.First : s.First+s.Values]
	values := map[examinations.Key]examinations.Value{}
	for n, item := range items {
		ref := r.Elected(sheet, int(s.First)+n)
		if !ref.Known() {
			continue
		}
		v := c.Values[ref.Answer]
		canonical, ok := examinations.ParseValue(v.Text, exam.ID.Kind())
		readable := ok && canonical == v && slices.Contains(exam.ID.Items(items), item)
		switch {
		case c.AsDisplayed && v.Kind == examinations.Nat && v != examinations.Infinite && (!readable || scoring.Displayed(v) != v.Text):
			l.rounded++
		case !readable:
			l.unreadable++
		default:
			values[examinations.Key{Instance: i.ID, Exam: exam.ID, Item: item}] = v
		}
	}
	_, misnamed := models.ParseID(i.Name)
	_, unknown := examinations.ParseID(string(exam.ID))
	switch {
	case len(values) == 0:
	case misnamed != nil || unknown != nil:
		l.unnamed++
		return nil
	case exam.ID.HasFormulas() && int(s.Values) != exam.Required: // ranks of formulas would be wrong
		l.partial++
		return nil
	}
	return values
}

func (l *oracleLosses) warnings() (found diagnostic.List) {
	warn := func(n int, one, many, why string) {
		if n > 0 {
			found.Add(diagnostic.Diagnostic{Severity: diagnostic.Warning, Code: "export-oracle", Message: wording.Count(n, one, many) + " left out: " + why})
		}
	}
	const one, many = "examination of an instance is", "examinations of instances are"
	warn(l.unnamed, one, many, "oracle files are for instances and examinations of the contest")
	warn(l.partial, one, many, "the source does not name all formulas, so that their ranks are not known")
	warn(l.rounded, "number is", "numbers are", "the source has five digits of it at most")
	warn(l.unreadable, "value is", "values are", "no tool may answer it in this examination")
	return found
}
