package task

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml/diagnostic"
)

// TestDefinition reads every key of a definition.
func TestDefinition(t *testing.T) {
	d, found := ReadDefinition("a.yml", []byte(`format_version: '2.0'
input_files: 'a.c'
required_files:
  - 'b.h'
  - "c?.h"
properties:
  - property_file: ../unreach-call.prp
    expected_verdict: true
  - property_file: ../mem.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../termination.prp
options:
  language: C
  bits: 32
  unsigned: false
  list: [1.5, x, ]
`))
	if len(found) != 0 {
		t.Fatal(found)
	}
	want := &Definition{File: "a.yml", Version: "2.0", Inputs: []Pattern{{"a.c", 2, 14}}, Required: []Pattern{{"b.h", 4, 5}, {"c?.h", 5, 5}},
		Claims: []Claim{{Pattern{"../unreach-call.prp", 7, 20}, True, ""}, {Pattern{"../mem.prp", 9, 20}, False, "valid-deref"},
			{Pattern{"../termination.prp", 12, 20}, Unstated, ""}},
		Options: map[string]any{"language": "C", "bits": int64(32), "unsigned": false, "list": []any{1.5, "x"}}}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got  %+v\nwant %+v", d, want)
	}
}

// TestBrokenDefinitions: each is refused, or warned of, where it is wrong.
func TestBrokenDefinitions(t *testing.T) {
	const head = "format_version: '2.0'\ninput_files: a.c\n"
	for text, want := range map[string]string{
		"":                                       "a.yml: a task definition is one YAML document",
		"a: [":                                   "a.yml:1:4: this is no YAML",
		"input_files: a.c\n":                     "a.yml:1:1: this is no task definition: the key \"format_version\" is missing",
		"format_version: '3.0'\n":                "a.yml:1:17: format_version \"3.0\" is not known",
		"- a\n":                                  "a.yml:1:1: a task definition is a mapping",
		"format_version: 2.0\n":                  "a.yml:1:1: the key \"input_files\" is missing",
		"format_version: 2.1\ninput_files: []\n": "a.yml:2:14: input_files is empty",
		"format_version: '1.0'\ninput_files: [[a]]\n":              "a.yml:2:15: input_files holds what is no name",
		"format_version: '1.0'\ninput_files: a\noptions: {a: b}\n": "a.yml:3:1: format 1.0 has no key \"options\"",
		head + "other: 1\n":                                                                        "a.yml:3:1: warning: a task definition has no key \"other\"",
		head + "properties: a.prp\n":                                                               "a.yml:3:13: properties is a list",
		head + "properties:\n- a.prp\n":                                                            "a.yml:4:3: properties is a list of mappings",
		head + "properties:\n- expected_verdict: true\n":                                           "the key \"property_file\" is missing",
		head + "properties:\n- property_file: a.prp\n  expected_verdict: 'true'\n":                 "a.yml:5:21: the expected verdict is neither",
		head + "properties:\n- property_file: a.prp\n  subproperty: x\n":                           "a.yml:5:3: warning: a subproperty without",
		head + "properties:\n- property_file: a.prp\n- property_file: a.prp\n":                     "a.yml:5:18: the property \"a.prp\" stands in line 4 already",
		head + "options: &a\n  b: *a\n":                                                            "this is an alias: write the value out",
		head + "options:\n  b: &a c\n":                                                             "an option is a word",
		"format_version: '2.0'\ninput_files: " + strings.Repeat("[", 40) + strings.Repeat("]", 40): "nested deeper than 32",
	} {
		d, found := ReadDefinition("a.yml", []byte(text))
		if !strings.Contains(found.Error(), want) {
			t.Errorf("%q:\n%v\nwant %s", text, found, want)
		}
		if (d == nil) != (found.Err() != nil) {
			t.Errorf("%q: %v with %v", text, d, found)
		}
	}
}

