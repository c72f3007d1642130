package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/examinations/output"
	"podium/internal/contest"
	"podium/internal/files"
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
	keep    string
	format  string
	junit   string
}

func newTry(s *streams) *cobra.Command {
	o := tryOptions{edition: defaultEdition, cpu: 60 * time.Second, memory: 2e9, driver: "sandbox"}
	cmd := &cobra.Command{
		Use:   "try TOOL [INSTANCE...]",
		Short: "Run one tool as a contest would, and show which answers are read",
		Long: `Try runs a tool (a tool directory, or the name of a built-in tool) in the machine of a
contest, with its environment and limits, and shows at once which answers are read. Then it prints a
table: every value, whether it is known to be right, when it was printed, and its points; at the end,
a summary by examination. Of standard error it shows the last lines and the file that has all. Runs whose
tool, instance and limits have not changed are not repeated. Without instances it takes small
built-in ones.

Exit codes: 0 all is well, 2 usage, 3 a value is wrong, a line was misread, or the tool did not start,
crashed or was killed (the limits of CPU time and wall time are no failure), 4 invalid input, 5 the host cannot run machines, 130 interrupted.`,
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
	f.StringVar(&o.keep, "keep", "", "`DIR` that gets what each run leaves, as INSTANCE/EXAMINATION: stdout, stderr, result.json and results, the files of BK_RESULT_DIR")
	f.StringVar(&o.format, "format", "text", "how findings are written: text, json (one object a line) or github (annotations); with the last two, tables go to standard error")
	f.StringVar(&o.junit, "junit", "", "`FILE` that gets the runs as tests, in the form of JUnit")
	return cmd
}

func (o *tryOptions) try(ctx context.Context, s *streams, name string, paths []string) error {
	format, err := diagnostic.ParseFormat(o.format)
	if err != nil {
		return usageError{err}
	}
	tables := s.out
	if format != diagnostic.Text {
		tables = s.err
	}
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
	t := &tryer{tryOptions: o, streams: s, cache: cache, edition: ed, out: tables, format: format, bench: trial.Bench{Tool: tool, Digest: digest, Driver: driver, Machine: o.driver,
		Version: Version(), Cache: filepath.Join(cache, "try"), Keep: o.keep}}
	t.bench.Heard = func(a output.Answer) {
		fmt.Fprintf(s.err, "  %7.3f s  line %d: %s is %s\n", a.At.Seconds(), a.Line, a.Item, diagnostic.ShortNumber(a.Value.Text))
	}
	if o.logs {
		t.bench.Stdout, t.bench.Stderr = diagnostic.NewTerminal(s.err), diagnostic.NewTerminal(s.err)
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
	out      io.Writer // of the tables
	format   diagnostic.Format
	summary  trial.Summary
	wrong    int
	failed   int // runs
	lines    int // that look like answers
	findings diagnostic.List
	cases    []trial.Case
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
	if !t.again && !t.logs && t.keep == "" {
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
	marks, err := r.Table(t.out, q, known)
	if err != nil {
		return err
	}
	t.summary.Add(q.Exam, r, marks)
	t.wrong += marks.Wrong
	t.lines += r.Findings.Count(diagnostic.Error)
	found := t.bench.Findings(q, r, marks)
	t.findings = append(t.findings, found...)
	t.cases = append(t.cases, trial.Case{Run: t.bench.Run(q), Result: r, Findings: found})
	if r.Failure() != "" {
		t.failed++
	}
	o := r.Outcome
	fmt.Fprintf(t.out, "  %s; %s; %s\n", r.Said, trial.Ended(o), figures(o))
	for _, warning := range o.Warnings {
		fmt.Fprintf(t.out, "  %s\n", warning)
	}
	if points := result.RunPoints(0, 0); len(known) > 0 {
		fmt.Fprintf(t.out, "  %s points without bonuses of comparison\n", result.Scheme.PointsText(points))
	}
	return nil
}

// verdict ends the trial: the summary, and what is wrong.
func (t *tryer) verdict() error {
	if t.junit != "" {
		if err := files.Write(t.junit, func(w io.Writer) error { return trial.WriteJUnit(w, t.bench.Tool.Name, t.cases) }); err != nil {
			return err
		}
	}
	if t.format != diagnostic.Text {
		return errors.Join(t.findings.Write(t.streams.out, t.format), t.blame())
	}
	fmt.Fprintln(t.out)
	return errors.Join(t.summary.Write(t.out), t.blame())
}

// blame says what of a trial has to be mended.
func (t *tryer) blame() error {
	var all []string
	if t.failed > 0 {
		all = append(all, wording.Count(t.failed, "run failed: the tool did not start, crashed or was killed", "runs failed: the tool did not start, crashed or was killed"))
	}
	if t.wrong > 0 {
		all = append(all, wording.Count(t.wrong, "value is wrong", "values are wrong"))
	}
	if t.lines > 0 {
		all = append(all, wording.Count(t.lines, "line looks like an answer and is none", "lines look like answers and are none"))
	}
	if len(all) == 0 {
		return nil
	}
	return incompleteError{strings.Join(all, "; ")}
}
