package publish

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	text "text/template"
	"time"

	"gonum.org/v1/plot/vg"

	"podium/internal/files"
	"podium/internal/parallel"
	"podium/internal/plots"
	"podium/internal/publish/paths"
	"podium/internal/together"
	"podium/scoring"
)

//go:embed assets templates
var embedded embed.FS

// site writes the pages of one contest.
type site struct {
	*view
	tree  *tree
	pages map[string]*template.Template

	families []model
	familyOf []int // by instance

	paper func(ch drawable, f figure, w, h vg.Length) error // takes the figures instead of the tree, if it is set

	together   *together.Counts
	pairs      [][2]int // tools that are drawn against each other
	techniques map[string]*technique
	timed      bool     // some answer says when it was given
	points     sync.Map // *big.Rat of runs and items, which nobody changes: its shownPoints
	sumsOnce   sync.Once
	sums       [][]pointSums // points by model, examination and tool, see modelSums
	yearsOnce  sync.Once
	allYears   []Earlier // see years
	// Their tools and categories.
	toolYears, categoryYears overYears
}

// page is what the layout of every page shows.
type page struct {
	Site  *site
	Root  string // "", "../" or "../../": from the page to the root of the site
	Here  string // the entry of the navigation it belongs to
	Title string
	About string // for search engines and previews
	Trail []link // breadcrumbs, from the section down
	Body  any
	Alone bool // it is no part of a site: no navigation and no foot
	// Computes tells that the page may start the program of the site. See [Program].
	Computes bool
	Follows  bool     // questions are asked on it, where the site answers any: parts of it have data-asks
	Path     string   // of the page, from the root of the site
	Own      []string // scripts of the page beside that of all
	Sheets   []string // style sheets beside that of all
	// Listens tells that the page hears news from the server that it came from.
	Listens bool
}

// link leads to a page, given from the root of the site.
type link struct{ Path, Text string }

// Write publishes the contest in dir. It writes all files into a new directory
// beside dir, which then replaces dir. It is an error when dir exists and was
// not published, and when logs cannot be read. When ctx ends first, nothing is changed. A page that
// fails inside podium says so, and the error names it: a [*fault.Error] after all is written.
func Write(ctx context.Context, dir string, c *Contest) error {
	return writeTree(ctx, dir, c, writeAll)
}

// WriteTables writes the CSV files and the provenance alone, as [Write] does.
func WriteTables(ctx context.Context, dir string, c *Contest) error {
	return writeTree(ctx, dir, c, func(v *view, t *tree) error {
		if err := v.writeCSV(t); err != nil {
			return err
		}
		return t.writeProvenance(v)
	})
}

func writeTree(ctx context.Context, dir string, c *Contest, fill func(*view, *tree) error) error {
	var b Batch
	defer b.Discard()
	if err := b.add(ctx, dir, c, fill); err != nil {
		return err
	}
	return b.Commit()
}

// Batch is sites that are published together: all of them or none.
type Batch struct {
	staged []stagedSite
	amiss  []error // of pages that failed inside podium
}

// stagedSite is written in a scratch directory, and takes the place of dir.
type stagedSite struct {
	dir     string
	scratch *files.Scratch
}

// Add writes a site beside dir, as [Write] does. Discard removes what was not committed.
func (b *Batch) Add(ctx context.Context, dir string, c *Contest) error {
	return b.add(ctx, dir, c, writeAll)
}

// Commit puts the sites in their places. The error may be one of pages that failed inside podium,
// as that of [Write].
func (b *Batch) Commit() error {
	for len(b.staged) > 0 {
		if err := b.staged[0].place(); err != nil {
			return err
		}
		b.staged = b.staged[1:]
	}
	return errors.Join(b.amiss...)
}

// Discard removes the sites that are not in their places.
func (b *Batch) Discard() {
	for _, s := range b.staged {
		s.scratch.Close()
	}
}

