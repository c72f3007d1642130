package publish

import (
	"bufio"
	"encoding/json"

	"podium/internal/publish/paths"
)

// namesScript is the script with the names that the search of every page finds.
const namesScript = "names.js"

// writeNames writes what has a page of its own: names, with the pages from the root of the site.
func (s *site) writeNames() error {
	names := [][2]string{}
	for _, t := range s.tools {
		names = append(names, [2]string{clean(t.Name), s.toolPath(t.Name)})
	}
	for _, cat := range s.c.Categories {
		names = append(names, [2]string{clean(cat.Name), paths.Category(cat.Name)})
	}
	for e := range s.c.Examinations {
		at := s.examLink(e)
		names = append(names, [2]string{at.Text, at.Path})
	}
	if s.Nets() {
		for _, m := range s.families {
			names = append(names, [2]string{clean(m.name), m.path()})
		}
	}
	for i, inst := range s.insts {
		names = append(names, [2]string{inst.ID.String(), s.instPath(i)})
	}
	text, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return s.tree.write(namesScript, func(w *bufio.Writer) error {
		w.WriteString("self.podiumNames = ")
		w.Write(text)
		_, err := w.WriteString(";\n")
		return err
	})
}
