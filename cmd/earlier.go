package cmd

import (
	"fmt"
	"strings"

	"podium/internal/contest"
	"podium/internal/publish"
)

// earlierEdition is an edition of the contest that is shown beside another, as a flag
// names it.
type earlierEdition struct {
	edition string
	files   []string
	source  source
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
			e = &earlierEdition{edition: name, source: source{edition: name}}
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

// addEarlier judges the earlier editions and shows them beside the contest.
func addEarlier(s *streams, shown *publish.Contest, texts []string) error {
	list, err := earlierEditions(texts)
	if err != nil {
		return err
	}
	for _, e := range list {
		c, ed, err := e.source.loadFiles(s, e.files)
		if err != nil {
			return err
		}
		f, err := contest.OfFiles(e.files, c, nil, ed, nil)
		if err != nil {
			return err
		}
		shown.Earlier = append(shown.Earlier, f.Earlier())
		for _, file := range f.Sources() {
			shown.Digests = append(shown.Digests, publish.Named{Name: ed.ID + ", " + file.Name, Text: file.Text})
		}
	}
	return nil
}
