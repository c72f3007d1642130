package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/progress"
	"podium/internal/selection"
)

func newStatus(s *streams) *cobra.Command {
	var asJSON bool
	var o progress.StatusOptions
	var only string
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Print how many runs of a campaign are done",
		Example: "  podium status out/contest\n  podium status --only 'tool=lola outcome=memory' out/contest",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			log, err := c.ReadEnds(cmd.Context())
			if err != nil {
				return err
			}
			for _, d := range log.Damage {
				fmt.Fprintln(s.err, d.Error())
			}
			if o.Only, err = chosen(c, only, log); err != nil {
				return err
			}
			r := progress.NewStatus(c, log, o)
			if asJSON {
				return errors.Join(writeJSON(s.out, r), contest.CheckEdition(c))
			}
			return errors.Join(r.Write(s.out), contest.CheckEdition(c))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON document")
	cmd.Flags().BoolVar(&o.Void, "void", false, "list the void runs with their reasons")
	cmd.Flags().BoolVar(&o.Repeated, "repeated", false, "list the ends of runs that do not count, with the reasons")
	registerOnly(cmd, &only)
	return cmd
}

// registerOnly is the flag of verbs that work on some runs.
func registerOnly(cmd *cobra.Command, only *string) {
	cmd.Flags().StringVar(only, "only", "", "only the runs of a `SELECTION`, such as 'tool=lola examination=CTL* outcome=memory' (docs/selecting.md)")
}

// chosen tells which runs a selection chooses.
func chosen(c *campaign.Campaign, only string, log *campaign.Log) (func(campaign.Run) bool, error) {
	is, err := selection.Choose(c, log, only)
	if err != nil {
		return nil, usageError{err}
	}
	return is, nil
}
