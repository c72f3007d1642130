package cmd

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

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
			list, n, err := eachPath(cmd, args, ".xml", checkFormulaFile, checkFormulasOf, nil)
			if err != nil {
				return err
			}
			return f.show(s, list, wording.Count(n, "input", "inputs")+" checked")
		},
	}
	f.register(cmd)
	return cmd
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
	return formula.CheckFile(f, path, names, directoryInstance(path))
}

// directoryInstance is the instance whose directory a file stands in, "" when that has
// no name of an instance.
func directoryInstance(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	id, err := models.ParseID(filepath.Base(filepath.Dir(full)))
	if err != nil {
		return ""
	}
	return id.String()
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
		list = append(list, formula.CheckFile(bytes.NewReader(files.Texts[name]), filepath.Join(i.Path, name), names, i.ID.String())...)
	}
	return list
}
