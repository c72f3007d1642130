package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/regression"
	"podium/internal/wording"
)

func newTest(s *streams) *cobra.Command {
	o, r := newTrialOptions(), &runOptions{lease: campaign.DefaultLease}
	out, known, file, accept := filepath.Join("out", "test"), "", "", false
	cmd := &cobra.Command{
		Use:   "test TOOL --models DIR --oracle DIR",
		Short: "Test a tool on many instances: what is worse than before?",
		Long: `Test runs a tool on all instances, as a contest would, and compares its answers with known values.
It says what is worse than before: a value is wrong, a value is not answered that was right before,
or a run crashes. What is right is remembered in a file, the baseline, for the next time; nothing is
forgotten until --accept, which takes the results as they are now. Faults fail until then.

` + threeCommands + `

In --out it writes index.html, junit.xml, the runs and, without --baseline, baseline.txt. It goes on
after an interruption; runs whose tool, instances and limits have not changed are not repeated.

Exit codes: 0 nothing is worse, 2 usage, 3 something is worse, or runs could not be done, 4 invalid
input, 5 the host cannot run machines, 130 interrupted and resumable.`,
		Example: "  podium test mytool/ --models INPUTS/ --oracle oracle/ --baseline mytool/baseline.txt\n  podium test mytool/ --models INPUTS/ --oracle oracle/ -x StateSpace,UpperBounds --cpu 20s",
		Args:    exactArgs(1, "a tool directory, or the name of a built-in tool"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if known == "" || len(o.Models) == 0 {
				return usageError{errors.New("test needs --models, the instances, and --oracle, their known values")}
			}
			if file == "" {
				file = filepath.Join(out, "baseline.txt")
			}
			o.threads = r.threads
			p := regression.Plan{Dir: out, Named: args[0], Campaign: o.options(s)}
			if p.Before, err = regression.ReadBaseline(file); err != nil {
				return err
			}
			if p.Known, err = oracle.Open(known); err != nil {
				return err
			}
			if p.Tool, err = openTool(args[0], filepath.Join(out, "tools"), o.Driver); err != nil {
				return err
			}
			instances, err := s.open(o.Models...)
			if err != nil {
				return err
			}
			p.Run = func(c *campaign.Campaign) (*campaign.Log, error) { return workOn(cmd.Context(), s, c, r) }
			report, err := p.Do(cmd.Context(), instances.Instances)
			if err != nil {
				return err
			}
			if err := errors.Join(report.Write(out), p.Before.Learn(report, accept).Write(file)); err != nil {
				return err
			}
			if err := s.print(testReply{report, report.Worse(), report.Undone()}, report.WriteText); err != nil {
				return err
			}
			fmt.Fprintf(s.err, "report: %s\n", filepath.Join(out, regression.PageFile))
			switch blame := report.Blame(); {
			case accept:
				s.say("accepted: " + file + " has the results as they are now")
			case blame != "":
				return incompleteError{blame + "; --accept takes the results as they are now"}
			}
			if n := report.Undone(); n > 0 {
				return incompleteError{wording.Count(n, "run could not be done", "runs could not be done")}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", out, "directory of the report and the runs")
	registerOracle(f, &known)
	f.StringVar(&file, "baseline", "", "`FILE` of what was right before (default: baseline.txt in --out)")
	f.BoolVar(&accept, "accept", false, "take the results as they are now for the next time; nothing that is worse fails")
	f.StringArrayVarP(&o.Models, "models", "m", nil, "`PATH` of an instance directory, an archive, a net, or a directory of instances; may be repeated")
	o.registerRules(f)
	registerAll(f, &o.Everything)
	f.IntVarP(&r.jobs, "cores-used", "j", 0, "cores of this host that all runs use together (default: all)")
	registerShareThreads(f, &r.threads)
	f.BoolVarP(&r.quiet, "quiet", "q", false, "print no progress")
	return cmd
}
