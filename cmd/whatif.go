package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"podium/internal/ask"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/scoring/whatif"
)

func newWhatif(s *streams) *cobra.Command {
	before := source{}
	var (
		under                string
		changes              []string
		question             ask.Question
		text                 string
		within               string
		oneVote, sensitivity bool
	)
	cmd := &cobra.Command{
		Use:   "whatif SOURCE",
		Short: "Score again under other rules, and say what changes",
		Long: `Whatif scores the same answers twice and prints what changes: ranks, points, reference values.
Pages of a published site ask the same questions in the browser, and get the same numbers.
--change sets one parameter of the edition, as in elect.single_above=1/2, elect.tie=...,
scoring.bonus-least.within=1/20; ` + "`podium edition show ID`" + ` shows them all. --sensitivity
says which single decisions would change the podium, and what leaving out each tool would do.

` + sourceHelp,
		Example: `  podium whatif out/contest --without-tool walk
  podium whatif out/contest --change scoring.bonus-least.within=1/20
  podium whatif out/contest --kind COL --at-cpu 60s
  podium whatif raw-result-analysis-2019.csv.zip --edition mcc2019 --under mcc2016
  podium whatif out/contest --one-vote-per-family --sensitivity`,
		Args: someArgs("a campaign or a file of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			j, err := before.judged(cmd.Context(), s, args...)
			if err != nil {
				return err
			}
			first, ed := j.Result, j.Edition
			if err := addQuestion(&question, text); err != nil {
				return err
			}
			if err := question.Check(first.Contest); err != nil {
				return err
			}
			if under == "" && question.String() == "" && len(changes) == 0 && !oneVote && within == "" && !sensitivity {
				s.say("nothing was asked, so that nothing changes: ask, for example, --without-tool " + first.Contest.Tools[0].Name)
			}
			changes = append(changes, question.Changes...)
			if oneVote {
				changes = append(changes, "votes=one-per-family")
			}
			if within != "" {
				changes = append(changes, "scoring.bonus-least.within="+within)
			}
			if sensitivity {
				err := folded(s.out, func(out io.Writer) error {
					judged.WriteSensitivity(out, first, ed.Twinning())
					return nil
				})
				if err != nil {
					return err
				}
			}
			asks, after := first, before
			after.changes = changes
			switch {
			case under != "" && question.Under != "":
				return usageError{errors.New("--under and edition= of --ask name two editions: choose one")}
			case under != "":
				after.edition = under
				if j, err = after.judged(cmd.Context(), s, args...); err == nil {
					asks, ed = j.Result, j.Edition
				}
				question.Changes = nil // are in the edition
			case question.Under != "":
				question.Changes = changes
			default:
				ed, err = after.change(ed)
				question.Changes = nil
			}
			if err != nil {
				return err
			}
			second, err := question.ScoreOf(asks.Contest, first, ed)
			if err != nil {
				return err
			}
			if n := second.Contest.Untimed; n > 0 {
				s.say("it is not known when " + wording.Count(n, "run that is stopped", "runs that are stopped") + " said all values: values of unknown time do not count")
			}
			if s.asJSON {
				answer := ask.NewAnswer(first, second)
				question.Changes = changes
				answer.Question = question.String()
				return s.reply(answer)
			}
			return folded(s.out, func(out io.Writer) error { return judged.WriteComparison(out, whatif.Compare(first, second)) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&under, "under", "", "score again under this edition")
	f.StringArrayVar(&changes, "change", nil, "set a parameter of the edition: `SECTION.PARAMETER=VALUE`; may be repeated")
	f.StringSliceVar(&question.Tools, "without-tool", nil, "leave tools out")
	f.StringSliceVar(&question.Families, "without-family", nil, "leave all variants of submissions out")
	f.StringSliceVar(&question.Models, "without-model", nil, "leave models out, with all their instances")
	f.StringSliceVar(&question.Instances, "without-instance", nil, "leave instances out")
	f.StringSliceVar(&question.Kinds, "kind", nil, "keep only nets of this kind: COL or PT")
	f.StringSliceVar(&question.Classes, "class", nil, "keep only instances of this class: known, stripped or surprise")
	f.StringSliceVar(&question.Exams, "examination", nil, "keep only these examinations")
	f.StringSliceVar(&question.Values, "reference", nil, "judge only values whose reference in the contest is this `VALUE`, as TRUE")
	f.StringSliceVar(&question.Outcomes, "outcome", nil, "keep only what runs of this outcome said: answered, wrong, time-limit, memory-limit, other-limit, crash or silent")
	f.DurationVar(&question.CPU, "at-cpu", 0, "as if runs had been stopped at this CPU time: what they had said by then counts")
	f.DurationVar(&question.Wall, "at-wall", 0, "as if runs had been stopped at this wall time: what they had said by then counts")
	f.Var((*byteSize)(&question.Memory), "at-memory", "as if runs had been stopped at this `SIZE` of memory, such as 4GB: of a run that took more, no value counts")
	f.BoolVar(&question.Certified, "only-certified", false, "judge only values that a referee has proved")
	f.Func("without", "leave out values: `given`, those that what runs are given states, so that tools may have read them", func(word string) error {
		if word != ask.Given {
			return fmt.Errorf("--without leaves out %s; --without-tool, --without-model and others leave out what they name", ask.Given)
		}
		question.Untold = true
		return nil
	})
	f.StringVar(&text, "ask", "", "the `QUESTION` of a page of a site, as in its address: without-tool=walk&kind=COL")
	f.StringVar(&within, "bonus-within", "", "measurement error within which tools share a bonus, such as 1/20")
	f.BoolVar(&oneVote, "one-vote-per-family", false, "variants of one submission have one vote together")
	f.BoolVar(&sensitivity, "sensitivity", false, "say which single decisions would change the podium")
	before.register(cmd)
	registerCertified(cmd, &before.certified)
	return cmd
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
