package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/campaign"
	"podium/internal/clock"
	"podium/internal/contest"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
)

// planOptions are the flags that say what a campaign is made of.
type planOptions struct {
	models, tools    []string
	edition          string
	exams            []string
	cpu, wall        time.Duration
	memory           byteSize
	output, disk     byteSize
	processes        int
	cores            int
	seed             uint64
	driver           string
	name             string
	witnesses        bool
	outOfCompetition []string
	embargo          string
	laptop           bool // give concurrent tools as many cores as the host has, if the edition asks for more
}

func (o *planOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&o.models, "models", "m", nil, "`PATH` of an instance directory, an archive, or a directory of either; may be repeated (default: the built-in models)")
	f.StringArrayVarP(&o.tools, "tools", "t", nil, "`PATH` of a tool directory or a directory of some, builtin, or the name of a built-in tool (COPY=NAME: under another name); may be repeated (default: builtin)")
	f.StringVarP(&o.edition, "edition", "e", o.edition, "edition: an `ID` or a file of your own")
	f.StringSliceVarP(&o.exams, "examination", "x", nil, "only these examinations, separated by commas (default: all of the edition)")
	f.DurationVar(&o.cpu, "cpu", o.cpu, "CPU time of a run (0: the edition's)")
	f.DurationVar(&o.wall, "wall", o.wall, "wall time of a run (0: CPU time and 30 s more)")
	f.Var((*memorySize)(&o.memory), "memory", "memory of a run, such as 16GB (default: the edition's)")
	f.Var(&o.output, "output-limit", "what a run may print, such as 100MB")
	f.Var(&o.disk, "disk-limit", "what a run may write to disk")
	f.IntVar(&o.processes, "processes", o.processes, "processes and threads that a run may have at one time")
	f.IntVar(&o.cores, "cores", o.cores, "cores of a concurrent tool's machine (0: the edition's)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of everything that is drawn by lot")
	f.StringVar(&o.driver, "driver", o.driver, "what a machine is: "+strings.Join(driverNames(), ", "))
	f.StringSliceVar(&o.outOfCompetition, "out-of-competition", nil, "`TOOLS` that are scored and take no place, besides those whose manifest or edition says so")
	f.BoolVar(&o.witnesses, "witnesses", false, "ask the tools for runs that prove their values, and replay them")
	f.StringVar(&o.name, "name", o.name, "title of the contest on the pages")
	f.StringVar(&o.embargo, "embargo", "", "`DATE` before which surprise models are not published, as 2026-06-20 or 2026-06-20T12:00:00Z")
}

func newPlanOptions() *planOptions {
	return &planOptions{edition: defaultEdition, driver: "sandbox", output: 100e6, disk: 4e9, processes: 4096}
}

// defaultEdition judges when nothing else is said.
const defaultEdition = "mcc2016-13"

