package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

func newModel(s *streams) *cobra.Command {
	model := &cobra.Command{Use: "model", Short: "Look at models, make them and their formulas, strip them", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	model.AddCommand(newModelInfo(s), newModelForm(s), newModelDraw(s), newModelStrip(s), newModelFamilies(s), newModelGenerate(s), newModelFormulas(s))
	return model
}

func newModelFamilies(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "families",
		Short:   "List the built-in parametric models",
		Example: "  podium model families",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, f := range models.Families() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.Params, f.Title)
			}
			return w.Flush()
		},
	}
}

// chosen is an instance of a built-in family that is to be written.
type chosen struct {
	family models.Family
	param  string
}

// demonstrationSteps is how many steps of each ladder the built-in contest takes.
const demonstrationSteps = 3

// demonstration chooses the instances of the built-in contest: the first steps
// of every family.
func demonstration() []chosen {
	var list []chosen
	for _, f := range models.Families() {
		for _, param := range f.Ladder[:min(demonstrationSteps, len(f.Ladder))] {
			list = append(list, chosen{f, param})
		}
	}
	return list
}

func newModelGenerate(s *streams) *cobra.Command {
	var out string
	var seed uint64
	var replace bool
	cmd := &cobra.Command{
		Use:   "generate FAMILY [PARAMETER...]",
		Short: "Write instances of a built-in model with formulas",
		Long: `Generate writes complete instance directories: model.pnml, iscolored, instance, equiv_col and
the formula files of the seven formula examinations. Without parameters it writes the steps
of the family's ladder.`,
		Example: `  podium model generate DiningPhilosophers 005 010
  podium model generate KanbanCells --out models --seed 7`,
		Args: someArgs("the name of a built-in model (`podium model families` lists them)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			family, ok := models.FindFamily(args[0])
			if !ok {
				return usageError{fmt.Errorf("%q is no built-in model; `podium model families` lists them", args[0])}
			}
			params := args[1:]
			if len(params) == 0 {
				params = family.Ladder
			}
			var list []chosen
			for _, param := range params {
				list = append(list, chosen{family, param})
			}
			if err := writeModels(cmd.Context(), out, list, seed, replace); err != nil {
				return err
			}
			for _, c := range list {
				fmt.Fprintln(s.out, filepath.Join(out, c.family.ID(c.param).String()))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", ".", "directory in which the instance directories are made")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the formulas")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace instances that are there already")
	return cmd
}

// writeModels writes instances, several at a time. With replace false, those
// that are there already are left as they are.
func writeModels(ctx context.Context, dir string, list []chosen, seed uint64, replace bool) error {
	var errs []error
	for err := range inParallel(ctx, list, func(c chosen) error { return writeModel(ctx, dir, c, seed, replace) }) {
		if errors.Is(err, os.ErrExist) {
			continue
		}
		errs = append(errs, err)
	}
	return errors.Join(append(errs, ctx.Err())...)
}

func writeModel(ctx context.Context, dir string, c chosen, seed uint64, replace bool) error {
	net, err := c.family.Build(c.param)
	if err != nil {
		return usageError{err}
	}
	id := c.family.ID(c.param)
	files, err := formulaFiles(ctx, net, id, seed)
	if err != nil {
		return err
	}
	return models.WriteInstance(dir, id, net, models.WriteOptions{Replace: replace, Unfinite: c.family.Unbounded, Files: files})
}

// formulaFiles draws the formulas of all formula examinations.
func formulaFiles(ctx context.Context, net *pnml.Net, id models.ID, seed uint64) (map[string]func(io.Writer) error, error) {
	markings := smallPart(ctx, net)
	files := map[string]func(io.Writer) error{}
	for _, exam := range examinations.All {
		if !exam.HasFormulas() {
			continue
		}
		properties, err := formula.Generate(net, id, exam, formula.GenerateOptions{Seed: seed, Decided: trivial(ctx, net, exam, markings)})
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", id, exam, err)
		}
		files[exam.FormulaFile()] = func(w io.Writer) error { return formula.Write(w, properties) }
		files[string(exam)+".txt"] = func(w io.Writer) error { return formula.WriteText(w, properties) }
	}
	return files, ctx.Err()
}

// filterMarkings bounds the exploration that throws trivial formulas away; the
// contest's own generator takes 2,000 too.
const filterMarkings = 2000

// trivial tells that a formula is decided by a small part of the state space,
// as the filter of the contest's own generator does; nil for LTL, which is only
// kept from being a tautology.
func trivial(ctx context.Context, net *pnml.Net, exam examinations.ID, markings uint64) func(formula.Formula) bool {
	if exam == examinations.LTLCardinality || exam == examinations.LTLFireability {
		return nil
	}
	return func(f formula.Formula) bool {
		decided := false
		_, err := explorer.Decide(ctx, unfold.Plain(net), exam, []formula.Property{{ID: "f", Formula: f}},
			explorer.Options{MaxStates: markings, Memory: 64 << 20, Unreduced: true}, func(explorer.Answer) { decided = true })
		return decided || err != nil
	}
}

// smallPart is how many markings a formula must not be decided by: of a net
// that has few, a quarter.
func smallPart(ctx context.Context, net *pnml.Net) uint64 {
	space := explorer.Explore(ctx, net, explorer.Options{MaxStates: filterMarkings, Memory: 64 << 20})
	defer space.Close()
	if space.Complete() {
		return max(space.States()/4, 1)
	}
	return filterMarkings
}

func newModelFormulas(s *streams) *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "formulas DIR...",
		Short: "Draw the formula files that an instance directory lacks",
		Long: `Formulas draws, under a seed, the formula files that are missing in instance directories of
P/T nets. Files that are there are left alone.`,
		Example: "  podium model formulas models/MyModel-PT-01",
		Args:    someArgs("an instance directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, dir := range args {
				written, err := completeFormulas(cmd.Context(), dir, seed)
				if err != nil {
					return err
				}
				for _, file := range written {
					fmt.Fprintln(s.out, file)
				}
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the formulas")
	return cmd
}

func completeFormulas(ctx context.Context, dir string, seed uint64) ([]string, error) {
	id, err := models.ParseID(filepath.Base(filepath.Clean(dir)))
	if err != nil {
		return nil, usageError{err}
	}
	doc, found := pnml.ReadFile(filepath.Join(dir, models.ModelFile))
	if err := found.Err(); err != nil {
		return nil, err
	}
	if doc.Net == nil {
		return nil, fmt.Errorf("%s is a coloured net: formulas are drawn for P/T nets only", dir)
	}
	files, err := formulaFiles(ctx, doc.Net, id, seed)
	if err != nil {
		return nil, err
	}
	var written []string
	for _, exam := range examinations.All {
		xml, text := filepath.Join(dir, exam.FormulaFile()), filepath.Join(dir, string(exam)+".txt")
		if _, err := os.Stat(xml); !exam.HasFormulas() || err == nil {
			continue
		}
		for _, path := range []string{text, xml} {
			if err := writeFile(path, files[filepath.Base(path)]); err != nil {
				return written, err
			}
			written = append(written, path)
		}
	}
	return written, nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
