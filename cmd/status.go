package cmd

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
)

// statusReport is what status prints with --json.
type statusReport struct {
	Campaign    string            `json:"campaign"`
	Name        string            `json:"name"`
	Edition     string            `json:"edition"`
	Planned     int               `json:"planned"`
	Finished    int               `json:"finished"`
	Void        int               `json:"void"`
	InDoubt     int               `json:"in_doubt"`
	Left        int               `json:"left"`
	Repeated    int               `json:"repeated"`
	Damaged     int               `json:"damaged_records"`
	Terminated  map[string]int    `json:"terminations"`
	VoidReasons map[string]string `json:"void_runs,omitempty"`
}

func newStatus(s *streams) *cobra.Command {
	var asJSON, void bool
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Say how far a campaign is",
		Example: "  podium status out/contest\n  podium status --json out/contest",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			log, err := c.Read(cmd.Context())
			if err != nil {
				return err
			}
			for _, d := range log.Damage {
				fmt.Fprintln(s.err, d.Error())
			}
			r := report(c, log, void)
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				return enc.Encode(r)
			}
			return printStatus(s, r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON document")
	cmd.Flags().BoolVar(&void, "void", false, "list the void runs with their reasons")
	return cmd
}

func report(c *campaign.Campaign, log *campaign.Log, void bool) statusReport {
	r := statusReport{Campaign: c.Dir, Name: c.Plan.Name, Edition: c.Plan.Edition, Planned: c.Plan.Count(), Finished: len(log.Finished),
		Void: len(log.Void), InDoubt: len(log.Doubt), Repeated: log.Repeated, Damaged: len(log.Damage), Terminated: map[string]int{}}
	r.Left = r.Planned - r.Finished - r.Void
	for _, f := range log.Finished {
		r.Terminated[string(f.Outcome.Termination)]++
	}
	if void {
		r.VoidReasons = map[string]string{}
		for run, v := range log.Void {
			r.VoidReasons[run.String()] = v.Reason
		}
	}
	return r
}

func printStatus(s *streams, r statusReport) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	line := func(what string, n int) {
		fmt.Fprintf(w, "%s\t%d\n", what, n)
	}
	fmt.Fprintf(w, "contest\t%s\nedition\t%s\n", r.Name, r.Edition)
	line("planned", r.Planned)
	line("finished", r.Finished)
	for _, word := range slices.Sorted(maps.Keys(r.Terminated)) {
		line("  ended by "+word, r.Terminated[word])
	}
	line("void", r.Void)
	line("left", r.Left)
	if r.InDoubt > 0 {
		line("in doubt (will be done again, or are under way)", r.InDoubt)
	}
	if r.Damaged > 0 {
		line("damaged records", r.Damaged)
	}
	for _, run := range slices.Sorted(maps.Keys(r.VoidReasons)) {
		fmt.Fprintf(w, "void: %s\t%s\n", run, r.VoidReasons[run])
	}
	return w.Flush()
}
