package pnml

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// dialects are files as editors write them, with what they mean.
var dialects = map[string]string{
	"coremodel": "source=1 sink=0 ; a: source -> sink",
	"dots":      "p=3 q=0 ; t: 2*p -> q",
	"greatspn":  "P0=1 P1=0 ; T0: P0 -> 2*P1",
	"layer":     "p=1 ; t: p -> ",
	"pipe":      "P0=3 P1=0 ; T0: 2*P0 -> P1",
	"pm4py":     "source=1 sink=0 ; _5f0-a: source -> sink",
	"pnml132":   "p_1=2 _2=0 ; t: 2*p_1 -> _2",
	"prefixed":  "p=4 ; t: 2*p -> ",
	"prom":      "n1=1 n2=0 ; n3: n1 -> n2",
	"snoopy":    "id_1=5 id_2=0 ; id_3: id_1 -> id_2",
	"tapaal":    "P0=1 P1=0 ; T0: P0 -> 3*P1",
	"woped":     "p1=1 p2=0 ; t1: p1 -> p2",
}

// TestConvert: the dialects become nets without a finding, which say the same, and which nothing is to be
// converted of.
func TestConvert(t *testing.T) {
	files, err := filepath.Glob("testdata/dialects/*.pnml")
	if err != nil || len(files) != len(dialects) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pnml")
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		net, changes, found := Convert(bytes.NewReader(source), file, []string{"final"})
		if len(found) > 0 || len(changes) == 0 {
			t.Errorf("%s: %v %v", name, changes, found)
			continue
		}
		doc, found := Read(bytes.NewReader(net), name)
		if len(found) > 0 || text(doc.Net) != dialects[name] {
			t.Errorf("%s: %v, %v, want %s\n%s", name, found, text(doc.Net), dialects[name], net)
		}
		again, changes, found := Convert(bytes.NewReader(net), file, nil)
		if len(found) > 0 || len(changes) > 0 || !bytes.Equal(again, net) {
			t.Errorf("%s again: %v %v", name, changes, found)
		}
	}
}

