package cmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/judged"
	"podium/internal/wording"
)

func newContest(s *streams) *cobra.Command {
	o, r := newPlanOptions(), &runOptions{}
	o.CPU, o.Memory, o.laptop, o.Rehearsal = 60*time.Second, 2e9, true, true
	out := defaultCampaign
	cmd := &cobra.Command{
		Use:   "contest",
		Short: "Run a whole contest: plan, run, score and publish",
		Long: `Contest runs every tool on every examination of every instance, each run in a fresh
machine, and publishes who won and why in DIR/published/index.html. Without flags it takes the
built-in tools and models. Called again it goes on where it stopped.

Its limits are those of a laptop: 60 s of CPU time and 2 GB a run. For a contest that counts use
podium plan and podium run, which take the limits of the edition.`,
		Example: `  podium contest
  podium contest --models models/ --tools tools/ --cpu 10s
  podium contest --models AirplaneLD-PT-0010.tgz --tools mytool/ --tools builtin --out trial`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(o.Benchmarks) > 0 { // whose limits count before those of a laptop
				if !cmd.Flags().Changed("cpu") {
					o.CPU = 0
				}
				if !cmd.Flags().Changed("memory") {
					o.Memory = 0
				}
			}
			o.threads = r.threads
			c, fresh, err := o.prepare(cmd.Context(), s, out)
			if err != nil {
				return err
			}
			if fresh {
				p := &c.Plan
				fmt.Fprintf(s.err, "%s x %s x %s = %s\n", wording.Count(len(p.Tools), "tool", "tools"), wording.Count(len(p.Instances), "instance", "instances"),
					wording.Count(len(p.Examinations), "examination", "examinations"), wording.Count(p.Count(), "run", "runs"))
			}
			failure := work(cmd.Context(), s, c, r)
			if code := exitCode(cmd.Context(), failure); code != ExitDone && code != ExitIncomplete {
				return failure
			}
			if err := (&publishing{source: source{Options: judged.Options{WithoutEmbargoed: true}}}).publishCampaign(cmd.Context(), s, c); err != nil {
				return err
			}
			return failure
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", out, "directory of the campaign")
	o.register(cmd)
	r.register(cmd)
	return cmd
}
