package cmd

import (
	"fmt"

	"github.com/spf13/pflag"

	"podium/internal/ask"
	"podium/internal/wording"
	"podium/scoring"
)

// registerQuestion is the flags of a question to results; text is that of --ask.
func registerQuestion(f *pflag.FlagSet, q *ask.Question, text *string) {
	f.StringArrayVar(&q.Changes, "change", nil, "set a parameter of the edition: `SECTION.PARAMETER=VALUE`; may be repeated")
	f.StringSliceVar(&q.Tools, "without-tool", nil, "leave tools out")
	f.StringSliceVar(&q.Families, "without-family", nil, "leave all variants of submissions out")
	f.StringSliceVar(&q.Models, "without-model", nil, "leave models out, with all their instances")
	f.StringSliceVar(&q.Instances, "without-instance", nil, "leave instances out")
	f.StringSliceVar(&q.Kinds, "kind", nil, "keep only nets of this kind: COL or PT")
	f.StringSliceVar(&q.Classes, "class", nil, "keep only instances of this class: known, stripped or surprise")
	f.StringSliceVar(&q.Exams, "examination", nil, "keep only these examinations")
	f.StringSliceVar(&q.Values, "reference", nil, "judge only values whose reference in the contest is this `VALUE`, as TRUE")
	f.StringSliceVar(&q.Outcomes, "outcome", nil, "keep only what runs of this outcome said: answered, wrong, time-limit, memory-limit, other-limit, crash or silent")
	f.DurationVar(&q.CPU, "at-cpu", 0, "as if runs had been stopped at this CPU time: what they had said by then counts")
	f.DurationVar(&q.Wall, "at-wall", 0, "as if runs had been stopped at this wall time: what they had said by then counts")
	f.Var((*byteSize)(&q.Memory), "at-memory", "as if runs had been stopped at this `SIZE` of memory, such as 4GB: of a run that took more, no value counts")
	f.BoolVar(&q.Certified, "only-certified", false, "judge only values that a referee has proved")
	f.Func("without", "leave out values: `given`, those that what runs are given states, so that tools may have read them", func(word string) error {
		if word != ask.Given {
			return fmt.Errorf("--without leaves out %s; --without-tool, --without-model and others leave out what they name", ask.Given)
		}
		q.Untold = true
		return nil
	})
	f.StringVar(text, "ask", "", "the `QUESTION` of a page of a site, as in its address: without-tool=walk&kind=COL")
}

// addQuestion adds the question of an address to that of flags.
func addQuestion(q *ask.Question, text string) error {
	more, err := ask.Parse(text)
	if err != nil {
		return usageError{err}
	}
	q.Add(more)
	return nil
}

// untimed says of which answers it is not known whether they came in time; empty where there are none.
func untimed(c *scoring.Contest) string {
	if c.Untimed == 0 {
		return ""
	}
	return "it is not known when " + wording.Count(c.Untimed, "run that is stopped", "runs that are stopped") + " said all values: values of unknown time do not count"
}
