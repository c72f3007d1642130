package cmd

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/forecast"
	"podium/internal/wording"
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
	Work        forecast.Left     `json:"work_left,omitzero"` // all runs that are left, one after the other
	Repeated    int               `json:"repeated"`           // ends that do not count: another of the run does
	Lost        int               `json:"lost_lease"`         // made under a lease that was lost
	Aside       int               `json:"set_aside"`          // made on another computer than the model's (E-5.1)
	Redone      int               `json:"redone"`             // of models that were done again on request
	Replaced    int               `json:"replaced"`           // of versions of tools that were replaced
	Further     []string          `json:"further_ends,omitempty"`
	Damaged     int               `json:"damaged_records"`
	Terminated  map[string]int    `json:"terminations"`
	VoidReasons map[string]string `json:"void_runs,omitempty"`
}

func newStatus(s *streams) *cobra.Command {
	var asJSON bool
	var list listing
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Print how many runs of a campaign are done",
		Example: "  podium status out/contest\n  podium status --json out/contest",
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
			r := report(c, log, list)
			if asJSON {
				return errors.Join(writeJSON(s.out, r), contest.CheckEdition(c))
			}
			return errors.Join(printStatus(s, r), contest.CheckEdition(c))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON document")
	cmd.Flags().BoolVar(&list.void, "void", false, "list the void runs with their reasons")
	cmd.Flags().BoolVar(&list.repeated, "repeated", false, "list the ends of runs that do not count, with the reasons")
	return cmd
}

// listing says which runs are named.
type listing struct{ void, repeated bool }

func report(c *campaign.Campaign, log *campaign.Log, list listing) statusReport {
	r := statusReport{Campaign: c.Dir, Name: c.Plan.Name, Edition: c.Plan.Edition, Planned: c.Plan.Count(), Finished: len(log.Finished),
		Void: len(log.Void), InDoubt: len(log.Doubt), Damaged: len(log.Damage), Terminated: map[string]int{}}
	r.Left = r.Planned - r.Finished - r.Void
	r.Work = forecast.Work(&c.Plan, log)
	for _, f := range log.Finished {
		r.Terminated[string(f.Outcome.Termination)]++
	}
	r.further(log, list.repeated)
	if list.void {
		r.VoidReasons = map[string]string{}
		for run, v := range log.Void {
			r.VoidReasons[run.String()] = v.Reason
		}
	}
	return r
}

// further counts the ends that do not count, and names them on demand.
func (r *statusReport) further(log *campaign.Log, named bool) {
	for run, ends := range log.Further {
		for _, f := range ends {
			switch log.Standing(f) {
			case campaign.Lost:
				r.Lost++
			case campaign.Aside:
				r.Aside++
			case campaign.Redone:
				r.Redone++
			case campaign.Replaced:
				r.Replaced++
			default:
				r.Repeated++
			}
			if named {
				r.Further = append(r.Further, fmt.Sprintf("%s, by worker %s: %s", run, f.Worker, log.Standing(f)))
			}
		}
	}
	slices.Sort(r.Further)
}

func printStatus(s *streams, r statusReport) error {
	w := wording.Table(s.out)
	line := func(what string, n int) {
		fmt.Fprintf(w, "%s\t%d\n", what, n)
	}
	some := func(what string, n int) {
		if n > 0 {
			line(what, n)
		}
	}
	fmt.Fprintf(w, "contest\t%s\nedition\t%s\n", r.Name, r.Edition)
	line("planned", r.Planned)
	line("finished", r.Finished)
	for _, word := range slices.Sorted(maps.Keys(r.Terminated)) {
		line("  ended by "+word, r.Terminated[word])
	}
	line("void", r.Void)
	line("left", r.Left)
	if work := r.Work.String(); work != "" {
		fmt.Fprintf(w, "  one after the other\t%s\n", work)
	}
	some("in doubt (will be done again, or are under way)", r.InDoubt)
	some("ended again (the end that began first counts)", r.Repeated)
	some("ended under a lost lease (does not count)", r.Lost)
	some("set aside, made on another computer (E-5.1)", r.Aside)
	some("done again on request (does not count)", r.Redone)
	some("made by versions of tools that were replaced", r.Replaced)
	some("damaged records", r.Damaged)
	for _, end := range r.Further {
		fmt.Fprintf(w, "does not count: %s\n", end)
	}
	for _, run := range slices.Sorted(maps.Keys(r.VoidReasons)) {
		fmt.Fprintf(w, "void: %s\t%s\n", run, r.VoidReasons[run])
	}
	return w.Flush()
}
