package archive

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/pnml/diagnostic"
)

// texts compares what the archive says of itself for people and for repositories with what
// Podium writes.
func (e *examination) texts() error {
	text, err := os.ReadFile(filepath.Join(e.dir, readmeFile))
	switch {
	case err != nil:
		e.deviates(readmeFile, "the file is missing")
	case !bytes.Equal(text, readme(e.u.facts)):
		e.unchecked("%s: it is not the text that this version of podium writes", readmeFile)
	}
	return e.description()
}

// description compares ro-crate-metadata.json with what Podium writes of the campaign.
func (e *examination) description() error {
	const most = 64 << 20
	info, err := os.Stat(filepath.Join(e.dir, crateFile))
	if err != nil {
		e.deviates(crateFile, "the file is missing")
		return nil
	}
	if info.Size() > most {
		return e.refused("%s: it has %d bytes, and at most %d are read", crateFile, info.Size(), most)
	}
	text, err := os.ReadFile(filepath.Join(e.dir, crateFile))
	if err != nil {
		return err
	}
	var said struct {
		Graph []crateSays `json:"@graph"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return e.refused("%s: %v", crateFile, err)
	}
	for _, n := range said.Graph {
		file, _ := url.PathUnescape(n.ID)
		if sum, ok := e.u.files[file]; n.SHA256 != "" && (!ok || sum != n.SHA256) {
			e.deviates(crateFile, "it describes %s, which is missing or another file", diagnostic.Line(diagnostic.Cut(n.ID)))
		}
	}
	about, who := saysAbout(said.Graph)
	var entries []entry
	for _, f := range e.u.order {
		if f.path != crateFile {
			entries = append(entries, entry{path: f.path, sum: f.sum, size: f.size})
		}
	}
	toolsOut := slices.Contains(e.u.facts.LeftOut, partTools)
	want, err := crate(e.judged, e.u.facts, about, entries, func(t campaign.PlannedTool) made {
		if here(t.Dir) && !toolsOut {
			return makers(e.judged.Campaign)(t)
		}
		return who[local("tool", t.Name)]
	})
	switch {
	case err != nil:
		return err
	case !bytes.Equal(text, want):
		e.unchecked("%s: it is not what this version of podium writes of the campaign", crateFile)
		return nil
	case about.Licence != "" || len(about.Authors) > 0:
		e.unchecked("%s: authors and licence; only whoever made the archive says them", crateFile)
	}
	if toolsOut && slices.ContainsFunc(e.judged.Campaign.Plan.Tools, func(t campaign.PlannedTool) bool { return who[local("tool", t.Name)] != made{} }) {
		e.unchecked("%s: authors and addresses of tools; the tools are not in the archive", crateFile)
	}
	return nil
}

// crateSays is what is read again of an entity of an RO-Crate: what nothing but the crate
// says.
type crateSays struct {
	ID     string          `json:"@id"`
	Name   string          `json:"name"`
	URL    string          `json:"url"`
	SHA256 string          `json:"sha256"`
	Author json.RawMessage `json:"author"`
	// Licence is that of the archive.
	Licence struct {
		ID string `json:"@id"`
	} `json:"license"`
}

// saysAbout returns what the entities say of the archive, and of the authors of tools.
func saysAbout(graph []crateSays) (about About, who map[string]made) {
	who = map[string]made{}
	licence := ""
	for _, n := range graph {
		if n.ID == "./" {
			licence = n.Licence.ID
		}
	}
	for _, n := range graph {
		switch {
		case n.ID == licence && licence != "":
			about.Licence = n.Name
		case strings.HasPrefix(n.ID, "#author-"):
			about.Authors = append(about.Authors, n.Name)
		case strings.HasPrefix(n.ID, "#tool-"):
			m := made{home: n.URL}
			_ = json.Unmarshal(n.Author, &m.authors) // a text, or nothing
			who[n.ID] = m
		}
	}
	return about, who
}