// TestPropertiesOfTheRules reads the properties that today's rules list.
func TestPropertiesOfTheRules(t *testing.T) {
	for text, want := range map[string]string{
		"CHECK( init(main()), LTL(G ! call(func())) )":           "unreach-call",
		"CHECK(init( main() ),LTL( G!call(reach_error()) ))\n\n": "unreach-call",
		"CHECK( init(main()), LTL(G ! label(ERROR)) )":           "unreach-label",
		"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n": "valid-memsafety",
		"CHECK( init(main()), LTL(G valid-memcleanup) )":                              "valid-memcleanup",
		"CHECK( init(main()), LTL(G ! overflow) )":                                    "no-overflow",
		"CHECK( init(main()), LTL(G ! data-race) )":                                   "no-data-race",
		"CHECK( init(main()), LTL(F end) )":                                           "termination",
		"CHECK( init(Main.main()), LTL(G assert) )":                                   "valid-assert",
		"CHECK( init(Main.main()), LTL(G ! uncaught(java.lang.RuntimeException)) )":   "no-runtime-exception",
		"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(F end) )": "p",
	} {
		p, found := ReadProperty("p.prp", []byte(text))
		if p == nil || p.Name() != want {
			t.Errorf("%q: %+v, %v", text, p, found)
		}
	}
	p, _ := ReadProperty("p.prp", []byte("CHECK( init(main()), LTL(G ! call(reach_error())) )"))
	if want := (Check{1, "main()", "G ! call(reach_error())", "unreach-call", "reach_error"}); p.Checks[0] != want {
		t.Errorf("%+v", p.Checks[0])
	}
	for text, want := range map[string]string{
		"\n":                                  "p.prp: the file has no property",
		"\nCHEK( init(main()), LTL(F end) )":  "p.prp:2:1: \"CHECK\" is missing",
		"CHECK( init(main(), LTL(F end) )":    "p.prp:1:33: \",\" is missing",
		"CHECK( init(main()), LTL(F end)":     "p.prp:1:32: \")\" is missing",
		"CHECK( init(main()), LTL(F begin) )": "p.prp:1:26: the rules have no formula \"F begin\"",
		"CHECK( init(main()), LTL(F end) ) x": "p.prp:1:35: the line goes on",
		"COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )":     "p.prp:1:1: \"CHECK\" is missing",
		"CHECK( init(main()), LTL(F end) )\nCHECK( init(main()), LTL(F end) )": "p.prp:2:1: termination is checked already",
	} {
		if p, found := ReadProperty("p.prp", []byte(text)); p != nil || !strings.Contains(found.Error(), want) || !strings.Contains(found.Error(), "CHECK( init(main()), LTL(F) )") && !strings.Contains(want, "already") {
			t.Errorf("%q: %v, want %s", text, found, want)
		}
	}
}

func TestReadName(t *testing.T) {
	for name, want := range map[string][]Named{
		"floppy_true-unreach-call_true-valid-memsafety.i.cil.c": {{"unreach-call", True, ""}, {"valid-memsafety", True, ""}},
		"x_false-valid-deref.i":                                 {{"valid-memsafety", False, "valid-deref"}},
		"x_true-termination.c":                                  {{"termination", True, ""}},
		"locks/test_locks_14_BUG.c":                             {{"", False, ""}},
		"x_unknown-unreach-call.c":                              {{"unreach-call", Unstated, ""}},
		"x_true-valid-free_false-valid-deref.i":                 {{"valid-memsafety", False, "valid-deref"}},
		"x_false-valid-deref_true-valid-free.i":                 {{"valid-memsafety", False, "valid-deref"}},
		"x_true-unreach-call_true-unreach-call.c":               {{"unreach-call", True, ""}},
		"unsafe/x.c":                                  nil, // the name of a directory says nothing
		"ldv/rule57_ebda-unsafe_1.c":                  {{"", False, ""}},
		"locks/test_locks_14_true-unreach-call_BUG.c": {{"unreach-call", True, ""}},
	} {
		if got, unknown := ReadName(name); !slices.Equal(got, want) || unknown != nil {
			t.Errorf("%s: %v, %v", name, got, unknown)
		}
	}
	for name, want := range map[string]string{
		"a_true-happiness.c":                             `speaks of a property that is not known: "happiness"`,
		"a_true-unreach-call_false-unreach-call.c":       "says two verdicts on unreach-call",
		"a_unknown-unreach-call_true-unreach-call.c":     "says two verdicts on unreach-call",
		"a_false-valid-deref_false-valid-free.c":         "says two verdicts on valid-memsafety",
		"a_true-valid-memsafety_false-valid-deref.i":     "says two verdicts on valid-memsafety",
		"a_false-valid-deref_true-valid-memsafety.i":     "says two verdicts on valid-memsafety",
		"a_true-valid-deref_false-valid-deref.i":         "says two verdicts on valid-memsafety",
		"a_false-valid-memsafety_false-valid-memtrack.i": "says two verdicts on valid-memsafety",
	} {
		if _, wrong := ReadName(name); !slices.Equal(wrong, []string{want}) {
			t.Errorf("%s: %q, want %s", name, wrong, want)
		}
	}
}