// TestConvertRefuses: what would change the net is refused by name at its place, and left out where that is asked.
func TestConvertRefuses(t *testing.T) {
	const ends = ` id="x" source="p" target="t"`
	for _, c := range []struct{ inner, word, code, without string }{
		{`<arc` + ends + `><type value="inhibitor"/></arc>`, "inhibitor", "pnml-arc-type", ""},
		{`<arc` + ends + ` type="inhibitor"/>`, "inhibitor", "pnml-arc-type", ""},
		{`<arc` + ends + ` inhibitor="true"/>`, "inhibitor", "pnml-arc-type", ""},
		{`<arc` + ends + `><arctype><text>reset</text></arctype></arc>`, "reset", "pnml-arc-type", ""},
		{`<inhibitorArc` + ends + `/>`, "inhibitor", "pnml-arc-type", ""},
		{`<transportArc` + ends + `/>`, "transport", "pnml-arc-type", ""},
		{`<arc` + ends + `><type value="test"/></arc>`, "read", "pnml-arc-type", ""},
		{`<arc` + ends + `><type value="other"/></arc>`, "special-arcs", "pnml-arc-type", ""},
		{`<arc` + ends + ` inscription="[2,3]"/>`, "time", "pnml-behaviour", "p"},
		{`<arc` + ends + ` weight="2"><inscription><text>3</text></inscription></arc>`, "weights", "pnml-behaviour", "3*p"},
		{`<place id="q"><capacity><value>3</value></capacity></place>`, "capacities", "pnml-behaviour", "q"},
		{`<place id="q"><initialMarking><text>1</text></initialMarking><toolspecific tool="Snoopy" version="1"><marking>2</marking></toolspecific></place>`, "tokens", "pnml-behaviour", "q"},
		{`<transition id="u"><priority><value>2</value></priority></transition>`, "priorities", "pnml-behaviour", "u"},
		{`<transition id="u"><guard>x</guard></transition>`, "data", "pnml-behaviour", "u"},
		{`<transition id="u"><toolspecific tool="WoPeD" version="1"><time>3</time></toolspecific></transition>`, "time", "pnml-behaviour", "u"},
		{`<transition id="u"><delay><interval><cn>1</cn><cn>2</cn></interval></delay></transition>`, "time", "pnml-behaviour", "u"},
		{`<place id="q"><extra><capacity>2</capacity></extra></place>`, "capacities", "pnml-behaviour", "q"},
		{`<finalmarkings><marking><place idref="p"/></marking></finalmarkings><finalmarking>p</finalmarking>`, "final", "pnml-final", ""},
		{`<token id="Red"/>`, "colours", "pnml-behaviour", ""},
	} {
		doc := strings.Replace(document(`<place id="p"/><transition id="t"/>`+"\n"+c.inner), "<net ", `<net x="1" `, 1)
		net, _, found := Convert(strings.NewReader(doc), "f", nil)
		errors := slices.DeleteFunc(slices.Clone(found), func(d diagnostic.Diagnostic) bool { return d.Severity != diagnostic.Error })
		if net != nil || len(errors) != 1 || errors[0].Code != c.code || errors[0].Line != 2 || !strings.Contains(errors[0].Hint, "--drop "+c.word+" ") {
			t.Errorf("%s: %v", c.inner, found)
		}
		net, changes, found := Convert(strings.NewReader(doc), "f", []string{c.word})
		if found.Err() != nil || !strings.Contains(fmt.Sprint(changes), "dropped ("+c.word+")") {
			t.Errorf("%s dropped: %v %v", c.inner, changes, found)
			continue
		}
		left, _ := Read(bytes.NewReader(net), "f")
		if got := text(left.Net); c.without != "" != strings.Contains(strings.TrimPrefix(got, "p=0 "), cutWord(c.without)) {
			t.Errorf("%s: left is %s", c.inner, got)
		}
	}
	for name, doc := range map[string]string{
		"a misspelt label":    document(`<place id="p"><initialMarkin><text>1</text></initialMarkin></place>`),
		"two nets":            `<pnml><net id="a" type="x"/><net id="b" type="x"/></pnml>`,
		"ids of two nodes":    document(`<place id="p"/><transition id="p"/>`),
		"an arc to nowhere":   document(`<place id="p"/><arc id="a" source="p" target="t"/>`),
		"another root":        `<net/>`,
		"cut off":             `<pnml><net id="a">`,
		"two classes":         document(`<place id="p"><initialMarking><value>Default,1,Red,2</value></initialMarking></place>`),
		"colours by text":     document(`<place id="p"><hlinitialMarking><text>2'a</text></hlinitialMarking></place>`),
		"another namespace":   document(`<y:place xmlns:y="urn:y" id="p"/>`),
		"text among elements": document(`<place id="p">3</place>`),
	} {
		if net, _, found := Convert(strings.NewReader(doc), "f", Droppable); net != nil || found.Err() == nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// cutWord is what a net without the thing shows; "" for nothing behind the place and the transition of the test.
func cutWord(word string) string {
	if word == "" {
		return "p "
	}
	return word
}

// TestConvertReal: a net of the contest stays the same net.
func TestConvertReal(t *testing.T) {
	n := 0
	realModels(t, "instances", func(name string, model []byte) {
		if len(model) > 300_000 {
			return
		}
		n++
		before, found := Read(bytes.NewReader(model), name)
		if found.Err() != nil {
			return
		}
		net, _, found := Convert(bytes.NewReader(model), name, nil)
		if found.Err() != nil {
			t.Errorf("%s: %v", name, found)
			return
		}
		after, _ := Read(bytes.NewReader(net), name)
		var a, b bytes.Buffer
		if err := before.Write(&a); err != nil {
			t.Fatal(err)
		}
		if err := after.Write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) && !strings.Contains(name, "BlocksWorld") { // whose ids are none of XML
			t.Errorf("%s is another net", name)
		}
	})
	t.Log(n, "nets")
}

// FuzzConvert: what is converted has no error, and nothing is to be converted of it.
func FuzzConvert(f *testing.F) {
	files, _ := filepath.Glob("testdata/dialects/*.pnml")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte(everyLabel))
	f.Add([]byte(everySort))
	f.Fuzz(func(t *testing.T, source []byte) {
		net, _, found := Convert(bytes.NewReader(source), "f", Droppable)
		if (net == nil) != (found.Err() != nil) {
			t.Fatal(found)
		}
		if net == nil {
			return
		}
		again, changes, found := Convert(bytes.NewReader(net), "f", nil)
		if found.Err() != nil || len(changes) > 0 {
			t.Fatalf("%v %v\n%s\n%s", changes, found, net, again)
		}
	})
}
