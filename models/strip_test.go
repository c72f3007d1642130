package models

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

const smallNet = `<?xml version="1.0"?>
<!-- made by hand -->
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="Toy-PT-1" type="http://www.pnml.org/version-2009/grammar/ptnet">
 <name><text>Toy</text></name>
 <page id="page0">
  <place id="Cabin&amp;1"><name><text>Cabin</text></name><graphics><position x="1" y="2"/></graphics><initialMarking><graphics/><text> 4000000000 </text></initialMarking></place>
  <place id="p1"><initialMarking><text>0</text></initialMarking></place>
  <arc id="a1" source="enter" target="p1"><inscription><text>3</text></inscription></arc>
  <arc id="a2" source="Cabin&amp;1" target="enter"/>
  <transition id="enter"><name><text>enter the cabin</text></name></transition>
  <page id="inner">
   <referencePlace id="again" ref="p1"/><transition id="leave"/>
   <arc id="a3" source="again" target="leave"/>
  </page>
  <toolspecific tool="nupn" version="1.1"><size places="2" transitions="2" arcs="3"/><structure units="1" root="u" safe="false"><unit id="u"><places>p1 Cabin&amp;1</places><subunits/></unit></structure></toolspecific>
 </page>
</net>
</pnml>`

const smallColoured = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="Toy-COL-1" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="Phil" name="Philosopher"><cyclicenumeration><feconstant id="Phil1" name="Plato"/><feconstant id="Phil2" name="Kant"/></cyclicenumeration></namedsort>
<namedsort id="Num" name="Num"><finiteintrange start="0" end="3"/></namedsort>
<variabledecl id="x" name="x"><usersort declaration="Phil"/></variabledecl>
</declarations></structure></declaration>
<page id="page"><place id="Think"><type><text>Philosopher</text><structure><usersort declaration="Phil"/></structure></type>
<hlinitialMarking><text>all</text><structure><all><usersort declaration="Phil"/></all></structure></hlinitialMarking></place>
<transition id="Eat"><condition><text>x = Plato</text><structure><equality><subterm><variable refvariable="x"/></subterm><subterm><useroperator declaration="Phil1"/></subterm></equality></structure></condition></transition>
<arc id="arc" source="Think" target="Eat"><hlinscription><text>1'x</text><structure><numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><successor><subterm><variable refvariable="x"/></subterm></successor></subterm></numberof></structure></hlinscription></arc>
</page></net></pnml>`

// strip strips a net of the given name and returns the new net as text.
func strip(t testing.TB, id, net string, o StripOptions) (string, *Renaming, error) {
	t.Helper()
	dir := t.TempDir()
	filesOf(t, filepath.Join(dir, id), map[string]string{ModelFile: net, "equiv_col": "TRUE\n", LargeMarkingFile: "\n", NewModelFile: "\n", "GenericPropertiesVerdict.xml": "<x>Cabin</x>"})
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	r, err := Strip(c.Instances[0], out, o)
	if err != nil {
		if names := listing(t, filepath.Join(dir)); slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, out) }) {
			t.Errorf("a failed strip left %v", names)
		}
		return "", nil, err
	}
	if c, err = Open(out); err != nil {
		t.Fatal(err)
	}
	i := c.Instances[0]
	if i.ID.String() != r.Stripped || i.Facts.New || !i.Facts.LargeMarking || i.Has("GenericPropertiesVerdict.xml") || i.Facts.Param != i.ID.Param {
		t.Errorf("%+v", i)
	}
	text, err := i.ReadFile(ModelFile, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), r, nil
}

// canonical returns the nodes and declarations of a net as sorted lines: kind, id
// and labels without decoration. Ids go through back. It reads with encoding/xml,
// so it shares nothing with what it checks.
func canonical(t testing.TB, text string, back func(string) string) []string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		if !strings.EqualFold(charset, "ISO-8859-1") {
			return nil, fmt.Errorf("charset %s", charset)
		}
		all, err := io.ReadAll(r)
		var b strings.Builder
		for _, c := range all {
			b.WriteRune(rune(c))
		}
		return strings.NewReader(b.String()), err
	}
	var lines []string
	var line strings.Builder
	var stack []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			inLabel := len(stack) > 0 && slices.Contains([]string{"type", "hlinitialMarking", "hlinscription", "condition", "declaration"}, stack[len(stack)-1])
			if name == "name" || name == "graphics" || name == "toolspecific" || name == "text" && inLabel {
				if err := d.Skip(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if slices.Contains([]string{"place", "transition", "arc", "referencePlace", "referenceTransition", "declaration"}, name) {
				lines = append(lines, line.String())
				line.Reset()
			}
			stack = append(stack, name)
			line.WriteString("<" + name)
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "xmlns", "type", "name":
				case "id":
					if name != "arc" && name != "page" && name != "net" {
						line.WriteString(" id=" + back(a.Value))
					}
				case "value", "start", "end":
					line.WriteString(" " + a.Name.Local + "=" + a.Value)
				default:
					line.WriteString(" " + a.Name.Local + "=" + back(a.Value))
				}
			}
			line.WriteString(">")
		case xml.EndElement:
			stack = stack[:len(stack)-1]
			if slices.Contains([]string{"place", "transition", "arc"}, e.Name.Local) {
				lines = append(lines, line.String())
				line.Reset()
			}
		case xml.CharData:
			if len(stack) > 0 && stack[len(stack)-1] == "text" { // elsewhere it means nothing
				line.WriteString(strings.TrimSpace(string(e)))
			}
		}
	}
	lines = append(lines, line.String())
	slices.Sort(lines)
	return lines
}

func checkStripped(t testing.TB, name, before, after string, r *Renaming) {
	t.Helper()
	back := func(id string) string {
		old, ok := r.Old(id)
		if !ok {
			t.Errorf("%s: id %q is not in the renaming", name, id)
		}
		return old
	}
	a, b := canonical(t, before, func(s string) string { return s }), canonical(t, after, back)
	if !slices.Equal(a, b) {
		t.Errorf("%s: the net has changed:\n%s\nbefore:\n%s", name, first(b, a), first(a, b))
	}
	d := xml.NewDecoder(strings.NewReader(after))
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, at := range e.Attr {
				if fresh, ok := r.New(at.Value); ok && !slices.Contains([]string{"value", "start", "end"}, at.Name.Local) {
					t.Errorf("%s: old id %q (now %q) in <%s %s>", name, at.Value, fresh, e.Name.Local, at.Name.Local)
				}
			}
		}
	}
}

// first returns the first line of a that b lacks.
func first(a, b []string) string {
	for _, line := range a {
		if _, ok := slices.BinarySearch(b, line); !ok {
			return line
		}
	}
	return "(nothing)"
}

// TestStrip: the net stays the same up to names, which are gone (E-4.4).
func TestStrip(t *testing.T) {
	// Declarations may stand in a page as well.
	inPage := strings.Replace(strings.Replace(smallColoured, `<page id="page">`, "", 1), "<declaration>", `<page id="page"><declaration>`, 1)
	for id, net := range map[string]string{"Toy-PT-1": smallNet, "Toy-COL-1": smallColoured, "Toy-COL-2": inPage} {
		after, r, err := strip(t, id, net, StripOptions{Seed: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		checkStripped(t, id, net, after, r)
		for _, word := range []string{"Cabin", "cabin", "enter", "Toy-PT-1\"", "nupn", "Plato", "Kant", "Phil", "Think", "by hand", "position"} {
			if strings.Contains(strings.ReplaceAll(after, "S_Toy", ""), word) {
				t.Errorf("%s: %q is still there:\n%s", id, word, after)
			}
		}
		again, _, err := strip(t, id, net, StripOptions{Seed: "secret"})
		if err != nil || again != after {
			t.Errorf("%s: the same seed gives another net (%v)", id, err)
		}
		if other, _, err := strip(t, id, net, StripOptions{Seed: "other", ID: ID{"S_X", r.kind(t), "1"}}); err != nil || other == after {
			t.Errorf("%s: another seed gives the same net (%v)", id, err)
		}
	}
}

// TestStripKeepsOrder: nodes and arcs stay where they are, units stay, names go.
func TestStripKeepsOrder(t *testing.T) {
	after, r, err := strip(t, "Toy-PT-1", smallNet, StripOptions{Seed: "secret", KeepOrder: true})
	if err != nil {
		t.Fatal(err)
	}
	checkStripped(t, "Toy-PT-1", smallNet, after, r)
	at := 0
	for _, want := range []string{
		r.fresh["Cabin&1"], r.fresh["p1"], r.fresh["enter"], `source="` + r.fresh["enter"], `source="` + r.fresh["Cabin&1"], r.fresh["leave"],
		`<toolspecific tool="nupn" version="1.1"><size places="2" transitions="2" arcs="3"></size><structure units="1" root="u1" safe="false">` +
			`<unit id="u1"><places>` + r.fresh["p1"] + " " + r.fresh["Cabin&1"] + ` </places><subunits></subunits></unit></structure></toolspecific></page>`,
	} {
		next := strings.Index(after[at:], want)
		if next < 0 {
			t.Fatalf("%s does not stand after what it stood after:\n%s", want, after)
		}
		at += next
	}
	for _, word := range []string{"Cabin", "enter", "by hand", "position"} {
		if strings.Contains(after, word) {
			t.Errorf("%q is still there", word)
		}
	}
	err = stripUnread(strings.Replace(smallNet, "<places>p1", "<places>p2", 1), StripOptions{KeepOrder: true})
	if err == nil || !strings.Contains(err.Error(), `"p2" in <places> names nothing in this net`) {
		t.Errorf("a unit with an unknown place: %v", err)
	}
}

func (r *Renaming) kind(t testing.TB) Kind {
	id, err := ParseID(r.Original)
	if err != nil {
		t.Fatal(err)
	}
	return id.Kind
}

// TestStripFormulas: formula files are made by the caller under the renaming.
func TestStripFormulas(t *testing.T) {
	var asked string
	_, r, err := strip(t, "Toy-PT-1", smallNet, StripOptions{Formulas: func(r *Renaming) (map[string]func(io.Writer) error, error) {
		asked, _ = r.New("enter")
		return map[string]func(io.Writer) error{"CTLFireability.xml": text(asked)}, nil
	}})
	if err != nil || asked == "" || asked == "enter" {
		t.Errorf("%q %v", asked, err)
	}
	if old, ok := r.Old(asked); !ok || old != "enter" {
		t.Errorf("%q is %q", asked, old)
	}
	broken := errors.New("formula refers to nothing")
	if _, _, err := strip(t, "Toy-PT-1", smallNet, StripOptions{Formulas: func(*Renaming) (map[string]func(io.Writer) error, error) { return nil, broken }}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// stripUnread strips a net that nobody has read, and gives what refuses it.
func stripUnread(net string, o StripOptions) error {
	o.ID = ID{"S_Toy", PT, "1"}
	n, err := prepareStrip(ModelFile, func(use func(io.Reader) error) error { return use(strings.NewReader(net)) }, ID{"Toy", PT, "1"}, o)
	if err != nil {
		return err
	}
	return n.Write(io.Discard)
}

// TestStripRefuses what it cannot be sure about, with position and code. What reading the
// net refuses is refused before.
func TestStripRefuses(t *testing.T) {
	for _, c := range []struct{ from, to, code, read string }{
		{`target="p1"`, `target="p9"`, "models-strip-reference", "[pnml-arc-end]"},
		{`<transition id="leave"/>`, `<transition id="leave"><delay>3</delay></transition>`, "models-strip-element", ""},
		{`<arc id="a2" source="Cabin&amp;1" target="enter"/>`, `<arc id="a2" source="Cabin&amp;1" target="enter"><type value="inhibitor"/></arc>`, "models-strip-attribute", "[pnml-arc-type]"},
		{`<text>3</text>`, `<text>three</text>`, "models-strip-number", "[pnml-inscription]"},
		{`<page id="inner">`, `<labels/><page id="inner">`, "models-strip-element", ""},
		{`</pnml>`, `</net>`, "xml-", "[xml-"},
	} {
		net := strings.Replace(smallNet, c.from, c.to, 1)
		if _, _, err := strip(t, "Toy-PT-1", net, StripOptions{}); err == nil || !strings.Contains(err.Error(), c.read) {
			t.Errorf("%s: %v", c.read, err)
		}
		err := stripUnread(net, StripOptions{})
		var list diagnostic.List
		var one diagnostic.Diagnostic
		if errors.As(err, &list) {
			one = list[0]
		} else if !errors.As(err, &one) {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		if !strings.HasPrefix(one.Code, c.code) || one.Line < 2 {
			t.Errorf("got %v, want %s", one, c.code)
		}
	}
	if _, _, err := strip(t, "Toy-PT-1", smallNet, StripOptions{ID: ID{"Toy", PT, "1"}}); err == nil {
		t.Error("an instance can be stripped to its own name")
	}
}

// TestRenaming reads what it writes and refuses other things.
func TestRenaming(t *testing.T) {
	_, r, err := strip(t, "Toy-PT-1", smallNet, StripOptions{Seed: "<secret>"})
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	if err := r.Write(&a); err != nil {
		t.Fatal(err)
	}
	again, err := ReadRenaming(bytes.NewReader(a.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&b); err != nil || a.String() != b.String() || again.Seed != "<secret>" {
		t.Errorf("%v\n%s\n%s", err, &a, &b)
	}
	for _, bad := range []string{"", "{}", `{"format":"podium-renaming/2"}`, `{"format":"podium-renaming/1","more":1}`, `{"format":"podium-renaming/1","ids":{"a":"p1","b":"p1"}}`} {
		if _, err := ReadRenaming(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestStripReal strips the real instances, where they are.
func TestStripReal(t *testing.T) {
	c := realInstances(t)
	for k, i := range c.Instances {
		if testing.Short() && k%10 != 0 || i.Bytes() > 8<<20 {
			continue
		}
		out := t.TempDir()
		r, err := Strip(i, out, StripOptions{Seed: "1", ID: ID{"S_X", i.ID.Kind, "1"}})
		if err != nil {
			t.Errorf("%s: %v", i.ID, err)
			continue
		}
		before, errB := i.ReadFile(ModelFile, 1<<30)
		after, errA := os.ReadFile(filepath.Join(out, r.Stripped, ModelFile))
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		checkStripped(t, i.ID.String(), string(before), string(after), r)
	}
}

// BenchmarkStrip strips one large net, from memory to nowhere.
func BenchmarkStrip(b *testing.B) {
	f, _ := FindFamily("PrimeSieve")
	n, err := f.Build("20000")
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	if err := n.Write(&text); err != nil {
		b.Fatal(err)
	}
	open := func(use func(io.Reader) error) error { return use(bytes.NewReader(text.Bytes())) }
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		net, err := prepareStrip(ModelFile, open, f.ID("20000"), StripOptions{ID: ID{"S_X", PT, "1"}})
		if err != nil {
			b.Fatal(err)
		}
		if err := net.Write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
