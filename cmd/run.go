package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/internal/progress"
	"podium/internal/serve"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm/energy"
	"podium/vm/topology"
)

// runOptions are the flags of the worker.
type runOptions struct {
	jobs       int
	totalMem   byteSize
	overcommit bool
	threads    bool // of a core may be given to several runs
	quiet      bool
	wait       bool
	lease      time.Duration
	move       []string
	again      []string
	only       string
	models     []string
	history    []string
	sentinel   time.Duration
	serve      serveOptions
	stay       bool
	server     *serve.Server // nil where nothing is served
	done       func()        // is called when all is done, before a server that stays
}

func (o *runOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&o.jobs, "cores-used", "j", 0, "cores of this host that all runs use together (default: all); --cores of podium plan says how many each run gets")
	f.Var((*memorySize)(&o.totalMem), "memory-used", "memory for all runs at one time (default: what is free)")
	f.BoolVar(&o.overcommit, "overcommit-memory", false, "allow runs more memory than the host has; the results are no record")
	registerShareThreads(f, &o.threads)
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no progress")
	f.BoolVar(&o.wait, "wait", false, "wait for models that other workers hold, and do the runs that they leave (with --listen always)")
	f.DurationVar(&o.lease, "lease", campaign.DefaultLease, "how long other workers that cannot see this process wait for a sign of life before they take its models")
	f.DurationVar(&o.sentinel, "sentinel", 0, "measure how fast the cores are before the first run, after the last and at this interval, for example 10m (default: never)")
	o.serve.register(f, "", "show the campaign in the browser while it runs, at this `ADDRESS`, for example 127.0.0.1:8080 (docs/live.md)")
	f.BoolVar(&o.stay, "stay", false, "go on serving when the runs are done, until Ctrl-C")
	f.SetNormalizeFunc(currentFlag)
	f.StringArrayVar(&o.history, "history", nil, "`SOURCE` of times for the forecast of the rest: a campaign or a file of results; may be repeated")
	f.StringSliceVar(&o.again, "again", nil, "`MODELS` whose runs are all done again here; the earlier ones stay in the journal and no longer count")
	f.StringSliceVar(&o.move, "move", nil, "`MODELS` that were begun on another computer and are to be run here: their runs there are set aside (E-5.1)")
}

func newRun(s *streams) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Do the runs of a campaign that are not done yet",
		Long: `Run does the runs that are not in the journal of the campaign yet. You may stop it at any
time (Ctrl-C, a crash, a power cut) and start it again. Several processes may work on one campaign,
on one computer or on many that share the directory, each on models of its own.

All runs of a model are done on one computer (E-5.1), the one that began it. Podium on another
computer leaves the model alone, unless --move NAME moves it there: its earlier runs stay in the
journal, no longer count, and are done again. When all models that are left belong to other workers
or to another computer, run ends with exit code 6; with --wait, or while it serves, it waits for other workers.

With --sentinel 10m the same small work is timed on the cores of the runs every ten minutes. Runs
next to a time that is far from the usual are marked on pages and in runs.csv; no time is changed.
With --listen 127.0.0.1:8080 the pages of the campaign and the page Live are served while it runs,
as by ` + "`podium serve`" + `. The server ends with the runs of all workers, or with --stay at the next Ctrl-C.

--again NAME does all runs of a model again. --again --only SELECTION does the chosen runs again, of those
that have an end. The earlier end of such a run counts until the run has ended again.`,
		Example: "  podium run out/contest\n  podium run campaign --again --only 'outcome=memory host=node3'",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			if err := judged.CheckEdition(c); err != nil {
				return err
			}
			shard, err := c.Shard()
			if err != nil {
				return err
			}
			if shard != nil && o.models == nil {
				o.models = shard.Models
			}
			for _, model := range o.models {
				if shard != nil && !slices.Contains(shard.Models, model) {
					return usageError{fmt.Errorf("--models %s: this shard has %s", model, strings.Join(shard.Models, ", "))}
				}
			}
			o.done = func() {
				switch {
				case o.quiet:
				case shard != nil:
					fmt.Fprintf(s.err, "the runs of this shard are done; `podium shard merge CAMPAIGN %s` takes them over\n", c.Dir)
				case o.models == nil:
					fmt.Fprintln(s.err, allDone(c))
				}
			}
			return work(cmd.Context(), s, c, o)
		}),
	}
	o.register(cmd)
	registerOnly(cmd, &o.only)
	cmd.Flags().StringSliceVar(&o.models, "models", nil, "the only `MODELS` to work on (default: all)")
	return cmd
}

