package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/wording"
)

func newMerge(s *streams) *cobra.Command {
	var asked reply
	cmd := &cobra.Command{
		Use:   "merge DIR COPY...",
		Short: "Take over what was done in copies of a campaign",
		Long: `Merge takes over journals, outputs and pins of copies of a campaign, such as shards of podium ship.
Copies may be merged in any order and several times, also while they are being run. Runs that were
done twice count once: the one that started first, on the computer that its model is pinned to.

` + exitCodes,
		Example: "  podium merge campaign shards/1 shards/2\n  podium status campaign",
		Args:    someArgs("the directory of a campaign, and of copies of it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError{errors.New("merge needs the directory of a campaign, and of copies of it")}
			}
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			for _, dir := range args[1:] { // before the first is taken over
				if _, err := c.OpenCopy(dir); err != nil {
					return err
				}
			}
			defer s.upkeep.hold()()
			var done mergeReply
			var lines strings.Builder
			for i, dir := range args[1:] {
				m, err := c.Merge(cmd.Context(), dir)
				if err != nil {
					if i > 0 {
						fmt.Fprintf(s.err, "only %s taken over whole: mend what is said next, and call this again\n", wording.Part(i, len(args)-1, "copies is", "copies are"))
					}
					return err
				}
				done.Copies = append(done.Copies, mergedCopy{dir, m.Journals, m.Bytes})
				fmt.Fprintf(&lines, "%s: %s, %.1f MB\n", dir, wording.Count(m.Journals, "journal with something new", "journals with something new"), float64(m.Bytes)/1e6)
			}
			log, err := c.ReadEnds(cmd.Context())
			if err != nil {
				return err
			}
			if asked.asJSON {
				done.Planned, done.Done = c.Plan.Count(), len(log.Finished)+len(log.Void)
				return asked.write(s.out, done)
			}
			fmt.Fprintf(s.out, "%s%s\n", &lines, wording.Part(len(log.Finished)+len(log.Void), c.Plan.Count(), "runs is done", "runs are done"))
			return nil
		},
	}
	asked.register(cmd)
	return cmd
}
