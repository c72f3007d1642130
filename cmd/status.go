package cmd

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
	"podium/internal/progress"
	"podium/internal/selection"
)

func newStatus(s *streams) *cobra.Command {
	var o progress.StatusOptions
	var only string
	var watch bool
	cmd := &cobra.Command{
		Use:   "status DIR",
		Short: "Print how many runs of a campaign are done",
		Long: `Status counts the runs of a campaign: done, running, missing, void and suspicious, for each tool
and examination, lists those that are under way, and names the decisions in force. docs/status.md says
what the words mean, docs/json.md the keys of --json.

With --watch the counts are drawn again in place on a terminal. In a pipe there is one line with all counts,
and then one for each run that changes. It ends when all runs that it began with have an end.

Exit codes: 0 done, with --watch: all runs have an end, 2 usage, 3 with --watch: some runs are void,
4 invalid input, 130 interrupted.`,
		Example: `  podium status out/contest
  podium status --only 'tool=lola outcome=memory' out/contest
  podium status --watch out/contest`,
		Args: exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			if watch && s.asJSON {
				return usageError{errors.New("--watch writes text: take one of --watch and --json")}
			}
			log, err := c.ReadEnds(cmd.Context())
			if err != nil {
				return err
			}
			s.sayAll(log.Damage)
			if o.Only, err = chosen(c, only, log); err != nil {
				return err
			}
			if watch {
				r, err := progress.Watch(cmd.Context(), c, log, s.out, o)
				if err != nil {
					return err
				}
				return errors.Join(voidError(r.Void), judged.CheckEdition(c))
			}
			o.Now = time.Now()
			r, err := progress.NewStatus(c, log, o)
			if err != nil {
				return err
			}
			if s.asJSON {
				return errors.Join(s.reply(r), judged.CheckEdition(c))
			}
			if len(r.Suspicions) > 0 {
				sayStartless(s, c)
			}
			return errors.Join(r.Write(s.out), writeInForce(s.out, c.Dir), judged.CheckEdition(c))
		}),
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "show it again and again until all runs have an end")
	cmd.Flags().BoolVar(&o.Void, "void", false, "list the void runs with their reasons")
	cmd.Flags().BoolVar(&o.Suspicious, "suspicious", false, "list the suspicious runs with the reasons")
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

// writeInForce names the decisions in force: runs of tools that are withdrawn are counted, too.
func writeInForce(out io.Writer, dir string) error {
	record, err := decisions.Read(dir)
	if err != nil {
		return err
	}
	list := record.InForce()
	if len(list) == 0 {
		return nil
	}
	return folded(out, func(out io.Writer) error {
		fmt.Fprintln(out)
		for _, d := range list {
			if _, err := fmt.Fprintf(out, "decision %d: %s\n", d.Number, d.Text()); err != nil {
				return err
			}
		}
		return nil
	})
}
