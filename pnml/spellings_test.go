package pnml

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// said is what an editor writes of a node or arc, as attributes or as an element.
type said struct {
	editor, what string
	at           string // arc, place, transition, net
	text         string
	code         string
	neutral      string // the same, but it changes nothing: "" when there is no such
}

// sayings are nets of ten editors, each with the ways in which the editor says what the
// nets of the contest cannot say.
var sayings = []said{
	{"GreatSPN", "inhibitor", "arc", `<type value="inhibitor"/>`, "pnml-arc-type", `<type value="normal"/>`},
	{"GreatSPN", "weight", "arc", `<multiplicity><value>2</value></multiplicity>`, behaviour, `<multiplicity><value>1</value></multiplicity>`},
	{"GreatSPN", "priority", "transition", `<priority><text>3</text></priority>`, behaviour, `<priority><text>0</text></priority>`},
	{"GreatSPN", "time", "transition", `<delay><text>1.5</text></delay>`, behaviour, `<delay><text>0</text></delay>`},
	{"GreatSPN", "colour", "place", `<colorset><text>C</text></colorset>`, behaviour, ``},
	{"TAPAAL", "inhibitor", "arc", `type="inhibitor"`, "pnml-arc-type", `type="normal"`},
	{"TAPAAL", "timed inhibitor", "arc", `type="tapnInhibitor"`, "pnml-arc-type", `type="normal"`},
	{"TAPAAL", "transport", "arc", `type="transport"`, "pnml-arc-type", ``},
	{"TAPAAL", "weight", "arc", `weight="2"`, behaviour, `weight="1"`},
	{"TAPAAL", "guard of an arc", "arc", `inscription="[1,3]"`, behaviour, `inscription="[0,inf)"`},
	{"TAPAAL", "marking", "place", `initialMarking="2"`, behaviour, `initialMarking="1"`},
	{"TAPAAL", "invariant", "place", `invariant="&lt;= 4"`, behaviour, `invariant="&lt; inf"`},
	{"TAPAAL", "urgency", "transition", `urgent="true"`, behaviour, `urgent="false"`},
	{"PIPE", "inhibitor", "arc", `<type value="inhibitor"/>`, "pnml-arc-type", `<type value="normal"/>`},
	{"PIPE", "capacity", "place", `<capacity><value>3</value></capacity>`, behaviour, `<capacity><value>0</value></capacity>`},
	{"PIPE", "priority", "transition", `<priority><value>2</value></priority>`, behaviour, `<priority><value>0</value></priority>`},
	{"PIPE", "time", "transition", `<timed><value>true</value></timed>`, behaviour, `<timed><value>false</value></timed>`},
	{"PIPE", "classes of tokens", "net", `<token id="Red" enabled="true" red="255" green="0" blue="0"/>`, behaviour, `<token id="Default" enabled="true" red="0" green="0" blue="0"/>`},
	{"PIPE", "marking", "place", `<tokens><value>Default,2</value></tokens>`, behaviour, `<tokens><value>Default,1</value></tokens>`},
	{"PIPE", "rate", "net", ``, "", `<rate><value>1.0</value></rate>`},
	{"WoPeD", "reset", "arc", `<arcType>reset</arcType>`, "pnml-arc-type", `<arcType>normal</arcType>`},
	{"WoPeD", "weight", "arc", `<weight>2</weight>`, behaviour, `<weight>1</weight>`},
	{"WoPeD", "time", "transition", `<time>5</time>`, behaviour, `<time>0</time>`},
	{"WoPeD", "capacity", "place", `capacity="1"`, behaviour, `capacity="-1"`},
	{"ProM", "inhibitor", "arc", `<arctype><text>inhibitor</text></arctype>`, "pnml-arc-type", `<arctype><text>normal</text></arctype>`},
	{"ProM", "reset", "arc", `<arctype><text>reset</text></arctype>`, "pnml-arc-type", `<arctype><text>normal</text></arctype>`},
	{"ProM", "guard", "transition", `guard="(amount > 1000)"`, behaviour, `guard="true"`},
	{"ProM", "variables", "net", `<variables><variable type="java.lang.Long"><name>amount</name></variable></variables>`, behaviour, ``},
	{"pm4py", "inhibitor", "arc", `<arctype><text>inhibitor</text></arctype>`, "pnml-arc-type", ``},
	{"pm4py", "stochastic arc", "arc", `<arctype><text>stochastic_arc</text></arctype>`, "pnml-arc-type", ``},
	{"pm4py", "variable", "transition", `<readVariable>amount</readVariable>`, behaviour, ``},
	{"StochasticPetriNet", "time", "transition", `<property key="distributionType">DETERMINISTIC</property>`, behaviour, `<property key="distributionType">IMMEDIATE</property>`},
	{"StochasticPetriNet", "priority", "transition", `<property key="priority">2</property>`, behaviour, `<property key="priority">0</property>`},
	{"Snoopy", "read", "arc", `<type><text>read</text></type>`, "pnml-arc-type", `<type><text>normal</text></type>`},
	{"Snoopy", "equal", "arc", `kind="equal"`, "pnml-arc-type", `kind="standard"`},
	{"Snoopy", "time", "transition", `<duration>2</duration>`, behaviour, `<duration>0</duration>`},
	{"Snoopy", "weight", "arc", `multiplicity="4"`, behaviour, `multiplicity="1"`},
	{"Tina", "inhibitor", "arc", `<type value="inhibitor"/>`, "pnml-arc-type", ``},
	{"Tina", "test", "arc", `<type value="test"/>`, "pnml-arc-type", ``},
	{"Tina", "time", "transition", `<delay><interval xmlns="http://www.w3.org/1998/Math/MathML" closure="closed"><cn>4</cn><cn>9</cn></interval></delay>`, behaviour, ``},
	{"Tina", "priorities", "net", `<priorities><text>t &gt; u</text></priorities>`, behaviour, ``},
	{"CPN Tools", "time", "place", `<time><text>@+3</text></time>`, behaviour, ``},
	{"CPN Tools", "priority", "transition", `<priority><text>P_HIGH</text></priority>`, behaviour, ``},
	{"CPN Tools", "code", "transition", `<code><text>output (x); action 1;</text></code>`, behaviour, ``},
	{"CPN Tools", "colours", "net", `<colorSets><text>colset INT = int;</text></colorSets>`, behaviour, ``},
	{"YAPNE", "data", "transition", `<precondition>x &lt; 3</precondition>`, behaviour, ``},
	{"YAPNE", "data after", "transition", `<postcondition>x = 3</postcondition>`, behaviour, ``},
	{"YAPNE", "inhibitor", "arc", `<type><text>inhibitor</text></type>`, "pnml-arc-type", `<type><text>regular</text></type>`},
	{"YAPNE", "capacity", "place", `<capacity><text>2</text></capacity>`, behaviour, `<capacity><text>infinity</text></capacity>`},
	{"YAPNE", "priority", "transition", `priority="1"`, behaviour, ``},
	{"Renew", "inhibitor", "arc", `<type><text>inhibitor</text></type>`, "pnml-arc-type", `<type><text>ordinary</text></type>`},
	{"Renew", "clear", "arc", `<type><text>clear</text></type>`, "pnml-arc-type", ``},
	{"Renew", "test", "arc", `<type><text>test</text></type>`, "pnml-arc-type", ``},
	{"Renew", "channel", "transition", `<uplink><text>:put(x)</text></uplink>`, behaviour, ``},
	{"by hand", "inhibitor arc", "net", `<inhibitorArc id="i" source="p" target="t"/>`, "pnml-arc-type", ``},
	{"by hand", "inhibitor", "arc", `inhibitor="true"`, "pnml-arc-type", `inhibitor="false"`},
	{"by hand", "tokens", "place", `tokens="3"`, behaviour, `tokens="1"`},
}

