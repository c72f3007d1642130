package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/parallel"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

const checkCodes = `Exit codes: 0 nothing but warnings, 2 usage, 3 errors were found, 4 the input cannot be read.`

func newCheck(s *streams) *cobra.Command {
	return group("check", "Check models, formulas, the output of a tool, witnesses, tasks", newCheckModel(s), newCheckFormulas(s), newCheckOutput(s), newCheckWitness(s), newCheckTask(s))
}

// findings are the flags of how findings are shown.
type findings struct {
	format string
	quiet  bool
	all    bool
}

func (f *findings) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", "text", "how findings are written: text, json (one object a line) or github (annotations)")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "errors only")
	cmd.Flags().BoolVar(&f.all, "all", false, "every finding, also where many are alike; json and github always have all")
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
	list.ErrorsFirst()
	if format == diagnostic.Text && !f.all {
		err = list.WriteGrouped(s.out, "--all")
	} else {
		err = list.Write(s.out, format)
	}
	if err != nil {
		return err
	}
	verdict := fmt.Sprintf("%s: %s, %s", what, wording.Count(list.Count(diagnostic.Error), "error", "errors"), wording.Count(list.Count(diagnostic.Warning), "warning", "warnings"))
	if list.Count(diagnostic.Error) > 0 {
		return incompleteError{verdict}
	}
	fmt.Fprintln(s.err, verdict)
	return nil
}

// eachPath checks files with the given ending one by one and everything else
// as instances, several at a time, and together. It returns how many were checked.
func eachPath(cmd *cobra.Command, args []string, ending string, file func(string) diagnostic.List, instance func(models.Instance) diagnostic.List, together func(*models.Collection) diagnostic.List) (list diagnostic.List, n int, err error) {
	var files, collections []string
	for _, path := range args {
		info, err := os.Stat(path)
		if path == "-" && err != nil {
			return nil, 0, usageError{errors.New("- is standard input, which is not read here: write it to a file, and name that")}
		} else if err != nil {
			return nil, 0, err
		}
		if campaign.Is(path) {
			return nil, 0, usageError{fmt.Errorf("%s is a campaign: name the instances that it was planned with", path)}
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
	if together != nil && len(opened.Instances) > 1 {
		list = append(list, together(opened)...)
	}
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
