package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newEdition(s *streams) *cobra.Command {
	return group("edition", "List, show and check editions: the rules of a year, as data", newEditionList(s), newEditionShow(s), newEditionCheck(s))
}

func newEditionList(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in editions",
		Long: `Edition list says how well each edition is known: verified on the rows of a published file of
results, read in published rules, or inferred from other years; ` + "`podium edition show`" + ` prints the details.
Without --edition a contest has ` + defaultEdition + `: of the rules of the Model Checking Contest, only those of 2016
are published in full.`,
		Example: "  podium edition list\n  podium edition list --json",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return listEditions(s) },
	}
	return cmd
}

func newEditionShow(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "show EDITION...",
		Short:   "Print the text of editions, to copy and change",
		Example: "  podium edition show mcc2016 > mine.yaml",
		Args:    someArgs("the name of an edition (`podium edition list` lists them)"),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				_, text, err := judged.LoadEdition(name)
				if err != nil {
					return err
				}
				if _, err := s.out.Write(text); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newEditionCheck(s *streams) *cobra.Command {
	var f findings
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check editions of your own",
		Long: `Edition check finds unknown keys and functions in editions of your own, and points that do not
divide among the values.

` + checkCodes,
		Example: "  podium edition show mcc2016 > mine.yaml\n  podium edition check mine.yaml",
		Args:    someArgs("files of editions"),
		RunE: func(_ *cobra.Command, args []string) error {
			var list diagnostic.List
			for _, name := range args {
				e, _, err := judged.LoadEdition(name)
				if err == nil && strings.HasPrefix(e.Basis, "inferred") {
					s.say(name + ": rules " + e.Basis)
				}
				var found diagnostic.List
				if errors.As(err, &found) {
					list = append(list, found...)
				} else if err != nil {
					return err
				}
			}
			return f.show(s, list, wording.Count(len(args), "edition", "editions"))
		},
	}
	f.register(cmd)
	return cmd
}

func listEditions(s *streams) error {
	w := wording.Table(s.out)
	list := []listedEdition{}
	for _, name := range edition.Names() {
		e, err := edition.Named(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, e.Standing(), wording.Count(len(e.Examinations), "examination", "examinations"), e.Title)
		of := listedEdition{ID: name, Title: e.Title, Basis: e.Basis, Exams: []string{}}
		for _, exam := range e.Examinations {
			of.Exams = append(of.Exams, string(exam.ID))
		}
		list = append(list, of)
	}
	if s.asJSON {
		return s.reply(editionsReply{list})
	}
	return w.Flush()
}
