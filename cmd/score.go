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

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/edition"
	"podium/internal/publish"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

func newScore(s *streams) *cobra.Command {
	o := judgement{}
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
			if o.certified == ownCertificate {
				o.certified = certifiedDir(c)
			}
			judged, err := score(cmd.Context(), s, c, o)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("certified") {
				if err := printCertainties(s.out, judged.result); err != nil {
					return err
				}
			}
			if err := printWitnesses(s.out, judged); err != nil {
				return err
			}
			return publish.Summary(s.out, judged.view(), width(s.out))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.edition, "edition", "e", "", "score under this edition instead of the campaign's")
	f.StringVar(&o.certified, "certified", "", "show what is proved, by the campaign's own certificate or that in `DIR`")
	f.Lookup("certified").NoOptDefVal = ownCertificate
	return cmd
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

// judgement says how a campaign is judged.
type judgement struct {
	edition   string // empty: the campaign's own
	certified string // where the certificate is; empty: the campaign's own, if it has one

	withoutEmbargoed bool // leave out models that may not be named yet
}

// scored is a campaign with its judgement.
type scored struct {
	campaign *campaign.Campaign
	log      *campaign.Log
	edition  *edition.Edition
	result   *scoring.Result
	proofs   *certificate    // nil without a referee
	hidden   map[string]bool // instances that are left out

	accounts *publish.Accounts
	lists    map[string][]string // of techniques: millions of answers share few
}

// score judges what the journal holds.
func score(ctx context.Context, s *streams, c *campaign.Campaign, by judgement) (*scored, error) {
	ed, err := editionOf(c, by.edition)
	if err != nil {
		return nil, err
	}
	defer frugally()()
	log, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range log.Damage {
		fmt.Fprintln(s.err, d.Error())
	}
	contest, err := contestOf(c, log, ed)
	if err != nil {
		return nil, err
	}
	proofs, err := certificateOf(s, c, by.certified)
	if err != nil {
		return nil, err
	}
	if proofs != nil {
		contest = contest.WithCertified(proofs.values)
	}
	hidden := map[string]bool{}
	if by.withoutEmbargoed {
		hidden = embargoed(c, time.Now())
		contest = contest.Without(nil, func(i *scoring.Instance) bool { return hidden[i.Name] })
	}
	result := ed.Score(contest)
	return &scored{campaign: c, log: log, edition: ed, result: result, proofs: proofs, hidden: hidden,
		accounts: publish.NewAccounts(result), lists: map[string][]string{}}, ctx.Err()
}

// frugally begins to collect garbage a little more often, at a small price, until
// the function that it gives is called: millions of answers stay in memory to the
// end.
func frugally() (end func()) {
	before := debug.SetGCPercent(70)
	return func() { debug.SetGCPercent(before) }
}

// contestOf brings the journal into the form that is judged.
func contestOf(c *campaign.Campaign, log *campaign.Log, ed *edition.Edition) (*scoring.Contest, error) {
	b := ed.Builder()
	has := func(exam examinations.ID) bool { _, ok := ed.Examination(exam); return ok }
	for _, t := range c.Plan.Tools {
		b.Tool(scoring.Tool{Name: t.Name, Family: t.Family})
	}
	for _, i := range c.Plan.Instances {
		class, err := models.ParseClass(i.Class)
		if err != nil {
			return nil, err
		}
		b.Instance(i.ID, class)
		for _, exam := range c.Plan.Examinations {
			if !has(exam) {
				continue
			}
			if err := b.Declare(i.ID, exam, examinations.Ranked(i.Items(exam))...); err != nil {
				return nil, err
			}
		}
	}
	for run, v := range log.Void {
		if has(run.Exam) {
			if err := b.Add(scoring.Entry{Tool: run.Tool, Instance: run.Instance, Exam: run.Exam,
				Run: scoring.Run{Participation: scoring.Void, CPU: scoring.Unmeasured, Wall: scoring.Unmeasured, Memory: scoring.Unmeasured, Source: v.Reason}}); err != nil {
				return nil, err
			}
		}
	}
	for run, f := range log.Finished {
		if has(run.Exam) {
			if err := b.Add(entryOf(run, f)); err != nil {
				return nil, err
			}
		}
	}
	return b.Contest(), nil
}

func entryOf(run campaign.Run, f campaign.Finished) scoring.Entry {
	e := scoring.Entry{Tool: run.Tool, Instance: run.Instance, Exam: run.Exam, Run: scoring.Run{
		Participation: participation(f), CPU: f.Outcome.CPUTime.Microseconds(), Wall: f.Outcome.WallTime.Microseconds(),
		Memory: f.Outcome.MemoryPeak, Source: f.Worker + " " + run.String(),
	}}
	if !f.Outcome.Measures(vm.Times) {
		e.CPU, e.Wall = scoring.Unmeasured, scoring.Unmeasured
	}
	if !f.Outcome.Measures(vm.Memory) {
		e.Memory = scoring.Unmeasured
	}
	e.Answers = make([]scoring.AnsweredValue, 0, len(f.Answers))
	for _, a := range f.Answers {
		e.Answers = append(e.Answers, scoring.AnsweredValue{Item: a.Item, Value: examinations.Value{Kind: run.Exam.Kind(), Text: a.Text},
			Witness: witnessState(f.Witness(a.Item).State)})
	}
	return e
}

// participation is what became of a run as a whole (E-1.7).
func participation(f campaign.Finished) scoring.Participation {
	switch {
	case f.Participation == examinations.Answered:
		return scoring.Answered
	case f.Participation == examinations.DoesNotCompete:
		return scoring.DoNotCompete
	case f.Participation == examinations.CannotCompute:
		return scoring.CannotCompute
	case f.Outcome.Termination == vm.OutOfCPU || f.Outcome.Termination == vm.OutOfTime:
		return scoring.OutOfTime
	}
	return scoring.CannotCompute
}
