package cmd

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/internal/modelfiles"
	"podium/internal/wording"
	"podium/models"
)

func newModelStrip(s *streams) *cobra.Command {
	var out, seed, sealed, name string
	var replace bool
	cmd := &cobra.Command{
		Use:   "strip PATH --out DIR --seed SECRET --sealed FILE",
		Short: "Make an anonymous copy of an instance",
		Long: `Strip writes a copy of an instance that does not reveal its model (E-4.4): ids are
replaced and permuted under the seed; names, graphics and toolspecific sections are left out;
formulas are rewritten with them. The map back is written to a file of its own, which the
organisers keep to themselves. Copy and map are both made, or neither.`,
		Example: "  podium model strip AirplaneLD-PT-0010 --out stripped --seed 'our secret' --sealed maps/AirplaneLD-PT-0010.map",
		Args:    exactArgs(1, "an instance: a directory, an archive or a net (.pnml)"),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" || seed == "" || sealed == "" {
				return usageError{lacking(out, seed, sealed)}
			}
			o := models.StripOptions{Seed: seed, Sealed: sealed, Replace: replace}
			if name != "" {
				id, err := models.ParseID(name)
				if err != nil {
					return usageError{err}
				}
				o.ID = id
			}
			i, err := s.openOne(args[0])
			if err != nil {
				return err
			}
			o.Formulas = func(r *models.Renaming) (map[string]func(io.Writer) error, error) { return modelfiles.Stripped(i, r) }
			renaming, err := models.Strip(i, out, o)
			if err != nil {
				return err
			}
			dir := filepath.Join(out, renaming.Stripped)
			if s.asJSON {
				return s.reply(strippedReply{renaming.Stripped, dir, sealed})
			}
			_, err = fmt.Fprintln(s.out, dir)
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory in which the stripped instance is made")
	cmd.Flags().StringVar(&seed, "seed", "", "secret from which the new ids are made")
	cmd.Flags().StringVar(&sealed, "sealed", "", "file for the map back")
	cmd.Flags().StringVar(&name, "name", "", "name of the stripped instance (default: S_ and its name)")
	registerReplace(cmd, &replace)
	return cmd
}

// lacking says which flags of strip are missing, and what they are for.
func lacking(out, seed, sealed string) error {
	var words []string
	for _, f := range []struct{ value, what string }{
		{out, "--out DIR (where the copy is made)"},
		{seed, "--seed SECRET (which nobody guesses)"},
		{sealed, "--sealed FILE (for the map back)"},
	} {
		if f.value == "" {
			words = append(words, f.what)
		}
	}
	return fmt.Errorf("strip also needs %s", wording.And(words))
}
