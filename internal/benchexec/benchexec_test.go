package benchexec

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/models/task"
)

// TestRuleText: expressions of Go are written as Python reads them.
func TestRuleText(t *testing.T) {
	code := 10
	for _, c := range []struct {
		rule verdict.Rule
		want string
	}{
		{verdict.Rule{Stdout: `^TRUE$`, Answer: "TRUE"}, `("(?-m:\\ATRUE$)", None, None, [], "TRUE", None)`},
		{verdict.Rule{Stderr: `(?i)a\\z\.\z`, Exit: &code, Properties: []string{"no-overflow"}, Answer: "FALSE(no-overflow)"},
			`(None, "(?i:A\\\\Z\\.\\Z)", 10, ["no-overflow"], "FALSE(no-overflow)", None)`},
		{verdict.Rule{Stdout: `é\x{1F600} (?P<p>[a-z]+)`, Answer: "FALSE($p)"}, `("\u00e9\U0001f600 (?P<p>[a-z]+)", None, None, [], "FALSE", "p")`},
	} {
		got, err := ruleText(c.rule)
		if err != nil || got != c.want {
			t.Errorf("%+v:\ngot  %s, %v\nwant %s", c.rule, got, err, c.want)
		}
	}
}

// TestModule: Python reads the module that is written, and its answers are those of the
// rules.
func TestModule(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	dir := t.TempDir()
	rules := verdict.Rules{
		{Stdout: `^said "safe"\z`, Answer: "TRUE"},
		{Stdout: `^unsafe \((?P<part>[a-z-]+)\)$`, Answer: "FALSE($part)"},
		{Stdout: `(?i)^UNSAFE$`, Properties: []string{"unreach-call"}, Answer: "FALSE"},
		{Stderr: `\bmemory\b`, Answer: "ERROR"},
	}
	var text strings.Builder
	text.WriteString("RULES = [\n")
	for _, r := range rules {
		rule, err := ruleText(r)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(rule + ",\n")
	}
	text.WriteString("]\nNAME, URL, WITNESS = 'x', None, 'witness.yml'\nCOMMAND = ['bin/x', '--spec={property}', '{property_name}', '{data_model}', '{options}', '{cpu}', '{memory}', '{cores}', '{input}']\n" +
		"DATA_MODELS = {'LP64': '--64'}\nPROPERTIES = {'u.prp': ['unreach-call'], '2/m.prp': ['valid-memsafety', 'valid-deref']}\n" + moduleText)
	for name, content := range map[string]string{
		"podium_tools/x.py":           text.String(),
		"benchexec/__init__.py":       "",
		"benchexec/tools/__init__.py": "",
		"benchexec/tools/template.py": "class BaseTool2:\n    def working_directory(self, executable):\n        return '.'\n",
		"benchexec/result.py":         "RESULT_TRUE_PROP, RESULT_FALSE_PROP, RESULT_UNKNOWN = 'true', 'false', 'unknown'\n",
		"run.py": `
import os
from collections import namedtuple
from podium_tools import x
task = namedtuple("Task", "input_files property_file options")
limits = namedtuple("Limits", "cputime memory cpu_cores")(10, 200000000, 2)
code = namedtuple("Code", "value")(0)
run = namedtuple("Run", "cmdline exit_code output was_terminated")
tool = x.Tool()
for file in ("properties/u.prp", "properties/2/m.prp"):
    command = tool.cmdline(tool.executable(None), ["--a", "${witness}", "--p={property_name}", "$SEED/{cores}", "~/x"], task(["a.c", "b.c"], file, {"data_model": "LP64"}), limits)
    command = [os.path.expanduser(os.path.expandvars(word)) for word in command]  # as BenchExec does
    print(" ".join(command[1:]))
    for line in ('said "safe"', "unsafe (valid-deref)", "unsafe", "out of memory", "nothing"):
        print(tool.determine_result(run(command, code, ["first", line], False)))
    print(tool.determine_result(run(command, code, ['said "safe"'], True)))
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(python, "run.py")
	run.Dir, run.Env = dir, append(os.Environ(), "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1", "SEED=7", "HOME=/home/ada")
	out, err := run.CombinedOutput()
	got := strings.ReplaceAll(string(out), dir+"/", "")
	want := "--spec=properties/u.prp unreach-call --64 --a witness.yml --p=unreach-call 7/2 /home/ada/x 10 200 2 a.c b.c\ntrue\nfalse(valid-deref)\nfalse\nERROR\nunknown\nunknown\n" +
		"--spec=properties/2/m.prp valid-memsafety --64 --a witness.yml --p=valid-memsafety 7/2 /home/ada/x 10 200 2 a.c b.c\ntrue\nfalse(valid-deref)\nunknown\nERROR\nunknown\nunknown\n"
	if err != nil || got != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
	}
}

// campaignOf writes a campaign by hand whose tasks have the given files.
func campaignOf(t *testing.T, tasks map[string]map[string]string, plan map[string]campaign.PlannedTask) *campaign.Campaign {
	t.Helper()
	c := &campaign.Campaign{Dir: t.TempDir()}
	for name, files := range tasks {
		dir := filepath.Join(c.Dir, "inputs", regexp.MustCompile(`\W`).ReplaceAllString(name, "_"))
		for file, text := range files {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		how := plan[name]
		c.Plan.Instances = append(c.Plan.Instances, campaign.PlannedInstance{ID: name, Path: dir, Task: &how})
	}
	c.Plan.Sort()
	return c
}

func ids(names ...string) (list []examinations.ID) {
	for _, name := range names {
		list = append(list, examinations.ID(name))
	}
	return list
}

const memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n"

// TestSets: categories that have one property of a definition and not another get a set for
// each; property files of one name and other contents are kept apart; the tasks that are
// read back have the same files.
func TestSets(t *testing.T) {
	reach, label := "CHECK( init(main()), LTL(G ! call(f())) )\n", "CHECK( init(main()), LTL(G ! call(g())) )\n"
	c := campaignOf(t, map[string]map[string]string{
		"a/x.yml#unreach-call":    {"x[1].c": "x", "inc/y.h": "y", "p.prp": reach},
		"a/x.yml#valid-memsafety": {"x[1].c": "x", "inc/y.h": "y", "m.prp": memory},
		"a/z.yml#unreach-call":    {"src/z.c": "z", "src/z.h": "", "p.prp": label},
	}, map[string]campaign.PlannedTask{
		"a/x.yml#unreach-call":    {Inputs: []string{"x[1].c"}, PropertyFile: "p.prp", Property: "unreach-call", Expected: "TRUE", DataModel: "LP64", Categories: ids("A", "B")},
		"a/x.yml#valid-memsafety": {Inputs: []string{"x[1].c"}, PropertyFile: "m.prp", Property: "valid-memsafety", Expected: "FALSE(valid-free)", DataModel: "LP64", Categories: ids("B")},
		"a/z.yml#unreach-call":    {Inputs: []string{"src/z.c"}, PropertyFile: "p.prp", Property: "unreach-call", DataModel: "ILP32", Categories: ids("A", "B")},
	})
	dir := filepath.Join(t.TempDir(), "out")
	remarks, err := Export(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(remarks, "\n"); got != "" {
		t.Errorf("remarks: %s", got)
	}
	read, err := task.Open(filepath.Join(dir, "tasks"))
	if err != nil || read.Found.Err() != nil {
		t.Fatal(err, read.Found)
	}
	var got []string
	for _, one := range read.Tasks {
		if one.Set == "" {
			continue
		}
		layout, err := one.Stage(filepath.Join(t.TempDir(), "staged"))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, one.Set+" "+filepath.Base(one.File)+" "+one.Property+" "+one.Expected()+" "+one.DataModel()+" "+strings.Join(layout.Inputs, ",")+" "+layout.PropertyFile)
	}
	for name, content := range map[string]string{"tasks/A.prp": reach, "tasks/A.set": "a/x.yml\na/z.yml\n", "properties/p.prp": reach, "properties/2/p.prp": label} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != content {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	want := []string{"A x.yml unreach-call TRUE LP64 x[1].c p.prp", "A z.yml unreach-call  ILP32 src/z.c p.prp",
		"B x.yml unreach-call TRUE LP64 x[1].c p.prp", "B x.yml valid-memsafety FALSE(valid-free) LP64 x[1].c m.prp", "B z.yml unreach-call  ILP32 src/z.c p.prp"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNamesAreTaken: a set of a category and a module take no name that another one has.
func TestNamesAreTaken(t *testing.T) {
	reach, ends := "CHECK( init(main()), LTL(G ! call(f())) )\n", "CHECK( init(main()), LTL(F end) )\n"
	files := map[string]map[string]string{}
	plan := map[string]campaign.PlannedTask{}
	for name, categories := range map[string][]examinations.ID{
		"a.yml#unreach-call": ids("A"), "a.yml#termination": ids("A.termination"), "b.yml#termination": ids("A"), "b.yml#unreach-call": ids("A.unreach-call.2"), "c.yml#unreach-call": ids("A.unreach-call"),
	} {
		text, _, _ := strings.Cut(name, ".")
		property, prp := "unreach-call", reach
		if strings.HasSuffix(name, "#termination") {
			property, prp = "termination", ends
		}
		files[name] = map[string]string{text + ".c": text, property + ".prp": prp}
		plan[name] = campaign.PlannedTask{Inputs: []string{text + ".c"}, PropertyFile: property + ".prp", Property: property, DataModel: "ILP32", Categories: categories}
	}
	c := campaignOf(t, files, plan)
	for _, name := range []string{"a-b", "a_b"} {
		dir := filepath.Join(c.Dir, "inputs", "tool-"+name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "tool.yaml"), []byte("format: podium-tool/1\nname: "+name+"\ncommand: /bin/echo {input}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c.Plan.Tools = append(c.Plan.Tools, campaign.PlannedTool{Name: name, Dir: dir, Task: &campaign.TaskTool{Command: []string{"/bin/echo", "{input}"}}})
	}
	dir := filepath.Join(t.TempDir(), "out")
	remarks, err := Export(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"A.unreach-call.3.set": "a.yml\n", "A.termination.2.set": "b.yml\n", "A.termination.set": "a.yml\n", "A.unreach-call.set": "c.yml\n", "A.unreach-call.2.set": "b.yml\n",
		"A.unreach-call.3.prp": reach, "A.termination.2.prp": ends,
	} {
		if text, err := os.ReadFile(filepath.Join(dir, "tasks", name)); err != nil || string(text) != content {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for name, want := range map[string]string{"podium_tools/a_b.py": `NAME = "a-b"`, "podium_tools/a_b_2.py": `NAME = "a_b"`, "a-b.xml": `"podium_tools.a_b"`, "a_b.xml": `"podium_tools.a_b_2"`} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s: %v", name, want, err)
		}
	}
	for _, want := range []string{"the name A.termination is taken", "its module is a_b_2"} {
		if !strings.Contains(strings.Join(remarks, "\n"), want) {
			t.Errorf("no remark has %q: %q", want, remarks)
		}
	}
}