// unserve ends the server, where there is one, now or when the person says so.
func (o *runOptions) unserve(ctx context.Context, s *streams) error {
	if o.server == nil {
		return nil
	}
	var err error
	if o.stay && ctx.Err() == nil {
		fmt.Fprintf(s.err, "still served until Ctrl-C: %s\n", o.server.URL())
		err = o.server.Wait(ctx)
	}
	return errors.Join(err, o.server.Close())
}

// allDone says that nothing is left to run, and what comes next.
func allDone(c *campaign.Campaign) string {
	what := "the run is"
	if n := c.Plan.Count(); n != 1 {
		what = fmt.Sprintf("all %d runs are", n)
	}
	if c.Plan.Validates() {
		return fmt.Sprintf("%s done; `podium score %s` prints the podium with what is confirmed", what, filepath.Join(c.Dir, ".."))
	}
	return fmt.Sprintf("%s done; `podium score %s` prints the podium, `podium publish %s` writes the pages", what, c.Dir, c.Dir)
}

// work is one worker with its progress display.
func work(ctx context.Context, s *streams, c *campaign.Campaign, o *runOptions) error {
	if err := o.check(c); err != nil {
		return err
	}
	defer s.upkeep.hold()()
	log, err := c.Read(ctx)
	if err != nil {
		return err
	}
	s.sayAll(log.Damage)
	redo, left, err := o.redo(c, log)
	if err != nil {
		return err
	}
	if left == 0 && len(o.again) == 0 {
		switch {
		case o.quiet:
		case o.only != "":
			fmt.Fprintf(s.err, "no run that is done or void fits %q: there is nothing to do again\n", o.only)
		default:
			fmt.Fprintln(s.err, "there is nothing left to run")
		}
		if err := voidError(len(log.Void)); err != nil {
			return err
		}
		return o.allIsDone()
	}
	driver, err := openDriver(c.Plan.Driver)
	if err != nil {
		return err
	}
	defer driver.Close()
	able, err := driver.Probe(ctx)
	if err != nil {
		return err
	}
	machine, wish := coresOf(s, able.Cores, o.threads), topology.Wish{Cores: o.jobs, Threads: o.threads}
	if all := machine.Pool(topology.Wish{Threads: o.threads}, nil); o.jobs > all.Cores() {
		return hostError{fmt.Errorf("--cores-used asks for %s; 0 takes all of them", all.Refuses(o.jobs, 0))}
	}
	wish.Run, wish.Memory = c.Plan.Largest()
	memory := int64(o.totalMem)
	if memory == 0 {
		memory = able.Memory
	}
	if o.overcommit {
		memory = 0
	}
	if memory == 0 {
		wish.Memory = 0
	}
	if err := c.Fits(machine.Pool(wish, nil), memory); err != nil {
		return err
	}
	for _, sentence := range able.Unenforced {
		fmt.Fprintln(s.err, "note:", sentence)
	}
	if !o.quiet {
		sayStartless(s, c)
	}
	seen, err := c.ReadEnds(ctx) // and on, while the other log stays as it was
	if err != nil {
		return err
	}
	rest, err := forecast.NewRest(ctx, &c.Plan, seen, forecast.RestOptions{Again: o.again, History: o.history, Say: s.say})
	if err != nil {
		return err
	}
	if o.serve.address != "" {
		if o.server, err = o.serve.start(ctx, s, c, restBesideRuns); err != nil {
			return err
		}
	}
	cores, err := claimCores(ctx, s, machine, wish)
	if err != nil {
		return errors.Join(o.ended(ctx, s, c, campaign.Summary{Left: left}, err), o.unserve(ctx, s))
	}
	defer cores.Close()
	ended := func() int {
		_ = seen.Update(ctx) // what is wrong with it the worker says
		return seen.Ended()
	}
	shown := progress.New(s.err, c.Plan.Count(), ended, rest, o.quiet)
	summary, err := c.Work(ctx, campaign.Options{Driver: energy.Metered(driver, energy.Find("/")), Cores: cores, Memory: memory, Version: Version(),
		Record: able.ForRecord && !o.overcommit && !(o.threads && machine.Threads()), Lease: o.lease, Wait: o.wait || o.server != nil, Move: o.move, Again: o.again, Redo: redo, Models: o.models, Sentinel: o.sentinel, Observe: shown.Observe, Replay: replayRun})
	shown.Finish()
	err = o.ended(ctx, s, c, summary, err)
	return errors.Join(err, o.unserve(ctx, s))
}

