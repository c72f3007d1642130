package cmd

import (
	"bytes"
	"errors"
	"io/fs"
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
directories and archives. A file is checked against the model.pnml beside it; without one, names of
places and transitions are not checked, with a warning. A formula file that an instance lacks is an error.

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
	f, err := os.Open(path)
	if err != nil {
		return diagnostic.List{{File: path, Code: "formula-open", Message: err.Error(), Hint: "name a file that you may read"}}
	}
	defer f.Close()
	model := filepath.Join(filepath.Dir(path), models.ModelFile)
	if _, err := os.Stat(model); errors.Is(err, fs.ErrNotExist) {
		return append(formula.CheckFile(f, path, nil, directoryInstance(path)), diagnostic.Diagnostic{File: path, Severity: diagnostic.Warning, Code: "models-no-net",
			Message: "there is no " + models.ModelFile + " beside the file: names of places and transitions are not checked", Hint: "put the net there"})
	}
	doc, found := pnml.ReadFile(model)
	names, list := namesOf(model, doc, found)
	return append(list, formula.CheckFile(f, path, names, directoryInstance(path))...)
}

// namesOf gives the names of a net, nil for one with errors, which is a finding.
func namesOf(model string, doc *pnml.Document, found diagnostic.List) (*formula.NetNames, diagnostic.List) {
	if found.Err() == nil {
		return formula.NamesIn(doc), nil
	}
	return nil, diagnostic.List{{File: model, Code: "formula-no-net", Message: "the net has " + wording.Count(found.Count(diagnostic.Error), "error", "errors") + ": names of places and transitions are not checked",
		Hint: "`podium check model " + model + "` shows what is wrong"}}
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
		return diagnostic.List{{File: i.Path, Code: "formula-open", Message: err.Error(), Hint: "check that you may read its files, or copy it again"}}
	}
	names, list := namesOf(filepath.Join(i.Path, models.ModelFile), files.Document, files.Found)
	list = append(list, models.MissingFormulas(i, formulaFileNames())...)
	for _, name := range slices.Sorted(maps.Keys(files.Texts)) {
		list = append(list, formula.CheckFile(bytes.NewReader(files.Texts[name]), filepath.Join(i.Path, name), names, i.ID.String())...)
	}
	return list
}
