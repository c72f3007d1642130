package tools

import (
	"os"
	"slices"
	"strings"
	"testing"

	"podium/examinations/verdict"
)

func TestExpand(t *testing.T) {
	run := TaskRun{Inputs: []string{"/x/a b.c", "/x/{cpu}.c"}, Property: "/x/p.prp", PropertyName: "unreach-call", Witness: "/r/w.yml", CPU: 900, Memory: 15000, Cores: 4, Tool: "/t"}
	for _, test := range []struct {
		command string
		want    []string
	}{
		{`bin/x --prop={property} {input}`, []string{"bin/x", "--prop=/x/p.prp", "/x/a b.c", "/x/{cpu}.c"}},
		{`bin/x "-D 'a'" {cpu}s {memory}MB -j{cores} {tool}/lib -f={input}={cpu}`, []string{"bin/x", "-D 'a'", "900s", "15000MB", "-j4", "/t/lib", "-f=/x/a b.c=900", "-f=/x/{cpu}.c=900"}},
		{`bin/x {data_model} '' {property_name}:{witness}`, []string{"bin/x", "", "unreach-call:/r/w.yml"}},
	} {
		words, err := Manifest{Command: test.command}.Words()
		if got := run.Expand(words); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v", test.command, got, err)
		}
	}
}

func TestCommandMistakes(t *testing.T) {
	const begin = "format: podium-tool/1\nname: x\n"
	for _, test := range []struct{ text, want string }{
		{"command: bin/x 'a {input}", "tool.yaml:3:10: the command has a quote ' that is not closed"},
		{"command: ../x {input}", "tool.yaml:3:10: the program is \"../x\""},
		{"command: '{tool}/x {input}'", "the program is \"{tool}/x\""},
		{"command: bin/x {input}\ndata_models: {ILP64: a}", "tool.yaml:4:14: there is no data model \"ILP64\""},
		{"command: bin/x {input}\nwitness: ../w", "tool.yaml:4:10: \"../w\" is no name of a file"},
		{"command: bin/x {input}\nanswers: none", "tool.yaml:4:10: "},
		{"command: bin/x {input}\nanswers: [{stdin: a, answer: TRUE}]", `tool.yaml:4:12: unknown field "stdin"`},
		{"answers: [{exit: 0, answer: TRUE}]", "tool.yaml:3:1: answers is for tools with a command"},
	} {
		_, err := parseManifest("tool.yaml", []byte(begin+test.text+"\n"))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.text, err)
		}
	}
	m, err := parseManifest("tool.yaml", []byte(begin+"command: bin/x {input}\nanswers:\n  - {exit: 0, answer: true}\n  - {stdout: x, answer: FALSE}\n"))
	if err != nil || m.Witness != DefaultWitness || m.Head != "" || m.Answers[0].Answer != "TRUE" || m.Answers[1].Answer != "FALSE" {
		t.Errorf("%+v, %v", m, err)
	}
}

// FuzzManifest: whatever a manifest says, it is read or refused with places in it, and
// what was read can be run.
func FuzzManifest(f *testing.F) {
	f.Add([]byte("format: podium-tool/1\nname: x\ncommand: bin/x '{input}' {witness}\nanswers:\n  - {stdout: '^a(?P<p>b)', exit: 1, answer: FALSE($p)}\n"))
	f.Add([]byte("format: podium-tool/1\nname: x\ncommand: /x {input} {witness}\nvalidates: {violation: []}\ndata_models: {LP64: -m64}\n"))
	f.Add([]byte("format: podium-tool/1\nname: x\nhead: x.sh\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest("tool.yaml", text)
		if err != nil || m.Command == "" {
			return
		}
		words, err := m.Words()
		if err != nil {
			t.Fatalf("%q: %v", m.Command, err)
		}
		if got := (TaskRun{Inputs: []string{"a.c"}}).Expand(words); len(got) == 0 || !strings.Contains(strings.Join(got, " "), "a.c") {
			t.Errorf("%q becomes %q", m.Command, got)
		}
		if _, err := m.Answers.Read("unreach-call", nil, verdict.Output{Exited: true}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestManifestsOfTheManual: what docs/tasks.md shows is read.
func TestManifestsOfTheManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/tasks.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range strings.Split(string(text), "\n\n") {
		if !strings.HasPrefix(block, "    format: podium-tool/1\n") {
			continue
		}
		n++
		if m, err := parseManifest("tasks.md", []byte(strings.ReplaceAll("\n"+block, "\n    ", "\n")+"\n")); err != nil || m.Command == "" {
			t.Errorf("%v in\n%s", err, block)
		}
	}
	if n < 4 {
		t.Errorf("%d manifests were found", n)
	}
}
