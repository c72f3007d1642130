package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/modelfiles"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/trial"
	"podium/pnml/diagnostic"
	"podium/vm/topology"
)

// tryOptions are the flags of try.
type tryOptions struct {
	*planOptions
	oracle  string
	again   bool
	logs    bool
	keep    string
	format  string
	junit   string
	replace bool
	shell   bool
	command bool
	watch   bool
}

// threeCommands says how try, test and qualify differ.
const threeCommands = `One of three commands for a tool: try shows some runs in full, test compares many with known values
and with the last time, and qualify does what organisers do before a contest.`

func newTry(s *streams) *cobra.Command {
	o := tryOptions{planOptions: newTrialOptions()}
	cmd := &cobra.Command{
		Use:   "try TOOL [INSTANCE...]",
		Short: "Run one tool as a contest would, and show which answers are read",
		Long: `Try runs a tool (a tool directory, or the name of a built-in tool) in the machine of a
contest, with its environment and limits, and shows at once which answers are read. Then it prints a
table: every value, whether it is known to be right, when it was printed, and its points; at the end,
a summary by examination. Answers are compared with what enumeration of a small net proves, and else
with what --oracle knows. Of standard error it shows the last lines and the file that has all. Runs whose
tool, instance and limits have not changed are not repeated. Without instances it takes small
built-in ones. A tool for tasks of SV-COMP is tried on tasks: podium try mytool/ loops/sum.yml.

` + threeCommands + `

--watch goes on: after each change of the tool or of an instance it does the runs again that this
changes, until Ctrl-C. --shell opens a shell in the machine of one run instead of the tool; the tool
is $HOME/BenchKit there. --command prints the command that repeats each run.

Exit codes: 0 all is well, 2 usage, 3 a value is wrong, a line was misread, or the tool did not start,
crashed or was killed (the limits of CPU time and wall time are no failure; --watch goes on), 4 invalid input, 5 the host cannot run machines, 130 interrupted.`,
		Example: `  podium try mytool/ --examination StateSpace
  podium try mytool/ AirplaneLD-PT-0010.tgz --oracle oracle/
  podium try explicit -x CTLFireability models/KanbanCells-PT-0001
  podium try mytool/ loops/sum.yml c/MemSafety.set
  podium try mytool/ --watch -x OneSafe models/
  podium try mytool/ --shell -x OneSafe models/KanbanCells-PT-0001`,
		Args: someArgs("a tool directory, or the name of a built-in tool"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.try(cmd.Context(), s, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	o.registerRules(f)
	registerOracle(f, &o.oracle)
	registerGiven(f, &o.Given, true)
	f.BoolVar(&o.again, "again", false, "repeat runs that have not changed, too")
	registerShareThreads(f, &o.threads)
	f.BoolVar(&o.logs, "logs", false, "show everything that the tool prints")
	f.StringVar(&o.keep, "keep", "", "`DIR` that gets what each run leaves, as INSTANCE/EXAMINATION: stdout, stderr, result.json and results, the files of BK_RESULT_DIR")
	f.BoolVar(&o.Witnesses, "witnesses", false, "ask the tool for runs and proofs of its values; --keep has the files, and podium check witness checks them")
	f.StringVar(&o.format, "format", "text", "how findings are written: text, json (one object a line) or github (annotations); with the last two, tables go to standard error")
	f.BoolVar(&o.shell, "shell", false, "a shell in the machine of one run, instead of the tool")
	f.BoolVar(&o.command, "command", false, "print with each run the command that repeats it")
	f.BoolVar(&o.watch, "watch", false, "go on: run again what a change of the tool or of an instance changes")
	registerAll(f, &o.Everything)
	f.StringVar(&o.junit, "junit", "", "`FILE` that gets the runs as tests, in the form of JUnit")
	registerReplace(cmd, &o.replace)
	return cmd
}

func (o *tryOptions) try(ctx context.Context, s *streams, name string, paths []string) error {
	format, err := diagnostic.ParseFormat(o.format)
	if err != nil {
		return usageError{err}
	}
	if s.asJSON && (o.watch || o.shell || format != diagnostic.Text) {
		return usageError{errors.New("--json prints one document at the end: leave --watch, --shell and --format out")}
	}
	if err := mayReplace(o.junit, trial.JUnitMark, o.replace); err != nil {
		return err
	}
	cache := files.Cache()
	if tool, err := openTool(name, cache, o.Driver); err == nil && ofTasks(tool) {
		return o.repeatedly(ctx, s, name, paths, func(bool) error { return o.tryTasks(ctx, s, tool, paths, cache, format) })
	}
	if len(paths) == 0 {
		if paths, err = modelfiles.WriteSmall(ctx, filepath.Join(cache, "models")); err != nil {
			return err
		}
		s.say(fmt.Sprintf("no instance is named: each examination is done on %d small built-in ones", len(paths)))
	}
	return o.repeatedly(ctx, s, name, paths, func(begun bool) error { return o.once(ctx, s, name, paths, cache, format, begun) })
}

// repeatedly tries once, or with --watch after each change. The trial is told whether
// there was one before.
func (o *tryOptions) repeatedly(ctx context.Context, s *streams, name string, paths []string, try func(begun bool) error) error {
	defer s.upkeep.hold()()
	begun := false
	once := func() error { return try(begun) }
	if !o.watch {
		return once()
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	return trial.Watch(ctx, append([]string{name}, paths...), tick.C, func() error {
		err := once()
		code := exitCode(ctx, err)
		if code != ExitIncomplete && (code != ExitInvalid || !begun) {
			begun = true
			return err
		}
		complain(s.err, err, code) // what is wrong may be right after the next change
		begun = true
		return nil
	})
}

// once does all runs, or opens the shell. With onlyNew it shows what is run, not what it
// recalls.
func (o *tryOptions) once(ctx context.Context, s *streams, name string, paths []string, cache string, format diagnostic.Format, onlyNew bool) error {
	tool, err := openTool(name, cache, o.Driver)
	if err != nil {
		return err
	}
	ed, _, err := judged.LoadEdition(o.Edition)
	if err != nil {
		return err
	}
	if _, err := planning.Examinations(o.Examinations, ed); err != nil {
		return err
	}
	for _, path := range paths {
		exam, err := examinations.ParseID(path)
		if _, none := os.Stat(path); err == nil && none != nil {
			return usageError{fmt.Errorf("%s is an examination, and stands where an instance is expected: write -x %s", path, exam)}
		}
	}
	opened, err := s.open(paths...)
	if err != nil {
		return err
	}
	plan, err := o.options(s).Unwritten(ctx, ed, tool, opened.Instances)
	if err != nil {
		return err
	}
	driver, err := openDriver(o.Driver)
	if err != nil {
		return err
	}
	defer driver.Close()
	var machine *topology.Machine
	claim := func(ctx context.Context, w topology.Wish) (*topology.Pool, error) {
		if machine == nil {
			able, err := driver.Probe(ctx)
			if err != nil {
				return nil, err
			}
			machine = coresOf(s, able.Cores, o.threads)
		}
		w.Threads = o.threads
		return claimCores(ctx, s, machine, w)
	}
	known, err := oracle.Open(o.oracle)
	if err != nil {
		return err
	}
	t := &trial.Session{Edition: ed, Known: known, Unpack: filepath.Join(cache, "instances"), Repeat: o.again || o.logs || o.keep != "", OnlyNew: onlyNew,
		Say:   s.say,
		Bench: trial.Bench{Record: trial.Record{Tool: tool, Keep: o.keep, Out: o.tables(s, format)}, Plan: plan, Driver: driver, Claim: claim, Cache: filepath.Join(cache, "try"), Shown: os.Getenv(showVariable), Heard: trial.Telling(s.err)}}
	if o.logs {
		t.Bench.Stdout, t.Bench.Stderr = s.err, s.err
	}
	if o.command {
		t.Command = func(run campaign.Run, q trial.Question) string {
			return trial.Command(name, q.Instance.Path, run, q.Need(), o.unusual())
		}
	}
	if o.shell {
		if len(opened.Instances) != 1 || len(plan.Examinations) != 1 {
			return usageError{errors.New("--shell is for one run: name one instance, and one examination with -x")}
		}
		file, isFile := s.in.(*os.File)
		return t.Shell(ctx, opened.Instances[0], plan.Examinations[0], isFile && term.IsTerminal(int(file.Fd())), s.in, s.out, s.err)
	}
	if err := t.All(ctx, opened.Instances); errors.Is(err, trial.ErrNoPart) {
		return usageError{err}
	} else if err != nil {
		return err
	}
	return o.conclude(s, t, format)
}

// tables is where tables go: beside findings for programs, to standard error.
func (o *tryOptions) tables(s *streams, format diagnostic.Format) io.Writer {
	if format != diagnostic.Text || s.asJSON {
		return s.err
	}
	return s.out
}

// tried is a trial on nets or on tasks that has done its runs.
type tried interface {
	Trial() *trial.Record
	Write(io.Writer, diagnostic.Format) error
}

// conclude writes what a trial found.
func (o *tryOptions) conclude(s *streams, t tried, format diagnostic.Format) error {
	if o.junit != "" {
		r := t.Trial()
		if err := files.Write(o.junit, func(out io.Writer) error { return trial.WriteJUnit(out, r.Tool.Name, r.Cases) }); err != nil {
			return err
		}
	}
	if err := s.print(triedOf(t.Trial()), func(out io.Writer) error { return t.Write(out, format) }); err != nil {
		return err
	}
	if blame := t.Trial().Blame(); blame != "" {
		return incompleteError{blame}
	}
	return nil
}

// unusual are the flags of the command that repeats a run, beside its limits.
func (o *tryOptions) unusual() map[string]string {
	flags := map[string]string{}
	if o.Everything {
		flags["all"] = ""
	}
	for _, f := range []struct{ name, value, usual string }{{"oracle", o.oracle, ""}, {"edition", o.Edition, defaultEdition}, {"driver", o.Driver, "sandbox"}, {"given", string(o.Given), ""}} {
		if f.value != f.usual {
			flags[f.name] = f.value
		}
	}
	return flags
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
