package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/planning"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm/topology"
)

// planOptions are the flags that say what a campaign is made of.
type planOptions struct {
	planning.Options
	validate string
	threads  bool // count as cores
	laptop   bool // give concurrent tools as many cores as the host has, if the edition asks for more
}

func (o *planOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&o.Models, "models", "m", nil, "`PATH` of an instance directory, an archive, a net, or a directory of instances; may be repeated (default: the built-in models)")
	f.StringArrayVar(&o.Tasks, "tasks", nil, "`PATH` of a task definition, a set of tasks (.set) or a directory of either, for a contest of SV-COMP; may be repeated")
	f.StringArrayVar(&o.Benchmarks, "benchmark", nil, "benchmark definition of BenchExec, an XML `FILE` that says tasks, options and limits; may be repeated, one for each tool")
	f.StringSliceVar(&o.Properties, "property", nil, "only tasks of these properties, separated by commas, such as unreach-call (default: all)")
	f.StringVar(&o.Size, "size", "short", "the built-in models: short, an instance of each family, or full, three of each")
	f.StringArrayVarP(&o.Tools, "tools", "t", nil, "`PATH` of a tool directory or a directory of some, builtin, or the name of a built-in tool (COPY=NAME: the built-in tool NAME, called COPY); may be repeated (default: builtin)")
	o.registerRules(f)
	registerGiven(f, &o.Given, o.Rehearsal)
	f.DurationVar(&o.Wall, "wall", o.Wall, "wall time of a run (default: the CPU time and 30 s more, or without --cpu the edition's)")
	f.Var((*byteSize)(&o.Output), "output-limit", "what a run may print, such as 100MB")
	f.Var((*byteSize)(&o.Disk), "disk-limit", "what a run may write to disk")
	f.IntVar(&o.Processes, "processes", o.Processes, "processes and threads that a run may have at one time")
	f.IntVar(&o.Cores, "cores", o.Cores, "cores that each run of a concurrent tool gets (default: the edition's); --cores-used of podium run says how many all runs use together")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of everything random")
	f.IntVar(&o.Repeat, "repeat", 1, "make each run `N` times; the first counts for scores, all of them for compare")
	f.StringSliceVar(&o.OutOfCompetition, "out-of-competition", nil, "`TOOLS` that are scored but not ranked, besides those whose manifest or edition says so")
	f.StringArrayVar(&o.Families, "family", nil, "`FAMILY=TOOL,...`: these tools are variants of one submission, share a place on the podium (E-4.5), and their team sees all of them; a manifest alone joins no family; may be repeated")
	f.StringArrayVar(&o.OptOut, "opt-out", nil, "`TOOL=CATEGORY`: the tool is run there and shows no results; also of a property or a meta category, several separated by commas; may be repeated")
	f.BoolVar(&o.Witnesses, "witnesses", false, "ask the tools for runs that prove their values, and replay them")
	f.StringVar(&o.Name, "name", o.Name, "title of the contest on the pages")
	f.StringVar(&o.Embargo, "embargo", "", "`DATE` before which surprise models are not published, as 2026-06-20 or 2026-06-20T12:00:00Z")
}

// registerRules registers the flags that are those of a trial, too.
func (o *planOptions) registerRules(f *pflag.FlagSet) {
	f.StringVarP(&o.Edition, "edition", "e", o.Edition, "edition: an `ID` (`podium edition list`) or a file of your own")
	f.StringSliceVarP(&o.Examinations, "examination", "x", nil, "only these examinations, separated by commas (default: all of the edition)")
	cpu, memory := "CPU time of a run, such as 60s, and 30 s more of wall time; 0 takes the edition's", "memory of a run, such as 16GB"
	if o.CPU == 0 {
		cpu, memory = "CPU time of a run, such as 60s (default: the edition's)", memory+" (default: the edition's)"
	}
	f.DurationVar(&o.CPU, "cpu", o.CPU, cpu)
	f.Var((*memorySize)(&o.Memory), "memory", memory)
	f.StringVar(&o.Driver, "driver", o.Driver, "kind of machine that a run gets: "+strings.Join(driverNames(), ", "))
}

