// Package cmd is the command line of podium: one file per verb. Standard output
// is data, standard error is talk; what a command returns is mapped to an exit
// code in one place.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"podium/internal/ask"
	"podium/internal/campaign"
	"podium/internal/cluster"
	"podium/internal/decisions"
	"podium/internal/fault"
	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/internal/modelfiles"
	"podium/internal/planning"
	"podium/internal/publish"
	"podium/internal/selection"
	"podium/internal/serve"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
	"podium/vm"
)

// Exit codes, the same for every command.
const (
	ExitDone        = 0
	ExitInternal    = 1
	ExitUsage       = 2
	ExitIncomplete  = 3
	ExitInvalid     = 4
	ExitHost        = 5
	ExitBusy        = 6
	ExitInterrupted = 130
)

// usageError is a mistake on the command line.
type usageError struct{ error }

// incompleteError says that a command finished and found something to report.
type incompleteError struct{ what string }

func (e incompleteError) Error() string { return e.what }

// streams is where a command reads and writes. What it writes is made safe for
// terminals, whatever it has from outside.
type streams struct {
	in       io.Reader
	out, err io.Writer
	upkeep   *upkeep // nil where nobody interrupts
	heard    *heard
	command  *cobra.Command // that runs
	asJSON   bool           // it prints documents, see [registerJSON]
}

// to returns streams that write elsewhere.
func (s *streams) to(out, err io.Writer) *streams {
	other := *s
	other.out, other.err = out, err
	return &other
}

// say writes a remark for the person to standard error.
func (s *streams) say(remark string) { fmt.Fprintln(s.err, remark) }

// sayAll writes findings that change nothing, one a line, to standard error.
func (s *streams) sayAll(found diagnostic.List) {
	for _, d := range found {
		s.say(d.Error())
	}
}

// Main runs podium with the given arguments and returns its exit code. An
// interrupt (Ctrl-C, SIGTERM) ends the context, and soon also a command that does
// not listen and has nothing to put away; a second one ends the process at once.
func Main(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	ctx = interrupted(ctx, signals, os.Exit)
	u := &upkeep{}
	out, err = diagnostic.NewTerminal(out), foldedTerminal(diagnostic.NewTerminal(err))
	s := &streams{in: in, out: out, err: err, upkeep: u, heard: newHeard(err)}
	root := newRoot(s)
	root.SetArgs(bareAgain(currentNames(args)))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(err)
	failure := u.await(ctx, patience, func() error {
		return fault.Contain("podium "+strings.Join(args[:min(len(args), 1)], ""), func() error { return root.ExecuteContext(ctx) })
	})
	s.sayRest()
	code := exitCode(ctx, failure)
	if failure != nil {
		complain(err, failure, code)
	}
	return code
}

// bareAgain writes `--again` without models, as it stands before --only, in the form
// that the parser of flags reads.
func bareAgain(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if args[0] == "run" && arg == "--again" && (i+1 == len(args) || strings.HasPrefix(args[i+1], "-")) {
			args[i] = "--again="
		}
	}
	return args
}

func exitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return ExitDone
	case is[usageError](err), is[*judged.NameError](err), is[*planning.OptionError](err), is[*modelfiles.ParamError](err), is[*modelfiles.NotColouredError](err),
		is[*publish.NotOursError](err), is[tools.NameError](err), is[*cluster.RequestError](err), is[*forecast.QuestionError](err), is[*serve.AddressError](err),
		errors.Is(err, ask.ErrNothing), errors.Is(err, fs.ErrExist), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR):
		return ExitUsage
	case is[*cluster.SlurmError](err), is[*serve.ListenError](err):
		return ExitHost // whatever they wrap
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return ExitInterrupted
	case is[*fault.Error](err):
		return ExitInternal // also where something else is to be reported
	case is[incompleteError](err), is[*cluster.LostError](err):
		return ExitIncomplete
	case is[diagnostic.List](err), is[diagnostic.Diagnostic](err), is[*models.EmbargoError](err), errors.Is(err, os.ErrNotExist):
		return ExitInvalid
	case is[*vm.BootError](err), is[hostError](err), is[*campaign.TooSmallError](err), is[*unfold.TooLarge](err),
		errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ExitHost
	case is[*campaign.BusyError](err), is[*campaign.ChangedError](err), is[*planning.OtherInputsError](err), is[*campaign.ForeignError](err), errors.Is(err, decisions.ErrOvertaken):
		return ExitBusy
	}
	return ExitInternal
}

