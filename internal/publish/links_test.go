package publish

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// document is what a page says of itself and of others.
type document struct {
	ids   map[string]bool
	asks  map[string]bool // what its address may choose
	links []string
}

func TestEveryLinkResolves(t *testing.T) {
	dir := publishedSite(t, fixture(1, 4, 12))
	checkSite(t, dir)
}

// checkSite reads every page of a site: it must be well-formed, its ids must
// be unique, every link must lead to a file (and an id) of the site, nothing
// may be asked of a network, and every file must be reachable from index.html.
func checkSite(t *testing.T, dir string) {
	t.Helper()
	files := digests(t, dir)
	pages := map[string]document{}
	for name := range files {
		if ext := path.Ext(name); ext == ".html" || ext == ".svg" {
			pages[name] = readDocument(t, dir, name)
		}
	}
	reached := map[string]bool{"index.html": true}
	for queue := []string{"index.html"}; len(queue) > 0; queue = queue[1:] {
		for _, link := range pages[queue[0]].links {
			target := resolve(t, pages, files, queue[0], link)
			if target != "" && !reached[target] {
				reached[target] = true
				queue = append(queue, target)
			}
		}
	}
	for name := range files {
		if !reached[name] {
			t.Errorf("%s cannot be reached from index.html", name)
		}
	}
	checkAssets(t, dir)
}

// questionsOfRuns are what links ask of the table of runs.
var questionsOfRuns = map[string]bool{"tool": true, "examination": true, "category": true, "right": true, "wrong": true, "unjudged": true, "aside": true, "missing": true,
	"timeout": true, "memout": true, "stopped": true, "alone": true, "elsewhere": true, "outcome": true, "show": true, "lost": true, "sort": true}

// resolve returns the file that a link leads to, empty after an error.
func resolve(t *testing.T, pages map[string]document, files map[string]string, from, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		t.Errorf("%s: link %q leaves the site (%v)", from, link, err)
		return ""
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
	}
	if _, there := files[target]; !there {
		t.Errorf("%s: link %q leads nowhere", from, link)
		return ""
	}
	if strings.Contains(u.Fragment, "=") { // a question, see docs/site.md
		asked, err := url.ParseQuery(u.EscapedFragment())
		for name := range asked {
			if err != nil || !pages[target].asks[name] && (target != "table.html" || !questionsOfRuns[name]) && target != "ask.html" {
				t.Errorf("%s: link %q: nothing is asked for %q there (%v)", from, link, name, err)
			}
		}
	} else if u.Fragment != "" && !pages[target].ids[u.Fragment] {
		t.Errorf("%s: link %q: there is no id %q", from, link, u.Fragment)
	}
	return target
}

func readDocument(t *testing.T, dir, name string) document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	doc := document{ids: map[string]bool{}, asks: map[string]bool{}}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	seen := map[string]int{}
	drawings := 0 // that the element is inside of: their titles are not that of the page
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "svg" {
			drawings--
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if element.Name.Local == "svg" {
			drawings++
		}
		if drawings == 0 || element.Name.Local != "title" {
			seen[element.Name.Local]++
		}
		doc.read(t, name, element)
	}
	if path.Ext(name) == ".html" {
		for _, one := range []string{"title", "h1", "main", "header", "footer"} {
			if seen[one] != 1 {
				t.Errorf("%s has %d elements <%s>", name, seen[one], one)
			}
		}
		if seen["table"] != seen["caption"] {
			t.Errorf("%s has %d tables and %d captions", name, seen["table"], seen["caption"])
		}
	}
	return doc
}

func (d *document) read(t *testing.T, name string, element xml.StartElement) {
	t.Helper()
	has := map[string]string{}
	for _, a := range element.Attr {
		has[a.Name.Local] = a.Value
		switch a.Name.Local {
		case "id":
			if d.ids[a.Value] {
				t.Errorf("%s: id %q is there twice", name, a.Value)
			}
			d.ids[a.Value] = true
		case "data-choice":
			d.asks[a.Value] = true
		case "href", "src", "data-rest", "data-names":
			d.links = append(d.links, a.Value)
		case "srcset", "action", "poster", "onclick", "onload":
			t.Errorf("%s: <%s> has attribute %s", name, element.Name.Local, a.Name.Local)
		case "style": // the policy of pages refuses it; pictures have no policy
			if path.Ext(name) == ".html" {
				t.Errorf("%s: <%s> has a style of its own", name, element.Name.Local)
			}
		}
	}
	if alt, ok := has["alt"]; element.Name.Local == "img" && (!ok || alt == "" && !strings.HasSuffix(has["src"], "icon.svg")) {
		t.Errorf("%s: image %s has no alternative text", name, has["src"])
	}
	for _, ref := range []string{has["aria-labelledby"]} {
		for _, id := range strings.Fields(ref) {
			if path.Ext(name) == ".html" {
				d.links = append(d.links, "#"+id)
			}
		}
	}
}

// checkAssets makes sure that styles and scripts ask nothing of a network.
func checkAssets(t *testing.T, dir string) {
	t.Helper()
	for name, forbidden := range map[string][]string{
		"style.css": {"url(", "@import", "http"},
		"site.js":   {"http", "fetch(", "XMLHttpRequest", "import(", "eval("},
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range forbidden {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
}