// registerOracle registers the flag that names values with which answers are compared.
func registerOracle(f *pflag.FlagSet, known *string) {
	f.StringVar(known, "oracle", "", "known answers: a directory of oracle files, or a table oracle_by_id.csv")
}

func newPlanOptions() *planOptions {
	return &planOptions{Options: planning.Options{Edition: defaultEdition, Driver: "sandbox", Output: 100e6, Disk: 4e9, Processes: 4096}}
}

// newTrialOptions are those of runs before a contest, on a computer of a developer.
func newTrialOptions() *planOptions {
	o := newPlanOptions()
	o.CPU, o.Memory, o.Seed, o.laptop, o.Rehearsal = 60*time.Second, 2e9, 1, true, true
	return o
}

// defaultEdition judges when nothing else is said: the newest one of the Model Checking Contest whose rules
// are read from a source or verified. Those of later years are inferred.
const defaultEdition = "mcc2020"

func newPlan(s *streams) *cobra.Command {
	o := newPlanOptions()
	var out string
	cmd := &cobra.Command{
		Use:   "plan --out DIR",
		Short: "Plan a campaign: tools, instances, examinations, limits",
		Long: `Plan checks every model, formula file and tool, and writes the campaign, once. Limits are
those of the edition unless flags say otherwise; without --edition it is the newest whose rules are
read or verified (podium edition list). ` + "`podium run DIR`" + ` does the runs, from copies in DIR/inputs:
later changes of the models and tools do not matter.` + " `podium simulate DIR` " + `says how long the runs will take.
With --tasks it plans a competition on tasks of SV-COMP, with --benchmark one that benchmark
definitions of BenchExec describe: docs/tasks.md, docs/benchexec.md.`,
		Example: `  podium plan --out campaign --models INPUTS/ --tools tools/ --edition mcc2016
  podium plan --out trial --models INPUTS/ --tools mytool/ --examination StateSpace --cpu 60s --memory 4GB
  podium plan --out competition --tasks c/ --tools verifiers/ --edition svcomp2026
  podium plan --out competition --benchmark bench-defs/cbmc.xml --tools verifiers/ --edition svcomp2026`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("plan takes flags only, and %q is none: `podium plan --out %s --models PATH --tools PATH` plans in that directory; without --models and --tools it takes the built-in ones", args[0], args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.validate != "" {
				return o.planValidation(cmd, s, out)
			}
			if out == "" {
				return usageError{errors.New("plan needs --out DIR, the directory that becomes the campaign")}
			}
			c, fresh, err := o.prepare(cmd.Context(), s, out)
			if err != nil {
				return err
			}
			if !fresh {
				return sayLeft(cmd.Context(), s, c)
			}
			sayPlanned(cmd.Context(), s, c)
			fmt.Fprintf(s.err, "%s planned in %s; `podium run %s` goes on\n", wording.Count(c.Plan.Count(), "run is", "runs are"), out, out)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory of the campaign")
	cmd.Flags().StringVar(&o.validate, "validate", "", "plan in DIR/validation how validators, named by --tools, look at the witnesses of the contest in `DIR`")
	o.register(cmd)
	return cmd
}

// planValidation plans the validation of a competition's witnesses.
func (o *planOptions) planValidation(cmd *cobra.Command, s *streams, out string) error {
	ctx, options := cmd.Context(), o.options(s)
	if !cmd.Flags().Changed("edition") {
		options.Edition = "" // that of the competition
	}
	if out != "" || len(o.Models)+len(o.Tasks)+len(o.Benchmarks)+len(o.Examinations)+len(o.Properties) > 0 {
		return usageError{errors.New("--validate takes the witnesses of a contest and plans in its directory: leave out --out, --models, --tasks, --benchmark, --examination and --property")}
	}
	c, fresh, err := planning.Validate(ctx, o.validate, options)
	if err != nil {
		return err
	}
	if !fresh {
		return sayLeft(ctx, s, c)
	}
	sayPlanned(ctx, s, c)
	fmt.Fprintf(s.err, "%s planned in %s; `podium run %[2]s` goes on\n", wording.Count(c.Plan.Count(), "run of validators is", "runs of validators are"), c.Dir)
	return nil
}

// sayPlanned says under which rules and limits the runs of a new plan are, and when this
// computer cannot give what they need.
func sayPlanned(ctx context.Context, s *streams, c *campaign.Campaign) {
	standing := ""
	if ed, err := judged.EditionOf(c, ""); err == nil && ed.Basis != "" {
		standing = " (" + ed.Standing() + ")"
	}
	fmt.Fprintf(s.err, "edition %s%s; each run has %s\n", c.Plan.Edition, standing, c.Plan.Given())
	for _, line := range c.Plan.HandoutText() {
		fmt.Fprintln(s.err, line)
	}
	for _, family := range slices.Sorted(maps.Keys(c.Plan.Families)) {
		fmt.Fprintf(s.err, "family %s: %s are variants of one submission\n", family, wording.And(c.Plan.Families[family]))
	}
	sayStartless(s, c)
	driver, err := openDriver(c.Plan.Driver)
	if err != nil {
		return // it may be planned for another computer
	}
	defer driver.Close()
	able, err := driver.Probe(ctx)
	if err != nil {
		return
	}
	if err := c.Fits(coresOf(s, able.Cores, false).Pool(topology.Wish{}, nil), able.Memory); err != nil {
		s.say("note: this computer cannot do these runs: " + err.Error())
	}
}

// sayStartless warns of tools that machines which see the system of this computer cannot start.
func sayStartless(s *streams, c *campaign.Campaign) {
	if c.Plan.Driver == "sandbox" {
		s.sayAll(c.Startless())
	}
}

// sayLeft says of a campaign that was planned before what is left to run.
func sayLeft(ctx context.Context, s *streams, c *campaign.Campaign) error {
	log, err := c.Read(ctx)
	if err != nil {
		return err
	}
	left := c.Plan.Count() - len(log.Finished) - len(log.Void)
	if left == 0 {
		fmt.Fprintln(s.err, allDone(c))
		return voidError(len(log.Void))
	}
	fmt.Fprintf(s.err, "%s was planned before: %s left; `podium run %[1]s` goes on\n", c.Dir, wording.Part(left, c.Plan.Count(), "runs is", "runs are"))
	return nil
}

// prepare makes the campaign in dir, or opens the one that is there when it was
// made from the same inputs; fresh tells which.
func (o *planOptions) prepare(ctx context.Context, s *streams, dir string) (c *campaign.Campaign, fresh bool, err error) {
	if _, ok := drivers[o.Driver]; !ok {
		return nil, false, usageError{fmt.Errorf("%q is no driver%s", o.Driver, diagnostic.Instead(o.Driver, driverNames()))}
	}
	if err := planning.CheckPlace(dir); err != nil {
		return nil, false, err
	}
	return planning.Prepare(ctx, dir, o.options(s))
}

// registerAll registers the flag that runs a tool also where its manifest takes no part.
func registerAll(f *pflag.FlagSet, all *bool) {
	f.BoolVar(all, "all", false, "run the tool also on examinations and nets in which, by its manifest, it takes no part")
}

// registerGiven registers the flag that says what runs are given; a rehearsal does not ask its edition.
func registerGiven(f *pflag.FlagSet, h *models.Handout, rehearsal bool) {
	usual := "the edition's"
	if rehearsal {
		usual = string(models.GiveWithoutAsked)
	}
	f.Func("given", "what runs are given besides nets and formulas, a `WORD`: all, without-asked (nothing that states what is asked) or no-form (default: "+usual+")", func(word string) error {
		if *h = models.Handout(word); !slices.Contains(models.Handouts, *h) {
			return errors.New("runs are given all, without-asked or no-form")
		}
		return nil
	})
}

// options are the flags as planning takes them.
func (o *planOptions) options(s *streams) planning.Options {
	given := o.Options
	given.Version, given.Shown, given.Say, given.Hear, given.WriteBuiltIn = Version(), os.Getenv(showVariable), s.say, s.hear, writeBuiltIn
	if o.laptop {
		given.Have = mostCores(o.threads)
	}
	return given
}
