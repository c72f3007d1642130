package cmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"podium/internal/contest"
	"podium/internal/wording"
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
				printSensitivity(s.out, first, ed.Twinning())
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
			printComparison(s.out, scoring.Compare(first, ed.Score(c)))
			return nil
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

// mostLines bounds a listing on the terminal.
const mostLines = 40

func printComparison(out io.Writer, c *scoring.Comparison) {
	moved := 0
	category := ""
	for _, m := range c.Moves {
		if m.Category != category {
			category = m.Category
			fmt.Fprintf(out, "%s\n", category)
		}
		mark := " "
		if m.Podium() {
			mark, moved = "*", moved+1
		}
		fmt.Fprintf(out, "%s %s: rank %s -> %s, points %s -> %s\n", mark, m.Tool, rank(m.RankBefore), rank(m.RankAfter),
			m.PointsBefore.FloatString(2), m.PointsAfter.FloatString(2))
	}
	if len(c.Moves) == 0 {
		fmt.Fprintln(out, "no rank and no score changes")
	} else {
		fmt.Fprintf(out, "%s on a podium (*)\n", wording.Count(moved, "change", "changes"))
	}
	for i, r := range c.References {
		if i == mostLines {
			fmt.Fprintf(out, "and %d more reference values\n", len(c.References)-i)
			break
		}
		fmt.Fprintf(out, "%s %s %s: %s -> %s (%s -> %s)%s\n", r.Instance, r.Exam, r.Item, short(r.Before), short(r.After), r.ClauseBefore, r.ClauseAfter, proof(r))
	}
}

// proof says what a referee's certificate has to say of a changed reference.
func proof(r scoring.ReferenceChange) string {
	switch {
	case r.Refuted:
		return fmt.Sprintf("; refuted by the certificate: %s is proved", short(r.Proved))
	case r.Proved == "":
		return ""
	case r.After == "?":
		return fmt.Sprintf("; the certificate knows the value: %s is proved", short(r.Proved))
	}
	return "; proved by the certificate"
}

func rank(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func printSensitivity(out io.Writer, r *scoring.Result, twins scoring.Twinning) {
	s := r.Sense()
	fmt.Fprintln(out, "Decisions that would change the podium, closest first:")
	for _, m := range s.Margins {
		fate := "no disputed value could turn it"
		if m.Needed > 0 {
			fate = fmt.Sprintf("%d disputed values would turn it", m.Needed)
		}
		fmt.Fprintf(out, "  %s: %s is %s points ahead of %s; %s\n", m.Category, m.Ahead, m.Points.FloatString(2), m.Behind, fate)
		for i, d := range m.Decisions {
			if i == 3 {
				break
			}
			refuted := ""
			if d.Refuted {
				refuted = " (refuted by the certificate)"
			}
			fmt.Fprintf(out, "    %s %s %s: %s, otherwise %s%s, moves %s points\n", d.Instance, d.Exam, d.Item, short(d.Reference), short(d.Otherwise), refuted, d.Swing.FloatString(2))
		}
	}
	fmt.Fprintln(out, "Without each tool:")
	for _, x := range s.Removals {
		podium := 0
		for _, m := range x.Changes.Moves {
			if m.Podium() && m.Tool != x.Tool {
				podium++
			}
		}
		fmt.Fprintf(out, "  %s: %d reference values change, %d other places on podiums\n", x.Tool, len(x.Changes.References), podium)
	}
	if s.OneVotePerFamily != nil {
		fmt.Fprintf(out, "With one vote per family: %d reference values change\n", len(s.OneVotePerFamily.References))
	}
	warnings := map[scoring.Doubt]int{}
	for _, w := range r.Warnings(twins) {
		warnings[w.Doubt]++
	}
	for _, d := range []scoring.Doubt{scoring.SingleTool, scoring.OneFamily, scoring.NearMargin, scoring.Break} {
		fmt.Fprintf(out, "Reference values in doubt, %s: %d\n", d, warnings[d])
	}
	fmt.Fprintln(out)
}
