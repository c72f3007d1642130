package regression

import (
	_ "embed"
	"errors"
	"io"
	"path/filepath"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/publish"
	"podium/internal/trial"
	"podium/pnml/diagnostic"
)

//go:embed page.html
var source string

// The files of a report.
const (
	PageFile  = "index.html" // for people; it needs no other file
	JUnitFile = "junit.xml"  // for programs that show tests
)

// Write writes the report into a directory.
func (r *Report) Write(dir string) error {
	page, err := publish.ReportPage(source, nil)
	if err != nil {
		return err
	}
	return errors.Join(
		files.Write(filepath.Join(dir, PageFile), func(w io.Writer) error { return page.Execute(w, r) }),
		files.Write(filepath.Join(dir, JUnitFile), r.writeJUnit))
}

// Bad counts the cases of which a person should know.
func (r *Report) Bad() int { return r.Worse() + r.Undone() }

// Sum counts the cases of one examination.
type Sum struct {
	Exam                                           examinations.ID
	Instances, Known, Right, Wrong, Missing, Worse int
}

// Examinations counts by examination, in the order of the edition.
func (r *Report) Examinations() (list []Sum) {
	at := map[examinations.ID]int{}
	for i := range r.Cases {
		c := &r.Cases[i]
		k, ok := at[c.Exam]
		if !ok {
			k, list = len(list), append(list, Sum{Exam: c.Exam})
			at[c.Exam] = k
		}
		s := &list[k]
		s.Instances++
		s.Known, s.Right, s.Wrong, s.Missing = s.Known+c.Known, s.Right+c.Right, s.Wrong+c.Wrong, s.Missing+c.Known-c.Right-c.Wrong
		if len(c.Worse) > 0 {
			s.Worse++
		}
	}
	return list
}

// writeJUnit writes a test for each case. It fails where something is worse than before
// or not accepted, and where its run is missing.
func (r *Report) writeJUnit(w io.Writer) error {
	list := make([]trial.Case, 0, len(r.Cases))
	for i := range r.Cases {
		c := &r.Cases[i]
		one := trial.Case{Run: campaign.Run{Tool: r.Tool, Instance: c.Instance, Exam: c.Exam}, Result: &c.result}
		for _, text := range c.Worse {
			code := "not-accepted"
			if c.fell {
				code = "worse-than-before"
			}
			one.Findings.Add(diagnostic.Diagnostic{Code: code, Message: text, Hint: "repeat it: " + c.Repeat})
		}
		if c.Undone != "" {
			one.Findings.Add(diagnostic.Diagnostic{Code: "not-run", Message: c.Undone, Hint: "test again: what is missing is run"})
		}
		list = append(list, one)
	}
	return trial.WriteJUnit(w, r.Tool, list)
}
