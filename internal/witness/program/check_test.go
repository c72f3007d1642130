package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// source is the program that the witnesses of the tests are about.
const source = "int main(void) { return 0; }\n"

func asked(kind string) Asked {
	a := Asked{Kind: kind, Parts: []string{"unreach-call"}, DataModel: "LP64"}
	a.Program("loops/sum.c", []byte(source))
	return a
}

// TestGoodWitnesses: witnesses in each format are recognised and in order.
func TestGoodWitnesses(t *testing.T) {
	for name, want := range map[string]Report{
		"violation.graphml": {GraphML, Violation}, "correctness.graphml": {GraphML, Correctness},
		"violation-2.0.yml": {YAML, Violation}, "correctness-2.0.yml": {YAML, Correctness}, "correctness-2.1.yml": {YAML21, Correctness},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		report, found := Check(name, text, asked(want.Kind))
		if report != want || len(found) > 0 {
			t.Errorf("%s: %+v, want %+v; %v", name, report, want, found)
		}
		other := Violation
		if want.Kind == other {
			other = Correctness
		}
		if _, found := Check(name, text, asked(other)); len(found) != 1 || found[0].Code != "witness-kind" || found[0].Line == 0 {
			t.Errorf("%s as a %s witness: %v", name, other, found)
		}
		strict := asked(want.Kind)
		strict.Formats = []Format{"1.0"}
		if _, found := Check(name, text, strict); (found.Err() == nil) != (want.Format == GraphML) {
			t.Errorf("%s where only 1.0 is taken: %v", name, found)
		}
		strict = asked(want.Kind)
		strict.Program("loops/sum.c", []byte("int main(void) { return 1; }\n"))
		if _, found := Check(name, text, strict); found.Err() == nil || !strings.Contains(found.Error(), "[witness-program]") {
			t.Errorf("%s of another program: %v", name, found)
		}
		strict = asked(want.Kind)
		strict.DataModel, strict.Parts = "ILP32", []string{"no-overflow"}
		if _, found := Check(name, text, strict); found.Count(diagnostic.Error) != 2 {
			t.Errorf("%s of another property and data model: %v", name, found)
		}
	}
}

// TestBadWitnesses changes good witnesses; each change is found where it stands.
func TestBadWitnesses(t *testing.T) {
	for _, tc := range []struct{ file, old, now, want string }{
		{"violation.graphml", "</graph>", "</graf>", "violation.graphml:32:"},
		{"violation.graphml", "violation_witness", "proof", `8:5: witness-type: the value is violation_witness or correctness_witness`},
		{"violation.graphml", `<data key="producer">test</data>`, "", "the graph has no data of the key producer"},
		{"violation.graphml", `target="N1"`, `target="N9"`, `27:5: there is no node "N9"`},
		{"violation.graphml", `<node id="N1">`, `<node id="N0">`, `24:5: the node "N0" stands twice`},
		{"violation.graphml", `<data key="entry">true</data>`, "", "no node is the entry"},
		{"violation.graphml", `<data key="violation">true</data>`, `<data key="entry">true</data>`, "a second node is an entry"},
		{"violation.graphml", `<data key="violation">true</data>`, `<data key="invariant">x</data>`, "only a correctness witness has data of the key invariant"},
		{"violation.graphml", `<data key="startline">1</data>`, `<data key="startline">one</data>`, "28:7: startline: the value is a whole number"},
		{"violation.graphml", `<data key="startline">1</data>`, `<data key="mine">1</data>`, `28:7: the edge has no data of the key "mine"`},
		{"violation.graphml", "2026-11-23T12:00:00Z", "yesterday", "creationtime: the time has the form"},
		{"violation-2.0.yml", "line: 1", "line: none", "line is a number from 1"},
		{"violation-2.0.yml", "action: follow", "action: cycle", `there is no action "cycle" in format 2.0`},
		{"violation-2.0.yml", "type: target", "type: goal", `there is no waypoint of the type "goal"`},
		{"violation-2.0.yml", `format_version: "2.0"`, `format_version: "3.0"`, "4:21: the format is"},
		{"violation-2.0.yml", "uuid: 4412af70", "uuid: zz", "is no UUID"},
		{"violation-2.0.yml", "constraint:", "remark:", `has no key "remark"`},
		{"violation-2.0.yml", "data_model: LP64", "data_model: 64bit", "data_model is ILP32 or LP64"},
		{"violation-2.0.yml", "file_name: sum.c", "file_name: other.c", "the task has no program"},
		{"violation-2.0.yml", "content:", "contents:", `has no key "contents"`},
		{"correctness-2.0.yml", "type: loop_invariant", "type: loop_transition_invariant", `there is no invariant of the type "loop_transition_invariant" in format 2.0`},
		{"correctness-2.0.yml", "entry_type: invariant_set", "entry_type: loop_invariant", `there is no entry "loop_invariant"`},
		{"correctness-2.0.yml", "  metadata:", " metadata:", "this is no YAML"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", tc.file))
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), tc.old, tc.now, 1)
		if changed == string(text) {
			t.Errorf("%s has no %q", tc.file, tc.old)
		}
		kind, _, _ := strings.Cut(strings.TrimSuffix(tc.file, ".graphml"), "-")
		if _, found := Check(tc.file, []byte(changed), asked(kind)); found.Err() == nil || !strings.Contains(found.Error(), tc.want) {
			t.Errorf("%s with %q: %v, want %q", tc.file, tc.now, found, tc.want)
		}
	}
}