// write makes files below a new directory, and goes there.
func write(t *testing.T, files map[string]string) {
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const unreach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"

// TestOpen puts sets, definitions, properties and programs together.
func TestOpen(t *testing.T) {
	write(t, map[string]string{
		"properties/unreach-call.prp": unreach,
		"loops/a.yml":                 "format_version: '2.0'\ninput_files: 'a*.c'\nproperties:\n- {property_file: ../properties/*.prp, expected_verdict: false}\n",
		"loops/a1.c":                  "", "loops/a2.c": "",
		"Loops.set":                "# remark\n\n loops/*.yml\n",
		"old/x_BUG.c":              "",
		"old/y.c":                  "",
		"old/z_false-valid-free.c": "",
		"Old.set":                  "old/*\n",
		"New.set":                  "old2/*.c\n",
		"New.prp":                  unreach,
		"old2/v_true-unreach-call_false-termination.c": "",
	})
	c, err := Open("Loops.set", "Old.set", "New.set")
	if err != nil || c.Found.Err() != nil {
		t.Fatal(err, c.Found)
	}
	var got []string
	for _, x := range c.Tasks {
		got = append(got, strings.Join([]string{x.Set, x.File, strings.Join(x.Inputs, "+"), x.PropertyFile, x.Property, x.Verdict.String(), x.Subproperty}, " "))
	}
	want := []string{
		"Loops loops/a.yml loops/a1.c+loops/a2.c properties/unreach-call.prp unreach-call false ",
		"New old2/v_true-unreach-call_false-termination.c old2/v_true-unreach-call_false-termination.c New.prp unreach-call true ",
		"Old old/x_BUG.c old/x_BUG.c  unreach-label false ",
		"Old old/y.c old/y.c  unreach-label true ",
		"Old old/z_false-valid-free.c old/z_false-valid-free.c  valid-memsafety false valid-free",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := c.Found.Count(diagnostic.Note); n != 1 {
		t.Errorf("%d notes: %v", n, c.Found)
	}
	if c, err := Open("."); err != nil || c.Definitions != 1 || c.Properties != 2 || len(c.Tasks) != 5 { // loops/a.yml is listed, and stands once
		t.Errorf("the directory: %+v, %v", c, err)
	}
}

// TestOpenRefuses: what is named must be there, and be what it is named as.
func TestOpenRefuses(t *testing.T) {
	write(t, map[string]string{
		"none.yml":    "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n- property_file: p.prp\n",
		"bracket.yml": "format_version: '2.0'\ninput_files: '[a.c'\n",
		"two.yml":     "format_version: '2.0'\ninput_files: x.c\nproperties:\n- property_file: u*.prp\n",
		"sub.yml":     "format_version: '2.0'\ninput_files: x.c\nproperties:\n- {property_file: u1.prp, expected_verdict: false, subproperty: valid-free}\n",
		"bad.yml":     "format_version: '2.0'\ninput_files: x.c\nproperties:\n- property_file: wrong.prp\n",
		"near.yml":    "format_version: '2.0'\ninput_files: x.d\n",
		"far.yml":     "format_version: '2.0'\ninput_files: /x.c\n",
		"model.yml":   "format_version: '2.0'\ninput_files: x.d\noptions: {data_model: ILP16}\n",
		"x.c":         "", "u1.prp": unreach, "u2.prp": unreach, "wrong.prp": "hello\n",
		"empty.set": "# nothing\n  // either\n", "odd.set": "u1.prp\nx_true-luck.c\n", "x_true-luck.c": "", "readme.txt": "",
		"New.set": "x_true-termination.c\n", "New.prp": unreach, "x_true-termination.c": "",
	})
	for path, want := range map[string]string{
		"none.yml":    "none.yml:2:14: \"a.c\" matches no file",
		"bracket.yml": "bracket.yml:2:14: \"[a.c\" is no pattern",
		"two.yml":     "two.yml:4:18: \"u*.prp\" matches 2 property files",
		"sub.yml":     "sub.yml:4:19: \"valid-free\" is no part of this property",
		"bad.yml":     "wrong.prp:1:1: \"CHECK\" is missing",
		"empty.set":   "empty.set: the set names no task",
		"odd.set":     "odd.set:2:1: the name \"x_true-luck.c\" speaks of a property that is not known: \"luck\"",
		"readme.txt":  "\"readme.txt\" is no file of a task",
		"near.yml":    "near.yml:2:14: \"x.d\" matches no file [task-missing-file]; did you mean \"x.c\"?",
		"far.yml":     "far.yml:2:14: warning: \"/x.c\" is the name of a file on one computer",
		"model.yml":   "model.yml:3:1: warning: there is no data model \"ILP16\"",
		"New.set":     "New.set:1:1: the name \"x_true-termination.c\" says nothing of unreach-call",
	} {
		c, err := Open(path)
		if err != nil || !strings.Contains(c.Found.Error(), want) || c.Found.Err() == nil {
			t.Errorf("%s: %v, %v; want %s", path, err, c.Found, want)
		}
	}
	if _, err := Open("absent.yml"); err == nil {
		t.Error("an absent path is taken")
	}
}

// TestGlob: patterns match as BenchExec's do, and end in time.
func TestGlob(t *testing.T) {
	write(t, map[string]string{"a/x.c": "", "a/y.c": "", "a/.hidden.c": "", "b/x.c": "", "a/sub/z.c": ""})
	for pattern, want := range map[string]string{"a/*.c": "[a/x.c a/y.c]", "*/x.c": "[a/x.c b/x.c]", "*/*/*.c": "[a/sub/z.c]", "a/[^x].c": "[a/y.c]", "a/.*.c": "[a/.hidden.c]",
		"a/../b/?.c": "[b/x.c]", "none/*": "[]", "a": "[a]", "./a/sub/": "[a/sub]", "../*/nothing": "[]"} {
		if got, err := glob(pattern, new(int)); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v; want %s", pattern, got, err, want)
		}
	}
	seen := maxSeen - 1
	if got, err := glob("*/*", &seen); !errors.Is(err, errTooMany) {
		t.Errorf("%v, %v", got, err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := glob(filepath.Join(here, "b", "*.c"), new(int)); err != nil || len(got) != 1 || got[0] != filepath.Join(here, "b/x.c") {
		t.Errorf("%v, %v", got, err)
	}
}

// TestBenchExecsOwnDefinitions reads every task definition of BenchExec's tests.
// Some are broken on purpose: they must be refused where they are.
func TestBenchExecsOwnDefinitions(t *testing.T) {
	dir := filepath.Join(realdata.Contest(t), "benchexec")
	refused := map[string]string{ // by name; all others are read
		"empty_file.yml":                   "one YAML document that is not empty",
		"input_files_as_mapping.yml":       ":11:5: input_files holds what is no name",
		"no_input_and_property_files.yml":  "the key \"input_files\" is missing",
		"no_input_files.yml":               ":10:14: input_files is empty",
		"nonterminated_string.yml":         ":10:14: this is no YAML",
		"other_list_of_lists.yml":          ":8:1: a task definition is a mapping",
		"other_list_of_other_mappings.yml": ":8:1: a task definition is a mapping",
		"other_lists.yml":                  "the key \"format_version\" is missing",
		"property_files_no_mapping.yml":    ":13:5: properties is a list of mappings",
		"undefined_input_files.yml":        "the key \"input_files\" is missing",
	}
	list, err := filepath.Glob(filepath.Join(dir, "tasks", "*.yml"))
	if err != nil || len(list) != 22 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for _, path := range append(list, filepath.Join(dir, "benchmarks", "task-definition-example.yml")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		d, found := ReadDefinition(name, text)
		switch why, broken := refused[name]; {
		case broken && (d != nil || !strings.Contains(found.Error(), why)):
			t.Errorf("%s: %v, want %s", name, found, why)
		case !broken && (d == nil || len(d.Inputs) == 0):
			t.Errorf("%s is refused: %v", name, found)
		}
	}
}

func FuzzDefinition(f *testing.F) {
	f.Add([]byte("format_version: '2.0'\ninput_files: [a.c]\nproperties:\n- {property_file: p.prp, expected_verdict: false, subproperty: x}\noptions: {a: [1, {b: c}]}\n"))
	f.Add([]byte("format_version: 2.0\ninput_files: |\n  a\noptions: !t\n"))
	f.Add([]byte("format_version: '1.0'\n? [a]\n: b\ninput_files: &a x\nproperties: *a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, found := ReadDefinition("a.yml", text)
		if (d == nil) != (found.Err() != nil) {
			t.Errorf("%v with %v", d, found)
		}
		for _, x := range found {
			if x.Message == "" || x.File == "" {
				t.Errorf("no message: %+v", x)
			}
		}
	})
}

func FuzzProperty(f *testing.F) {
	f.Add([]byte(unreach))
	f.Add([]byte("CHECK( init(main()), LTL(G valid-free) )\nCHECK((\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, found := ReadProperty("p.prp", text)
		if (p == nil) != (found.Err() != nil) {
			t.Fatalf("%v with %v", p, found)
		}
		if p == nil {
			return
		}
		var again strings.Builder
		for _, c := range p.Checks {
			again.WriteString("CHECK( init(" + c.Entry + "), LTL(" + c.Formula + ") )\n")
		}
		q, found := ReadProperty("p.prp", []byte(again.String()))
		if q == nil || q.Name() != p.Name() || !slices.Equal(q.Parts(), p.Parts()) {
			t.Errorf("read again: %v, %v", q, found)
		}
	})
}

// TestWordsOfYAML1: a definition is read as YAML 1.1, as BenchExec reads it.
func TestWordsOfYAML1(t *testing.T) {
	for word, want := range map[string]any{
		"yes": true, "Off": false, "TRUE": true, "'yes'": "yes", "0x10": int64(16), "017": int64(15), "1_000": int64(1000), "1:30": int64(90), "-1:30:00": int64(-5400),
		"1.5": 1.5, "1:70": "1:70", "0o17": "0o17", "y": "y", "~": nil, `"017"`: "017",
	} {
		d, found := ReadDefinition("a.yml", []byte("format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: a.prp\n    expected_verdict: yes\noptions:\n  it: "+word+"\n"))
		if got := d.Options.(map[string]any)["it"]; got != want || d.Claims[0].Verdict != True || len(found) > 0 {
			t.Errorf("%s: %#v, %v %v", word, got, d.Claims, found)
		}
	}
}

// TestFormatsOfDefinitions: what each format has, as BenchExec reads it, and an expected
// violation that names no part of memory safety.
func TestFormatsOfDefinitions(t *testing.T) {
	write(t, map[string]string{"a.c": "", "m.prp": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n"})
	const task = "input_files: a.c\nproperties:\n  - property_file: m.prp\n    expected_verdict: false\n"
	const part = "    subproperty: valid-free\n"
	for text, want := range map[string]string{
		"format_version: '0.1'\n" + task + part:                                       "",
		"format_version: 0.1\n" + task + part:                                         "",
		"format_version: '0.1'\noptions: {x: 1}\n" + task + part:                      `format 0.1 has no key "options"`,
		"format_version: '2.1'\nadditional_information: [1, {x: y}]\n" + task + part:  "",
		"format_version: '2.0'\nadditional_information: x\n" + task + part:            `format 2.0 has no key "additional_information"`,
		"format_version: '1.0'\nadditional_information: x\n" + task + part:            `format 1.0 has no key "additional_information"`,
		"format_version: '2.2'\n" + task + part:                                       `format_version "2.2" is not known`,
		"format_version: '2.0'\n" + task:                                              "warning: the verdict false names no violated part: every FALSE is right",
		"format_version: '2.0'\n" + strings.Replace(task, ": false", ": true", 1):     "",
		"format_version: '2.0'\n" + strings.Replace(task, ": false", ": unknown0", 1): "the expected verdict is neither true nor false",
	} {
		if err := os.WriteFile("t.yml", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Open("t.yml")
		if err != nil || want == "" && len(c.Found) > 0 || !strings.Contains(c.Found.Error(), want) {
			t.Errorf("%q: %+v %v, want %q", text, c, err, want)
		}
	}
	write(t, map[string]string{"m.prp": "CHECK( init(main()), LTL(F end) )\n", "plain.c": "", "m.set": "plain.c\nx_unknown-termination.c\n", "x_unknown-termination.c": ""})
	c, err := Open("m.set")
	if err != nil || len(c.Tasks) != 2 || c.Tasks[0].Verdict != Unstated || c.Tasks[1].Verdict != Unstated || len(c.Found) != 1 || !strings.Contains(c.Found.Error(), "says no verdict: none is expected") {
		t.Errorf("%v %+v", err, c)
	}
}
