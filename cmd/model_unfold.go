package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/internal/modelfiles"
	"podium/internal/wording"
	"podium/models"
)

func newModelUnfold(s *streams) *cobra.Command {
	var out, names, name string
	var exact, replace bool
	cmd := &cobra.Command{
		Use:   "unfold INSTANCE",
		Short: "Write the P/T net of a coloured instance, with its formulas",
		Long: `Unfold writes the P/T twin of a coloured instance: a directory with the net, whose ids are those of
the coloured nodes, followed by the names of colours (Fork_3), and the formulas over these ids.
An --out that ends in .pnml gets the net alone, as does standard output where there is no --out.

The net is pruned: what can never be marked or fire is left out, which changes no reachable marking.
--exact keeps all colours and all bindings. QuasiLiveness, Liveness, OneSafe and StableMarking ask
other questions of the twin: they are about its places and transitions, not about the coloured ones.`,
		Example: "  podium model unfold Philosophers-COL-000005 --out twins --map twins/Philosophers-000005.map\n  podium model unfold Philosophers-COL-000005 --out net.pnml",
		Args:    exactArgs(1, "an instance: a directory, an archive or a net (.pnml)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			alone := out == "" || filepath.Ext(out) == ".pnml"
			if alone && names != "" {
				return usageError{errors.New("--map goes with a directory: name one with --out")}
			}
			if err := s.beside(out); err != nil {
				return err
			}
			var id models.ID
			if name != "" {
				var err error
				if id, err = models.ParseID(name); err != nil || id.Kind != models.PT {
					return usageError{fmt.Errorf("%q is no name of a P/T instance, such as Family-PT-Parameter", name)}
				}
			}
			i, err := s.openOne(args[0])
			if err != nil {
				return err
			}
			u, err := modelfiles.Unfold(cmd.Context(), i, id, exact)
			if err != nil {
				return err
			}
			switch {
			case out == "":
				err = u.WriteNet(s.out)
			case alone:
				err = files.Make(out, replace, func(file string) error { return files.Write(file, u.WriteNet) })
			default:
				if err = u.Write(out, names, replace); err == nil && !s.asJSON {
					fmt.Fprintln(s.out, filepath.Join(out, u.ID.String()))
				}
			}
			if err != nil {
				return err
			}
			places, transitions, arcs := u.Size()
			if s.asJSON {
				made := unfoldedReply{Instance: u.ID.String(), Map: names, Places: places, Transitions: transitions, Arcs: arcs}
				if made.File = out; !alone {
					made.File, made.Dir = "", filepath.Join(out, made.Instance)
				}
				return s.reply(made)
			}
			fmt.Fprintf(s.err, "%s, %s, %s\n", wording.Count(places, "place", "places"), wording.Count(transitions, "transition", "transitions"), wording.Count(arcs, "arc", "arcs"))
			if !alone && !i.Alone && i.Facts.Twin == models.No && u.ID.Family == i.ID.Family && u.ID.Param == i.ID.Param {
				s.say(i.File(models.EquivFile(i.ID.Kind)) + " says FALSE: write TRUE, since there is " + u.ID.String() + " now")
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory in which the twin is made, or a file ending in .pnml (default: standard output)")
	cmd.Flags().StringVar(&names, "map", "", "`FILE` for the coloured node and the colours of each place and transition, as JSON lines")
	cmd.Flags().StringVar(&name, "name", "", "name of the twin (default: that of the instance with PT)")
	cmd.Flags().BoolVar(&exact, "exact", false, "keep what can never be marked or fire")
	registerReplace(cmd, &replace)
	return cmd
}
