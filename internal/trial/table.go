package trial

import (
	"fmt"
	"io"
	"slices"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// mostAlike is how many findings of one kind are shown of a run.
const mostAlike = 3

// remarks prints what is to be said of the output, reasons before what follows from them, and the
// end of what was printed.
func (r *Result) remarks(out io.Writer) {
	r.Findings.ErrorsFirst()
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
}

// ended says in a line how the run ended and what it took.
func (r *Result) ended() string {
	return fmt.Sprintf("%s; %s; %s", spelt(r.Said), r.Outcome.Ended(), r.Outcome.Figures())
}

// silent reports whether a run answered none of several values: one line says all of it.
func (r *Result) silent(asked int) bool { return len(r.Answers) == 0 && asked > 1 }

// values prints the values; when there is none at all, one line.
func (r *Result) values(out io.Writer, q Question, known map[string]KnownValue) (Marks, error) {
	m := Marks{Asked: len(q.items())}
	if r.silent(m.Asked) {
		_, err := fmt.Fprintf(out, "  none of the %d values is answered: %s\n", m.Asked, r.ended())
		return m, err
	}
	w := wording.Table(out)
	for _, c := range Compare(q.Run.Exam, q.items(), slices.Values(r.Answers), known) {
		shown, at := "-", ""
		if c.Given {
			shown, at = diagnostic.ShortNumber(c.Answer.Text), fmt.Sprintf("%.3f s", float64(c.Answer.At)/1e6)
			m.Answered++
			m.unknown = m.unknown || c.Known.IsZero()
		}
		if c.Right() {
			m.Right++
		}
		if c.Wrong() {
			m.refuted.Add(diagnostic.Diagnostic{Line: c.Answer.Line, Code: "answer-wrong", Message: c.Contradiction("is right")})
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", c.Item, shown, at, c.Verdict())
	}
	m.Wrong = len(m.refuted)
	return m, w.Flush()
}
