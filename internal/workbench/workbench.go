// Package workbench looks at what a submitter or a tool developer has at hand, a
// model, formulas, the output of a tool, witnesses, as the commands of podium do,
// without a disk: for the page of that name, where it runs in the browser.
package workbench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/output"
	"podium/internal/explorer/simplify"
	"podium/internal/netpicture"
	"podium/internal/referee"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// File is what was dropped on the page.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Bench holds the files that belong together: a model, and what is asked of it.
// The zero Bench is ready for use, by one goroutine.
type Bench struct {
	Intervals bool // are read in outputs, as an edition says (E-3.2)

	id    models.ID
	made  bool // id is made of the name of a net or file that is the name of no instance
	files map[string][]byte
	model string // the name that the model was given by
	// decided is what the referee has decided, by examination and value.
	decided map[examinations.ID]map[string]examinations.Value
}

// Finding is a finding as the page shows it.
type Finding struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

// Report is what was seen in a file.
type Report struct {
	Kind     string      `json:"kind"` // model, form, formulas, output, witnesses or values
	Name     string      `json:"name"`
	Findings []Finding   `json:"findings"`
	More     int         `json:"more"` // findings that are left out
	Facts    [][2]string `json:"facts"`
	Rows     [][]string  `json:"rows"` // of the table of Heads
	Heads    []string    `json:"heads"`
	// Decides are the examinations that Decide can be asked for, once the report is there.
	Decides []examinations.ID `json:"decides"`
	Picture string            `json:"picture,omitempty"` // SVG of a small coloured net
	Net     *Net              `json:"net,omitempty"`
}

// Net is a small P/T net, to play on.
type Net struct {
	Picture     string       `json:"picture,omitempty"` // SVG; places are the first nodes, then transitions; empty for a larger net
	Places      []Place      `json:"places"`
	Transitions []Transition `json:"transitions"`
}

// Place is a place with its initial tokens.
type Place struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
}

// Transition has what it takes and what it makes: place, tokens.
type Transition struct {
	Name string     `json:"name"`
	In   [][2]int64 `json:"in"`
	Out  [][2]int64 `json:"out"`
}

// Limits of what a page shows.
const (
	maxFindings = 500
	maxNodes    = 200 // of a net to play on

	mostUnpacked = 200_000_000 // bytes of an archive
)

// Unpack returns the files of an archive of an instance that Add knows what to do with.
func Unpack(packed []byte) ([]File, error) {
	top, files, err := models.Unpack(packed, models.Limits{FileBytes: mostUnpacked, TotalBytes: mostUnpacked}, func(name string) bool {
		ending := path.Ext(name)
		return ending == ".pnml" || ending == ".xml" || ending == witness.Suffix
	})
	if err != nil {
		return nil, fmt.Errorf("the archive %w", err)
	}
	var list []File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := File{top + "/" + name, string(files[name])}
		if root, _ := models.Begin(strings.NewReader(f.Text)); isNet(f) || path.Ext(name) != ".xml" || root == "property-set" {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the archive holds no model (.pnml), no formulas (.xml) and no witnesses (.witness) in its directory")
	}
	return list, nil
}

// isNet reports whether a file is a net: by its ending or by its first element.
func isNet(f File) bool {
	if strings.HasSuffix(f.Name, ".pnml") {
		return true
	}
	root, _ := models.Begin(strings.NewReader(f.Text))
	return root == "pnml"
}

