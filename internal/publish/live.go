package publish

import (
	"bytes"
	"html/template"
	"io"
	"strings"

	"podium/examinations"
	"podium/internal/judged"
	"podium/internal/publish/paths"
)

// LivePath is where a site that is served has the page on how far the contest is.
const LivePath = "live"

const navigationStart = `<nav aria-label="Site"><ul>`

// WithLive puts a link to the live page into the navigation of a page of a site. Path is that
// of the page, from the root of the site. The start of a page will do, if it holds the navigation;
// what has none is given back as it is.
func WithLive(path string, html []byte) []byte { return withLive(path, html, "") }

func withLive(path string, html []byte, mark string) []byte {
	before, after, found := bytes.Cut(html, []byte(navigationStart))
	if !found {
		return html
	}
	item := "\n<li><a href=\"" + strings.Repeat("../", strings.Count(path, "/")) + LivePath + `"` + mark + `>Live</a></li>`
	return bytes.Join([][]byte{before, []byte(navigationStart + item), after}, nil)
}

// RunPath is where a site has a run, from its root: the page of the instance, and the place on it.
func RunPath(tool, instance string, exam examinations.ID) (page, place string) {
	return paths.Instance(paths.Name(instance)), paths.Name(string(exam)) + "." + paths.Name(tool)
}

// Frame makes pages that look as those of a site, and stand beside them while it is served.
type Frame struct{ site *site }

// FramedPage is such a page. It may ask the server that it came from for news, and has
// no style attributes.
type FramedPage struct {
	Title   string
	Body    template.HTML
	Sheets  []string // style sheets beside that of the site
	Scripts []string // beside the one of the site
	Alone   bool     // without navigation: there is no site yet
}

// NewFrame makes the frame of a contest. It looks at what head and foot of a page show: title,
// edition, version, what there are pages of, and whether it is a rehearsal. It keeps no more of
// the contest.
func NewFrame(c *Contest) (*Frame, error) {
	light := *c
	light.runs, light.Tools, light.Instances, light.doubts, light.questions, light.sense = nil, nil, nil, nil, nil, nil
	if c.Judged != nil { // what is kept of it says whether there are a referee and decisions
		light.Judged = &judged.Contest{Decided: c.Judged.Decided}
		if c.Refereed() {
			light.Judged.Proofs = &judged.Certificate{}
		}
	}
	if c.Program != nil {
		light.Program = &Program{}
	}
	if len(c.Answers) > 0 {
		light.Answers = []byte{0}
	}
	s := &site{view: &view{c: &light}}
	if err := s.parse(); err != nil {
		return nil, err
	}
	return &Frame{s}, nil
}

// Write writes a page, to stand in the root of the site.
func (f *Frame) Write(w io.Writer, p FramedPage) error {
	var text bytes.Buffer
	if err := f.site.execute(&text, "framed", "", page{Title: p.Title, Body: p.Body, Own: p.Scripts, Sheets: p.Sheets, Alone: p.Alone, Listens: true}); err != nil {
		return err
	}
	_, err := w.Write(withLive("", text.Bytes(), ` aria-current="true"`))
	return err
}

// Asset returns a file that pages use before any site is written.
func Asset(name string) (data []byte, known bool) {
	if name != "style.css" && name != "site.js" && name != "icon.svg" {
		return nil, false
	}
	data, err := embedded.ReadFile("assets/" + name)
	return data, err == nil
}
