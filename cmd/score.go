package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/publish"
	"podium/internal/witness"
	"podium/scoring"
)

func newScore(s *streams) *cobra.Command {
	o := contest.Options{Brief: true}
	cmd := &cobra.Command{
		Use:   "score DIR",
		Short: "Compute reference values and scores, and print the podium",
		Long: `Score computes everything from the journal of the campaign, under its own edition or another,
and prints the podium. It changes nothing; ` + "`podium publish`" + ` writes pages and CSV files.

--certified prints before it every elected value, and what the referee of ` + "`podium certify`" + ` says
of it: proved, refuted or undecided, or supplied where nothing was elected. The elected value
decides scores unless the edition says certified: {fn: overrides}.

` + exitCodes,
		Example: `  podium score out/contest
  podium score --edition mcc2016 out/contest
  podium certify out/contest && podium score --certified out/contest`,
		Args: exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			if o.Certificate == ownCertificate {
				o.Certificate = contest.CertifiedDir(c)
			}
			judged, err := judge(cmd.Context(), s, c, o)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("certified") {
				if err := printCertainties(s.out, judged.Result); err != nil {
					return err
				}
			}
			if err := printWitnesses(s.out, judged); err != nil {
				return err
			}
			return publish.Summary(s.out, view(judged), width(s.out))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	f.StringVar(&o.Certificate, "certified", "", "show what is proved, by the campaign's own certificate or that in `DIR`")
	f.Lookup("certified").NoOptDefVal = ownCertificate
	return cmd
}

// judge judges a campaign now; remarks go to standard error.
func judge(ctx context.Context, s *streams, c *campaign.Campaign, o contest.Options) (*contest.Judged, error) {
	defer frugally()()
	o.Now, o.Say = time.Now(), s.say
	return contest.Judge(ctx, c, o)
}

// view shows a judged campaign as pages do.
func view(j *contest.Judged) *publish.Contest {
	defer frugally()()
	return j.View()
}

// width is how many columns a terminal has; 0 for a file or a pipe.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 0
}

// ownCertificate stands for the certificate that a campaign keeps itself.
const ownCertificate = "own"

// frugally begins to collect garbage a little more often, at a small price, until
// the function that it gives is called: millions of answers stay in memory to the
// end.
func frugally() (end func()) {
	before := debug.SetGCPercent(70)
	return func() { debug.SetGCPercent(before) }
}

// printCertainties prints every value with what was elected and what the referee
// says of it, and then how many there are of each kind.
func printCertainties(out io.Writer, r *scoring.Result) error {
	w := table(out)
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
	w = numbers(out)
	fmt.Fprintln(w, "examination\tproved\trefuted\tundecided\tsupplied\t")
	for i, n := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", r.Contest.Exams[i].ID, n[scoring.Proved], n[scoring.Refuted], n[scoring.Undecided], n[scoring.Supplied])
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// printWitnesses says how many values of each tool are confirmed by witnesses, and
// names the refuted ones. It prints nothing where none were asked for.
func printWitnesses(out io.Writer, j *contest.Judged) error {
	plan := &j.Campaign.Plan
	if !plan.Witnesses {
		return nil
	}
	w := table(out)
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
