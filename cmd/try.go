package cmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/modelfiles"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/vm"
)

// tryOptions are the flags of try.
type tryOptions struct {
	exams   []string
	oracle  string
	edition string
	cpu     time.Duration
	memory  byteSize
	driver  string
	again   bool
	logs    bool
}

func newTry(s *streams) *cobra.Command {
	o := tryOptions{edition: defaultEdition, cpu: 60 * time.Second, memory: 2e9, driver: "sandbox"}
	cmd := &cobra.Command{
		Use:   "try TOOL [INSTANCE...]",
		Short: "Run one tool as a contest would, and show which answers are read",
		Long: `Try runs a tool (a tool directory, or the name of a built-in tool) in the machine of a
contest, with its environment and limits, and shows at once which answers are read. Then it prints a
table: every value, whether it is known to be right, when it was printed, and its points. Runs whose
tool, instance and limits have not changed are not repeated. Without instances it takes small
built-in ones.

Exit codes: 0 no known value is wrong and no line was misread, 2 usage, 3 some are, 4 invalid input,
5 the host cannot run machines, 130 interrupted.`,
		Example: `  podium try mytool/ --examination StateSpace
  podium try mytool/ AirplaneLD-PT-0010.tgz --oracle oracle/
  podium try explicit -x CTLFireability models/KanbanCells-PT-0001`,
		Args: someArgs("a tool directory, or the name of a built-in tool"),
		RunE: func(cmd *cobra.Command, args []string) error {
			shown := &streams{s.in, diagnostic.NewTerminal(s.out), diagnostic.NewTerminal(s.err), s.upkeep}
			return o.try(cmd.Context(), shown, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.exams, "examination", "x", nil, "only these examinations, separated by commas")
	f.StringVar(&o.oracle, "oracle", "", "known answers: a directory of oracle files, or a table oracle_by_id.csv")
	f.StringVarP(&o.edition, "edition", "e", o.edition, "edition whose examinations and points are used")
	f.DurationVar(&o.cpu, "cpu", o.cpu, "CPU time of a run")
	f.Var((*memorySize)(&o.memory), "memory", "memory of a run")
	f.StringVar(&o.driver, "driver", o.driver, "what a machine is")
	f.BoolVar(&o.again, "again", false, "repeat runs that have not changed, too")
	f.BoolVar(&o.logs, "logs", false, "show everything that the tool prints")
	return cmd
}

// trial is one run of try, as it is kept for the next time.
type trial struct {
	Format   string               `json:"format"`
	Outcome  vm.Outcome           `json:"outcome"`
	Said     output.Participation `json:"participation"`
	Answers  []campaign.Answer    `json:"answers"`
	Findings diagnostic.List      `json:"findings"`
}

const trialFormat = "podium-trial/1"

func (o *tryOptions) try(ctx context.Context, s *streams, name string, paths []string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "podium")
	tool, err := openTool(name, cache, o.driver)
	if err != nil {
		return err
	}
	digest, err := tool.Digest(ctx)
	if err != nil {
		return err
	}
	ed, _, err := contest.LoadEdition(o.edition)
	if err != nil {
		return err
	}
	exams, err := planning.Examinations(o.exams, ed)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		dir := filepath.Join(cache, "models")
		list := modelfiles.Demonstration()[:4]
		if err := modelfiles.Write(ctx, dir, list, 1, false); err != nil {
			return err
		}
		for _, c := range list {
			paths = append(paths, filepath.Join(dir, c.ID().String()))
		}
	}
	opened, err := models.Open(paths...)
	if err != nil {
		return err
	}
	defer s.upkeep.hold()()
	driver, err := openDriver(o.driver)
	if err != nil {
		return err
	}
	defer driver.Close()
	t := &tryer{tryOptions: o, streams: s, tool: tool, digest: digest, cache: cache, edition: ed, driver: driver}
	for _, i := range opened.Instances {
		for _, exam := range exams {
			if err := t.run(ctx, i, exam); err != nil {
				return err
			}
		}
	}
	return t.verdict()
}