// TestOwnKeys: a tool may declare keys of its own before the graph or behind it, for one kind
// of data or, where it says none, for all.
func TestOwnKeys(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "violation.graphml"))
	if err != nil {
		t.Fatal(err)
	}
	used := strings.Replace(string(text), `<data key="startline">1</data>`, `<data key="mine">1</data>`, 1)
	for key, fine := range map[string]bool{
		`<key id="mine"/>`: true, `<key id="mine" for="all"/>`: true, `<key id="mine" for="edge"/>`: true, `<key id="mine" for="node"/>`: false, `<key id="yours"/>`: false,
	} {
		for _, now := range []string{strings.Replace(used, "<graph ", key+"<graph ", 1), strings.Replace(used, "</graphml>", key+"</graphml>", 1)} {
			if now == used {
				t.Fatal("the file has no graph")
			}
			if _, found := Check("w", []byte(now), asked(Violation)); (len(found) == 0) != fine {
				t.Errorf("%s: %v", key, found)
			}
		}
	}
}

// TestOwnFormats: what is none of the formats of SV-COMP is left to the validators.
func TestOwnFormats(t *testing.T) {
	for _, text := range []string{"", "12345\n", "one run\n", "<html><body>graph</body></html>", "input: 7\n", "\x00\x01<graphml"} {
		if report, found := Check("witness.graphml", []byte(text), asked(Violation)); report.Format != Own || len(found) > 0 {
			t.Errorf("%q: %+v, %v", text, report, found)
		}
	}
}

// TestLimits: what is too large to be checked is not refused.
func TestLimits(t *testing.T) {
	text := "- entry_type: invariant_set\n  content:\n" + strings.Repeat("  - invariant: {type: loop_invariant}\n", 20_000)
	report, found := Check("witness.yml", []byte(text), Asked{})
	if report.Format != YAML || found.Err() != nil || len(found) != 1 || found[0].Code != "witness-limit" {
		t.Errorf("%+v, %v", report, found)
	}
	for name, text := range map[string]string{
		"edges without nodes": "<graphml><graph>" + strings.Repeat("<edge/>", 5000) + "</graph></graphml>",
		"nodes that are nowhere": "<graphml><graph>" + func() (edges string) {
			for i := range 5000 {
				edges += fmt.Sprintf(`<edge source="a%d" target="b%d"/>`, i, i)
			}
			return edges
		}() + "</graph></graphml>",
		"keys without names": "<graphml>" + strings.Repeat("<key/>", 5000) + "<graph/></graphml>",
	} {
		_, found := Check("witness.graphml", []byte(text), Asked{})
		if len(found) > mostFindings+1 || found.Count(diagnostic.Warning) != 1 || found.Err() == nil {
			t.Errorf("%s: %d findings, %d of them warnings", name, len(found), found.Count(diagnostic.Warning))
		}
	}
}

func FuzzCheck(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*ml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("- entry_type: [a]\n- entry_type: violation_sequence\n  content: [segment: [waypoint: ]]\n"))
	f.Add([]byte("<graphml><graph>" + strings.Repeat("<edge/>", 600) + "</graph><key id=\"mine\"/></graphml>"))
	f.Add([]byte("<graphml><graph><node/><edge/><data/></graph><graph/>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		report, found := Check("witness", text, asked(Violation))
		if len(found) > mostFindings+2 && report.Format == GraphML { // and one of the scanner
			t.Errorf("%d findings", len(found))
		}
		if report.Format == Own && len(found) > 0 {
			t.Errorf("a file of no format has findings: %v", found)
		}
	})
}
