package regression

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/trial"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Report is what a test of a tool found.
type Report struct {
	Tool    string `json:"tool"`
	Version string `json:"version"`
	Edition string `json:"edition"`
	Cases   []Case `json:"cases"`
}

// Case is one examination of one instance.
type Case struct {
	Instance string          `json:"instance"`
	Exam     examinations.ID `json:"examination"`
	Known    int             `json:"known"` // values
	Right    int             `json:"right"`
	Gained   int             `json:"gained"` // values that are right and were not before
	Wrong    int             `json:"wrong"`
	Worse    []string        `json:"reasons"`          // what is worse than before, or a fault that is not accepted, a sentence each
	Undone   string          `json:"no_run,omitempty"` // why there is no run to judge
	Repeat   string          `json:"repeat"`           // the command that shows the run again

	result trial.Result    // of the run, without its answers
	fell   bool            // a value was right before, and is not now
	states map[place]state // of each known value and of the run; empty: neither right nor a fault
}

// Name is the name of the case.
func (c *Case) Name() string { return c.Instance + " " + string(c.Exam) }

// maxNamed bounds the values that a sentence names.
const maxNamed = 4

// lose says which values were right before and are not answered now.
func (c *Case) lose(items []string) {
	if len(items) == 0 {
		return
	}
	slices.Sort(items)
	c.fell = true
	c.Worse = append(c.Worse, wording.Count(len(items), "value is not answered that was", "values are not answered that were")+" right before: "+wording.Few(items, maxNamed))
}

// Worse counts the cases in which something is worse than before, or a fault is not accepted.
func (r *Report) Worse() (n int) {
	for i := range r.Cases {
		if len(r.Cases[i].Worse) > 0 {
			n++
		}
	}
	return n
}

// Blame says how many cases are worse than before, and how many others have faults that are not
// accepted; it is empty when there are none.
func (r *Report) Blame() string {
	fell := 0
	for i := range r.Cases {
		if r.Cases[i].fell {
			fell++
		}
	}
	var all []string
	if fell > 0 {
		all = append(all, wording.Part(fell, len(r.Cases), "examinations is worse than before", "examinations are worse than before"))
	}
	if faulty := r.Worse() - fell; faulty > 0 {
		all = append(all, wording.Part(faulty, len(r.Cases), "examinations has a wrong value or a failed run that is not accepted", "examinations have wrong values or failed runs that are not accepted"))
	}
	return strings.Join(all, "; ")
}

// Undone counts the cases whose run could not be done.
func (r *Report) Undone() (n int) {
	for i := range r.Cases {
		if r.Cases[i].Undone != "" {
			n++
		}
	}
	return n
}

// Counts says in a sentence what the runs gave.
func (r *Report) Counts() string {
	var known, right, wrong, gained int
	for i := range r.Cases {
		c := &r.Cases[i]
		known, right, wrong, gained = known+c.Known, right+c.Right, wrong+c.Wrong, gained+c.Gained
	}
	return fmt.Sprintf("%s, %s: %d right (%d of them for the first time), %d wrong, %d not answered",
		wording.Count(len(r.Cases), "examination of an instance", "examinations of instances"), wording.Count(known, "known value", "known values"), right, gained, wrong, known-right-wrong)
}

// WriteText writes what fails the test, and counts of all.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i := range r.Cases {
		c := &r.Cases[i]
		if len(c.Worse) == 0 && c.Undone == "" {
			continue
		}
		fmt.Fprintln(&b, c.Name())
		for _, line := range c.Worse {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		if c.Undone != "" {
			fmt.Fprintf(&b, "  %s\n", c.Undone)
		}
		fmt.Fprintf(&b, "  repeat it: %s\n", c.Repeat)
	}
	fmt.Fprintln(&b, r.Counts())
	_, err := io.WriteString(diagnostic.NewTerminal(w), b.String())
	return err
}
