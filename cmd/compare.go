package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/compare"
	"podium/internal/files"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newCompare(s *streams) *cobra.Command {
	var (
		o      source
		tools  []string
		page   string
		over   bool
		github bool
	)
	cmd := &cobra.Command{
		Use:   "compare BEFORE [AFTER] | BEFORE... -- AFTER...",
		Short: "Say what became better or worse, and what is noise",
		Long: `Compare says which values were gained, lost, changed or are newly wrong, and how CPU time and
memory changed over the runs that both sides have. Of times and memory it claims only what is
significant. With one source it compares two tools of it. Where a side is several files, or none
follows, -- ends the first side. docs/compare.md says how.

` + sourceHelp + `

Exit codes: 0 nothing is worse, 2 usage, 3 something is worse, 4 invalid input or nothing in common.`,
		Example: `  podium compare out/before out/after
  podium compare out/contest --tool mytool-1=mytool-2
  podium compare --edition mcc2019 before.csv after.csv --github
  podium compare --edition svcomp2026 before/*.xml.bz2 -- after/*.xml.bz2
  podium compare out/before out/after --html compare.html`,
		Args: someArgs("a campaign or a file of results, or two"),
		RunE: func(cmd *cobra.Command, args []string) error {
			first, second := args[:1], args[1:]
			if dash := cmd.ArgsLenAtDash(); dash > 0 {
				first, second = args[:dash], args[dash:]
			} else if len(args) > 2 {
				return usageError{fmt.Errorf("one or two sources are compared: -- stands between sides of several files")}
			}
			if s.asJSON && github {
				return usageError{fmt.Errorf("a comparison is written as one of text, --json and --github")}
			}
			if err := mayReplace(page, compare.PageMark, over); err != nil {
				return err
			}
			before, err := o.side(cmd.Context(), s, first)
			if err != nil {
				return err
			}
			after := before
			if len(second) > 0 {
				if after, err = o.side(cmd.Context(), s, second); err != nil {
					return err
				}
			}
			pairs, err := compare.ToolPairs(tools, before.Result.Contest, after.Result.Contest, len(second) > 0)
			if err != nil {
				return err
			}
			report, err := compare.Of(before, after, pairs)
			if err != nil {
				return err
			}
			if page != "" {
				if err := files.Write(page, report.WritePage); err != nil {
					return err
				}
			}
			switch {
			case s.asJSON:
				err = s.reply(report)
			case github:
				err = report.Findings().Write(s.out, diagnostic.GitHub)
			default:
				err = report.WriteText(s.out)
			}
			if err == nil && report.Worse {
				err = incompleteError{"something is worse than before"}
			}
			return err
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&tools, "tool", nil, "compare this tool, or `BEFORE=AFTER` of other names (default: those that both sides have)")
	f.StringVar(&page, "html", "", "write a page with a scatter plot to `FILE`")
	registerReplace(cmd, &over)
	f.BoolVar(&github, "github", false, "what is worse, as annotations of a GitHub workflow")
	return cmd
}

// side loads one side of a comparison.
func (o source) side(ctx context.Context, s *streams, paths []string) (compare.Source, error) {
	j, err := o.judged(ctx, s, paths...)
	if err != nil {
		return compare.Source{}, err
	}
	name := paths[0]
	if more := len(paths) - 1; more > 0 {
		name += " and " + wording.Count(more, "file", "files") + " more"
	}
	side := compare.Source{Name: name, Edition: j.Edition.ID, Result: j.Result}
	if o.of != nil {
		side.Repeated = o.of.Repeated
	}
	return side, nil
}
