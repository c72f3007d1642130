package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"podium/internal/ask"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/progress"
	"podium/internal/publish"
)

func newScore(s *streams) *cobra.Command {
	o, provisional := source{Options: judged.Options{Brief: true}}, false
	cmd := &cobra.Command{
		Use:   "score SOURCE...",
		Short: "Compute reference values and scores, and print the podium",
		Long: `Score computes everything from the journal of a campaign, under its own edition or another, or
from files of results, and prints the podium. It changes nothing; ` + "`podium publish`" + ` writes pages and CSV files.

--certified DIR takes the certificate that ` + "`podium prove`" + ` wrote to DIR, as it does for publish, serve,
explain, export and whatif; without it, that of the campaign is taken, if it has one. With
--certified, also without a DIR, score first prints every elected value, and what the referee says
of it: proved, refuted or undecided, or supplied where nothing was elected. The elected value
decides scores unless the edition says certified: {fn: overrides}.

--provisional prints the scores of a campaign that is still running: the points of each tool so
far, the least and the greatest final points for every way in which the missing runs can end, and
the places of the podium that are decided already.

` + sourceHelp + `

Exit codes: 0 done, also while runs are missing, 1 internal failure, 2 usage, 4 invalid input, 6 the campaign was made
with another edition, 130 interrupted.`,
		Example: `  podium score out/contest
  podium score --edition svcomp2019 results/*.xml.bz2
  podium score --edition mcc2016 out/contest
  podium score --provisional out/contest
  podium prove out/contest && podium score --certified out/contest`,
		Args: someArgs("a campaign or files of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 && o.Certificate == ownCertificate { // --certified may stand alone, so that its DIR comes among the sources
				if at := slices.IndexFunc(args, judged.IsCertificate); at >= 0 {
					o.Certificate, args = args[at], slices.Delete(slices.Clone(args), at, at+1)
				}
			}
			if ofFiles, err := o.ofFiles(s, args); ofFiles != nil || err != nil {
				if err == nil && provisional {
					err = usageError{errors.New("--provisional needs a campaign: files of results do not say which runs are missing")}
				}
				if err == nil && s.asJSON {
					return s.reply(ask.NewScores(ofFiles.Result, ofFiles.Edition))
				}
				return summarise(s, ofFiles, err)
			}
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			if o.Certificate == ownCertificate {
				o.Certificate = judged.CertifiedDir(c)
			}
			j, err := judge(cmd.Context(), s, c, o.Options)
			if err != nil {
				return err
			}
			if s.asJSON {
				document := scoreReply{Scores: ask.NewScores(j.Result, j.Edition)}
				if provisional {
					p := j.Provisional()
					document.Missing, document.Ranges = &p.Missing, p.Boards
				}
				return s.reply(document)
			}
			if cmd.Flags().Changed("certified") {
				if err := judged.WriteCertainties(s.out, j.Result); err != nil {
					return err
				}
			}
			if err := j.WriteWitnesses(s.out); err != nil {
				return err
			}
			if provisional {
				return j.WriteProvisional(s.out)
			}
			return publish.Summary(s.out, view(j), width(s.out))
		},
	}
	o.registerFiles(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	f.StringVar(&o.Certificate, "certified", "", "print what is proved by the certificate in `DIR`; without DIR, by the campaign's own")
	f.BoolVar(&provisional, "provisional", false, "print ranges of the final points while runs are missing")
	f.Lookup("certified").NoOptDefVal = ownCertificate
	return cmd
}

// summarise prints the podium of a contest that was read from files.
func summarise(s *streams, f *judged.Files, err error) error {
	if err != nil {
		return err
	}
	if f.Proofs != nil {
		if err := judged.WriteCertainties(s.out, f.Result); err != nil {
			return err
		}
	}
	return publish.Summary(s.out, publish.OfFiles(f), width(s.out))
}

// judge judges a campaign now; remarks go to standard error.
func judge(ctx context.Context, s *streams, c *campaign.Campaign, o judged.Options) (*judged.Campaign, error) {
	defer frugally()()
	o.Now, o.Say = time.Now(), s.say
	return judged.Judge(ctx, c, o)
}

// view shows a judged campaign as pages do.
func view(j *judged.Campaign) *publish.Contest {
	defer frugally()()
	return publish.Of(j)
}

// width is how many columns a terminal has: as it says itself, or the variable COLUMNS, or as
// many as most have; 0 for a file or a pipe.
func width(w io.Writer) int {
	screen := progress.Screen(w)
	if screen == nil {
		return 0
	}
	if columns, _, err := term.GetSize(int(screen.Fd())); err == nil && columns > 0 {
		return columns
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	return 80
}

// ownCertificate stands for the certificate that a campaign keeps itself.
const ownCertificate = "own"

// frugally begins to collect garbage a little more often, at a small price, until
// the function that it returns is called: millions of answers stay in memory to the
// end.
func frugally() (end func()) {
	before := debug.SetGCPercent(70)
	return func() { debug.SetGCPercent(before) }
}
