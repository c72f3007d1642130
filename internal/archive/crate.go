package archive

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/wording"
)

// About is what people say of an archive, for repositories.
type About struct {
	Licence string   // address of a licence, or a text
	Authors []string // names, in order
}

// specification is the version of RO-Crate that is written. Its context has the term
// sha256, which that of 1.1 lacks: readers of linked data drop what they do not know.
const specification = "https://w3id.org/ro/crate/1.2"

// node is an entity of an RO-Crate. Its @id is a relative address.
type node map[string]any

func ref(id string) node { return node{"@id": id} }

// fileID is the id of a file, local that of what has no file: names may hold blanks and signs.
func fileID(path string) string      { return (&url.URL{Path: path}).EscapedPath() }
func local(kind, name string) string { return "#" + kind + "-" + url.PathEscape(name) }

// made says who made a tool, and where it is.
type made struct{ authors, home string }

// makers returns who made the tools of a campaign, as their manifests say; nothing of those
// that the campaign does not hold.
func makers(c *campaign.Campaign) func(campaign.PlannedTool) made {
	return func(t campaign.PlannedTool) made {
		m, err := c.Manifest(t)
		if err != nil {
			return made{}
		}
		return made{m.Authors, m.Home}
	}
}

// crate is ro-crate-metadata.json: what repositories show of the archive.
func crate(j *judged.Campaign, f facts, about About, files []entry, by func(campaign.PlannedTool) made) ([]byte, error) {
	root := node{"@id": "./", "@type": "Dataset", "name": f.Campaign, "datePublished": f.Date, "description": description(j, f)}
	graph := []node{
		{"@id": crateFile, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref(specification)},
		root,
	}
	add := func(n node) node {
		graph = append(graph, n)
		return ref(n["@id"].(string))
	}
	if about.Licence != "" {
		licence := "#licence"
		if u, err := url.Parse(about.Licence); err == nil && u.Host != "" {
			licence = u.String()
		}
		root["license"] = add(node{"@id": licence, "@type": "CreativeWork", "name": about.Licence})
	}
	var authors, parts, used, journals []node
	for i, name := range about.Authors {
		authors = append(authors, add(node{"@id": fmt.Sprintf("#author-%d", i+1), "@type": "Person", "name": name}))
	}
	for _, e := range files {
		if strings.HasPrefix(e.path, campaignDir+"/inputs/") {
			continue // they are many, and their directory stands for them
		}
		parts = append(parts, add(fileNode(e)))
	}
	if inputs := campaignDir + "/inputs/"; hasBelow(files, inputs) {
		parts = append(parts, add(node{"@id": inputs, "@type": "Dataset", "name": "tools and instances as they were run, by their digests"}))
	}
	for _, t := range toolNodes(j, by) {
		used = append(used, add(t))
	}
	for _, p := range parts {
		if strings.HasPrefix(p["@id"].(string), campaignDir+"/journal/") {
			journals = append(journals, p)
		}
	}
	machines := machineNodes(j)
	for _, m := range machines {
		used = append(used, add(m))
	}
	podium := add(node{"@id": "#podium", "@type": "SoftwareApplication", "name": "Podium", "softwareVersion": f.Version})
	root["mentions"] = add(node{"@id": "#contest", "@type": "CreateAction", "name": "the runs of the contest", "instrument": podium, "object": list(used), "result": list(journals), "endTime": f.Date})
	root["hasPart"] = list(parts)
	if len(authors) > 0 {
		root["author"] = list(authors)
	}
	return asJSON(node{"@context": specification + "/context", "@graph": graph})
}

func description(j *judged.Campaign, f facts) string {
	text := fmt.Sprintf("A contest of %s on %s under edition %s: %s.", wording.Count(len(j.Campaign.Plan.Tools), "tool", "tools"),
		wording.Count(len(j.Campaign.Plan.Instances), "instance", "instances"), f.Edition, wording.Part(f.Runs.Done, f.Runs.Planned, "runs is done", "runs are done"))
	if len(f.LeftOut) > 0 {
		text += " Left out: " + strings.Join(f.LeftOut, ", ") + "."
	}
	return text + " README.md says how to check it."
}

// list is never nil: null is no value of JSON-LD.
func list(nodes []node) []node { return append([]node{}, nodes...) }

func hasBelow(files []entry, dir string) bool {
	return slices.ContainsFunc(files, func(e entry) bool { return strings.HasPrefix(e.path, dir) })
}

func fileNode(e entry) node {
	n := node{"@id": fileID(e.path), "@type": "File", "contentSize": fmt.Sprint(e.size), "sha256": e.sum}
	if kind := kindOf(e.path); kind != "" {
		n["encodingFormat"] = kind
	}
	return n
}

// kindOf is the media type of a file by its name, from a table of its own: every
// computer writes the same.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".csv":
		return "text/csv"
	case ".md":
		return "text/markdown"
	case ".yaml":
		return "application/yaml"
	case ".jsonl":
		return "application/jsonl"
	case ".zst":
		return "application/zstd"
	}
	return ""
}

func toolNodes(j *judged.Campaign, by func(campaign.PlannedTool) made) (nodes []node) {
	for _, t := range j.Campaign.Plan.Tools {
		n := node{"@id": local("tool", t.Name), "@type": "SoftwareApplication", "name": t.Name, "identifier": "sha256:" + t.Digest}
		if t.Title != "" {
			n["description"] = t.Title
		}
		if t.Version != "" {
			n["softwareVersion"] = t.Version
		}
		m := by(t)
		if m.authors != "" {
			n["author"] = m.authors
		}
		if m.home != "" {
			n["url"] = m.home
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// machineNodes are the computers that ran the contest, each once.
func machineNodes(j *judged.Campaign) (nodes []node) {
	seen := map[string]bool{}
	for _, w := range j.Log.Workers {
		id := local("host", w.Host)
		if seen[id] {
			continue
		}
		seen[id] = true
		nodes = append(nodes, node{"@id": id, "@type": "IndividualProduct", "name": w.Host, "description": fmt.Sprintf("%s, %s, %d cores, %d MB of memory, driver %s",
			w.Machine.System, w.Machine.Processor, w.Machine.Cores, w.Machine.Memory/1e6, w.Driver)})
	}
	return nodes
}
