package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/internal/benchexec"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/explain"
)

func newExplain(s *streams) *cobra.Command {
	o := source{}
	var from []string
	var command bool
	cmd := &cobra.Command{
		Use:   "explain [SOURCE] [TOOL INSTANCE EXAMINATION]",
		Short: "Explain every point of a run, or how a reference value was elected",
		Long: `Explain prints the account of one run: every point with its rule, its reason and the bytes of
the log that it comes from. With --only SELECTION it prints the accounts of all runs that are chosen.
` + "`podium explain value`" + ` prints how one value was elected (the end of its id is enough, such as 02): votes, weights, the clause of the
rules, and what is proved of it.
--command prints the command with which BenchExec's runexec repeats the run on this computer, or
with --only a line for each run that is chosen.

` + sourceHelp + "\n\n" + exitCodes(),
		Example: `  podium explain out/contest explicit KanbanCells-PT-0002 StateSpace
  podium explain raw-result-analysis-2019.csv.zip --edition mcc2019 LoLA BART-PT-050 LTLCardinality
  podium explain results/ --edition svcomp2026 cpachecker loops/a.yml#unreach-call Loops
  podium explain out/contest --only 'tool=walk outcome=memory'
  podium explain value out/contest KanbanCells-PT-0002 StateSpace STATES`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.only != "" {
				return noArgs(cmd, sourceFirst(args, 0, &from))
			}
			return exactArgs(3, "a campaign or file of results, a tool, an instance and an examination, or --only SELECTION")(cmd, sourceFirst(args, 3, &from))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.only == "" {
				args = sourceFirst(args, 3, &from)
			}
			if command && s.asJSON {
				return usageError{errors.New("--command prints lines for a shell: leave --json out")}
			}
			if command {
				return o.printCommands(cmd.Context(), s, from, args)
			}
			j, err := o.judged(cmd.Context(), s, from...)
			if err != nil {
				return err
			}
			r := j.Result
			if o.only != "" {
				return explainRuns(s, &o, r)
			}
			sheet, err := judged.Sheet(r.Contest, args[1], args[2])
			if err != nil {
				return err
			}
			tool := r.Contest.ToolNamed(args[0])
			if tool < 0 {
				return judged.CheckTools(r.Contest, args[:1])
			}
			if s.asJSON {
				return s.reply(accountsReply{[]explainedRun{accountOf(&o, r, sheet, tool)}})
			}
			explainRun(s, &o, r, sheet, tool)
			return nil
		},
	}
	registerOnly(cmd, &o.only)
	cmd.Flags().BoolVar(&command, "command", false, "print the command of runexec that repeats the run")
	cmd.PersistentFlags().StringArrayVarP(&from, "from", "f", []string{defaultCampaign}, "campaign, or file of results; several files: repeat it")
	o.register(cmd)
	registerCertified(cmd, &o.Certificate)
	cmd.AddCommand(newExplainValue(s, &from))
	return cmd
}

// sourceFirst takes a source in front of so many other arguments, as other commands have it, for --from.
func sourceFirst(args []string, others int, from *[]string) []string {
	if len(args) == others+1 {
		*from = args[:1]
		return args[1:]
	}
	return args
}

func newExplainValue(s *streams, from *[]string) *cobra.Command {
	o := source{}
	cmd := &cobra.Command{
		Use:     "value [SOURCE] INSTANCE EXAMINATION ITEM",
		Short:   "Print the votes, weights and the clause that elected a value",
		Example: "  podium explain value out/contest KanbanCells-PT-0002 StateSpace STATES",
		Args: func(cmd *cobra.Command, args []string) error {
			return exactArgs(3, "a campaign or file of results, an instance, an examination and an item")(cmd, sourceFirst(args, 3, from))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args = sourceFirst(args, 3, from)
			j, err := o.judged(cmd.Context(), s, *from...)
			if err != nil {
				return err
			}
			r, ed := j.Result, j.Edition
			sheet, err := judged.Sheet(r.Contest, args[0], args[1])
			if err != nil {
				return err
			}
			of := r.Contest.Sheets[sheet]
			items := r.Contest.Items[of.First : of.First+of.Values]
			value := r.Contest.ValueOf(sheet, args[2])
			if ends := endingIn("-"+args[2], items); value < 0 && len(ends) == 1 {
				args[2], value = ends[0], r.Contest.ValueOf(sheet, ends[0])
			}
			if value < 0 {
				return usageError{fmt.Errorf("%s of %s has no value %q%s", args[1], args[0], args[2], diagnostic.Instead(args[2], items))}
			}
			if s.asJSON {
				return s.reply(valueAccount(&o, r, ed, sheet, value))
			}
			fmt.Fprint(s.out, explain.Value(r, sheet, value).String())
			if o.proofs != nil {
				key := examinations.Key{Instance: r.Contest.Instances[r.Contest.Sheets[sheet].Instance].ID, Exam: examinations.ID(args[1]), Item: args[2]}
				o.proofs.WriteEvidence(s.out, key)
			}
			for _, w := range explain.Warnings(r, ed.Twinning()) {
				if w.Sheet == sheet && w.Value == value {
					fmt.Fprintf(s.out, "  warning (%s): %s\n", w.Doubt, w.Text)
				}
			}
			for _, w := range witnessedBy(o.of, judged.RunOf(r.Contest, sheet, 0), args[2]) {
				fmt.Fprintf(s.out, "  witness of %s: %s (%s)\n", w.Tool, w.said, w.Detail)
			}
			return nil
		},
	}
	o.register(cmd)
	registerCertified(cmd, &o.Certificate)
	return cmd
}