func newPlan(s *streams) *cobra.Command {
	o := newPlanOptions()
	var out string
	cmd := &cobra.Command{
		Use:   "plan --out DIR",
		Short: "Plan a campaign: tools, instances, examinations, limits",
		Long: `Plan checks every model, formula file and tool, and writes the campaign, once. Limits are those
of the edition unless flags say otherwise. ` + "`podium run DIR`" + ` does the runs, from copies in DIR/inputs:
what is changed after this elsewhere changes none of them.

` + exitCodes,
		Example: `  podium plan --out campaign --models INPUTS/ --tools tools/ --edition mcc2016
  podium plan --out trial --models INPUTS/ --tools mytool/ --examination StateSpace --cpu 60s --memory 4GB`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("plan takes flags only, and %q is none: `podium plan --out %s --models PATH --tools PATH` plans in that directory; without --models and --tools it takes the built-in ones", args[0], args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usageError{errors.New("plan needs --out DIR, the directory that becomes the campaign")}
			}
			c, fresh, err := prepare(cmd.Context(), s, out, o)
			if err != nil {
				return err
			}
			if !fresh {
				return sayLeft(cmd.Context(), s, c)
			}
			fmt.Fprintf(s.err, "%d runs are planned in %s; `podium run %s` does them\n", c.Plan.Count(), out, out)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory of the campaign")
	o.register(cmd)
	return cmd
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
	fmt.Fprintf(s.err, "%s was planned before: %d of %d runs are left; `podium run %s` does them\n", c.Dir, left, c.Plan.Count(), c.Dir)
	return nil
}

// prepare makes the campaign in dir, or opens the one that is there when it was
// made from the same inputs; fresh tells which.
func prepare(ctx context.Context, s *streams, dir string, o *planOptions) (c *campaign.Campaign, fresh bool, err error) {
	draft, err := campaign.NewDraft(ctx, dir)
	if err != nil {
		return nil, false, err
	}
	defer draft.Close()
	old, err := campaign.Open(dir)
	if err == nil {
		return resume(ctx, s, old, draft, o)
	}
	if _, serr := os.Stat(filepath.Join(dir, "campaign.json")); !errors.Is(serr, fs.ErrNotExist) {
		return nil, false, err
	}
	plan, err := o.plan(ctx, s, draft.Scratch)
	if err != nil {
		return nil, false, err
	}
	if err := os.Rename(filepath.Join(draft.Scratch, contest.EditionFile), filepath.Join(dir, contest.EditionFile)); err != nil {
		return nil, false, err
	}
	c, err = draft.Create(ctx, plan)
	return c, true, err
}

// resume opens a campaign for a command line that must mean the same one.
func resume(ctx context.Context, s *streams, old *campaign.Campaign, draft *campaign.Draft, o *planOptions) (*campaign.Campaign, bool, error) {
	quiet := &streams{s.in, s.out, io.Discard, s.upkeep}
	now, err := o.plan(ctx, quiet, draft.Scratch)
	if err != nil {
		return nil, false, err
	}
	if d := old.Plan.Differences(now); len(d) > 0 {
		return nil, false, &otherInputsError{old.Dir, d}
	}
	return old, false, contest.CheckEdition(old)
}

// otherInputsError refuses to mix two contests in one directory.
type otherInputsError struct {
	dir         string
	differences []string
}

func (e *otherInputsError) Error() string {
	list := e.differences
	more := ""
	if len(list) > 5 {
		list, more = list[:5], fmt.Sprintf("\n  and %d more", len(e.differences)-5)
	}
	return fmt.Sprintf("%s is a campaign made from other inputs:\n  %s%s\nuse another directory, or the same inputs", e.dir, strings.Join(list, "\n  "), more)
}

// plan checks all inputs and says what is to be done. Built-in models and tools
// are written below dir.
func (o *planOptions) plan(ctx context.Context, s *streams, dir string) (*campaign.Plan, error) {
	ed, text, err := contest.LoadEdition(o.edition)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, contest.EditionFile), text, 0o644); err != nil {
		return nil, err
	}
	p := &campaign.Plan{Name: o.name, Created: time.Now().UTC().Truncate(time.Second), Version: Version(),
		Edition: ed.ID, EditionDigest: ed.Digest, Driver: o.driver, Seed: o.seed, Witnesses: o.witnesses}
	if p.Embargo, err = o.embargoUntil(); err != nil {
		return nil, err
	}
	if p.Name == "" {
		p.Name = "Contest of " + p.Created.Format("2 January 2006")
	}
	if _, ok := drivers[o.driver]; !ok {
		return nil, usageError{fmt.Errorf("%q is no driver: %s", o.driver, strings.Join(driverNames(), ", "))}
	}
	if p.Examinations, err = o.examinations(ed); err != nil {
		return nil, err
	}
	p.Sequential, p.Concurrent = o.confinement(ed.Limits.Sequential), o.confinement(ed.Limits.Concurrent)
	if o.cores > 0 {
		p.Concurrent.Cores = o.cores
	}
	if p.Tools, err = o.plannedTools(ctx, dir); err != nil {
		return nil, err
	}
	if have := runtime.NumCPU(); o.laptop && p.Concurrent.Cores > have && slices.ContainsFunc(p.Tools, func(t campaign.PlannedTool) bool { return t.Concurrent }) {
		fmt.Fprintf(s.err, "note: concurrent tools get %d cores instead of %d, as many as this host has\n", have, p.Concurrent.Cores)
		p.Concurrent.Cores = have
	}
	p.Instances, err = o.plannedInstances(ctx, s, dir, p.Examinations)
	p.Sort()
	return p, err
}

