package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
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
	"podium/internal/trial"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
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
	t := &tryer{tryOptions: o, streams: s, cache: cache, edition: ed, bench: trial.Bench{Tool: tool, Digest: digest, Driver: driver, Machine: o.driver,
		Version: Version(), Cache: filepath.Join(cache, "try"), Stderr: diagnostic.NewTerminal(s.err)}}
	t.bench.Heard = func(a output.Answer) {
		fmt.Fprintf(s.err, "  %7.3f s  line %d: %s is %s\n", a.At.Seconds(), a.Line, a.Item, diagnostic.ShortNumber(a.Value.Text))
	}
	if o.logs {
		t.bench.Stdout = diagnostic.NewTerminal(s.err)
	}
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
	if _, err := tools.Dirs(name); err != nil {
		return tools.Tool{}, err
	}
	return tools.Open(name)
}

type tryer struct {
	*tryOptions
	*streams
	cache    string
	edition  *edition.Edition
	bench    trial.Bench
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
	q := trial.Question{Instance: i, Dir: dir, Exam: exam, Items: items, Need: need}
	fmt.Fprintf(t.out, "%s\n", t.bench.Run(q))
	if !t.again && !t.logs {
		if kept, err := t.bench.Recall(q); err != nil {
			return err
		} else if kept != nil {
			fmt.Fprintln(t.out, "  nothing has changed since the last time; --again repeats it")
			return t.table(q, kept)
		}
	}
	result, err := t.bench.Ask(ctx, q)
	if err != nil {
		return err
	}
	return t.table(q, result)
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

// table shows every value that was asked for, and judges what an oracle knows.
func (t *tryer) table(q trial.Question, r *trial.Result) error {
	id := q.Instance.ID
	source, err := oracle.Open(t.oracle)
	if err != nil {
		return err
	}
	known, err := source.Values(id, q.Exam, q.Items)
	if errors.Is(err, os.ErrNotExist) {
		known, err = nil, nil
	}
	if err != nil {
		return err
	}
	result, err := t.bench.Judge(q, r, t.edition, known)
	if err != nil {
		return err
	}
	answers := map[string]campaign.Answer{}
	for _, a := range r.Answers {
		answers[a.Item] = a
	}
	w := wording.Table(t.out)
	for _, item := range q.Items {
		a, given := answers[item]
		value := examinations.Value{Kind: q.Exam.Kind(), Text: a.Text}
		shown, at := "-", ""
		if given {
			shown, at = diagnostic.ShortNumber(a.Text), fmt.Sprintf("%.3f s", float64(a.At)/1e6)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", item, shown, at, verdict(value, known[examinations.Key{Instance: id, Exam: q.Exam, Item: item}]))
		t.wrong += refuted(value, known[examinations.Key{Instance: id, Exam: q.Exam, Item: item}])
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