// saying makes a net in which two nodes or arcs say something.
func saying(at, text string) string {
	parts := map[string][2]string{}
	if strings.HasPrefix(text, "<") {
		parts[at] = [2]string{"", "\n" + text + "\n"}
	} else {
		parts[at] = [2]string{"\n" + text + " ", ""}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<pnml xmlns="%s"><net id="n" type="%s">%s<page id="page">%s`, pnmlNamespace, ptNetType, parts["net"][1], strings.ReplaceAll(parts["net"][1], `id="i"`, `id="j"`))
	for _, n := range []string{"1", "2"} {
		p, t, a := parts["place"], parts["transition"], parts["arc"]
		fmt.Fprintf(&b, `<place id="p%s" %s><initialMarking><text>1</text></initialMarking>%s</place>`, n, p[0], p[1])
		fmt.Fprintf(&b, `<transition id="t%s" %s>%s</transition>`, n, t[0], t[1])
		fmt.Fprintf(&b, `<arc id="a%s" source="p%s" target="t%s" %s>%s</arc>`, n, n, n, a[0], a[1])
	}
	b.WriteString(`<transition id="u"/></page></net></pnml>`)
	return b.String()
}

// TestSpellings: no net is read as another one because of an editor's spelling: each
// occurrence is an error that says what it means, as an attribute, as an element, of another namespace
// or in a section of the editor; and the same net without it, or with a value that
// changes nothing, is read.
func TestSpellings(t *testing.T) {
	if doc, found := Read(strings.NewReader(saying("net", "")), "f"); len(found) > 0 || doc.Net == nil {
		t.Fatal(found)
	}
	editors := map[string]bool{}
	for _, c := range sayings {
		editors[c.editor] = true
		t.Run(c.editor+"/"+c.what, func(t *testing.T) {
			for form, text := range forms(c, c.text) {
				if text == "" {
					continue
				}
				_, found := Read(strings.NewReader(saying(c.at, text)), "f")
				named := slices.DeleteFunc(slices.Clone(found), func(d diagnostic.Diagnostic) bool { return d.Code != c.code || d.Severity != diagnostic.Error })
				if len(named) != 2 || named[0].Hint == "" || named[0].Line == named[1].Line {
					t.Errorf("%s: %s: %v", form, text, found)
				}
			}
			for form, text := range forms(c, c.neutral) {
				doc, found := Read(strings.NewReader(saying(c.at, text)), "f")
				if found.Err() != nil || doc.Net == nil || text != "" && form != "section" && len(found) != 2 {
					t.Errorf("%s: %s: %v", form, text, found)
				}
			}
		})
	}
	if len(sayings) < 40 || len(editors) < 10 {
		t.Errorf("%d nets of %d editors", len(sayings), len(editors))
	}
}

// forms returns a saying in the forms that it may have.
func forms(c said, text string) map[string]string {
	forms := map[string]string{"plain": text}
	switch {
	case strings.HasPrefix(text, "<") && !strings.Contains(text, " xmlns="):
		forms["namespace"] = strings.NewReplacer("</", "</y:", "<", "<y:").Replace(text)
		k := strings.IndexAny(forms["namespace"], " />")
		forms["namespace"] = forms["namespace"][:k] + ` xmlns:y="urn:y"` + forms["namespace"][k:]
		forms["section"] = `<toolspecific tool="` + c.editor + `" version="1"><k>` + text + `</k></toolspecific>`
		if c.editor == "by hand" {
			delete(forms, "section")
		}
	case text != "" && !strings.HasPrefix(text, "<"):
		forms["prefix"] = `xmlns:y="urn:y" y:` + text
	}
	return forms
}

// TestPriorities: priorities that all transitions share change nothing.
func TestPriorities(t *testing.T) {
	net := func(one, two string) string {
		return document(`<place id="p"/><transition id="t">` + one + `</transition><transition id="u">` + two + `</transition>`)
	}
	const one, two = `<priority><value>1</value></priority>`, `<priority><value>2</value></priority>`
	for _, c := range []struct {
		doc              string
		errors, warnings int
	}{{net(one, one), 0, 2}, {net(one, two), 2, 0}, {net(one, ""), 1, 0}, {net("", ""), 0, 0}} {
		_, found := Read(strings.NewReader(c.doc), "f")
		if found.Count(diagnostic.Error) != c.errors || found.Count(diagnostic.Warning) != c.warnings {
			t.Error(c.doc, found)
		}
	}
}

// TestNames: what only names or draws is a warning, final markings are a note.
func TestNames(t *testing.T) {
	for text, want := range map[string]diagnostic.Severity{
		`name="p"`: diagnostic.Warning,
		`<finalMarking><text>1</text></finalMarking>`:                         diagnostic.Note,
		`<y:name xmlns:y="urn:y"><y:text>p</y:text></y:name>`:                 diagnostic.Warning,
		`<y:initialMarking xmlns:y="urn:y"><text>7</text></y:initialMarking>`: diagnostic.Error,
		`<y:graphics xmlns:y="urn:y"/>`:                                       diagnostic.Warning,
	} {
		doc, found := Read(strings.NewReader(saying("place", text)), "f")
		if len(found) != 2 || found[0].Severity != want || doc.Net == nil || doc.Net.Initial[0] != 1 {
			t.Error(text, found)
		}
	}
	doc, found := Read(strings.NewReader(saying("net", `<finalmarkings><marking><place idref="p1"><text>1</text></place></marking></finalmarkings>`)), "f")
	if len(found) != 2 || found[0].Severity != diagnostic.Note || doc.Net == nil {
		t.Error(found)
	}
}

// TestForeignNodes: what is of another namespace is no node and no arc, also behind shortcuts.
func TestForeignNodes(t *testing.T) {
	for _, text := range []string{
		`<y:arc xmlns:y="urn:y" id="b" source="p" target="t"/>`,
		`<arc xmlns="urn:y" id="b" source="p" target="t"/>`,
		`<y:place xmlns:y="urn:y" id="q"/>`,
		`<page id="inner" xmlns="urn:y"><place id="q"/><transition id="v"/></page>`,
		`<y:page xmlns:y="` + pnmlNamespace + `" id="inner" xmlns=""><place id="q"/></y:page>`,
	} {
		doc, found := sameAsEvents(t, []byte(document(`<place id="p"/><transition id="t"/>`+text)))
		if found.Err() == nil || doc.Net.Places.Len() != 1 || doc.Net.Pre.Len() != 0 {
			t.Error(text, found)
		}
	}
	for _, text := range []string{
		`<y:arc xmlns:y="` + pnmlNamespace + `" id="b" source="p" target="t"/>`,
		`<arc xmlns="` + pnmlNamespace + `" id="b" source="p" target="t"/>`,
		`<page id="inner" xmlns="` + pnmlNamespace + `"><arc id="b" source="p" target="t"/></page>`,
	} {
		doc, found := sameAsEvents(t, []byte(document(`<place id="p"/><transition id="t"/>`+text)))
		if len(found) != 0 || doc.Net.Pre.Len() != 1 {
			t.Error(text, found)
		}
	}
}
