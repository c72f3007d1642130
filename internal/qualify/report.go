package qualify

import (
	"slices"

	"podium/examinations"
)

// Format is the value of the format key of the summary.
const Format = "podium-qualify/1"

// Report says of each tool whether it is fit for the contest.
type Report struct {
	Format  string `json:"format"`
	Edition string `json:"edition"`
	Tools   []Tool `json:"tools"`
}

// Tool is the report on one tool.
type Tool struct {
	Name       string      `json:"name"`
	Dir        string      `json:"directory"`
	Version    string      `json:"version"`
	Authors    string      `json:"authors"`
	Digest     string      `json:"sha256"`
	Qualified  bool        `json:"qualified"`
	Conditions []Condition `json:"conditions"`
	Notes      []string    `json:"notes"` // what is no reason to refuse the tool
	Runs       int         `json:"runs"`
	// Answered counts runs that gave a value, Declined those that said that they give
	// none, Checked values that were compared with known ones.
	Answered int `json:"answered"`
	Declined int `json:"declined"`
	Checked  int `json:"values_checked"`
}

// Condition is one of the conditions of qualification.
type Condition struct {
	ID       ConditionID `json:"condition"`
	Passed   bool        `json:"passed"`
	Waived   bool        `json:"waived,omitempty"` // the edition does not ask for it
	Failures []Failure   `json:"failures,omitempty"`
}

// ConditionID names a condition.
type ConditionID string

// The conditions, in the order of a report.
const (
	Complete   ConditionID = "complete"
	Starts     ConditionID = "starts"
	Understood ConditionID = "understood"
	Right      ConditionID = "right"
	Declines   ConditionID = "declines"
	Ends       ConditionID = "ends"
	Releases   ConditionID = "releases"
)

// conditions are all of them, with what each asks for.
var conditions = []struct {
	id   ConditionID
	asks string
}{
	{Complete, "the submission is complete"},
	{Starts, "the tool starts in every run"},
	{Understood, "every line that looks like an answer is one"},
	{Right, "no answer contradicts a known value"},
	{Declines, "what it does not answer it says: CANNOT_COMPUTE or DO_NOT_COMPETE"},
	{Ends, "every run ends by itself or at a limit of the contest"},
	{Releases, "no process is left running when the tool ends"},
}

// Asks says what a condition asks for.
func (id ConditionID) Asks() string {
	for _, c := range conditions {
		if c.id == id {
			return c.asks
		}
	}
	return ""
}

// Failure is one reason why a condition is not met.
type Failure struct {
	Instance    string          `json:"instance,omitempty"`
	Examination examinations.ID `json:"examination,omitempty"`
	Text        string          `json:"text"`
	Stderr      []string        `json:"stderr,omitempty"` // the last lines of standard error, of a run that failed
	Repeat      string          `json:"repeat,omitempty"` // the command that shows it again
}

// Where names the run, empty where there is none.
func (f *Failure) Where() string {
	if f.Instance == "" {
		return ""
	}
	return f.Instance + " " + string(f.Examination)
}

// FailedRun is what a run did not meet of a condition.
type FailedRun struct {
	Failure
	Texts []string // in place of Text
}

// FailedRuns are the failures of a condition, those of a run together.
func (c Condition) FailedRuns() (list []FailedRun) {
	for _, f := range c.Failures {
		if n := len(list); n > 0 && f.Where() != "" && f.Where() == list[n-1].Where() && f.Stderr == nil {
			list[n-1].Texts = append(list[n-1].Texts, f.Text)
		} else {
			list = append(list, FailedRun{f, []string{f.Text}})
		}
	}
	return list
}

// newTool is a report in which all conditions are met so far.
func newTool(s *Submission, asked []string) *Tool {
	t := &Tool{Name: s.Name, Dir: s.Dir, Version: s.Tool.Version, Authors: s.Tool.Authors, Digest: s.Digest, Qualified: true, Notes: []string{}}
	for _, c := range conditions {
		t.Conditions = append(t.Conditions, Condition{ID: c.id, Passed: true, Waived: !slices.Contains(asked, string(c.id))})
	}
	return t
}

// maxFailures bounds the reasons that are kept for one condition.
const maxFailures = 20

// fail notes that a condition is not met.
func (t *Tool) fail(id ConditionID, f Failure) {
	for i := range t.Conditions {
		c := &t.Conditions[i]
		if c.ID != id {
			continue
		}
		t.Qualified = t.Qualified && c.Waived
		if c.Passed = false; len(c.Failures) < maxFailures {
			c.Failures = append(c.Failures, f)
		} else if len(c.Failures) == maxFailures {
			c.Failures = append(c.Failures, Failure{Text: "there are more of this kind"})
		}
	}
}

// Refused counts the tools that are not fit.
func (r *Report) Refused() (n int) {
	for _, t := range r.Tools {
		if !t.Qualified {
			n++
		}
	}
	return n
}