// ended gives what a worker ended with.
func (o *runOptions) ended(ctx context.Context, s *streams, c *campaign.Campaign, summary campaign.Summary, err error) error {
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintf(s.err, "interrupted: %s, %s; `podium run %s` goes on\n", wording.Count(summary.Done, "run is done", "runs are done"), wording.Count(summary.Left, "is left", "are left"), c.Dir)
		return err
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w: nothing recorded is lost; make room, then `podium run %s` goes on", err, c.Dir)
	case err != nil:
		return err
	}
	if err := voidError(summary.Void); err != nil {
		return err
	}
	if summary.Left > 0 {
		return incompleteError{fmt.Sprintf("%s; `podium run %s` goes on", wording.Count(summary.Left, "run is left", "runs are left"), c.Dir)}
	}
	return o.allIsDone()
}

func (o *runOptions) allIsDone() error {
	if o.done != nil {
		o.done()
	}
	return nil
}

// restBesideRuns is how many times as long as it works the server of a worker rests: its
// runs are measured meanwhile.
const restBesideRuns = 50

// redo says which runs are done again, and counts those that are to be done.
func (o *runOptions) redo(c *campaign.Campaign, log *campaign.Log) (redo func(*campaign.Log, campaign.Run) bool, left int, err error) {
	for model, n := range log.Open() {
		if o.models == nil || slices.Contains(o.models, model) {
			left += n
		}
	}
	if o.only == "" {
		return nil, left, nil
	}
	is, err := chosen(c, o.only, log)
	if err != nil {
		return nil, 0, err
	}
	for run := range log.Finished {
		if is(run) {
			left++
		}
	}
	for run := range log.Void {
		if is(run) {
			left++
		}
	}
	return func(_ *campaign.Log, run campaign.Run) bool { return is(run) }, left, nil
}

// check refuses flags that mean nothing for the campaign.
func (o *runOptions) check(c *campaign.Campaign) error {
	if o.serve.address == "" && (o.stay || o.serve.tokenFile != "" || o.serve.hosts != nil) {
		return usageError{errors.New("--stay, --token-file and --host-name are for a server: say with --listen where, for example --listen 127.0.0.1:8080")}
	}
	if o.jobs < 0 {
		return usageError{fmt.Errorf("--cores-used %d: write how many cores, or 0 for all", o.jobs)}
	}
	if o.lease < campaign.MinLease || o.lease > campaign.MaxLease {
		return usageError{fmt.Errorf("--lease %s: a lease is from %s to %s long", o.lease, campaign.MinLease, campaign.MaxLease)}
	}
	if o.sentinel != 0 && o.sentinel < campaign.MinSentinel {
		return usageError{fmt.Errorf("--sentinel %s: the sentinel itself works for some seconds; write %s or more, or 0 for none", o.sentinel, campaign.MinSentinel)}
	}
	if (o.only != "") != (o.again != nil && len(o.again) == 0) {
		return usageError{errors.New("--only chooses runs to do again: podium run DIR --again --only 'tool=lola outcome=memory'; --again MODELS does all runs of models again")}
	}
	models := c.Plan.Units()
	for _, flag := range []struct {
		name  string
		names []string
	}{{"--move", o.move}, {"--again", o.again}, {"--models", o.models}} {
		for _, model := range flag.names {
			if !slices.Contains(models, model) {
				return usageError{fmt.Errorf("%s %s: the campaign has no such model%s", flag.name, model, diagnostic.Instead(model, models))}
			}
		}
	}
	return nil
}

// voidError reports runs that failed by our fault.
func voidError(n int) error {
	if n == 0 {
		return nil
	}
	return incompleteError{wording.Count(n, "run is void: it", "runs are void: they") + " failed three times by a fault that is not the tool's; `podium status --void DIR` lists what is void"}
}

// replayRun replays the witnesses of a run for a worker.
func replayRun(ctx context.Context, dir string, run campaign.Run, left, output io.Reader, answers []witness.Claim) ([]witness.Result, error) {
	return (&replay.Instance{Dir: dir, Name: run.Instance, Exam: run.Exam}).Judge(ctx, left, output, answers)
}
