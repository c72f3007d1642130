package cmd

import (
	"github.com/spf13/cobra"

	"podium/internal/contest"
	"podium/scoring"
)

func newWhatif(s *streams) *cobra.Command {
	before := source{}
	var (
		under          string
		changes        []string
		leave          contest.Leave
		within         string
		oneVote, sense bool
	)
	cmd := &cobra.Command{
		Use:   "whatif SOURCE",
		Short: "Score again under other rules, and say what changes",
		Long: `Whatif scores the same answers twice and prints what changes: ranks, points, reference values.
--change sets one parameter of the edition, as in elect.single_above=1/2, elect.tie=...,
scoring.bonus-least.within=1/20; ` + "`podium check edition --show ID`" + ` shows them all. --sensitivity
says which single decisions would change the podium, and what leaving out each tool would do.

` + sourceHelp,
		Example: `  podium whatif out/contest --without-tool walk
  podium whatif out/contest --change scoring.bonus-least.within=1/20
  podium whatif raw-result-analysis-2019.csv.zip --edition mcc2019 --under mcc2016
  podium whatif out/contest --one-vote-per-family --sensitivity`,
		Args: someArgs("a campaign or a file of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			first, ed, err := before.judged(cmd.Context(), s, args...)
			if err != nil {
				return err
			}
			if err := leave.Check(first.Contest); err != nil {
				return err
			}
			if oneVote {
				changes = append(changes, "votes=one-per-family")
			}
			if within != "" {
				changes = append(changes, "scoring.bonus-least.within="+within)
			}
			if sense {
				contest.WriteSensitivity(s.out, first, ed.Twinning())
			}
			c, after := first.Contest, before
			after.changes = changes
			if under != "" {
				after.edition = under
				if c, ed, err = after.load(cmd.Context(), s, args...); err != nil {
					return err
				}
			} else if ed, err = after.change(ed); err != nil {
				return err
			}
			c = leave.From(c)
			return contest.WriteComparison(s.out, scoring.Compare(first, ed.Score(c)))
		},
	}
	f := cmd.Flags()
	f.StringVar(&under, "under", "", "another edition")
	f.StringArrayVar(&changes, "change", nil, "set a parameter of the edition: `SECTION.PARAMETER=VALUE`; may be repeated")
	f.StringSliceVar(&leave.Tools, "without-tool", nil, "leave tools out")
	f.StringSliceVar(&leave.Families, "without-family", nil, "leave all variants of submissions out")
	f.StringSliceVar(&leave.Models, "without-model", nil, "leave models out, with all their instances")
	f.StringSliceVar(&leave.Instances, "without-instance", nil, "leave instances out")
	f.StringVar(&within, "bonus-within", "", "share bonuses within this measurement error, as 1/20")
	f.BoolVar(&oneVote, "one-vote-per-family", false, "variants of one submission have one vote together")
	f.BoolVar(&sense, "sensitivity", false, "say which single decisions would change the podium")
	before.register(cmd)
	registerCertified(cmd, &before.certified)
	return cmd
}