// openTool opens a tool directory, or writes a built-in tool.
func openTool(name, cache, driver string) (tools.Tool, error) {
	if _, ok := tools.FindBuiltIn(name); ok {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return writeBuiltIn(filepath.Join(cache, "tools"), name, driver)
		}
	}
	return tools.Open(name)
}

type tryer struct {
	*tryOptions
	*streams
	tool     tools.Tool
	digest   string
	cache    string
	edition  *edition.Edition
	driver   vm.Driver
	runs     int
	wrong    int
	findings int
	points   big.Rat
}

// run does one examination of one instance, or takes the last time's result.
func (t *tryer) run(ctx context.Context, i models.Instance, exam examinations.ID) error {
	dir, err := i.Directory(filepath.Join(t.cache, "instances"))
	if err != nil {
		return err
	}
	items, err := itemsOf(dir, exam)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(t.err, "%s has no formulas for %s: left out\n", i.ID, exam)
		return nil
	} else if err != nil {
		return err
	}
	need := planning.Options{CPU: t.cpu, Memory: int64(t.memory), Output: 100e6, Disk: 4e9, Processes: 4096}.Confinement(t.edition.Limits.Sequential)
	run := campaign.Run{Tool: t.tool.Name, Instance: i.ID.String(), Exam: exam}
	fmt.Fprintf(t.out, "%s\n", run)
	kept, key, err := t.recall(i, exam, need)
	if err != nil {
		return err
	}
	if kept == nil {
		if kept, err = t.execute(ctx, run, need, dir, i.ID, items); err != nil {
			return err
		}
		if err := keep(key, kept); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.out, "  nothing has changed since the last time; --again repeats it")
	}
	return t.table(i.ID, exam, items, kept)
}

// itemsOf lists what an examination asks for.
func itemsOf(dir string, exam examinations.ID) ([]string, error) {
	if !exam.HasFormulas() {
		return exam.Items(nil), nil
	}
	path := filepath.Join(dir, exam.FormulaFile())
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	properties, found := formula.ReadFile(path, exam)
	return exam.Items(formula.IDs(properties)), found.Err()
}

// recall gives the result of an unchanged run, nil when there is none, and the
// file in which it is kept.
func (t *tryer) recall(i models.Instance, exam examinations.ID, need campaign.Confinement) (*trial, string, error) {
	digest, err := i.Digest()
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256([]byte(t.digest + digest + string(exam) + need.String() + t.tryOptions.driver + Version()))
	key := filepath.Join(t.cache, "try", hex.EncodeToString(sum[:])+".json")
	text, err := os.ReadFile(key)
	if err != nil || t.again || t.logs {
		return nil, key, nil
	}
	kept := &trial{}
	if err := json.Unmarshal(text, kept); err != nil || kept.Format != trialFormat {
		return nil, key, nil
	}
	return kept, key, nil
}

func keep(path string, r *trial) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// execute runs the tool and shows what is understood as it comes.
func (t *tryer) execute(ctx context.Context, run campaign.Run, need campaign.Confinement, dir string, id models.ID, items []string) (*trial, error) {
	image, tool := tools.Place(t.tool.Dir, t.tool.Image)
	machine, err := t.driver.Boot(ctx, vm.Spec{Name: fmt.Sprintf("try-%d-%d", os.Getpid(), t.runs), Cores: need.Cores, Memory: need.Memory,
		Image: image, Tool: tool, Input: dir, Hide: []string{t.tool.Dir}})
	if err != nil {
		return nil, err
	}
	t.runs++
	defer machine.Close()
	lines, feed := io.Pipe()
	heard := make(chan *trial)
	begun := time.Now()
	go func() {
		heard <- t.listen(lines, run.Exam, output.ReaderOptions{Instance: id, Items: items, File: "output",
			Clock: func() time.Duration { return time.Since(begun) }})
	}()
	job := vm.Job{Command: []string{t.tool.Head}, Env: campaign.Environment(run, need), Limits: need.Limits(), Stdout: feed, Stderr: diagnostic.NewTerminal(t.err)}
	if t.logs {
		job.Stdout = io.MultiWriter(feed, diagnostic.NewTerminal(t.err))
	}
	outcome, err := machine.Exec(ctx, job)
	feed.Close()
	result := <-heard
	if err != nil {
		return nil, err
	}
	result.Outcome = outcome
	return result, nil
}

