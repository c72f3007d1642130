package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/planning"
)

func newExtend(s *streams) *cobra.Command {
	o := planning.Options{Version: Version(), Say: s.say, Hear: s.hear, WriteBuiltIn: writeBuiltIn}
	var replace, dry bool
	cmd := &cobra.Command{
		Use:   "extend DIR",
		Short: "Let tools, instances, tasks and examinations join a campaign",
		Long: `Extend writes a new plan beside the earlier ones. What was run stays, and podium run does what is
missing. Edition, seed and limits are those of the campaign. No worker may run meanwhile.`,
		Example: "  podium extend campaign --tools mytool-2/ --replace\n  podium extend campaign --models MORE/ -x Liveness --dry-run",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			joined, err := planning.Extend(cmd.Context(), args[0], o, replace, dry)
			switch {
			case err != nil:
			case s.asJSON:
				err = s.reply(extendReply{joined, !dry})
			default:
				fmt.Fprintf(s.out, "%s; `podium run %s` does what is missing\n", joined, args[0])
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.Models, "models", "m", nil, "`PATH` of instances that join; may be repeated")
	f.StringArrayVar(&o.Tasks, "tasks", nil, "`PATH` of tasks that join, with their categories; may be repeated")
	f.StringSliceVar(&o.Properties, "property", nil, "only tasks of these properties, separated by commas")
	f.StringArrayVarP(&o.Tools, "tools", "t", nil, "`PATH` or name of tools that join; may be repeated")
	f.StringSliceVarP(&o.Examinations, "examination", "x", nil, "examinations that join, separated by commas")
	f.StringVarP(&o.Edition, "edition", "e", "", "edition, which must be the campaign's")
	f.StringSliceVar(&o.OutOfCompetition, "out-of-competition", nil, "new `TOOLS` that are scored but not ranked")
	f.StringArrayVar(&o.Families, "family", nil, "`FAMILY=TOOL,...`: these tools are variants of one submission (E-4.5), as for podium plan; may be repeated")
	f.StringArrayVar(&o.OptOut, "opt-out", nil, "`TOOL=CATEGORY` of a new tool, as for podium plan; may be repeated")
	f.BoolVar(&replace, "replace", false, "tools take the place of other versions of the same name, which stay in the record")
	f.BoolVar(&dry, "dry-run", false, "say what would join, and write nothing")
	return cmd
}