func (b *Batch) add(ctx context.Context, dir string, c *Contest, fill func(*view, *tree) error) error {
	v := newView(c)
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := replaceable(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	scratch, err := files.NewScratch(filepath.Dir(dir), "site")
	if err != nil {
		return err
	}
	s := stagedSite{dir, scratch}
	b.staged = append(b.staged, s)
	if err := os.Mkdir(s.fresh(), 0o755); err != nil {
		return err
	}
	t := newTree(ctx, s.fresh())
	if err := fill(v, t); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	b.amiss = append(b.amiss, t.amiss...)
	return nil
}

func newSite(v *view, t *tree) *site {
	s := &site{view: v, tree: t, together: v.compareTools(), pairs: v.pairsOf(), techniques: map[string]*technique{}}
	s.families, s.familyOf = v.models()
	return s
}

func writeAll(v *view, t *tree) error {
	s := newSite(v, t)
	if err := s.parse(); err != nil {
		return err
	}
	for k, step := range []func() error{
		func() error { return v.writeCSV(t) }, s.writeAssets, s.writeProgram, s.writePlots, s.writeOverview, s.writeCategories, s.writeRankings, s.writeNames,
		s.writeExaminations, s.writeTools, s.writeDisagreements, s.writeReferences, s.writeReferee, s.writeDecisions, s.writeJury, s.writeModels, s.writeTogether, s.writeInstances, s.writeRules, s.writeGlossary, s.writeAsk, s.writeWorkbench, s.writeTable, s.writeJSON, s.writeData,
	} {
		if err := t.contain(fmt.Sprintf("step %d of the site", k+1), step); err != nil {
			return err
		}
	}
	return t.writeProvenance(v)
}

// parse reads the templates. It happens when a site is written, not when the
// program starts.
func (s *site) parse() error {
	layout, err := s.parseOne(template.New("layout.html").Funcs(s.functions()), "layout.html")
	if err != nil {
		return err
	}
	entries, err := embedded.ReadDir("templates")
	if err != nil {
		return err
	}
	s.pages = map[string]*template.Template{}
	for _, e := range entries {
		if e.Name() == "layout.html" {
			continue
		}
		own, err := layout.Clone()
		if err != nil {
			return err
		}
		if s.pages[strings.TrimSuffix(e.Name(), ".html")], err = s.parseOne(own.New(e.Name()), e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// parseOne reads a template, in the words of the contest.
func (s *site) parseOne(into *template.Template, name string) (*template.Template, error) {
	source, err := embedded.ReadFile("templates/" + name)
	if err != nil {
		return nil, err
	}
	if !s.hasNets() {
		source = []byte(TaskTemplate(string(source)))
	}
	return into.Parse(string(source))
}

func (s *site) functions() template.FuncMap {
	return template.FuncMap{
		"count": count, "duration": duration, "size": size, "percent": percent, "stamp": stamp, "things": things, "unit": unitOf,
		"decimal": decimal, "signed": signed, "exact": exact, "weight": weight,
		"value": valueHTML, "short": short, "clean": clean, "sentence": sentence,
		"mask": maskHTML, "mark": markHTML, "swatch": s.swatch, "key": s.key, "bar": bar, "stack": stack, "leads": leads,
		"name": breakable, "linked": s.linked, "join": strings.Join, "given": valueText, "turn": turnSentence, "margin": marginSentence,
		"iso": instant, "dict": dict, "policy": policy, "about": s.about,
	}
}

// leads reports whether an address is one of the web. Anything else is only shown: a link to
// it could lead into the site, or run.
func leads(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// contentPolicy is what a page may load and run: its own style sheet, script and
// pictures. Texts of tools that got through the escaping would find no script to
// run and nobody to call.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// policy is the policy of a page. One that computes may compile WebAssembly and
// start a worker from a text of its own. One that listens may ask its server.
func policy(p page) string {
	if p.Listens {
		return contentPolicy + "; connect-src 'self'"
	}
	if !p.computing() {
		return contentPolicy
	}
	return strings.Replace(contentPolicy, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:", 1)
}

func (p page) computing() bool { return p.Computes && p.Site.c.Program != nil }

// Scripts are the scripts of a page, in their order.
func (p page) Scripts() []string {
	if p.Computes && !p.computing() {
		return []string{"site.js"}
	}
	return append([]string{"site.js"}, p.Own...)
}

// dict passes several things to a template: names and values in turn.
func dict(pairs ...any) map[string]any {
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}

// render writes one page.
func (s *site) render(name, path string, p page) error {
	return s.tree.write(path, func(w *bufio.Writer) error { return s.execute(w, name, path, p) })
}

// byHand stands in a page for what is not written by its template. No text of a page can
// have it.
const byHand = "\x00by hand\x00"

// renderAround writes one page, some parts of which are not written by its template.
func (s *site) renderAround(name, path string, p page, parts ...func(w *bufio.Writer) error) error {
	return s.tree.write(path, func(w *bufio.Writer) error {
		var b bytes.Buffer
		if err := s.execute(&b, name, path, p); err != nil {
			return err
		}
		rest := b.Bytes()
		for _, part := range parts {
			var before []byte
			before, rest, _ = bytes.Cut(rest, []byte(byHand))
			w.Write(before)
			if err := part(w); err != nil {
				return err
			}
		}
		_, err := w.Write(rest)
		return err
	})
}

func (s *site) execute(w io.Writer, name, path string, p page) error {
	p.Site, p.Path, p.Root = s, path, strings.Repeat("../", strings.Count(path, "/"))
	if p.Follows && s.Asks() {
		p.Computes, p.Own, p.Sheets = true, []string{"podium.js", "askform.js", "asklive.js"}, []string{"chart.css"}
	}
	err := s.pages[name].ExecuteTemplate(w, "layout.html", p)
	if errors.As(err, &text.ExecError{}) { // no error of w: a method failed, or the template is wrong
		panic(err)
	}
	return err
}

func (s *site) writeAssets() error {
	if s.Asks() || s.draws() {
		if err := s.tree.write("chart.css", func(w *bufio.Writer) error { _, err := w.WriteString(plots.Sheet); return err }); err != nil {
			return err
		}
	}
	names := []string{"style.css", "site.js", "icon.svg", "podium.js"}
	if s.c.Program != nil {
		names = append(names, "game.js", "workbench.js")
	}
	if s.Asks() {
		names = append(names, "ask.js", "askform.js", "asklive.js", "asktogether.js")
	}
	if slices.ContainsFunc(s.c.runs, func(r run) bool { return r.Logged }) {
		names = append(names, "logs.js")
	}
	return s.copyAssets(names...)
}

func (s *site) copyAssets(names ...string) error {
	for _, name := range names {
		data, err := embedded.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		if err := s.tree.write(name, func(w *bufio.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
	}
	return nil
}

// ReportPage reads the template of a page of its own, in the style of the site. Besides its own
// functions it may clean texts of others.
func ReportPage(source string, own template.FuncMap) (*template.Template, error) {
	style := func() template.CSS { return template.CSS(asset("style.css")) }
	return template.New("").Funcs(template.FuncMap{"clean": clean, "style": style}).Funcs(own).Parse(source)
}

// asset is a file that pages load.
func asset(name string) string {
	text, err := embedded.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// inParallel is the function of that name for parts of the work about the same, of which each
// takes no other down where it fails inside podium.
func (t *tree) inParallel(about string, n int, do func(i int) error) error {
	return inParallel(n, func(i int) error {
		return t.contain(fmt.Sprintf("%s, %d of %d", about, i+1, n), func() error { return do(i) })
	})
}

// inParallel calls do for 0..n-1 on all cores and returns the error of the
// smallest number that failed.
func inParallel(n int, do func(i int) error) error {
	var mu sync.Mutex
	failed, first := n, error(nil)
	parallel.Indices(runtime.GOMAXPROCS(0), n, func(i int) {
		mu.Lock()
		over := failed < n
		mu.Unlock()
		if over {
			return
		}
		if err := do(i); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if i < failed {
				failed, first = i, err
			}
		}
	})
	return first
}

// Title and the rest are what the layout asks of the site.
func (s *site) Title() string     { return clean(s.c.Title) }
func (s *site) Contest() *Contest { return s.c }
func (s *site) Counts() counts    { return s.counts() }
func (s *site) Emulated() bool    { return s.c.emulated() }
func (s *site) HasSplits() bool   { return len(s.splits) > 0 }
func (s *site) Compares() bool    { return len(s.tools) > 1 }

// ManyInstances is how many instances there are where a table of them is too long to be printed, else 0.
func (s *site) ManyInstances() int {
	const mostPrinted = 500 // rows, as of the table of runs
	if len(s.insts) <= mostPrinted {
		return 0
	}
	return len(s.insts)
}

func (s *site) RulePath(id string) string {
	for _, r := range s.c.Edition.Rules {
		if r.Rule == id {
			return "rules.html#" + ruleAnchor(id)
		}
	}
	return ""
}

// RuleText quotes a rule of the edition, empty when it has none of that name.
func (s *site) RuleText(id string) string {
	for _, r := range s.c.Edition.Rules {
		if r.Rule == id {
			return clean(r.Text)
		}
	}
	return ""
}

func ruleAnchor(id string) string { return "rule-" + paths.Name(id) }

// swatches are the colours of the palette on pages.
var swatches = func() (list []template.HTML) {
	for i := range palette {
		list = append(list, template.HTML(fmt.Sprintf(`<span class="swatch c%d" aria-hidden="true"></span>`, i)))
	}
	return list
}()

// swatch is the colour of a tool, the same on every page and plot.
func (s *site) swatch(tool string) template.HTML {
	return swatches[s.toolAt[tool]%len(palette)]
}

// markWords say a mark in words.
var markWords = map[scoring.Mark]string{scoring.Right: "right", scoring.Wrong: "wrong", scoring.Unjudged: "not judged", scoring.Missing: "no answer", scoring.Ignored: "set aside"}

// markClass are the classes of marks in the style sheet.
var markClass = map[scoring.Mark]string{scoring.Right: "right", scoring.Wrong: "wrong", scoring.Unjudged: "unjudged", scoring.Missing: "missing", scoring.Ignored: "aside"}

func markHTML(m scoring.Mark) template.HTML {
	return template.HTML(`<span class="mark ` + markClass[m] + `" title="` + html.EscapeString(meanings[markWords[m]]) + `">` + markWords[m] + `</span>`)
}

// maskHTML shows a mask as published results do, coloured; equal neighbours
// share an element.
func maskHTML(mask []scoring.Mark) template.HTML {
	if len(mask) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<span class="mask">`)
	for i := 0; i < len(mask); {
		j := i
		for j < len(mask) && mask[j] == mask[i] {
			j++
		}
		b.WriteString(`<b class="` + markClass[mask[i]] + `">` + html.EscapeString(maskText(mask[i:j])) + `</b>`)
		i = j
	}
	b.WriteString(`</span>`)
	return template.HTML(b.String())
}

// shownPoints are points in the forms of pages.
type shownPoints struct{ key, exact, decimal, signed string }

// shown returns points in the forms of pages. Many runs, and items of runs, share a number.
func (s *site) shown(points *big.Rat) *shownPoints {
	if known, ok := s.points.Load(points); ok {
		return known.(*shownPoints)
	}
	shown := &shownPoints{sortKey(points), exact(points), decimal(points), signed(points)}
	s.points.Store(points, shown)
	return shown
}

func microseconds(us int64) time.Duration { return time.Duration(us) * time.Microsecond }

// sortKey is a number for the sorting of tables on pages.
func sortKey(r *big.Rat) string {
	if r == nil {
		return "0"
	}
	if r.IsInt() {
		return r.Num().String() + ".0000"
	}
	return r.FloatString(4)
}