func (t *tryer) listen(stdout *io.PipeReader, exam examinations.ID, o output.ReaderOptions) *trial {
	result := &trial{Format: trialFormat}
	r := output.NewReader(stdout, exam, o)
	for r.Scan() {
		a := r.Answer()
		result.Answers = append(result.Answers, campaign.Answer{Item: a.Item, Text: a.Value.Text, Line: a.Line, Offset: a.Offset, At: a.At.Microseconds()})
		fmt.Fprintf(t.err, "  %7.3f s  line %d: %s is %s\n", a.At.Seconds(), a.Line, a.Item, short(a.Value.Text))
	}
	io.Copy(io.Discard, stdout)
	result.Said, result.Findings = r.Participation(), r.Diagnostics()
	return result
}

// table shows every value that was asked for, and judges what an oracle knows.
func (t *tryer) table(id models.ID, exam examinations.ID, items []string, r *trial) error {
	source, err := oracle.Open(t.oracle)
	if err != nil {
		return err
	}
	known, err := source.Values(id, exam, items)
	if errors.Is(err, os.ErrNotExist) {
		known, err = nil, nil
	}
	if err != nil {
		return err
	}
	result, err := t.judge(id, exam, items, r, known)
	if err != nil {
		return err
	}
	answers := map[string]campaign.Answer{}
	for _, a := range r.Answers {
		answers[a.Item] = a
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, item := range items {
		a, given := answers[item]
		value := examinations.Value{Kind: exam.Kind(), Text: a.Text}
		shown, at := "-", ""
		if given {
			shown, at = short(a.Text), fmt.Sprintf("%.3f s", float64(a.At)/1e6)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", item, shown, at, verdict(value, known[examinations.Key{Instance: id, Exam: exam, Item: item}]))
		t.wrong += refuted(value, known[examinations.Key{Instance: id, Exam: exam, Item: item}])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, d := range r.Findings {
		fmt.Fprintf(t.out, "  %s\n", d.Error())
		if d.Severity == diagnostic.Error {
			t.findings++
		}
	}
	o := r.Outcome
	fmt.Fprintf(t.out, "  %s; ended by %s (exit code %d); %s\n", r.Said, o.Termination, o.ExitCode, figures(o))
	for _, warning := range o.Warnings {
		fmt.Fprintf(t.out, "  %s\n", warning)
	}
	if points := result.RunPoints(0, 0); len(known) > 0 {
		fmt.Fprintf(t.out, "  %s points without bonuses of comparison\n", result.Scheme.PointsText(points))
		t.points.Add(&t.points, big.NewRat(points, result.Scheme.Unit))
	}
	return nil
}

// judge scores the run against the oracle alone.
func (t *tryer) judge(id models.ID, exam examinations.ID, items []string, r *trial, known map[examinations.Key]examinations.Value) (*scoring.Result, error) {
	b := t.edition.Builder()
	if err := b.Declare(id.String(), exam, items...); err != nil {
		return nil, err
	}
	f := campaign.Finished{Run: campaign.Run{Tool: t.tool.Name, Instance: id.String(), Exam: exam}, Outcome: r.Outcome, Participation: r.Said, Answers: r.Answers}
	e := contest.Entry(f)
	e.CPU, e.Memory = scoring.Unmeasured, scoring.Unmeasured // nobody to compare with
	if err := b.Add(e); err != nil {
		return nil, err
	}
	for key, value := range known {
		if key.Instance == id && key.Exam == exam {
			if err := b.Oracle(id.String(), exam, key.Item, value); err != nil {
				return nil, err
			}
		}
	}
	scheme := *t.edition.Scheme
	scheme.Elect = nil
	return scheme.Score(b.Contest()), nil
}

// verdict ends the trial.
func (t *tryer) verdict() error {
	switch {
	case t.wrong > 0:
		return incompleteError{wording.Count(t.wrong, "value is wrong", "values are wrong")}
	case t.findings > 0:
		return incompleteError{wording.Count(t.findings, "line looks like an answer and is none", "lines look like answers and are none")}
	}
	return nil
}
