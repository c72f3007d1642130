package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/internal/placement"
	"podium/internal/wording"
)

func newShard(s *streams) *cobra.Command {
	return group("shard", "Divide a campaign for computers that share no file system", orContest(newShardMake(s)), newShardMerge(s))
}

func newShardMake(s *streams) *cobra.Command {
	var shards, slots int
	var out string
	var history []string
	cmd := &cobra.Command{
		Use:   "make DIR --shards N --out DIR",
		Short: "Make copies of a campaign, each with some of its models",
		Long: `Shard make writes copies of a campaign, out/1 to out/N, each with the inputs of some models: all runs of a
model are done on one computer (E-5.1). Copy each to a computer, call podium run there, copy it back,
and podium shard merge takes over what was done. Models are spread so that all shards are expected to take
equally long; --history says how long runs take.`,
		Example: "  podium shard make campaign --shards 4 --out shards\n  podium shard merge campaign shards/1 shards/2 shards/3 shards/4",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			if err := judged.CheckEdition(c); err != nil {
				return err
			}
			models := len(c.Plan.Units())
			switch {
			case out == "":
				return usageError{errors.New("shard make needs --out, the directory for the shards")}
			case shards < 1 || shards > models:
				return usageError{fmt.Errorf("--shards %d: a number from 1 to %d, the number of models, is possible: all runs of a model are done on one computer", shards, models)}
			case slots < 1:
				return usageError{fmt.Errorf("--slots %d: a number of at least 1 is possible", slots)}
			}
			units, err := forecast.Units(cmd.Context(), &c.Plan, history, s.say)
			if err != nil {
				return err
			}
			placed, err := placement.Place(forecast.Equal(shards, slots), units, c.Plan.Seed)
			if err != nil {
				return err
			}
			var written shardMakeReply
			t := wording.Table(s.out)
			fmt.Fprintln(t, "shard\tmodels\truns")
			for host, queue := range placed.Queue {
				var names []string
				runs := 0
				for _, unit := range queue {
					names, runs = append(names, placed.Units[unit].Name), runs+len(placed.Units[unit].Runs)
				}
				dir := filepath.Join(out, strconv.Itoa(host+1))
				if err := c.Ship(cmd.Context(), dir, names); errors.Is(err, fs.ErrExist) {
					return usageError{fmt.Errorf("%s is there already: name another --out, or remove it when it was merged", dir)}
				} else if err != nil {
					return err
				}
				fmt.Fprintf(t, "%s\t%d\t%d\n", dir, len(names), runs)
				written.Shards = append(written.Shards, writtenShard{dir, names, runs})
			}
			if s.asJSON {
				return s.reply(written)
			}
			return t.Flush()
		}),
	}
	f := cmd.Flags()
	f.IntVar(&shards, "shards", 0, "number of copies")
	f.IntVar(&slots, "slots", 1, "runs at one time on a computer")
	f.StringVarP(&out, "out", "o", "", "directory in which the shards are made, as 1 to N")
	f.StringArrayVar(&history, "history", nil, "`SOURCE` of times: a campaign or a file of results; may be repeated")
	return cmd
}
