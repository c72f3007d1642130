package formula

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/realdata"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// TestRealNames finds every name of the real formula files in the real nets,
// coloured ones too, and generates formulas of all kinds over the others.
func TestRealNames(t *testing.T) {
	for _, archive := range realdata.InstanceArchives(t) {
		var doc *pnml.Document
		files := map[string][]byte{}
		realdata.EachFile(t, archive, func(name string, content []byte) {
			if _, ok := examOf(name, ".xml"); ok {
				files[name] = content
			}
			if filepath.Base(name) == "model.pnml" {
				doc, _ = pnml.Read(bytes.NewReader(content), name)
			}
		})
		names := NamesIn(doc)
		for name, content := range files {
			exam, _ := examOf(name, ".xml")
			properties, list := ReadOf(bytes.NewReader(content), name, exam, names)
			if list = append(list, Check(name, properties, exam, names)...); len(list) > 0 {
				t.Error(list)
			}
			if doc.Net == nil {
				continue
			}
			id := instance(t, filepath.Base(filepath.Dir(name)))
			properties, err := Generate(doc.Net, id, exam, GenerateOptions{Seed: 1})
			if list := Check(name, properties, exam, names); err != nil || len(list) > 0 {
				t.Errorf("generated: %v, %v", err, list)
			}
		}
	}
	if NamesIn(&pnml.Document{}) != nil {
		t.Error("a document without net has names")
	}
}

// TestReferencesAreNames: whoever asks for a reference node learns which node to ask for,
// through chains and wherever the node stands, in nets of both kinds.
func TestReferencesAreNames(t *testing.T) {
	const nodes = `<referencePlace id="far" ref="near"/><referencePlace id="near" ref="p"/><referencePlace id="lost" ref="lost"/>
<place id="nearer"><name><text>n</text></name></place><place id="p"><name><text>p</text></name></place>
<transition id="t"><name><text>t</text></name></transition><referenceTransition id="rt" ref="t"/>`
	for _, kind := range []string{"ptnet", "symmetricnet"} {
		doc, _ := pnml.Read(strings.NewReader(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/`+kind+`"><name><text>n</text></name><page id="g">`+nodes+`</page></net></pnml>`), "")
		for atom, want := range map[string]string{
			"<tokens-count><place>far</place></tokens-count>":                `"far" is a reference to place "p"; write "p"`,
			"<tokens-count><place>near</place></tokens-count>":               `"near" is a reference to place "p"; write "p"`,
			"<tokens-count><place>rt</place></tokens-count>":                 `it is a reference to a transition: ask for "t" in <is-fireable>`,
			"<tokens-count><place>lost</place></tokens-count>":               "write the id of a place of the net, not its name",
			"<tokens-count><place>t</place></tokens-count>":                  "it is a transition: ask for it in <is-fireable>",
			"<tokens-count><place>nearr</place></tokens-count>":              `did you mean "nearer"?`,
			"<tokens-count><place>neer</place></tokens-count>":               `did you mean "near"? It is a reference to place "p"; write "p"`,
			"<is-fireable><transition>neer</transition></is-fireable>":       "write the id of a transition of the net, not its name",
			"<is-fireable><transition>rt</transition></is-fireable>":         `"rt" is a reference to transition "t"; write "t"`,
			"<is-fireable><transition>far</transition></is-fireable>":        `it is a reference to a place: ask for "p" in <tokens-count> or <place-bound>`,
			"<place-bound><place>near</place><place>p</place></place-bound>": `"near" is a reference to place "p"; write "p"`,
		} {
			text, exam := "<integer-le><integer-constant>1</integer-constant>"+atom+"</integer-le>", examinations.ReachabilityCardinality
			switch {
			case strings.HasPrefix(atom, "<is"):
				text, exam = atom, examinations.ReachabilityFireability
			case strings.HasPrefix(atom, "<place"):
				text, exam = atom, examinations.UpperBounds
			}
			if exam != examinations.UpperBounds {
				text = "<exists-path><finally>" + text + "</finally></exists-path>"
			}
			text = "<property-set><property><id>a</id><formula>" + text + "</formula></property></property-set>"
			properties, list := ReadOf(strings.NewReader(text), "f.xml", exam, NamesIn(doc))
			for from, list := range map[string]diagnostic.List{"read": list, "checked": Check("f.xml", properties, exam, NamesIn(doc))} {
				list = slices.DeleteFunc(list, func(d diagnostic.Diagnostic) bool { return d.Code == "formula-count" })
				if len(list) != 1 || list[0].Hint != want {
					t.Errorf("%s, %s of a %s: %v, want %s", from, atom, kind, list, want)
				}
			}
		}
	}
}
