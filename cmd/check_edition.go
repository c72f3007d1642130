package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newCheckEdition(s *streams) *cobra.Command {
	var f findings
	var show bool
	var asked reply
	cmd := &cobra.Command{
		Use:   "edition [FILE...]",
		Short: "Check edition files; without arguments list the built-in ones",
		Long: `Edition checks an edition of your own: unknown keys and functions, and points that do not
divide among the values. --show prints a built-in edition, which you can copy and change.

` + checkCodes,
		Example: "  podium check edition\n  podium check edition --show mcc2016 > mine.yaml\n  podium check edition mine.yaml",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listEditions(s.out, &asked)
			} else if asked.asJSON {
				return usageError{errors.New("--json is for the list of editions; findings are written so by --format json")}
			}
			var list diagnostic.List
			for _, name := range args {
				_, text, err := judged.LoadEdition(name)
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
			return f.show(s, list, wording.Count(len(args), "edition", "editions"))
		},
	}
	cmd.Flags().BoolVar(&show, "show", false, "print the text of the editions")
	f.register(cmd)
	asked.register(cmd)
	return cmd
}

func listEditions(out io.Writer, asked *reply) error {
	w := wording.Table(out)
	list := []listedEdition{}
	for _, name := range edition.Names() {
		e, err := edition.Named(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, wording.Count(len(e.Examinations), "examination", "examinations"), e.Title)
		of := listedEdition{ID: name, Title: e.Title, Exams: []string{}}
		for _, exam := range e.Examinations {
			of.Exams = append(of.Exams, string(exam.ID))
		}
		list = append(list, of)
	}
	if asked.asJSON {
		return asked.write(out, editionsReply{list})
	}
	return w.Flush()
}
