package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/internal/modelfiles"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

func newModel(s *streams) *cobra.Command {
	return group("model", "Print, make, convert, unfold and strip models and their formulas", newModelInfo(s), newModelForm(s), newModelDraw(s), newModelConvert(s), newModelUnfold(s), newModelStrip(s), newModelFamilies(s), newModelGenerate(s), newModelFormulas(s), newModelRegister(s))
}

func newModelFamilies(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "families",
		Short:   "List the built-in parametric models",
		Example: "  podium model families",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if s.asJSON {
				return s.reply(familiesReply{models.Families()})
			}
			if width(s.out) > 0 { // a table of sentences fits few terminals
				return folded(s.out, func(out io.Writer) error {
					for _, f := range models.Families() {
						fmt.Fprintf(out, "%s: %s\n  parameter: %s\n", f.Name, f.Title, f.Params)
					}
					return nil
				})
			}
			w := wording.Table(s.out)
			for _, f := range models.Families() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.Params, f.Title)
			}
			return w.Flush()
		},
	}
	return cmd
}

func familyNames() (names []string) {
	for _, f := range models.Families() {
		names = append(names, f.Name)
	}
	return names
}

func newModelGenerate(s *streams) *cobra.Command {
	var out string
	var seed uint64
	var replace bool
	cmd := &cobra.Command{
		Use:   "generate FAMILY [PARAMETER...]",
		Short: "Write instances of a built-in model with formulas",
		Long: `Generate writes complete instance directories: model.pnml, iscolored, instance, equiv_col
and the formula files of the seven formula examinations. Without parameters it takes those of the
family's own list, from tiny to hard.`,
		Example: `  podium model generate DiningPhilosophers 005 010
  podium model generate KanbanCells --out models --seed 7`,
		Args: someArgs("the name of a built-in model (`podium model families` lists them)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			family, ok := models.FindFamily(args[0])
			if !ok {
				return usageError{fmt.Errorf("%q is no built-in model%s", args[0], diagnostic.Instead(args[0], familyNames()))}
			}
			params := args[1:]
			if len(params) == 0 {
				params = family.Ladder
			}
			var list []modelfiles.Choice
			for _, param := range params {
				list = append(list, modelfiles.Choice{Family: family, Param: param})
			}
			there := 0
			for _, c := range list {
				if _, err := os.Lstat(filepath.Join(out, c.ID().String())); err == nil && !replace {
					there++
				}
			}
			if err := modelfiles.Write(cmd.Context(), out, list, seed, replace); err != nil {
				return err
			}
			if there > 0 {
				s.say(wording.Count(there, "instance is", "instances are") + " there already and not changed; --replace writes in their place")
			}
			written := []writtenInstance{}
			for _, c := range list {
				w := writtenInstance{c.ID().String(), filepath.Join(out, c.ID().String())}
				if written = append(written, w); !s.asJSON {
					fmt.Fprintln(s.out, w.Dir)
				}
			}
			if s.asJSON {
				return s.reply(generatedReply{written})
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", ".", "directory in which the instance directories are made")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the formulas")
	registerReplace(cmd, &replace)
	return cmd
}

func newModelFormulas(s *streams) *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "formulas INSTANCE...",
		Short: "Write random formula files that an instance directory lacks",
		Long: `Formulas writes the formula files that are missing in instance directories, also of coloured nets:
random formulas of a seed. Existing files are not changed. For a net alone it writes them beside it.`,
		Example: "  podium model formulas models/MyModel-PT-01",
		Args:    someArgs("an instance directory, or a net"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all := []string{}
			for _, dir := range args {
				i, err := s.ofFormulas(dir)
				if err != nil {
					return err
				}
				written, there, err := modelfiles.Complete(cmd.Context(), i, seed)
				if err != nil {
					return err
				}
				if there > 0 {
					s.say(fmt.Sprintf("%s: %s there already and not changed; remove files to have others in their place", dir, wording.Count(there, "formula file is", "formula files are")))
				}
				if all = append(all, written...); s.asJSON {
					continue
				}
				for _, file := range written {
					fmt.Fprintln(s.out, file)
				}
			}
			if s.asJSON {
				return s.reply(formulasReply{all})
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the formulas")
	return cmd
}

// ofFormulas opens an instance whose directory can take formula files.
func (s *streams) ofFormulas(path string) (models.Instance, error) {
	i, err := s.openOne(path)
	switch {
	case err != nil:
	case i.Archive:
		err = usageError{fmt.Errorf("%s: formulas are written into the directory of an instance: unpack the archive first", path)}
	case i.Alone && models.NetBeside(filepath.Dir(path)) == "":
		err = usageError{fmt.Errorf("%s: several nets are in this directory, and nobody knows to which of them formula files belong: give the net a directory of its own", path)}
	}
	return i, err
}
