package trial

import (
	"encoding/xml"
	"fmt"
	"io"

	"podium/internal/campaign"
	"podium/pnml/diagnostic"
)

// Case is a run with what is to be mended after it.
type Case struct {
	Run      campaign.Run
	Result   *Result
	Marks    Marks
	Findings diagnostic.List
}

// JUnitMark stands in the first lines of each file of WriteJUnit, by which podium knows it again.
const JUnitMark = "<testsuite name="

// WriteJUnit writes runs in the form in which services of continuous integration read
// tests: a run is a test case of its instance, and fails by the errors among its
// findings. Times are CPU seconds.
func WriteJUnit(out io.Writer, tool string, cases []Case) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Class    string    `xml:"classname,attr"`
		Name     string    `xml:"name,attr"`
		Time     string    `xml:"time,attr"`
		Failures []failure `xml:"failure"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: tool, Tests: len(cases)}
	for _, c := range cases {
		one := testCase{Class: c.Run.Instance, Name: string(c.Run.Exam), Time: fmt.Sprintf("%.3f", c.Result.Outcome.CPUTime.Duration().Seconds())}
		for _, d := range c.Findings {
			if d.Severity == diagnostic.Error {
				one.Failures = append(one.Failures, failure{d.Code, d.Error()})
			}
		}
		if len(one.Failures) > 0 {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, one)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", "  ")
	return e.Encode(suite)
}
