package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"podium/scoring"
)

func registerCertified(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "certified", "", "certificate that podium certify wrote to `DIR` (default: the campaign's own, if it has one)")
}

// printCertainties prints every value with what was elected and what the referee
// says of it, and then how many there are of each kind.
func printCertainties(out io.Writer, r *scoring.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "value\telected\treferee\tproved")
	counts := make([][scoring.Supplied + 1]int, len(r.Contest.Exams))
	for sheet, s := range r.Contest.Sheets {
		exam := r.Contest.Exams[s.Exam].ID
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			certainty, elected := r.Certainty(sheet, v), "?"
			counts[s.Exam][certainty]++
			if ref := r.Elected(sheet, v); ref.Known() {
				elected = r.Contest.Values[ref.Answer].Text
			}
			proved, _ := r.Certified(v)
			fmt.Fprintf(w, "%s %s %s\t%s\t%s\t%s\n", r.Contest.Instances[s.Instance].Name, exam, r.Contest.Items[v], short(elected), certainty, short(proved.Text))
		}
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "examination\tproved\trefuted\tundecided\tsupplied\t")
	for i, n := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", r.Contest.Exams[i].ID, n[scoring.Proved], n[scoring.Refuted], n[scoring.Undecided], n[scoring.Supplied])
	}
	fmt.Fprintln(w)
	return w.Flush()
}