// embargoUntil reads a moment, or a day, which begins at midnight UTC.
func (o *planOptions) embargoUntil() (time.Time, error) {
	if o.embargo == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, o.embargo); err == nil {
		return day, nil
	}
	moment, err := time.Parse(time.RFC3339, o.embargo)
	if err != nil {
		return moment, usageError{fmt.Errorf("%q is no date: write 2026-06-20 or 2026-06-20T12:00:00Z", o.embargo)}
	}
	return moment.UTC(), nil
}

func (o *planOptions) examinations(ed *edition.Edition) (list []examinations.ID, err error) {
	if len(o.exams) == 0 {
		for _, e := range ed.Examinations {
			list = append(list, e.ID)
		}
		return list, nil
	}
	for _, name := range o.exams {
		id, err := examinations.Parse(name)
		if err != nil {
			return nil, usageError{err}
		}
		if _, ok := ed.Examination(id); !ok {
			return nil, usageError{fmt.Errorf("edition %s has no examination %s", ed.ID, id)}
		}
		list = append(list, id)
	}
	return list, nil
}

func (o *planOptions) confinement(l edition.Confinement) campaign.Confinement {
	c := campaign.Confinement{Cores: l.Cores, Memory: l.Memory, CPUTime: l.CPU.Microseconds(),
		Processes: o.processes, Output: int64(o.output), Disk: int64(o.disk)}
	if o.cpu > 0 {
		c.CPUTime = o.cpu.Microseconds()
	}
	if o.memory > 0 {
		c.Memory = int64(o.memory)
	}
	c.WallTime = l.Wall.Microseconds()
	if o.wall > 0 {
		c.WallTime = o.wall.Microseconds()
	}
	if c.WallTime == 0 {
		c.WallTime = c.CPUTime + (30 * time.Second).Microseconds()
	}
	return c
}

func (o *planOptions) plannedTools(ctx context.Context, dir string) ([]campaign.PlannedTool, error) {
	asked := o.tools
	if len(asked) == 0 {
		asked = []string{"builtin"}
	}
	var paths []string
	builtIn := map[string]bool{}
	for _, path := range asked {
		names := builtInNames()
		if path != "builtin" {
			_, ok := tools.FindBuiltIn(path)
			if _, err := os.Stat(path); !ok || err == nil {
				paths = append(paths, path)
				continue
			}
			names = []string{path}
		}
		for _, name := range names {
			t, err := writeBuiltIn(filepath.Join(dir, "tools"), name, o.driver, builtInArgs(name, o.seed)...)
			if err != nil {
				return nil, err
			}
			paths = append(paths, t.Dir)
			builtIn[t.Dir] = true
		}
	}
	opened, err := tools.OpenAll(paths...)
	if err != nil {
		return nil, err
	}
	var list []campaign.PlannedTool
	for _, t := range opened {
		digest, err := t.Digest(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, campaign.PlannedTool{Name: t.Name, Title: t.Title, Version: t.Version, Family: t.Family,
			Concurrent: t.Concurrent(), BuiltIn: builtIn[t.Dir], Head: t.Head, Dir: t.Dir, Image: t.Image, Digest: digest,
			OutOfCompetition: t.OutOfCompetition || slices.Contains(o.outOfCompetition, t.Name)})
	}
	for _, name := range o.outOfCompetition {
		if !slices.ContainsFunc(list, func(t campaign.PlannedTool) bool { return t.Name == name }) {
			return nil, usageError{fmt.Errorf("--out-of-competition %s: no tool of the plan has this name; they are %s", name, toolNames(list))}
		}
	}
	return list, nil
}

