package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/wording"
	"podium/models/task"
)

func newCheckTask(s *streams) *cobra.Command {
	var f findings
	var show bool
	cmd := &cobra.Command{
		Use:   "task PATH...",
		Short: "Check tasks of SV-COMP: definitions, properties and sets",
		Long: `Task checks verification tasks in the forms of SV-COMP and BenchExec: task definitions (.yml,
formats 0.1, 1.0, 2.0 and 2.1), property files (.prp), set files (.set), programs whose names say
a verdict (x_true-unreach-call.c, x_BUG.c), and directories with definitions, properties and sets.
Every file that one of them names must be there. --show prints the tasks; with --json findings go to standard error.

` + checkCodes,
		Example: "  podium check task loops/sum.yml properties/unreach-call.prp\n  podium check task --show c/ReachSafety-Loops.set\n  podium check task --format github sv-benchmarks/c",
		Args:    someArgs("task definitions, property files, set files, programs or directories"),
		RunE: func(_ *cobra.Command, args []string) error {
			if s.asJSON && !show {
				return usageError{errors.New("--json is for the tasks that --show prints; findings are written so by --format json")}
			}
			c, err := task.Open(args...)
			if err != nil {
				return err
			}
			to := s
			switch {
			case s.asJSON:
				if err := s.reply(c); err != nil {
					return err
				}
				to = s.to(s.err, s.err)
			case show:
				if err := c.WriteTable(s.out); err != nil {
					return err
				}
			}
			return f.show(to, c.Found, fmt.Sprintf("%s, %s, %s", wording.Count(c.Definitions, "definition", "definitions"),
				wording.Count(c.Properties, "property", "properties"), wording.Count(len(c.Tasks), "task", "tasks")))
		},
	}
	cmd.Flags().BoolVar(&show, "show", false, "print a line for each task: set, file, property and expected verdict")
	f.register(cmd)
	return cmd
}