// Add looks at a file. What it is, its ending and its beginning say: a model, formulas
// named after their examination, witnesses or proofs, or else the output of a tool on the examination exam.
// The name may have the name of a directory before it, as in an archive.
func (b *Bench) Add(ctx context.Context, f File, exam string) (*Report, error) {
	if b.files == nil {
		b.files = map[string][]byte{}
	}
	text := []byte(f.Text)
	f.Name = strings.ReplaceAll(f.Name, `\`, "/")
	name := path.Base(f.Name)
	switch {
	case isNet(f):
		return b.addModel(f.Name, text)
	case strings.HasSuffix(name, ".xml"):
		return b.addFormulas(name, text)
	case strings.HasSuffix(name, witness.Suffix) || bytes.HasPrefix(text, []byte("format ")):
		return b.replay(ctx, name, text)
	}
	return b.readOutput(name, text, exam)
}

// report lists findings as the page shows them, in the order of the commands.
func report(kind, name string, found diagnostic.List) *Report {
	found.Sort()
	found.ErrorsFirst()
	r := &Report{Kind: kind, Name: name, Findings: []Finding{}, Facts: [][2]string{}, Rows: [][]string{}, Heads: []string{}, Decides: []examinations.ID{}}
	for i, d := range found {
		if i == maxFindings {
			r.More = len(found) - i
			break
		}
		r.Findings = append(r.Findings, Finding{d.Line, d.Col, d.Severity.String(), d.Code, d.Message, d.Hint})
	}
	return r
}

func (r *Report) fact(name string, value any) {
	r.Facts = append(r.Facts, [2]string{name, fmt.Sprint(value)})
}

func (b *Bench) addModel(given string, text []byte) (*Report, error) {
	name := path.Base(given)
	doc, found := pnml.Check(bytes.NewReader(text), name)
	r := report("model", name, found)
	b.decided = nil
	if found.Err() != nil {
		delete(b.files, models.ModelFile)
		return r, nil
	}
	b.model, b.files[models.ModelFile] = name, text
	b.id, b.made = identity(given, doc)
	r.fact("instance", b.id)
	if doc.Symmetric != nil {
		r.fact("kind", "symmetric (coloured) net")
	} else {
		r.fact("kind", "place/transition net")
	}
	view, err := unfold.Of(context.Background(), doc, unfold.Limits{EveryPlace: true}) // as `podium model unfold`
	if err != nil {
		r.fact("unfolding", err)
		return r, nil
	}
	net := view.Net
	what := ""
	if view.Coloured() {
		what = " of the pruned unfolding"
		r.fact("places", doc.Symmetric.Places.Len())
		r.fact("transitions", doc.Symmetric.Transitions.Len())
		if drawn := netpicture.Symmetric(doc.Symmetric); drawn != nil {
			r.Picture = drawn.SVG("The coloured net " + b.id.String() + ", without its inscriptions.")
		}
	}
	for _, exam := range examinations.All() {
		if b.decidable(exam) && !exam.HasFormulas() {
			r.Decides = append(r.Decides, exam)
		}
	}
	r.fact("places"+what, net.Places.Len())
	r.fact("transitions"+what, net.Transitions.Len())
	if r.Net = small(net); r.Net == nil {
		return r, nil
	}
	labels := pnml.Labels(bytes.NewReader(text))
	r.Net.label(labels)
	if drawn := netpicture.Plain(net); drawn != nil {
		for i := range drawn.Nodes {
			drawn.Nodes[i].Name = pnml.Labelled(drawn.Nodes[i].Name, labels)
		}
		r.Net.Picture = drawn.SVG("The net" + what + ", to play on.")
	}
	return r, nil
}

// identity is the name of the instance: that of the directory, of the file or of the net,
// where one of them is such a name; else one is made.
func identity(given string, doc *pnml.Document) (id models.ID, made bool) {
	own := ""
	if doc.Symmetric != nil {
		own = doc.Symmetric.Name
	} else {
		own = doc.Net.Name
	}
	dir, file := path.Split(given)
	file = strings.TrimSuffix(file, path.Ext(file))
	for _, text := range []string{path.Base(dir), file, own} {
		if id, err := models.ParseID(text); err == nil {
			return id, false
		}
	}
	return models.IDOfNet(strings.ReplaceAll(cmp.Or(own, file), "/", "_")+".net", doc.Symmetric != nil)
}

func (b *Bench) instance() (models.Instance, error) {
	if b.files[models.ModelFile] == nil {
		return models.Instance{}, errors.New("there is no model yet: drop a file that ends in .pnml first")
	}
	return models.InMemory(b.id, b.files), nil
}

// Memory is what a page gives to each property of a model form, and to each examination that
// is decided, in bytes; its reader says how many seconds. MostSeconds are the most.
const (
	Memory      = 500_000_000
	MostSeconds = 3600
)

// Within returns the limits of a search that may take so many seconds.
func Within(seconds int) (referee.Options, error) {
	if seconds < 1 || seconds > MostSeconds {
		return referee.Options{}, fmt.Errorf("%d seconds are no time for a search: write 1 to %d", seconds, MostSeconds)
	}
	return referee.Options{Budget: time.Duration(seconds) * time.Second, Memory: Memory, Version: "workbench"}, nil
}

// Form fills in the form of the model, as `podium model form` does.
func (b *Bench) Form(ctx context.Context, o referee.Options) (*Report, error) {
	i, err := b.instance()
	if err != nil {
		return nil, err
	}
	form, err := referee.Form(ctx, i, o)
	if err != nil {
		return nil, err
	}
	r := report("form", b.model, nil)
	r.Heads = []string{"Property", "Value", "Why"}
	for _, v := range form.Verdicts {
		r.Rows = append(r.Rows, []string{v.Property, v.Value.String(), v.Why})
	}
	return r, nil
}

// adopt takes the name of an instance that another file gives, where the model has none of its own.
func (b *Bench) adopt(name string) bool {
	id, err := models.ParseID(name)
	if err != nil || !b.made || id.Kind != b.id.Kind {
		return false
	}
	b.id, b.made = id, false
	return true
}

// adoptOf adopts the name with which the id of a formula begins.
func (b *Bench) adoptOf(item string, exam examinations.ID) bool {
	name, _, is := strings.Cut(item, "-"+string(exam)+"-")
	return is && b.adopt(name)
}

func (b *Bench) addFormulas(name string, text []byte) (*Report, error) {
	exam, failure := examinations.ParseID(strings.TrimSuffix(name, ".xml"))
	var properties []formula.Property
	if failure == nil {
		properties, _ = formula.Read(bytes.NewReader(text), name, exam)
	}
	adopted := len(properties) > 0 && b.adoptOf(properties[0].ID, exam)
	var names *formula.NetNames
	instance := ""
	if i, err := b.instance(); err == nil {
		doc, err := i.Document()
		if err != nil {
			return nil, err
		}
		names = formula.NamesIn(doc)
		if !b.made {
			instance = b.id.String()
		}
	}
	found := simplify.CheckFile(bytes.NewReader(text), name, names, instance)
	r := report("formulas", name, found)
	if adopted {
		r.fact("instance", b.id)
	}
	if failure != nil {
		return r, nil
	}
	if found.Err() == nil {
		b.files[name] = text
		delete(b.decided, exam)
		if b.decidable(exam) {
			r.Decides = append(r.Decides, exam)
		}
	}
	r.Heads = []string{"Formula", "Text"}
	for _, p := range properties {
		r.Rows = append(r.Rows, []string{p.ID, formula.Print(p.Formula)})
	}
	return r, nil
}

func (b *Bench) readOutput(name string, text []byte, exam string) (*Report, error) {
	log, err := output.OpenLog(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	exam = cmp.Or(exam, log.Examination())
	if exam == "" {
		return nil, fmt.Errorf("%s is read as the output of a tool, and does not say what was asked: choose the examination, and it is read again", name)
	}
	id, err := examinations.ParseID(exam)
	if err != nil {
		return nil, err
	}
	adopted := b.adopt(log.Instance)
	o := output.ReaderOptions{Instance: b.id, Items: log.Formulas, File: name, Intervals: b.Intervals}
	if asked := b.files[id.FormulaFile()]; id.HasFormulas() && asked != nil {
		properties, _ := formula.Read(bytes.NewReader(asked), id.FormulaFile(), id)
		o.Items = formula.IDs(properties)
	}
	reader := log.Answers(id, o)
	heads, rows := []string{"Value", "Answer", "Line", "Techniques"}, [][]string(nil)
	decided, known := b.decided[id]
	if known {
		heads = append(heads, "Referee")
	}
	for reader.Scan() {
		a := reader.Answer()
		row := []string{a.Item, a.Value.Text, fmt.Sprint(a.Line), strings.Join(a.Techniques, " ")}
		if known {
			row = append(row, compared(a.Value, decided[a.Item]))
		}
		rows = append(rows, row)
	}
	if reader.Err() != nil {
		return nil, reader.Err()
	}
	r := report("output", name, reader.Diagnostics())
	r.Heads, r.Rows = heads, append(r.Rows, rows...)
	if len(rows) > 0 && !adopted {
		adopted = b.adoptOf(rows[0][0], id)
	}
	if adopted {
		r.fact("instance", b.id)
	}
	if b.decidable(id) {
		r.Decides = append(r.Decides, id)
	}
	return r, nil
}

func (b *Bench) replay(ctx context.Context, name string, text []byte) (*Report, error) {
	i, err := b.instance()
	if err != nil {
		return nil, err
	}
	replayer, err := referee.Open(i, "")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	found, err := replayer.Replay(ctx, bytes.NewReader(text), name, func(w *witness.Witness, x witness.Result) error {
		rows = append(rows, []string{string(w.Exam), x.Claim.String(), string(x.State), x.Detail})
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := report("witnesses", name, found)
	r.Heads, r.Rows = []string{"Examination", "Claim", "Result", "Why"}, append(r.Rows, rows...)
	return r, nil
}

// small returns a net to play on, nil when it is too large.
func small(net *pnml.Net) *Net {
	if net.Places.Len()+net.Transitions.Len() > maxNodes {
		return nil
	}
	if slices.ContainsFunc(net.Initial, func(tokens uint64) bool { return tokens > 1<<53 }) {
		return nil // a page counts no further
	}
	out := &Net{Places: []Place{}, Transitions: []Transition{}}
	for p, tokens := range net.Initial {
		out.Places = append(out.Places, Place{net.Places.At(p), int64(tokens)})
	}
	for t := range net.Transitions.Len() {
		out.Transitions = append(out.Transitions, Transition{net.Transitions.At(t), row(&net.Pre, t), row(&net.Post, t)})
	}
	return out
}

// label names places and transitions as people call them. A net that was unfolded has
// nodes of its own, which keep their ids.
func (n *Net) label(labels map[string]string) {
	for i := range n.Places {
		n.Places[i].Name = pnml.Labelled(n.Places[i].Name, labels)
	}
	for i := range n.Transitions {
		n.Transitions[i].Name = pnml.Labelled(n.Transitions[i].Name, labels)
	}
}

func row(arcs *pnml.Arcs, t int) [][2]int64 {
	list := [][2]int64{}
	places, weights := arcs.Row(t)
	for i, p := range places {
		list = append(list, [2]int64{int64(p), int64(weights.At(i))})
	}
	return list
}
