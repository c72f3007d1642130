package cmd

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"podium/internal/ask"
	"podium/internal/judged"
	"podium/scoring/whatif"
)

func newWhatif(s *streams) *cobra.Command {
	before := source{}
	var (
		under                     string
		question                  ask.Question
		text                      string
		within                    string
		oneVote, sensitivity, all bool
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
			if under == "" && question.String() == "" && !oneVote && within == "" && !sensitivity {
				s.say("nothing was asked, so that nothing changes: ask, for example, --without-tool " + first.Contest.Tools[0].Name)
			}
			changes := question.Changes
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
				after.Edition = under
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
			if remark := untimed(second.Contest); remark != "" {
				s.say(remark)
			}
			if s.asJSON {
				answer := ask.NewAnswer(first, second)
				question.Changes = changes
				answer.Question = question.String()
				return s.reply(answer)
			}
			return folded(s.out, func(out io.Writer) error { return judged.WriteComparison(out, whatif.Compare(first, second), all) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&under, "under", "", "score again under this edition")
	registerQuestion(f, &question, &text)
	f.StringVar(&within, "bonus-within", "", "measurement error within which tools share a bonus, such as 1/20")
	f.BoolVar(&oneVote, "one-vote-per-family", false, "variants of one submission have one vote together")
	f.BoolVar(&all, "all", false, "show every reference value that changes, not the first 40")
	f.BoolVar(&sensitivity, "sensitivity", false, "say which single decisions would change the podium")
	before.register(cmd)
	registerCertified(cmd, &before.Certificate)
	return cmd
}
