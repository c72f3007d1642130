package cmd

import (
	"github.com/spf13/cobra"

	"podium/internal/forecast"
)

func newSimulate(s *streams) *cobra.Command {
	q := forecast.Question{Hosts: 1, Slots: 1, Say: s.say}
	cmd := &cobra.Command{
		Use:   "simulate SOURCE",
		Short: "Forecast what a contest will take: hours, days of hosts, disk",
		Long: `Simulate says how long a campaign will take, or how long the contest of a published file of
results would take again. A run takes as long as it took in the source or in a --history. For a run that
is in neither, a time is drawn at random from the runs that are most like it. Each model is placed on one
host (E-5.1), and the runs are played on a simulated clock, many times, each with other random times.

It prints hours and days with their spread, the worst case, the model that takes longest, what
shorter limits would save and lose, and other numbers of hosts. docs/forecast.md explains the figures.`,
		Example: `  podium simulate campaign --history raw-result-analysis.csv.zip --hosts 40 --slots 4
  podium simulate raw-result-analysis.csv.zip --models 150 --tools 20 --hosts 40 --slots 4
  podium simulate campaign --history last-year/ --limit 10m --json`,
		Args: exactArgs(1, "a campaign or a file of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Of = args[0]
			f, err := forecast.Simulate(cmd.Context(), q)
			if err != nil {
				return err
			}
			return s.print(f, f.Write)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&q.History, "history", nil, "`SOURCE` of more runs whose times are known: a campaign, or a file of results; may be repeated")
	f.IntVar(&q.Hosts, "hosts", q.Hosts, "number of hosts")
	f.IntVar(&q.Slots, "slots", q.Slots, "runs at one time on each host")
	f.IntVar(&q.Models, "models", 0, "number of models: of fewer than the source has, some are taken; of more, the others are new and like them (default: those of the source)")
	f.IntVar(&q.Tools, "tools", 0, "number of tools, likewise")
	f.DurationVar(&q.Limit, "limit", 0, "CPU time of a run (default: that of the campaign, or of the contest's edition)")
	return cmd
}