// is reports whether an error is of a type, or wraps one of it.
func is[T error](err error) bool { return errors.As(err, new(T)) }

// lineStart is the beginning of a line that is not indented.
var lineStart = regexp.MustCompile(`\n(\S)`)

// complain prints what went wrong, in lines that fit the terminal.
func complain(w io.Writer, err error, code int) {
	if code == ExitInterrupted {
		return // the command has said how to go on
	}
	_ = folded(w, func(w io.Writer) error { return printError(w, err) }) // to whom could one complain?
}

func printError(w io.Writer, err error) error {
	var all diagnostic.List
	for _, part := range partsOf(err) {
		var list diagnostic.List
		if errors.As(part, &list) {
			all = append(all, list...)
			continue
		}
		// A text from outside may hold line feeds: no line of it begins as one of ours.
		fmt.Fprintf(w, "podium: %s\n", lineStart.ReplaceAllString(pathMessage(part), "\n  $1"))
	}
	all.ErrorsFirst()
	if err := all.WriteGrouped(w, ""); err != nil {
		return err
	}
	if n := all.Count(diagnostic.Error); n > 1 {
		fmt.Fprintf(w, "podium: %d errors\n", n)
	}
	return nil
}

// partsOf returns the errors that [errors.Join] made one of.
func partsOf(err error) (parts []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() { // it is a sentence of its own
		return []error{err}
	}
	for _, part := range joined.Unwrap() {
		parts = append(parts, partsOf(part)...)
	}
	return parts
}

func init() { cobra.EnableCommandSorting = false } // help lists commands in the order in which they are used

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "podium",
		Short: "The engine of a model checking contest on Petri nets",
		Long: `Podium runs a model checking contest on Petri nets: it feeds PNML models and formula files
to tools in fresh machines, reads their answers, elects the reference values, and publishes
scores that explain every point.

Shells complete commands, flags, and the names of tools, models, instances and examinations
of a campaign: see the last example; "podium completion bash --help" (or zsh, fish) says how to
keep it.`,
		Example: `  podium contest                               built-in tools, built-in models
  podium contest --models INPUTS --tools DIR   your own
  podium run out/contest                       go on after an interruption
  source <(podium completion bash)             complete commands and flags in this shell`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       Version(),
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { s.command = cmd }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if first := cmd.Flags().Args(); cmd.HasSubCommands() && len(first) > 0 {
			return noArgs(cmd, first) // the flag is one of the command that was meant
		}
		near := ""
		wrong := (*pflag.InvalidValueError)(nil)
		if errors.As(err, &wrong) {
			if taken := needsValue(cmd, wrong.GetFlag().Name, wrong.GetValue()); taken != nil {
				return taken
			}
		}
		if wrong != nil && errors.Is(err, strconv.ErrSyntax) && strings.Contains(wrong.GetFlag().Value.Type(), "int") {
			err = fmt.Errorf("--%s %s: this is no whole number", wrong.GetFlag().Name, wrong.GetValue())
		}
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
			near = nearestFlag(cmd, unknown.GetSpecifiedName())
		}
		if strings.Contains(err.Error(), "missing unit in duration") {
			near = "; write it with a unit: 60s, 10m or 1h"
		}
		return usageError{fmt.Errorf("%w%s; `%s --help` lists the flags", err, near, cmd.CommandPath())}
	})
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Start here", []*cobra.Command{newContest(s), newDoctor(s), newEdition(s)}},
		{"A contest", []*cobra.Command{newPlan(s), orContest(newExtend(s)), orContest(newSimulate(s)), orContest(newRun(s)), orContest(newStatus(s)), orContest(newServe(s)), orContest(newLogs(s), 0, 3)}},
		{"On many hosts", []*cobra.Command{newCluster(s), newShard(s)}},
		{"Judge", []*cobra.Command{orContest(newScore(s)), newExplain(s), newProve(s), newDecide(s), orContest(newWhatif(s)), newCompare(s)}},
		{"Publish", []*cobra.Command{orContest(newPublish(s)), orContest(newTeams(s)), orContest(newExport(s)), orContest(newArchive(s)), newVerify(s)}},
		{"Tools", []*cobra.Command{newTool(s), newTry(s), newTest(s), newQualify(s)}},
		{"Models and files", []*cobra.Command{newCheck(s), newModel(s)}},
		{"Machines", []*cobra.Command{newImage(s), newMachine(s), newCache(s)}},
		{helpGroup, []*cobra.Command{newVersion(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, below := range g.commands {
			below.GroupID = g.title
			root.AddCommand(below)
		}
	}
	root.SetHelpCommandGroupID(helpGroup)
	root.SetCompletionCommandGroupID(helpGroup)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, below := range root.Commands() { // those of cobra take a mistyped name for none
		switch {
		case below.Name() == "completion":
			for _, shell := range below.Commands() {
				shell.Example = "  podium completion " + shell.Name() + "   print the script"
			}
			below.Args, below.RunE = noArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case below.Name() == "help":
			below.Run, below.RunE = nil, help
			below.Long = "Help prints the help of a command, and explains what all commands have in common."
			below.Short, below.Example = "Help about a command, exit-codes, rules or environment", "  podium help plan\n  podium help exit-codes"
			below.AddCommand(topics()...)
		}
	}
	registerJSON(s, root)
	wantValues(root)
	readLines(root)
	fitHelp(root)
	complete(root)
	return root
}

// group returns a command that only has commands below it.
func group(name, short string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(below...)
	return cmd
}

// helpGroup is the title of the commands that cobra adds to.
const helpGroup = "Help"

// help prints the help of the command that is named.
func help(cmd *cobra.Command, args []string) error {
	of, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		if of == nil {
			of = cmd.Root()
		}
		return noArgs(of, rest)
	}
	return of.Help()
}

