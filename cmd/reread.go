package cmd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newReread(s *streams) *cobra.Command {
	var only string
	var take bool
	var asked reply
	cmd := &cobra.Command{
		Use:   "reread DIR",
		Short: "Read stored outputs again, and say what is read otherwise",
		Long: `Reread reads the stored outputs of runs again, as this version of podium reads them, and prints each
answer that differs from the record, before and after. It writes nothing. With --take the new answers
are recorded and count from then on; the earlier ones stay in the journal. Runs are not done again, and
times and memory do not change. Outputs that cannot be read are left out and named (exit code 3). Versions of podium that do not know such records then refuse the campaign.`,
		Example: "  podium reread campaign\n  podium reread campaign --only 'tool=lola outcome=silent' --take",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			log, err := c.Read(cmd.Context())
			if err != nil {
				return err
			}
			for _, d := range log.Damage {
				fmt.Fprintln(s.err, d.Error())
			}
			is, err := chosen(c, only, log)
			if err != nil {
				return err
			}
			changes, read, unread, err := log.Reread(cmd.Context(), Version(), is, replayRun)
			if err != nil {
				return err
			}
			if asked.asJSON {
				err = asked.write(s.out, rereadOf(changes, read, take && len(changes) > 0))
			} else {
				err = campaign.WriteChanges(s.out, changes, read)
			}
			if err != nil {
				return err
			}
			runs := wording.Count(len(changes), "run", "runs")
			switch {
			case len(changes) == 0:
			case !take:
				fmt.Fprintf(s.err, "nothing is written: --take records the new answers of %s\n", runs)
			default:
				defer s.upkeep.hold()()
				if err := c.TakeReadings(cmd.Context(), Version(), changes); err != nil {
					return err
				}
				fmt.Fprintf(s.err, "the new answers of %s count; `podium publish %s` writes the pages again\n", runs, c.Dir)
			}
			return s.unread(unread)
		},
	}
	cmd.Flags().BoolVar(&take, "take", false, "record the new answers, which count from then on")
	registerOnly(cmd, &only)
	asked.register(cmd)
	return cmd
}

// unread says which packs have outputs that could not be read.
func (s *streams) unread(list diagnostic.List) error {
	if len(list) == 0 {
		return nil
	}
	for _, d := range list {
		fmt.Fprintln(s.err, d.Error())
	}
	return incompleteError{"outputs of " + wording.Count(len(list), "pack", "packs") + " cannot be read, and are left out"}
}

// rereadOf returns what is read otherwise as a document.
func rereadOf(changes []campaign.Change, read campaign.ByExam, take bool) rereadReply {
	document := rereadReply{Exams: []rereadExam{}, Changes: []rereadRun{}, Written: take}
	otherwise := map[examinations.ID]int{}
	for i := range changes {
		run := changes[i].Before.Run
		otherwise[run.Exam]++
		document.Changes = append(document.Changes, rereadRun{run.Tool, run.Instance, string(run.Exam), changes[i].Lines()})
	}
	for _, exam := range slices.Sorted(maps.Keys(read)) {
		document.Exams = append(document.Exams, rereadExam{string(exam), read[exam], otherwise[exam]})
	}
	return document
}