func toolNames(list []campaign.PlannedTool) string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

func (o *planOptions) plannedInstances(ctx context.Context, s *streams, dir string, exams []examinations.ID) ([]campaign.PlannedInstance, error) {
	paths := o.models
	if len(paths) == 0 {
		fmt.Fprintln(s.err, "writing the built-in models and their formulas")
		where := filepath.Join(dir, "models")
		if err := writeModels(ctx, where, demonstration(), o.seed, false); err != nil {
			return nil, err
		}
		paths = []string{where}
	}
	collection, err := models.Open(paths...)
	if err != nil {
		return nil, err
	}
	if len(collection.Instances) == 0 {
		return nil, diagnostic.List{{File: strings.Join(paths, ", "), Code: "models-none", Message: "there is no instance here",
			Hint: "an instance is a directory or .tgz archive such as AirplaneLD-PT-0010 with a file model.pnml"}}
	}
	for _, f := range collection.Findings {
		fmt.Fprintln(s.err, f.Error())
	}
	var list []campaign.PlannedInstance
	var all diagnostic.List
	for c := range inParallel(ctx, collection.Instances, func(i models.Instance) (c checked) {
		if err := clock.Until(ctx, func(clock *clock.Clock) error { c = checkInstance(clock, i, exams); return nil }); err != nil {
			return checked{}
		}
		return c
	}) {
		all = append(all, c.found...)
		list = append(list, c.planned)
	}
	if all.Err() != nil {
		all.Sort()
		return nil, all
	}
	return list, ctx.Err()
}

// checked is an instance that was read to be planned.
type checked struct {
	planned campaign.PlannedInstance
	found   diagnostic.List // errors only
}

// checkInstance reads the model and every formula file that the campaign needs,
// so that a fault is found now and not in the night.
func checkInstance(clock *clock.Clock, i models.Instance, exams []examinations.ID) checked {
	c := checked{planned: campaign.PlannedInstance{ID: i.ID.String(), Family: i.ID.Family, Class: i.Class.String(),
		Formulas: map[examinations.ID][]string{}}}
	fail := func(file string, err error) {
		c.found.Add(diagnostic.Diagnostic{File: filepath.Join(i.Path, file), Code: "model-unreadable", Message: err.Error()})
	}
	var err error
	if c.planned.Path, err = filepath.Abs(i.Path); err != nil {
		fail("", err)
	}
	if c.planned.Digest, err = i.Digest(); err != nil {
		fail("", err)
	}
	files, err := formula.Open(i, exams, clock.Reader)
	if err != nil {
		fail("", err)
		return c
	}
	c.refuse(files.Found)
	if files.Found.Err() != nil {
		return c // formulas are not to be blamed for what the net lacks
	}
	for _, exam := range exams {
		if !exam.HasFormulas() {
			continue
		}
		file := exam.FormulaFile()
		text, ok := files.Texts[file]
		if !ok {
			c.found.Add(diagnostic.Diagnostic{File: filepath.Join(i.Path, file), Code: "formula-file-missing", Message: "the instance has no formulas for " + string(exam),
				Hint: "`podium model formulas " + i.Path + "` draws some; --examination chooses other examinations"})
			continue
		}
		properties, list := formula.ReadOf(clock.Reader(bytes.NewReader(text)), filepath.Join(i.Path, file), exam, formula.NamesIn(files.Document))
		c.refuse(list)
		c.planned.Formulas[exam] = exam.Items(formula.IDs(properties))
	}
	return c
}

// refuse keeps the errors of a list.
func (c *checked) refuse(list diagnostic.List) {
	for _, d := range list {
		if d.Severity == diagnostic.Error {
			c.found.Add(d)
		}
	}
}
