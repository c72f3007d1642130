package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/wording"
)

func newLogs(s *streams) *cobra.Command {
	var only, out string
	var replace, again, take bool
	named := func(args []string) bool { return len(args) == 4 }
	cmd := &cobra.Command{
		Use:   "logs DIR [TOOL INSTANCE EXAMINATION]",
		Short: "Print what tools printed in runs of a campaign",
		Long: `Logs prints what tools printed in the runs that have an end, in one run, or in those that --only chooses. Characters that a terminal cannot show
are replaced. With --out DIR it writes the outputs into files, unchanged: TOOL/INSTANCE.EXAMINATION.out,
.err for standard error, and .witnesses for files with witnesses. It is for organisers: it names models
under an embargo, too.

With --reread it reads the stored outputs again, as this version of podium reads them, and prints each
answer that differs from the record, before and after. With --take, too, the new answers are recorded and
count from then on; the earlier ones stay in the journal. Runs are not done again, and times and memory
do not change. Outputs that cannot be read are left out and named (exit code 3).`,
		Example: "  podium logs campaign lola Angiogenesis-PT-01 StateSpace\n  podium logs campaign --only 'tool=lola outcome=silent'\n  podium logs campaign --only 'instance=Angio*' --out logs/\n  podium logs campaign --reread",
		Args: func(cmd *cobra.Command, args []string) error {
			if named(args) && only != "" {
				return usageError{errors.New("a tool, an instance and an examination name one run, and --only chooses runs: write one of both")}
			} else if named(args) {
				return nil
			}
			return exactArgs(1, "the directory of a campaign, and a tool, an instance and an examination where one run is meant")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			if named(args) {
				run := campaign.Run{Tool: args[1], Instance: args[2], Exam: examinations.ID(args[3])}
				only = run.Only()
			}
			switch {
			case take && !again:
				return usageError{errors.New("--take records what --reread reads: write both")}
			case again && out != "":
				return usageError{errors.New("--out writes outputs as they are, and --reread prints answers: choose one")}
			case again:
				return s.reread(cmd.Context(), c, only, take)
			}
			log, err := c.ReadEnds(cmd.Context())
			if err != nil {
				return err
			}
			is, err := chosen(c, only, log)
			if err != nil {
				return err
			}
			n := 0
			switch {
			case s.asJSON && out != "":
				return usageError{errors.New("--json prints outputs and --out writes them as they are: choose one")}
			case s.asJSON:
				n, err = log.EachOutput(cmd.Context(), is, func(f *campaign.Finished, output string) error {
					r := f.Run
					return s.reply(logReply{r.Tool, r.Instance, string(r.Exam), r.Repetition, string(f.Outcome.Termination), f.Participation.String(), output})
				})
			case out == "":
				n, err = log.PrintOutputs(cmd.Context(), s.out, is)
			default:
				n, err = log.ExtractOutputs(cmd.Context(), out, replace, is)
			}
			if err == nil {
				fmt.Fprintln(s.err, wording.Count(n, "run", "runs"))
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`DIR` that gets the outputs as files, unchanged")
	cmd.Flags().BoolVar(&again, "reread", false, "read the outputs again, and print the answers that are read differently now")
	cmd.Flags().BoolVar(&take, "take", false, "with --reread: record the new answers, which count from then on")
	registerReplace(cmd, &replace)
	registerOnly(cmd, &only)
	return cmd
}
