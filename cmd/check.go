package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/contest"
	"podium/internal/parallel"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

const checkCodes = `Exit codes: 0 nothing but warnings, 2 usage, 3 errors were found, 4 the input cannot be read.`

func newCheck(s *streams) *cobra.Command {
	check := &cobra.Command{Use: "check", Short: "Check models, formulas, the output of a tool, editions", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	check.AddCommand(newCheckModel(s), newCheckFormulas(s), newCheckOutput(s), newCheckEdition(s))
	return check
}

// findings are the flags of how findings are shown.
type findings struct {
	format string
	quiet  bool
}

func (f *findings) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", "text", "how findings are written: text, json (one object a line) or github (annotations)")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "errors only")
}

// show writes the findings and makes errors among them the command's outcome.
func (f *findings) show(s *streams, list diagnostic.List, what string) error {
	format, err := diagnostic.ParseFormat(f.format)
	if err != nil {
		return usageError{err}
	}
	if f.quiet {
		var kept diagnostic.List
		for _, d := range list {
			if d.Severity == diagnostic.Error {
				kept.Add(d)
			}
		}
		list = kept
	}
	list.Sort()
	if err := list.Write(s.out, format); err != nil {
		return err
	}
	verdict := fmt.Sprintf("%s: %d errors, %d warnings", what, list.Count(diagnostic.Error), list.Count(diagnostic.Warning))
	if list.Count(diagnostic.Error) > 0 {
		return incompleteError{verdict}
	}
	fmt.Fprintln(s.err, verdict)
	return nil
}

func newCheckFormulas(s *streams) *cobra.Command {
	var f findings
	cmd := &cobra.Command{
		Use:   "formulas PATH...",
		Short: "Check formula files against schema, examination and net",
		Long: `Formulas checks formula files (XML, named after their examination), or all those of instance
directories and archives. A file is checked against the model.pnml beside it.

` + checkCodes,
		Example: "  podium check formulas AirplaneLD-PT-0010/CTLFireability.xml\n  podium check formulas INPUTS/",
		Args:    someArgs("formula files, instance directories or archives"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, n, err := eachPath(cmd, args, ".xml", checkFormulaFile, checkFormulasOf)
			if err != nil {
				return err
			}
			return f.show(s, list, fmt.Sprintf("%d checked", n))
		},
	}
	f.register(cmd)
	return cmd
}

// eachPath checks files with the given ending one by one and everything else
// as instances, several at a time. It gives how many were checked.
func eachPath(cmd *cobra.Command, args []string, ending string, file func(string) diagnostic.List, instance func(models.Instance) diagnostic.List) (list diagnostic.List, n int, err error) {
	var files, collections []string
	for _, path := range args {
		info, err := os.Stat(path)
		if err != nil {
			return nil, 0, err
		}
		if info.IsDir() || !strings.HasSuffix(path, ending) {
			collections = append(collections, path)
			continue
		}
		files = append(files, path)
	}
	for found := range parallel.Each(cmd.Context(), files, file) {
		list = append(list, found...)
		n++
	}
	if len(collections) == 0 {
		return list, n, cmd.Context().Err()
	}
	opened, _ := models.Open(collections...)
	list = append(list, opened.Findings...)
	for found := range parallel.Each(cmd.Context(), opened.Instances, instance) {
		list = append(list, found...)
		n++
	}
	if n == 0 && list.Err() == nil {
		return nil, 0, diagnostic.List{{File: strings.Join(collections, ", "), Code: "models-none", Message: "there is nothing here to check",
			Hint: "name an instance directory, an archive, or a file ending in " + ending}}
	}
	return list, n, cmd.Context().Err()
}

// checkFormulaFile checks one file against the model beside it.
func checkFormulaFile(path string) diagnostic.List {
	var names *formula.NetNames
	if doc, found := pnml.ReadFile(filepath.Join(filepath.Dir(path), models.ModelFile)); found.Err() == nil {
		names = formula.NamesIn(doc)
	}
	f, err := os.Open(path)
	if err != nil {
		return diagnostic.List{{File: path, Message: err.Error()}}
	}
	defer f.Close()
	return checkFormulaReader(f, path, names)
}

func checkFormulaReader(r io.Reader, path string, names *formula.NetNames) diagnostic.List {
	exam, err := examinations.Parse(strings.TrimSuffix(filepath.Base(path), ".xml"))
	if err != nil {
		exam = ""
	}
	properties, list := formula.ReadOf(r, path, exam, names)
	return append(list, formula.Check(path, properties, exam, nil)...)
}

// checkFormulasOf checks all formula files of an instance.
func checkFormulasOf(i models.Instance) diagnostic.List {
	files, err := formula.Open(i, examinations.All, nil)
	if err != nil {
		return diagnostic.List{{File: i.Path, Message: err.Error()}}
	}
	var names *formula.NetNames
	if files.Found.Err() == nil {
		names = formula.NamesIn(files.Document)
	}
	var list diagnostic.List
	for _, name := range slices.Sorted(maps.Keys(files.Texts)) {
		list = append(list, checkFormulaReader(bytes.NewReader(files.Texts[name]), filepath.Join(i.Path, name), names)...)
	}
	return list
}

func newCheckEdition(s *streams) *cobra.Command {
	var f findings
	var show bool
	cmd := &cobra.Command{
		Use:   "edition [FILE...]",
		Short: "Check edition files; without arguments list those of the program",
		Long: `Edition explains what is wrong with an edition of your own: unknown keys and functions, points
that do not divide. --show prints an edition of the program, to begin with.

` + checkCodes,
		Example: "  podium check edition\n  podium check edition --show mcc2016 > mine.yaml\n  podium check edition mine.yaml",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listEditions(s.out)
			}
			var list diagnostic.List
			for _, name := range args {
				_, text, err := contest.LoadEdition(name)
				var found diagnostic.List
				switch {
				case errors.As(err, &found):
					list = append(list, found...)
				case err != nil:
					return err
				case show:
					if _, err := s.out.Write(text); err != nil {
						return err
					}
				}
			}
			return f.show(s, list, fmt.Sprintf("%d editions", len(args)))
		},
	}
	cmd.Flags().BoolVar(&show, "show", false, "print the text of the editions")
	f.register(cmd)
	return cmd
}

func listEditions(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, name := range edition.Names() {
		e, err := edition.Named(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d examinations\t%s\n", name, len(e.Examinations), e.Title)
	}
	return w.Flush()
}
