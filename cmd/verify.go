package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/contest"
	"podium/internal/results"
	"podium/internal/wording"
)

func newVerify(s *streams) *cobra.Command {
	o := source{}
	cmd := &cobra.Command{
		Use:   "verify FILE --edition ID",
		Short: "Recompute a published result file and compare every cell",
		Long: `Verify reads raw-result-analysis.csv (plain, .zip, .gz or .tar.gz), judges its answers and
measurements under an edition, and counts per column how many cells agree and deviate; the first
deviations are shown.

Faults of the file itself come first, with their lines: cut rows, two rows of one run and, as a
warning, missing rows.

Exit codes: 0 no cell deviates, 2 usage, 3 some deviate, 4 the file is damaged or cannot be read.`,
		Example: "  podium verify --edition mcc2019 raw-result-analysis-2019.csv.zip",
		Args:    exactArgs(1, "a published result file"),
		RunE: func(_ *cobra.Command, args []string) error {
			ed, err := o.loadEdition("")
			if err != nil {
				return err
			}
			p, err := o.participants()
			if err != nil {
				return err
			}
			name, in, err := contest.OpenResults(args[0])
			if err != nil {
				return err
			}
			t, found := results.ReadTable(name, in)
			if err := sayWarnings(s, found); err != nil {
				return err
			}
			report, found := results.Verify(t, ed, p)
			if err := sayWarnings(s, found); err != nil {
				return err
			}
			if err := contest.CheckTools(report.Result.Contest, o.outOfCompetition); err != nil {
				return err
			}
			if err := report.WriteText(s.out); err != nil {
				return err
			}
			if n := report.Deviations(); n > 0 {
				return incompleteError{fmt.Sprintf("%s from edition %s", wording.Count(n, "cell deviates", "cells deviate"), ed.ID)}
			}
			return nil
		},
	}
	o.register(cmd)
	return cmd
}
