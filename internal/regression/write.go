package regression

import (
	"embed"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"

	"podium/examinations"
	"podium/internal/files"
	"podium/internal/publish"
	"podium/pnml/diagnostic"
)

//go:embed page.html
var pages embed.FS

// The files of a report.
const (
	PageFile  = "index.html" // for people; it needs no other file
	JUnitFile = "junit.xml"  // for programs that show tests
)

// Write writes the report into a directory.
func (r *Report) Write(dir string) error {
	page, err := template.New("page.html").Funcs(template.FuncMap{
		"clean": diagnostic.Clean,
		"style": func() template.CSS { return template.CSS(publish.Style()) },
	}).ParseFS(pages, "page.html")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		files.Replace(filepath.Join(dir, PageFile), func(w io.Writer) error { return page.Execute(w, r) }),
		files.Replace(filepath.Join(dir, JUnitFile), r.writeJUnit))
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

// JUnit's form of a report, as programs of continuous integration read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Time    float64    `xml:"time,attr"` // wall time, seconds
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite for each examination and a case for each instance. A case
// fails where something is worse than before, and is an error where its run is missing.
func (r *Report) writeJUnit(w io.Writer) error {
	all := junitSuites{Name: r.Tool, Tests: len(r.Cases), Failures: r.Worse(), Errors: r.Undone()}
	at := map[examinations.ID]int{}
	for k, sum := range r.Examinations() {
		all.Suites = append(all.Suites, junitSuite{Name: string(sum.Exam), Tests: sum.Instances, Failures: sum.Worse})
		at[sum.Exam] = k
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		test, suite := junitCase{Class: string(c.Exam), Name: c.Instance, Time: c.Wall.Seconds()}, &all.Suites[at[c.Exam]]
		if len(c.Worse) > 0 {
			test.Failure = &junitText{c.Worse[0], strings.Join(append(c.Worse, "repeat it: "+c.Repeat), "\n")}
		}
		if c.Undone != "" {
			test.Error = &junitText{c.Undone, "repeat it: " + c.Repeat}
			suite.Errors++
		}
		suite.Cases = append(suite.Cases, test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	return enc.Encode(all)
}