// otherWords are what other programs call flags of ours.
var otherWords = map[string]string{"timeout": "cpu", "time": "cpu", "time-limit": "cpu", "mem": "memory", "memlimit": "memory", "timelimit": "cpu", "instance": "models", "exam": "examination"}

// otherVerbs are what people type who look for a command, with what to type instead.
var otherVerbs = map[string]string{
	"resume":   "`podium run CAMPAIGN` goes on with what is not done",
	"continue": "`podium run CAMPAIGN` goes on with what is not done",
	"start":    "`podium run CAMPAIGN` begins, and goes on with what is not done",
	"stop":     "Ctrl-C in its terminal stops `podium run`, and `podium cluster cancel` stops jobs; what is done stays",
	"results":  "`podium score` prints the podium, `podium publish` writes the pages, and `podium export` writes files",
	"report":   "`podium publish` writes the pages, and `podium qualify` a report for each team",
	"validate": "`podium check` checks models, formulas, outputs, witnesses and tasks, and `podium edition check` editions",
	"list":     "`podium edition list`, `podium tool list`, `podium model families` and `podium decide list` list what there is",
	"init":     "`podium tool init DIR` writes a tool directory, and `podium plan` makes a campaign",
	"clean":    "a campaign is one directory, which you may remove; `podium archive` keeps it in one file",
	"witness":  "`podium check witness` replays witnesses",
	"play":     "`podium model draw --format html` writes a page that plays the token game",
}

// nearestFlag suggests a flag instead of one that a command does not have.
func nearestFlag(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if cmd.Flags().Lookup("only") != nil && slices.ContainsFunc(selection.Keys, func(k selection.Described) bool { return string(k.Key) == name }) {
		return fmt.Sprintf("; write --only '%s=NAME'", name)
	}
	if asArguments := []string{"instance", "instances", "model", "models", "only", "tool", "tools"}; cmd.Name() == "try" && slices.Contains(asArguments, name) {
		return fmt.Sprintf("; name the tool and then the instances: `%s TOOL INSTANCE...`", cmd.CommandPath())
	}
	if near, ok := diagnostic.Nearest(name, slices.Values(known)); ok {
		return "; the nearest is --" + near
	}
	if meant := otherWords[name]; slices.Contains(known, meant) {
		return "; here it is --" + meant
	}
	return ""
}

