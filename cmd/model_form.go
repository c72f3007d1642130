package cmd

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/referee"
	"podium/pnml/diagnostic"
)

// formFormats are the forms in which the table of properties is written.
var formFormats = []string{"text", "json", "latex", "xml"}

func newModelForm(s *streams) *cobra.Command {
	var format string
	budget, memory := time.Minute, byteSize(2e9)
	cmd := &cobra.Command{
		Use:   "form PATH",
		Short: "Fill in the table of properties that comes with a model",
		Long: `Form decides the 21 properties of the model form: the structural ones from the net, the
behavioural ones (SAFE to LIVE) by visiting all markings, as far as time and memory allow. What it
cannot decide is unknown, with the reason. Coloured nets are unfolded first; of a net that is too large
for that, it decides what the inscriptions show.`,
		Example: "  podium model form AirplaneLD-PT-0010\n  podium model form --format xml MyModel-PT-01 > GenericPropertiesVerdict.xml",
		Args:    exactArgs(1, "an instance: a directory, an archive or a net (.pnml)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(formFormats, format) {
				return usageError{fmt.Errorf("%q is no format of the form%s", format, diagnostic.Instead(format, formFormats))}
			}
			i, err := s.openOne(args[0])
			if err != nil {
				return err
			}
			form, err := referee.Form(cmd.Context(), i, referee.Options{Budget: budget, Memory: int64(memory), Version: Version(), Say: s.say})
			if err != nil {
				return err
			}
			return map[string]func(io.Writer) error{"text": form.WriteText, "json": form.WriteJSON, "latex": form.WriteLaTeX, "xml": form.WriteXML}[format](s.out)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, latex or xml (GenericPropertiesVerdict.xml)")
	cmd.Flags().DurationVar(&budget, "budget", budget, "processor time for each behavioural property")
	cmd.Flags().Var((*memorySize)(&memory), "memory", "memory for the markings")
	return cmd
}
