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
	"podium/internal/explorer/simplify"
	"podium/internal/wording"
	"podium/models"
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

// checkFormulaFile checks one file against the net beside it.
func checkFormulaFile(path string) diagnostic.List {
	f, err := os.Open(path)
	if err != nil {
		return diagnostic.List{{File: path, Code: "formula-open", Message: err.Error(), Hint: "name a file that you may read"}}
	}
	defer f.Close()
	net := models.NetBeside(filepath.Dir(path))
	if net == "" {
		return append(simplify.CheckFile(f, path, nil, ""), diagnostic.Diagnostic{File: path, Severity: diagnostic.Warning, Code: "models-no-net",
			Message: "there is no " + models.ModelFile + " beside the file: names of places and transitions are not checked", Hint: "put the net there"})
	}
	opened, _ := models.Open(net)
	if len(opened.Instances) != 1 {
		return append(opened.Findings, simplify.CheckFile(f, path, nil, "")...)
	}
	files, err := formula.Open(opened.Instances[0], nil, nil)
	if err != nil {
		return diagnostic.List{{File: net, Code: "formula-open", Message: err.Error(), Hint: "name a file that you may read"}}
	}
	names, list := namesOf(files)
	return append(list, simplify.CheckFile(f, path, names, nameOf(opened.Instances[0]))...)
}

// namesOf returns the names of a net and what reading it found: nil for one with errors.
func namesOf(files *formula.Files) (*formula.NetNames, diagnostic.List) {
	if files.Found.Err() == nil {
		return formula.NamesIn(files.Document), files.Found
	}
	return nil, append(files.Found, diagnostic.Diagnostic{File: files.Found[0].File, Severity: diagnostic.Note, Code: "formula-no-net",
		Message: "the net has errors: names of places and transitions are not checked", Hint: "mend them first"})
}

// nameOf is the name with which ids of formulas begin, "" where the instance has none of
// its own.
func nameOf(i models.Instance) string {
	if i.Made {
		return ""
	}
	return i.ID.String()
}

// checkFormulasOf checks all formula files of an instance.
func checkFormulasOf(i models.Instance) diagnostic.List {
	files, err := formula.Open(i, examinations.All(), nil)
	if err != nil {
		return diagnostic.List{{File: i.Path, Code: "formula-open", Message: err.Error(), Hint: "check that you may read its files, or copy it again"}}
	}
	names, list := namesOf(files)
	lacking := slices.DeleteFunc(examinations.FormulaFiles(), i.Has)
	list = append(list, i.Missing(diagnostic.Error, lacking)...)
	for _, name := range slices.Sorted(maps.Keys(files.Texts)) {
		list = append(list, simplify.CheckFile(bytes.NewReader(files.Texts[name]), i.File(name), names, nameOf(i))...)
	}
	return list
}