// endingIn returns the names that end so.
func endingIn(end string, names []string) (list []string) {
	for _, name := range names {
		if strings.HasSuffix(name, end) {
			list = append(list, name)
		}
	}
	return list
}

// printCommands prints the commands of runexec that repeat a run of a campaign, or those
// that are chosen, a line each.
func (o *source) printCommands(ctx context.Context, s *streams, from, args []string) error {
	if err := o.onlyCampaign(from); err != nil {
		return err
	}
	c, err := campaign.Open(from[0])
	if err != nil {
		return err
	}
	var runs []campaign.Run
	if o.only == "" {
		runs = []campaign.Run{{Tool: args[0], Instance: args[1], Exam: examinations.ID(args[2])}}
	} else {
		log, err := c.ReadEnds(ctx)
		if err != nil {
			return err
		}
		is, err := chosen(c, o.only, log)
		if err != nil {
			return err
		}
		for _, unit := range c.Plan.Units() {
			for run := range c.Plan.RunsOf(unit) {
				if is(run) {
					runs = append(runs, run)
				}
			}
		}
	}
	for _, run := range runs {
		command, err := benchexec.Runexec(c, run)
		if err != nil {
			return usageError{err}
		}
		fmt.Fprintln(s.out, command)
	}
	return nil
}

// explainRuns prints the accounts of all runs that are there.
func explainRuns(s *streams, o *source, r *scoring.Result) error {
	none := true
	runs := []explainedRun{}
	for sheet := range r.Contest.Sheets {
		for tool := range r.Contest.Tools {
			if r.Contest.Run(sheet, tool).Participation != scoring.Absent {
				if none = false; s.asJSON {
					runs = append(runs, accountOf(o, r, sheet, tool))
					continue
				}
				explainRun(s, o, r, sheet, tool)
			}
		}
	}
	if none {
		fmt.Fprintln(s.err, "no run with an end is chosen")
	}
	if s.asJSON {
		return s.reply(accountsReply{runs})
	}
	return nil
}

func explainRun(s *streams, o *source, r *scoring.Result, sheet, tool int) {
	run := judged.RunOf(r.Contest, sheet, tool)
	if r.Contest.Run(sheet, tool).Participation == scoring.Absent && o.of != nil && o.of.Campaign.Plan.Has(run) {
		fmt.Fprintf(s.out, "%s on %s of %s: not done yet; `podium run %s` does it\n", run.Tool, run.Exam, run.Instance, o.of.Campaign.Dir)
		return
	}
	fmt.Fprint(s.out, explain.Run(r, sheet, tool).String())
	for _, item := range r.Contest.AnsweredAsTold(sheet, tool) {
		fmt.Fprintf(s.out, "  %s: what runs are given states the answer, so that the tool may have read it\n", item)
	}
	explainLog(s, o.of, run)
}

// explainLog says, for a campaign, where in the output each answer stands.
func explainLog(s *streams, of *judged.Campaign, run campaign.Run) {
	if of == nil {
		return // a file of results has no logs
	}
	f, ok := of.Log.Finished[run]
	if !ok {
		return
	}
	o := f.Outcome
	fmt.Fprintf(s.out, "  %s after %s; measured by %s\n", o.Ended(), o.Figures(), o.Measured)
	if place := f.Binding.Text(); place != "" {
		fmt.Fprintf(s.out, "  it ran on %s\n", place)
	}
	curve, need, err := of.Campaign.CurveOf(f)
	if err != nil {
		fmt.Fprintf(s.out, "  the run over time cannot be read: %v\n", err)
	} else {
		for _, line := range need.Drawn(curve) {
			fmt.Fprintf(s.out, "  %s\n", line)
		}
	}
	if origin := o.Origin(); origin != "" {
		fmt.Fprintf(s.out, "  its virtual machine was %s\n", origin)
	}
	if f.Reread != nil {
		fmt.Fprintf(s.out, "  %s\n", f.Reread.Text())
	}
	for a := range f.Answers.All() {
		at := "at an unknown time"
		if a.At != campaign.Unknown {
			at = fmt.Sprintf("after %d.%03d s", a.At/1e6, a.At/1000%1000)
		}
		fmt.Fprintf(s.out, "  %s = %s: line %d, byte %d of the output, %s\n", a.Item, diagnostic.ShortNumber(a.Text), a.Line, a.Offset, at)
	}
	if f.Remarkable() || f.Answers.IsZero() {
		explainOutput(s, of.Campaign, f)
	}
}

// explainOutput says what `podium try` says of a run, and how to see all of its output.
func explainOutput(s *streams, c *campaign.Campaign, f *campaign.Finished) {
	remarks, err := c.Remarks(f)
	if err != nil {
		remarks = append(remarks, "its output cannot be read: "+err.Error())
	}
	for _, line := range remarks {
		fmt.Fprintf(s.out, "  %s\n", line)
	}
	fmt.Fprintf(s.out, "  `podium logs %s --only %s` prints what it printed\n", wording.Shell(c.Dir), wording.Shell(f.Run.Only()))
}
