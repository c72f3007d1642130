package archive

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/campaign"
)

// terms are those terms of the context of RO-Crate 1.2 that Podium uses.
var terms = map[string]any{
	"CreateAction": "http://schema.org/CreateAction", "CreativeWork": "http://schema.org/CreativeWork", "Dataset": "http://schema.org/Dataset",
	"File": "http://schema.org/MediaObject", "IndividualProduct": "http://schema.org/IndividualProduct", "Person": "http://schema.org/Person",
	"SoftwareApplication": "http://schema.org/SoftwareApplication", "about": "http://schema.org/about", "author": "http://schema.org/author",
	"conformsTo": "http://purl.org/dc/terms/conformsTo", "contentSize": "http://schema.org/contentSize", "datePublished": "http://schema.org/datePublished",
	"description": "http://schema.org/description", "encodingFormat": "http://schema.org/encodingFormat", "endTime": "http://schema.org/endTime",
	"hasPart": "http://schema.org/hasPart", "identifier": "http://schema.org/identifier", "instrument": "http://schema.org/instrument",
	"license": "http://schema.org/license", "mentions": "http://schema.org/mentions", "name": "http://schema.org/name", "object": "http://schema.org/object",
	"result": "http://schema.org/result", "sha256": "http://schema.org/sha256", "softwareVersion": "http://schema.org/softwareVersion", "url": "http://schema.org/url",
}

// TestReadersOfLinkedDataLoseNothing gives the crate to rdflib: every statement about every
// entity arrives, also where the names of hosts, tools and files are no addresses.
func TestReadersOfLinkedDataLoseNothing(t *testing.T) {
	const context = "https://w3id.org/ro/crate/1.2/context"
	j := contestOf(t)
	j.Campaign.Plan.Tools[0].Name, j.Campaign.Plan.Tools[0].Title = `a "tool" <é>`, "finds nothing"
	j.Log.Workers = append(j.Log.Workers, campaign.Opened{Host: "host of\n#1?"})
	files := []entry{{path: "README.md", sum: "00"}, {path: "campaign/journal/a b#%41.jsonl", sum: "01"}, {path: "campaign/pins/A:1@1", sum: "02"}, {path: "campaign/inputs/1/x", sum: "03"}}
	text, err := crate(j, facts{Campaign: "x", Date: "2026-01-02"}, About{"by Ada, see https://example.org/", []string{"Ada"}}, files, func(campaign.PlannedTool) made { return made{"Bob", "https://example.org/"} })
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Context != context {
		t.Fatalf("the context is %q, %v", c.Context, err)
	}
	want := 0
	for _, n := range c.Graph {
		for key, value := range n {
			if name := strings.TrimPrefix(key, "@"); name == key && terms[key] == nil || name == "type" && terms[value.(string)] == nil {
				t.Errorf("%s %v is no term of %s", key, value, context)
			}
			if list, ok := value.([]any); ok {
				want += len(list)
			} else if key != "@id" {
				want++
			}
		}
	}
	rdfpipe, err := exec.LookPath("rdfpipe")
	if err != nil {
		t.Skip("rdfpipe is not installed: nobody else reads the crate")
	}
	dir := t.TempDir()
	file, at := filepath.Join(dir, crateFile), "file://"+filepath.Join(dir, "context.jsonld")
	own, err := json.Marshal(map[string]any{"@context": terms})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{file: bytes.Replace(text, []byte(context), []byte(at), 1), filepath.Join(dir, "context.jsonld"): own} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said, err := exec.Command(rdfpipe, "-i", "json-ld", "-o", "ntriples", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(said), " .\n"); got != want {
		t.Errorf("of %d statements %d arrive:\n%s", want, got, said)
	}
	for _, triple := range []string{`/campaign/journal/a%20b%23%2541.jsonl> <http://schema.org/sha256> "01"`, `#host-host%20of%0A%231%3F> <http://schema.org/name> "host of\n#1?"`, `/> <http://schema.org/license> <file://` + file + `#licence>`} {
		if !strings.Contains(string(said), triple) {
			t.Errorf("nobody says %s:\n%s", triple, said)
		}
	}
}
