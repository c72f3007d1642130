package cmd

import (
	"io"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/simplify"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

func newCheckModel(s *streams) *cobra.Command {
	var f findings
	cmd := &cobra.Command{
		Use:   "model PATH...",
		Short: "Check whether the contest would accept models",
		Long: `Model checks PNML files, or whole instance directories and archives: the document itself,
the net, its nested units, and that the files of an instance agree with each other.

` + checkCodes,
		Example: "  podium check model MyModel-PT-01/model.pnml\n  podium check model MyModel-PT-01/ MyModel-COL-01.tgz\n  podium check model --format github INPUTS/",
		Args:    someArgs("nets (.pnml), instance directories or archives"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Nets hold few pointers, so that collecting often costs little and keeps
			// the peak near one and a half times a net.
			defer debug.SetGCPercent(debug.SetGCPercent(25))
			list, n, err := eachPath(cmd, args, ".pnml", checkModelFile, func(i models.Instance) diagnostic.List {
				if i.Alone { // in a file of another ending
					return models.CheckNet(i, examinations.FormulaFiles())
				}
				return checkModelOf(i)
			}, (*models.Collection).Check)
			if err != nil {
				return err
			}
			return f.show(s, list, wording.Count(n, "model", "models")+" checked")
		},
	}
	f.register(cmd)
	return cmd
}

// checkModelFile checks a net without the files beside it.
func checkModelFile(path string) (found diagnostic.List) {
	opened, _ := models.Open(path)
	found = opened.Findings
	for _, i := range opened.Instances {
		found = append(found, models.CheckNet(i, examinations.FormulaFiles())...)
	}
	return found
}

// checkModelOf checks an instance with all its files.
func checkModelOf(i models.Instance) diagnostic.List {
	files, err := formula.Open(i, nil, nil)
	broken := err != nil || files.Found.Err() != nil
	return append(toldBy(i), models.Check(i, models.CheckOptions{
		FormulaFiles: examinations.FormulaFiles(),
		Formulas: func(_, file string, content io.Reader, net *pnml.Document) diagnostic.List {
			if broken { // formulas are not to be blamed for what the net lacks
				return simplify.CheckFile(content, file, nil, nameOf(i))
			}
			return simplify.CheckFile(content, file, formula.NamesIn(net), nameOf(i))
		},
	})...)
}

// toldBy says which values the files beside the net give away.
func toldBy(i models.Instance) (found diagnostic.List) {
	said, _ := i.Statements(nil) // what cannot be read is found elsewhere
	of := map[string][]models.Statement{}
	for _, s := range said {
		of[s.File] = append(of[s.File], s)
	}
	for file, said := range of {
		var values []string
		told := examinations.Told(said)
		delete(told, examinations.GlobalProperties) // is ReachabilityDeadlock by another name
		for exam, items := range told {
			for item, value := range items {
				if values = append(values, string(exam)+" "+value); item != string(exam) {
					values[len(values)-1] = string(exam) + " " + item + " " + value
				}
			}
		}
		slices.Sort(values)
		found.Add(diagnostic.Diagnostic{File: i.File(file), Severity: diagnostic.Note, Code: "models-told", Message: "gives away " + wording.Few(values, len(examinations.All())) + ": a tool may read that and compute nothing",
			Hint: "right for organisers; runs are not given it unless their edition says so"})
	}
	return found
}
