package trial

import (
	"fmt"
	"io"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// mostAlike is how many findings of one kind are shown of a run.
const mostAlike = 3

// Table prints every value that was asked for beside what is known of it, then what is
// to be said of the output and of how the run ended. alone is as in [oracle.Known.Alone].
func (r *Result) Table(out io.Writer, q Question, known map[examinations.Key]examinations.Value, alone map[string]string) (Marks, error) {
	m, err := r.values(out, q, known, alone)
	if err != nil {
		return m, err
	}
	for _, line := range r.Findings.Brief(mostAlike) {
		fmt.Fprintf(out, "  %s\n", line)
	}
	for _, line := range r.Stdout {
		fmt.Fprintf(out, "  stdout: %s\n", diagnostic.Printable(line))
	}
	if e := r.Stderr; e.Lines > 0 {
		for _, line := range e.Text() {
			fmt.Fprintf(out, "  %s\n", line)
		}
		fmt.Fprintf(out, "  %s of standard error in %s\n", wording.Count(e.Lines, "line", "lines"), e.File)
	}
	return m, nil
}

// values prints the values; when there is none at all, one line.
func (r *Result) values(out io.Writer, q Question, known map[examinations.Key]examinations.Value, alone map[string]string) (Marks, error) {
	m := Marks{Asked: len(q.Items)}
	answers := map[string]campaign.Answer{}
	for _, a := range r.Answers {
		answers[a.Item] = a
	}
	if len(answers) == 0 && m.Asked > 1 {
		_, err := fmt.Fprintf(out, "  none of the %d values is answered\n", m.Asked)
		return m, err
	}
	w := wording.Table(out)
	for _, item := range q.Items {
		a, given := answers[item]
		value := examinations.Value{Kind: q.Exam.Kind(), Text: a.Text}
		want := known[examinations.Key{Instance: q.Instance.ID, Exam: q.Exam, Item: item}]
		shown, at, verdict := "-", "", oracle.Verdict(value, want)
		if given {
			shown, at = diagnostic.ShortNumber(a.Text), fmt.Sprintf("%.3f s", float64(a.At)/1e6)
			m.Answered++
			if oracle.Refuted(value, want) > 0 {
				verdict += alone[item]
				m.refuted.Add(diagnostic.Diagnostic{Line: a.Line, Code: "answer-wrong", Message: item + " is " + shown + ", and " + diagnostic.ShortNumber(want.Text) + " is right" + alone[item]})
			}
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", item, shown, at, verdict)
		if given && value == want {
			m.Right++
		}
	}
	m.Wrong = len(m.refuted)
	return m, w.Flush()
}
