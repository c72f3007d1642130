package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/witness"
)

// printWitnesses says how many values of each tool are confirmed by witnesses, and
// names the refuted ones. It prints nothing where none were asked for.
func printWitnesses(out io.Writer, j *contest.Judged) error {
	plan := &j.Campaign.Plan
	if !plan.Witnesses {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "Witnesses\tconfirmed\tunconfirmed\trefuted")
	var refuted []string
	for _, t := range plan.Tools {
		count := map[witness.State]int{}
		for _, i := range plan.Instances {
			if j.Hidden[i.ID] {
				continue
			}
			for _, exam := range plan.Examinations {
				run := campaign.Run{Tool: t.Name, Instance: i.ID, Exam: exam}
				f := j.Log.Finished[run]
				for _, x := range f.Witnesses {
					count[x.State]++
					if x.State == witness.Refuted {
						refuted = append(refuted, fmt.Sprintf("  refuted: %s %s, %s is proved: %s", run, x.Item, x.Proved, x.Detail))
					}
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", t.Name, count[witness.Confirmed], count[witness.Unconfirmed], count[witness.Refuted])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	const most = 20
	for k, line := range refuted {
		if k == most {
			fmt.Fprintf(out, "  and %d more\n", len(refuted)-most)
			break
		}
		fmt.Fprintln(out, line)
	}
	_, err := fmt.Fprintln(out)
	return err
}

// explainWitnesses says, for a campaign, what the witnesses of each tool are worth.
func explainWitnesses(s *streams, of *contest.Judged, instance string, exam examinations.ID, item string) {
	if of == nil {
		return // a file of results has none
	}
	for _, t := range of.Campaign.Plan.Tools {
		f := of.Log.Finished[campaign.Run{Tool: t.Name, Instance: instance, Exam: exam}]
		switch w := f.Witness(item); {
		case w.Item == "":
		case w.State == witness.NotAsked:
			fmt.Fprintf(s.out, "  witness of %s: %s is proved (%s)\n", t.Name, w.Proved, w.Detail)
		default:
			fmt.Fprintf(s.out, "  witness of %s: %s (%s)\n", t.Name, w.State, w.Detail)
		}
	}
}
