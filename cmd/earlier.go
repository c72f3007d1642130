package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/judged"
	"podium/internal/publish"
)

// earlierEdition is an edition of the contest that is shown beside another, as a flag
// names it.
type earlierEdition struct {
	edition string
	files   []string
	source  source
}

// registerPrevious is the flag of commands that show earlier editions.
func registerPrevious(cmd *cobra.Command, previous *[]string) {
	cmd.Flags().StringArrayVar(previous, "previous", nil, "show an earlier edition beside this contest: `EDITION=FILE`; may be repeated")
}

// earlierEditions reads what --previous says: EDITION=FILE, with classes=FILE and
// families=FILE behind it where the file does not say them. Several files of one edition
// are several flags.
func earlierEditions(texts []string) (list []*earlierEdition, err error) {
	by := map[string]*earlierEdition{}
	for _, text := range texts {
		parts := strings.Split(text, ",")
		name, file, ok := strings.Cut(parts[0], "=")
		if !ok || name == "" || file == "" {
			return nil, usageError{fmt.Errorf("--previous %s: write EDITION=FILE, as in --previous mcc2019=raw-result-analysis-2019.csv.zip", text)}
		}
		e := by[name]
		if e == nil {
			e = &earlierEdition{edition: name, source: source{Options: judged.Options{Edition: name}}}
			by[name], list = e, append(list, e)
		}
		e.files = append(e.files, file)
		for _, part := range parts[1:] {
			switch key, value, _ := strings.Cut(part, "="); key {
			case "classes":
				e.source.classes = value
			case "families":
				e.source.families = value
			default:
				return nil, usageError{fmt.Errorf("--previous %s: behind a file stand classes=FILE and families=FILE, not %q", text, part)}
			}
		}
	}
	return list, nil
}

// earlierContests are what pages show of earlier editions, and the digests of their files.
type earlierContests struct {
	shown   []publish.Earlier
	digests []publish.Named
}

// readEarlier judges the earlier editions. Little of each is kept: read before the contest
// itself, they take no memory beside it.
func readEarlier(s *streams, texts []string) (earlier earlierContests, err error) {
	list, err := earlierEditions(texts)
	if err != nil {
		return earlier, err
	}
	for _, e := range list {
		files, err := judged.ResultFiles(e.files)
		if err != nil {
			return earlier, err
		}
		c, ed, err := e.source.loadFiles(s, files)
		if err != nil {
			return earlier, err
		}
		f := judged.OfFiles(c, nil, ed, nil)
		if err := f.Name(files); err != nil {
			return earlier, err
		}
		earlier.shown = append(earlier.shown, publish.EarlierOf(f))
		for _, file := range f.Sources {
			earlier.digests = append(earlier.digests, publish.Named{Name: ed.ID + ", " + file.Name, Text: file.Text})
		}
	}
	return earlier, nil
}

// addTo shows the earlier editions beside a contest.
func (e *earlierContests) addTo(shown *publish.Contest) {
	shown.Earlier = append(shown.Earlier, e.shown...)
	shown.Digests = append(shown.Digests, e.digests...)
}
