package pnml

import (
	"io"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// endless repeats a text without end, and counts.
type endless struct {
	text string
	n    int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.n+i)%len(e.text)]
	}
	e.n += len(p)
	return len(p), nil
}

// TestHostileDocuments: what would cost memory or time without end is refused
// after a small part of it.
func TestHostileDocuments(t *testing.T) {
	net := strings.TrimSuffix(document(""), "</page></net></pnml>")
	for name, c := range map[string]struct{ code, head, body string }{
		"entity bomb":   {"xml-doctype", `<!DOCTYPE a [<!ENTITY b "bbbb">`, `<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">`},
		"doctype":       {"xml-limit", `<!DOCTYPE a SYSTEM "`, "x"},
		"nesting":       {"xml-limit", net, "<page id='p'>"},
		"value":         {"xml-limit", net + `<place id="`, "p"},
		"name":          {"xml-limit", net + "<p", "p"},
		"attributes":    {"xml-attribute", net + "<place", ` p1="" p2="" p3=""`},
		"prefixes":      {"xml-limit", net, `<place xmlns:p="u">`},
		"white space":   {"xml-limit", net + "<place", " "},
		"name of place": {"xml-limit", net + "<place id='p'><name><text>", "xyz"},
		"marking":       {"xml-limit", net + "<place id='p'><initialMarking><text>", "123"},
	} {
		body := &endless{text: c.body}
		_, diags := Read(io.MultiReader(strings.NewReader(c.head), body), "f")
		if !slices.ContainsFunc(diags, func(d diagnostic.Diagnostic) bool { return d.Code == c.code }) || body.n > 4<<20 {
			t.Errorf("%s: %d bytes were read, %.300v", name, body.n, diags)
		}
	}
}
