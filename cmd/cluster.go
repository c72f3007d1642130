package cmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/cluster"
	"podium/internal/judged"
	"podium/internal/wording"
)

func newCluster(s *streams) *cobra.Command {
	cmd := group("cluster", "Run a campaign on the hosts of a Slurm cluster")
	cmd.Long = `Cluster gives every model of a campaign to one host (E-5.1) and hands Slurm jobs of one
host and some of its models each. The file cluster.yaml in the campaign's directory names partition and hosts. Slurm
may lose jobs or run them twice: submit again at any time, only what is missing is submitted.
docs/cluster.md shows the set-up.`
	cmd.Example = "  podium cluster submit campaign\n  podium cluster status campaign\n  podium cluster move campaign DiningPhilosophers --to node7"
	verb := func(use, short string, run func(ctx context.Context, cl *cluster.Cluster, args []string) error, n int, what string) *cobra.Command {
		example := "  podium cluster " + strings.NewReplacer("DIR", "campaign", "MODEL", "DiningPhilosophers", "HOST", "node7").Replace(use)
		below := &cobra.Command{Use: use, Short: short, Long: short + ".", Example: example, Args: exactArgs(n, what), RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			if err := judged.CheckEdition(c); err != nil {
				return err
			}
			cl, err := cluster.Open(c, Version(), s.say)
			if err == nil {
				err = run(cmd.Context(), cl, args)
			}
			return err
		}}
		orContest(below, n-1)
		cmd.AddCommand(below)
		return below
	}
	status := func(ctx context.Context, cl *cluster.Cluster) error {
		st, err := cl.Status(ctx)
		if err != nil {
			return err
		}
		if s.asJSON {
			return s.reply(st)
		}
		return st.Write(s.out)
	}
	doctor := func(ctx context.Context, cl *cluster.Cluster) error {
		st, err := cl.Status(ctx)
		if err != nil {
			return err
		}
		if err := s.print(clusterProblems{st.Problems}, st.WriteProblems); err != nil || len(st.Problems) == 0 {
			return err
		}
		return incompleteError{wording.Count(len(st.Problems), "problem was", "problems were") + " found"}
	}
	const dir = "the directory of a campaign"
	var history []string
	submit := verb("submit DIR", "Give every model a host, and every host a job for what is left", func(ctx context.Context, cl *cluster.Cluster, _ []string) error { return cl.Submit(ctx, history) }, 1, dir)
	submit.Flags().StringArrayVar(&history, "history", nil, "`SOURCE` of times by which models that have no host are spread: a campaign, or a file of results; may be repeated")
	verb("status DIR", "Show hosts, jobs, models and runs", func(ctx context.Context, cl *cluster.Cluster, _ []string) error { return status(ctx, cl) }, 1, dir)
	verb("cancel DIR", "End all jobs of the campaign; what they have done is kept", func(ctx context.Context, cl *cluster.Cluster, _ []string) error { return cl.Cancel(ctx) }, 1, dir)
	verb("doctor DIR", "Say what is missing or does not fit, and what to do", func(ctx context.Context, cl *cluster.Cluster, _ []string) error { return doctor(ctx, cl) }, 1, dir)
	var to string
	move := verb("move DIR MODEL --to HOST", "Do all runs of a model again on another host", func(ctx context.Context, cl *cluster.Cluster, args []string) error { return cl.Move(ctx, args[1], to) }, 2, dir+" and a model")
	move.Flags().StringVar(&to, "to", "", "`HOST` of cluster.yaml that the model is moved to")
	return cmd
}
