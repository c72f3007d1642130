package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newShardMerge(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge DIR COPY...",
		Short: "Take over what was done in copies of a campaign",
		Long: `Merge takes over journals, outputs and pins of copies of a campaign, such as shards of podium shard make.
Copies may be merged in any order and several times, also while they are being run. Runs that were
done twice count once: the one that started first, on the computer that its model is pinned to.

A shard may report only on the models that it was given, and outputs have to have the digests that
journals give. What a copy says beyond that, or what is damaged in it, is refused with file and reason
(exit code 4) and set aside in DIR/refused; the rest of the copy is taken over. A copy that is whole mends
what is damaged in DIR. Exit code 3 says that outputs of runs are still missing.`,
		Example: "  podium shard merge campaign shards/1 shards/2\n  podium status campaign",
		Args:    someArgs("the directory of a campaign, and of copies of it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError{errors.New("shard merge needs the directory of a campaign, and of copies of it")}
			}
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			for _, dir := range args[1:] { // before the first is taken over
				if _, err := c.OpenCopy(dir); err != nil {
					fmt.Fprintln(s.err, "nothing is merged before all copies can be read")
					return err
				}
			}
			defer s.upkeep.hold()()
			var done shardMergeReply
			var lines strings.Builder
			var refused diagnostic.List
			whole := 0
			partly := func() {
				if whole > 0 {
					fmt.Fprintf(s.err, "only %s taken over whole: mend what is said next, and call this again\n", wording.Part(whole, len(args)-1, "copies is", "copies are"))
				}
			}
			for _, dir := range args[1:] {
				m, err := c.Merge(cmd.Context(), dir)
				var foreign diagnostic.List
				if errors.As(err, &foreign) {
					m.Refused = append(m.Refused, foreign...)
				} else if err != nil {
					partly()
					return err
				}
				if len(m.Refused) == 0 {
					whole++
				}
				refused = append(refused, m.Refused...)
				done.Copies = append(done.Copies, mergedCopy{dir, m.Journals, m.Bytes, m.Mended, findingsOf(m.Refused)})
				fmt.Fprintf(&lines, "%s: %s, %.1f MB", dir, wording.Count(m.Journals, "journal with something new", "journals with something new"), float64(m.Bytes)/1e6)
				if m.Mended > 0 {
					fmt.Fprintf(&lines, ", %s mended", wording.Count(m.Mended, "output that was damaged here is", "outputs that were damaged here are"))
				}
				if n := len(m.Refused); n > 0 {
					fmt.Fprintf(&lines, ", %s", wording.Count(n, "error", "errors"))
				}
				lines.WriteByte('\n')
			}
			log, err := c.ReadEnds(cmd.Context())
			if err != nil {
				return errors.Join(err, refused.Err())
			}
			done.Planned, done.Done = c.Plan.Count(), len(log.Finished)+len(log.Void)
			out := s.out
			if len(refused) > 0 {
				out = s.err
			}
			if s.asJSON {
				if err := s.reply(done); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(out, "%s%s\n", &lines, wording.Part(done.Done, done.Planned, "runs is done", "runs are done"))
			}
			if len(refused) > 0 {
				partly()
				return refused
			}
			if shard, err := c.Shard(); err != nil || shard != nil {
				return err // a shard lacks the outputs of what was done before
			}
			if n := log.WithoutOutputs(); n > 0 {
				return incompleteError{fmt.Sprintf("the outputs of %s are not here: copies that are made during a run may lack them; copy them again and merge them before you remove them", wording.Part(n, done.Done, "runs", "runs"))}
			}
			return nil
		},
	}
	return cmd
}