// flagLike are words that are flags, of this command or another.
var flagLike = regexp.MustCompile(`^--[a-z][a-z-]*(=|$)`)

// needsValue gives the error of a flag that stands without a value, so that it has taken the
// flag behind it for one.
func needsValue(cmd *cobra.Command, name, value string) error {
	short, isShort := strings.CutPrefix(value, "-")
	if flagLike.MatchString(value) || isShort && len(short) == 1 && cmd.Flags().ShorthandLookup(short) != nil {
		return usageError{fmt.Errorf("--%s needs a value, and %s stands there; `%s --help` lists the flags", name, value, cmd.CommandPath())}
	}
	return nil
}

// wantValues lets a command and those below it refuse flags without a value.
func wantValues(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		wantValues(below)
	}
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		cmd.Flags().Visit(func(f *pflag.Flag) {
			values := []string{f.Value.String()}
			if list, several := f.Value.(pflag.SliceValue); several {
				values = list.GetSlice()
			}
			for _, value := range values {
				err = cmp.Or(err, needsValue(cmd, f.Name, value))
			}
		})
		if err != nil || check == nil {
			return err
		}
		return check(cmd, args)
	}
}

// readLines lets line feeds separate the members of lists, of a command and of those below it:
// pflag reads the first line only, and drops the others without a word.
func readLines(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		readLines(below)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if list, several := f.Value.(pflag.SliceValue); several && f.Value.Type() == "stringSlice" {
			f.Value = lines{f.Value, list}
			if f.DefValue == "[]" {
				f.DefValue = "" // as pflag prints no default for a type that it does not know
			}
		}
	})
}

// lines is a list whose members are separated by commas or line feeds.
type lines struct {
	pflag.Value
	pflag.SliceValue
}

func (l lines) Set(text string) error {
	return l.Value.Set(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), ","))
}

// noArgs, someArgs and exactArgs report a wrong number of arguments as usage.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		if !cmd.HasSubCommands() {
			return usageError{fmt.Errorf("%s takes flags only, and %q is none; `%s --help` lists them", cmd.CommandPath(), args[0], cmd.CommandPath())}
		}
		if instead, ok := otherVerbs[args[0]]; ok && !cmd.HasParent() {
			return usageError{fmt.Errorf("%q is no command of podium: %s", args[0], instead)}
		}
		var known []string
		for _, below := range cmd.Commands() {
			known = append(known, below.Name())
		}
		if _, err := os.Lstat(args[0]); err == nil && cmd.HasParent() {
			return usageError{fmt.Errorf("%q is a path, and %s needs to know what to do with it: %s; `%s --help` describes them", args[0], cmd.CommandPath(), strings.Join(known, ", "), cmd.CommandPath())}
		}
		if swapped, _, err := cmd.Root().Find([]string{args[0], cmd.Name()}); err == nil && cmd.HasParent() && swapped.Name() == cmd.Name() && swapped != cmd {
			return usageError{fmt.Errorf("%q is no command of %s; did you mean `%s`?", args[0], cmd.CommandPath(), swapped.CommandPath())}
		}
		return usageError{fmt.Errorf("%q is no command of %s%s; `%s --help` describes them", args[0], cmd.CommandPath(), diagnostic.Instead(args[0], known), cmd.CommandPath())}
	}
	return nil
}

func someArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("%s needs %s; `%s --help` shows examples", cmd.CommandPath(), what, cmd.CommandPath())}
		}
		return nil
	}
}

func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			if len(args) > n {
				return usageError{fmt.Errorf("%q is one argument too many: %s takes %s; `%s --help` shows examples", args[n], cmd.CommandPath(), what, cmd.CommandPath())}
			}
			return usageError{fmt.Errorf("%s needs %s; `%s --help` shows examples", cmd.CommandPath(), what, cmd.CommandPath())}
		}
		return nil
	}
}

// Commands returns the tree of the commands, for manuals that are made from it.
func Commands() *cobra.Command {
	return newRoot(&streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, heard: newHeard(io.Discard)})
}
