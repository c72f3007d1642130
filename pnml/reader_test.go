package pnml

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// document wraps the inside of a page.
func document(page string) string {
	return `<pnml xmlns="` + pnmlNamespace + `"><net id="n" type="` + ptNetType + `"><page id="page">` + page + `</page></net></pnml>`
}

// text writes a net in the form that function parsed of the tests reads.
func text(n *Net) string {
	var b strings.Builder
	for p := range n.Places.Len() {
		fmt.Fprintf(&b, "%s=%d ", n.Places.At(p), n.Initial[p])
	}
	row := func(a *Arcs, t int) string {
		var words []string
		places, weights := a.Row(t)
		for k, p := range places {
			w := ""
			if weights.At(k) != 1 {
				w = fmt.Sprint(weights.At(k), "*")
			}
			words = append(words, w+n.Places.At(int(p)))
		}
		return strings.Join(words, " ")
	}
	for t := range n.Transitions.Len() {
		fmt.Fprintf(&b, "; %s: %s -> %s", n.Transitions.At(t), row(&n.Pre, t), row(&n.Post, t))
	}
	return b.String()
}

// TestReadTraps holds what the contest's files do, each in a small document.
func TestReadTraps(t *testing.T) {
	const nodes = `<place id="p"/><place id="q"><initialMarking><text> 3 </text></initialMarking></place><transition id="t"/>`
	for _, c := range []struct{ name, doc, want string }{
		{"defaults", document(nodes + `<arc id="a" source="p" target="t"/>`), "p=0 q=3 ; t: p -> "},
		{"arcs before nodes", document(`<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"><inscription><text>2</text></inscription></arc>` + nodes), "p=0 q=3 ; t: p -> 2*q"},
		{"beyond 2^32", document(`<place id="p"><initialMarking><text>18446744073709551615</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"><inscription><text>65535</text></inscription></arc>`),
			"p=18446744073709551615 ; t: 65535*p -> "},
		{"rows ascend", document(nodes + `<arc id="a" source="q" target="t"/><arc id="b" source="p" target="t"/>`), "p=0 q=3 ; t: p q -> "},
		{"pages and references", document(`<place id="p"/><page id="in"><referencePlace id="r" ref="s"/><transition id="t"/><arc id="a" source="r" target="t"/></page><referencePlace id="s" ref="p"/>`), "p=0 ; t: p -> "},
		{"foreign sections", document(`<toolspecific tool="Tina" version="3.3.0"><size>small</size><color/></toolspecific><place id="p"><toolspecific tool="x" version="1"><initialMarking><text>9</text></initialMarking></toolspecific></place>`), "p=0 "},
		{"graphics in labels", document(`<place id="p"><name><graphics><offset x="1" y="2"/></graphics><text>other name</text></name><initialMarking><graphics><offset x="0" y="0"/></graphics><text>1</text></initialMarking><graphics><position x="1" y="2"/><dimension x="1" y="1"/><line/><fill/></graphics></place>`), "p=1 "},
		{"odd ids", document(`<place id="P-a.b_1"/><transition id="T--x"/><arc id="P-a.b_1-T--x" source="P-a.b_1" target="T--x"/>`), "P-a.b_1=0 ; T--x: P-a.b_1 -> "},
		{"latin 1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + document("<place id=\"\xE9\"/>"), "é=0 "},
		{"prefix", strings.NewReplacer("</", "</k:", "<", "<k:", "xmlns", "xmlns:k").Replace(document(`<place id="p"/>`)), "p=0 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, diags := Read(strings.NewReader(c.doc), "f")
			if len(diags) > 0 || doc.Net == nil {
				t.Fatal(diags)
			}
			if got := text(doc.Net); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			_, again := written(t, doc)
			if got := text(again.Net); got != c.want {
				t.Errorf("written and read: %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPartialNet(t *testing.T) {
	whole := document(`<place id="p"/><transition id="t"/><arc id="a" source="p" target="t"/><place id="q"/>`)
	doc, diags := Read(strings.NewReader(whole[:strings.Index(whole, `<place id="q"`)]), "f")
	if diags.Count(diagnostic.Error) != 1 || doc.Net == nil || text(doc.Net) != "p=0 ; t: p -> " {
		t.Errorf("got %v, %v", doc.Net, diags)
	}
	if doc, diags := ReadFile("testdata/absent.pnml"); doc == nil || diags.Err() == nil {
		t.Error("an absent file gives no error")
	}
}

func TestTooManyFindings(t *testing.T) {
	_, diags := Read(strings.NewReader(document(strings.Repeat("<place/>", 5*maxFindings))), "f")
	if len(diags) != maxFindings+1 {
		t.Errorf("%d findings", len(diags))
	}
}

func TestWriterAvoidsIDs(t *testing.T) {
	n := parsed(t, "arc0=1 page0; arc_1: arc0 -> page0")
	n.ID = "page_0"
	_, again := written(t, &Document{Net: n})
	if got, want := text(again.Net), text(n); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWriterEscapes(t *testing.T) {
	b := Builder{ID: "\"id\"", Name: "a < b & c"}
	b.Place("<&>\"'", 1)
	b.Transition("a\tb\nc\rd")
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	_, again := written(t, &Document{Net: n})
	if got, want := text(again.Net), text(n); got != want || again.Net.ID != n.ID || again.Net.Name != n.Name {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNUPN(t *testing.T) {
	section := `<toolspecific tool="nupn" version="1.1"><size places="3" transitions="1" arcs="0"/><structure units="3" root="u0" safe="true">` +
		`<unit id="u0"><places/><subunits>u1
 u2</subunits></unit><unit id="u1"><places>p <!-- x --> q</places><subunits/></unit><unit id="u2"><places>r</places><subunits></subunits></unit></structure></toolspecific>`
	nodes := `<place id="p"/><place id="q"/><place id="r"/><transition id="t"/>`
	for name, page := range map[string]string{"before": section + nodes, "after": nodes + section} {
		doc, diags := Read(strings.NewReader(document(page)), "f")
		if len(diags) > 0 {
			t.Fatal(name, diags)
		}
		if got, want := fmt.Sprint(*doc.Net.NUPN), "{[{u0 [] [1 2]} {u1 [0 1] []} {u2 [2] []}] 0 true}"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		for _, c := range []struct {
			marking []uint64
			refuted bool
		}{{[]uint64{1, 0, 1}, false}, {[]uint64{1, 1, 0}, true}, {[]uint64{2, 0, 0}, true}, {[]uint64{0, 0, 0}, false}} {
			if got := doc.Net.NUPN.RefutedBy(c.marking); (got != "") != c.refuted {
				t.Errorf("marking %v: %q", c.marking, got)
			}
		}
		first, again := written(t, doc)
		if second, _ := written(t, again); !bytes.Equal(first, second) {
			t.Error("written, read and written again differs")
		}
	}
}

func TestBuilderMistakes(t *testing.T) {
	for name, make := range map[string]func(b *Builder){
		"place twice":      func(b *Builder) { b.Place("p", 0); b.Place("p", 1) },
		"transition twice": func(b *Builder) { b.Transition("t"); b.Transition("t") },
		"unknown node":     func(b *Builder) { b.Place("p", 0); b.In(0, 0, 1) },
		"weight overflow":  func(b *Builder) { b.Place("p", 0); b.Transition("t"); b.In(0, 0, 1<<63); b.In(0, 0, 1<<63) },
	} {
		var b Builder
		make(&b)
		if n, err := b.Build(); err == nil {
			t.Errorf("%s: got %v", name, n)
		}
	}
}

// readEvents reads without the shortcuts past the events.
func readEvents(model []byte) (*Document, diagnostic.List) {
	s := xmlscan.New(bytes.NewReader(model), "f")
	s.EventsOnly()
	return read(s)
}

// sameAsEvents compares reading with and without shortcuts.
func sameAsEvents(t *testing.T, model []byte) (*Document, diagnostic.List) {
	doc, diags := Read(bytes.NewReader(model), "f")
	plain, plainDiags := readEvents(model)
	if !slices.Equal(diags, plainDiags) {
		t.Fatalf("with shortcuts: %v\nwith events only: %v", diags, plainDiags)
	}
	if doc.Symmetric != nil && diags.Err() != nil {
		return doc, diags // which cannot be written
	}
	var a, b bytes.Buffer
	if doc.Write(&a) != nil || plain.Write(&b) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatalf("with shortcuts:\n%s\nwith events only:\n%s", a.Bytes(), b.Bytes())
	}
	return doc, diags
}

// TestShortcuts puts small changes into repeated elements: what is passed over
// because it was read before must be the same.
func TestShortcuts(t *testing.T) {
	const place = "<place id=\"p%d\">\n<name><graphics><offset x='1' y='2'/></graphics><text>p%d</text></name>" +
		"<graphics>\n<position x=\"%[1]d\" y=\"-2.5\"/><dimension x=\"5\" y=\"6\"/></graphics><initialMarking><text>%[3]d</text></initialMarking></place>\n"
	const arc = "<arc id=\"a%d\" source=\"p0\" target=\"t%d\"><graphics><position x=\"%[1]d\" y=\"%[1]d\"/><line width='1'/></graphics><inscription>\n<text>%[3]d</text></inscription></arc>\n"
	const transition = "<transition id=\"t%d\"><name><text>t%d</text></name><graphics><position x=\"%[1]d\" y=\"3\"/></graphics></transition>\n"
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, place, i, i, i%3)
		fmt.Fprintf(&b, transition, i, i)
		fmt.Fprintf(&b, arc, i, i, 1+i%3)
	}
	doc := document(b.String())
	if got, diags := Read(strings.NewReader(doc), "f"); diags != nil || got.Net.Initial[17] != 2 || got.Net.Pre.WeightAt(18) != 1 || got.Net.Pre.WeightAt(17) != 3 {
		t.Fatal(got, diags)
	}
	pieces := []string{"<", ">", "/", "\"", "'", " ", "&lt;", "&", "]]>", "]", "<!-- -->", "<![CDATA[x]]>", "1", "p", "p3", "", "\n", "<page id='q'>", "</page>", "</text>", "</name>", "<name>", "<k:x/>", ":", "é",
		`<position x="1" y="2"/>`, `<position y="2" x="1"/>`, `<position x="" y="2"/>`, "<graphics>", "</graphics>", "<graphics/>", "<line/>", ` xmlns="x"`}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		changed := doc
		for range 1 + rng.IntN(2) {
			from := rng.IntN(len(changed) + 1)
			to := min(len(changed), from+rng.IntN(3))
			changed = changed[:from] + pieces[rng.IntN(len(pieces))] + changed[to:]
		}
		sameAsEvents(t, []byte(changed))
	}
}

// TestShortcutsMindNamespaces: what stands in an element with a prefix, or with a namespace of its own, is
// not what was read before, though the text is the same.
func TestShortcutsMindNamespaces(t *testing.T) {
	nodes := `<place id="p"><name><text>p</text></name></place><transition id="t"/>`
	arc := "<%sarc id=\"a%d\" source=\"p\" target=\"t\"%s>\n<inscription><text>2</text></inscription>\n</arc>"
	for name, second := range map[string]string{
		"prefix":    fmt.Sprintf(arc, "k:", 2, ""),
		"namespace": fmt.Sprintf(arc, "", 2, ` xmlns="urn:k"`),
		"place":     `<k:place id="q"><name><text>q</text></name></place>`,
	} {
		text := strings.Replace(document(nodes+fmt.Sprintf(arc, "", 1, "")+second), "<pnml ", `<pnml xmlns:k="`+pnmlNamespace+`" `, 1)
		if _, diags := sameAsEvents(t, []byte(text)); diags.Err() == nil {
			t.Errorf("%s: no error in\n%s", name, text)
		}
	}
}

// FuzzRead reads anything: without a panic, and what is read without a finding
// has as many elements as encoding/xml sees, and comes back unchanged when it is
// written.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/broken/*.pnml")
	for i, path := range files {
		if model, err := os.ReadFile(path); err == nil && i%4 == 0 {
			f.Add(model)
		}
	}
	f.Add([]byte(document(`<place id="p"/><transition id="t"/><arc id="a" source="p" target="t"/>`)))
	f.Add([]byte(document(strings.Repeat(`<place id="p"><name><text>p</text></name></place><arc id="a" source="p" target="t"></arc>`, 2))))
	f.Fuzz(func(t *testing.T, model []byte) {
		doc, diags := sameAsEvents(t, model)
		if diags.Err() != nil {
			return
		}
		first, again := written(t, doc)
		if second, _ := written(t, again); !bytes.Equal(first, second) {
			t.Errorf("written, read and written again differs:\n%s\n%s", first, second)
		}
		count := census{}
		switch {
		case len(diags) > 0:
			return
		case doc.Net != nil:
			count = countNet(doc.Net)
		default:
			count = countSymmetric(doc.Symmetric)
		}
		if want, err := countTokens(model); err == nil && count != want {
			t.Errorf("read %+v, counted %+v", count, want)
		}
	})
}
