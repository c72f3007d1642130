package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/modelfiles"
	"podium/internal/planning"
	"podium/internal/qualify"
	"podium/internal/referee"
	"podium/internal/wording"
)

func newQualify(s *streams) *cobra.Command {
	o, r, t := newTrialOptions(), &runOptions{}, &strippedOptions{}
	out, known, budget := filepath.Join("out", "qualification"), "", 20*time.Second
	cmd := &cobra.Command{
		Use:   "qualify --tools DIR | CAMPAIGN",
		Short: "Find out whether tools are fit, with a report for each team",
		Long: `Qualify tries each tool on the smallest instance of each model, in the machines of a contest, and
says whether it is fit: its submission is complete (version, authors, licence, consent), it starts,
every line that looks like an answer is one, no answer contradicts a value that the referee proves
or an oracle knows, it says what it does not answer, and every run ends. With a campaign it tries
the tools and models of the campaign.

` + threeCommands + `

With --stripped N it finds tools that know instances by their names instead (T-5): each tool runs
on instances, on N copies of each with other names and ids, and on N in another order, too. What
is different beyond chance is reported, in stripped/stripped.json; whether a tool is fit is not.

Else, in --out it writes for each tool NAME.html and NAME.txt, such as for a mail, with the command that
repeats each failure, and qualify.json. Called again, it runs only what has changed: a tool that
was mended, for example.

Exit codes: 0 all tools are qualified, or names do not matter, 2 usage, 3 some are not, 4 invalid input, 5 the host cannot
run machines, 130 interrupted and resumable.`,
		Example: "  podium qualify --tools submissions/ --models INPUTS/ --edition mcc2020\n  podium qualify campaign\n  podium qualify campaign --stripped 2 --sample 20",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && len(o.Tools)+len(o.Models) > 0 || len(args)+len(o.Tools) == 0 {
				return usageError{fmt.Errorf("qualify needs --tools DIR, the submissions, or one campaign; `podium qualify --help` shows examples")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if t.copies < 0 || t.sample < 0 || t.sample > 0 && t.copies == 0 {
				return usageError{fmt.Errorf("--stripped N and --sample N are numbers of copies and of instances, and --sample is for --stripped")}
			}
			if len(o.Tasks)+len(o.Benchmarks)+len(o.Properties) > 0 {
				return usageError{errors.New("tools are qualified on nets: leave out --tasks, --benchmark and --property; `podium try TOOL TASK` tries a tool on tasks")}
			}
			o.threads = r.threads
			if err := o.of(s, args); err != nil {
				return err
			}
			defer func() { // here, and not beside what else is said
				if cmd.Context().Err() != nil {
					s.say("interrupted; the same command goes on where it was")
				}
			}()
			if len(o.Models) == 0 {
				dir := filepath.Join(out, "models")
				if err := modelfiles.Write(cmd.Context(), dir, modelfiles.Demonstration(), o.Seed, false); err != nil {
					return err
				}
				o.Models = []string{dir}
			}
			values, err := oracle.Open(known)
			if err != nil {
				return err
			}
			instances, err := s.open(o.Models...)
			if err != nil {
				return err
			}
			run := func(c *campaign.Campaign) (*campaign.Log, error) { return workOn(cmd.Context(), s, c, r) }
			if t.copies > 0 {
				return t.examine(cmd.Context(), s, filepath.Join(out, "stripped"), apart(o.options(s)), instances.Instances, run)
			}
			list, err := qualify.Submissions(cmd.Context(), o.Tools)
			if err != nil {
				return err
			}
			smallest := qualify.Smallest(instances.Instances)
			if !r.quiet {
				s.say(fmt.Sprintf("%s on %s; the referee first decides what it can, within %s for each examination", wording.Count(len(list), "tool", "tools"), wording.Count(len(smallest), "instance", "instances"), budget))
			}
			p := qualify.Plan{Dir: out, Campaign: o.options(s), Run: run, Known: values}
			p.Certify = func(paths []string, dir string) error {
				by := proveOptions{Options: referee.Options{Dir: dir, Budget: budget, Memory: 4e9}, exams: o.Examinations}
				return by.certify(cmd.Context(), s.to(io.Discard, io.Discard), paths)
			}
			report, err := p.Do(cmd.Context(), list, smallest)
			if err != nil {
				return err
			}
			if err := report.Write(out); err != nil {
				return err
			}
			if err := s.print(report, report.WriteText); err != nil {
				return err
			}
			fmt.Fprintf(s.err, "reports: %s\n", filepath.Join(out, "*.html"))
			if n := report.Refused(); n > 0 {
				return incompleteError{wording.Part(n, len(report.Tools), "tools is not qualified", "tools are not qualified")}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", out, "directory of reports and runs")
	registerOracle(f, &known)
	f.DurationVar(&budget, "budget", budget, "processor time of the referee for each examination of each instance")
	registerAll(f, &o.Everything)
	t.register(cmd)
	o.register(cmd)
	r.register(cmd)
	for _, name := range notOfQualify {
		f.Lookup(name).Hidden = true
	}
	return cmd
}

// notOfQualify are the flags of plan and run that say nothing of whether a tool is fit. They
// are still read, as they always were; those of tasks are refused.
var notOfQualify = []string{"tasks", "benchmark", "property", "repeat", "out-of-competition", "family", "witnesses", "name", "embargo",
	"wait", "lease", "sentinel", "listen", "stay", "host-name", "token-file", "history", "again", "move"}

// apart lets no tool wait until its family is confirmed: nothing is ranked here.
func apart(o planning.Options) planning.Options {
	o.Apart = true
	return o
}

// workOn does the runs of a campaign that has a report of its own, which names what is void.
func workOn(ctx context.Context, s *streams, c *campaign.Campaign, o *runOptions) (*campaign.Log, error) {
	fmt.Fprintf(s.err, "%s: %s\n", c.Plan.Name, wording.Count(c.Plan.Count(), "run", "runs"))
	if err := work(ctx, s, c, o); err != nil && exitCode(ctx, err) != ExitIncomplete {
		return nil, err
	}
	return c.Read(ctx)
}

// of takes tools, models and edition of a campaign, where one is named. Teams read the reports:
// models that may not be named are left out (M-6).
func (o *planOptions) of(s *streams, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c, err := campaign.Open(args[0])
	if err != nil {
		return err
	}
	if c.Plan.OfTasks() {
		return usageError{fmt.Errorf("tools are qualified on nets, and %s is a contest on tasks: `podium try` tries a tool on tasks", args[0])}
	}
	for _, t := range c.Plan.Tools {
		o.Tools = append(o.Tools, c.Path(t.Dir))
	}
	if err := judged.Nameable(c, time.Now()); err != nil {
		s.say(err.Error() + ": they are left out")
	}
	for _, i := range judged.Public(c, time.Now()).Campaign().Plan.Instances {
		o.Models = append(o.Models, c.Path(i.Path))
	}
	if len(o.Examinations) == 0 {
		for _, exam := range c.Plan.Examinations {
			o.Examinations = append(o.Examinations, string(exam))
		}
	}
	o.Edition, o.Driver, o.Seed = filepath.Join(c.Dir, judged.EditionFile), c.Plan.Driver, c.Plan.Seed
	return nil
}
