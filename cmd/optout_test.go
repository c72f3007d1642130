package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// complains runs podium, and returns what it says on standard error.
func complains(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if got := Main(t.Context(), args, strings.NewReader(""), &out, &talk); got != want {
		t.Fatalf("podium %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, talk.String())
	}
	return talk.String()
}

// TestOptOut: a tool shows no results in a category that it opts out of, by its manifest or by
// a flag, and they count in the meta category all the same.
func TestOptOut(t *testing.T) {
	rules, err := os.ReadFile("../edition/testdata/mixed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFile(t, "rules.yaml", string(rules))
	writeTools(t, "tasks", map[string]string{"unreach-call.prp": properties[unreach], "no-overflow.prp": properties[overflow], "Loops.set": "a.yml\nb.yml\n", "Heap.set": "c.yml\n"})
	for name, property := range map[string]string{"a": "unreach-call", "b": "unreach-call", "c": "no-overflow"} {
		writeTools(t, "tasks", map[string]string{name + ".c": "int main(void) { return 0; }\n",
			name + ".yml": fmt.Sprintf("format_version: '2.0'\ninput_files: %s.c\nproperties: [{property_file: %s.prp, expected_verdict: true}]\n", name, property)})
	}
	for name, more := range map[string]string{"open": "", "shy": "", "quiet": "opt_out: [unreach-call]\n"} {
		writeTools(t, "tools", map[string]string{name + "/tool.yaml": "format: podium-tool/1\nname: " + name + "\n" + more + "command: /bin/sh -c 'echo TRUE' {input}\n"})
	}
	plan := []string{"plan", "--out", "c", "--tasks", "tasks", "--tools", "tools", "--edition", "rules.yaml"}
	for wrong, said := range map[string]string{
		"shy=Hepa":             "tool shy opts out of \"Hepa\", which is no category and no property here; the nearest is Heap",
		"shi=Heap":             "no tool that is planned now has this name; the nearest is shy",
		"shy":                  "write TOOL=CATEGORY",
		"open=Loops,noverflow": "no category and no property here",
	} {
		if got := complains(t, 2, append(plan, "--opt-out", wrong)...); !strings.Contains(got, said) {
			t.Errorf("%s: %s", wrong, got)
		}
	}
	writeTools(t, "tasks", map[string]string{"Heap.set": "c.yml\nb.yml\n"})
	if got := complains(t, 2, plan...); !strings.Contains(got, "the category Heap has tasks of other properties, too") {
		t.Error(got)
	}
	writeTools(t, "tasks", map[string]string{"Heap.set": "c.yml\n"})
	run(t, 0, "try", "tools/quiet", "tasks/c.yml") // a task that has nothing to do with unreach-call
	run(t, 0, append(plan, "--opt-out", "shy=Heap,Programs")...)
	run(t, 0, "run", "c")
	has(t, strings.Join(strings.Fields(run(t, 0, "score", "c")), " "),
		"3 tools on 3 tasks, 6 runs, 0 disagreements. 3 more runs are in categories that their tools opt out of, and are not shown.")
	run(t, 0, "publish", "--out", "site", "c")
	totals := totalsOf(t, "site")
	for key, dash := range map[string]bool{"Loops open": false, "Heap open": false, "Loops shy": false, "Heap shy": true, "Programs shy": true, "Loops quiet": true, "Heap quiet": false, "Programs quiet": false} {
		if got := totals[key]; got["dash"] != fmt.Sprint(dash) || (got["points"] == "0") != dash {
			t.Errorf("%s: a dash is %s, and there are %s points", key, got["dash"], got["points"])
		}
	}
	if got := totals["Programs quiet"]["points"]; got != totals["Programs open"]["points"] || got == "0" {
		t.Errorf("the runs of quiet count %s in the meta category", got)
	}
	shown := map[string]string{"open": "3", "shy": "2", "quiet": "1"} // right answers in all that is shown
	for _, row := range rowsOf(t, "site/csv/efforts.csv") {
		if want := shown[row["tool"]]; row["category"] == "" && row["answer"] == "TRUE" && row["right"] != want {
			t.Errorf("%s has %s right answers in all, not %s", row["tool"], row["right"], want)
		}
	}
	hidden := map[string]bool{"shy Heap": true, "quiet Loops": true}
	tables, err := filepath.Glob("site/csv/*.csv")
	if err != nil || len(tables) < 5 {
		t.Fatalf("%v, %v", tables, err)
	}
	for _, table := range tables {
		for _, row := range rowsOf(t, table) {
			if hidden[row["tool"]+" "+row["examination"]] {
				t.Errorf("%s: %v", table, row)
			}
		}
	}
	run(t, 0, "export", "--format", "json", "--out", "json", "c")
	for _, table := range []string{"runs", "answers", "scores"} {
		text, err := os.ReadFile("json/" + table + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `"tool":"shy"`) && strings.Contains(line, `"examination":"Heap"`) {
				t.Errorf("%s: %s", table, line)
			}
		}
	}
	if got := complains(t, 0, "export", "--out", "raw.csv", "c"); !strings.Contains(got, "3 runs are in the file, in categories that the tools opt out of") {
		t.Error(got)
	}
	page, err := os.ReadFile("site/instances/c.yml~23no-overflow.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "#Heap.quiet") || strings.Contains(string(page), "#Heap.shy") || strings.Count(string(page), `data-v="-999999">–<`) != 1 {
		t.Error("the page of a task shows a tool that opts out of its category, or leaves out another")
	}
	// Nothing is lost: the runs are in the journal, and another plan is another contest.
	has(t, run(t, 0, "status", "c"), "finished           9")
	if got := complains(t, 6, append(plan, "--opt-out", "shy=Loops")...); !strings.Contains(got, "what tool shy opts out of has changed") {
		t.Error(got)
	}
	// Opt-outs of an edition are compared with what is planned.
	writeFile(t, "own.yaml", string(rules)+"opt_out: {shie: [Loops], shy: [Lops, Heap], quiet: [Programs]}\n")
	said := complains(t, 0, "plan", "--out", "own", "--tasks", "tasks", "--tools", "tools", "--edition", "own.yaml")
	has(t, said, "note: opt_out of the edition names the tool \"shie\", which is not planned; the nearest is shy\n",
		"note: opt_out of the edition names for the tool shy the category \"Lops\", which is not here; the nearest is Loops\n")
	if strings.Contains(said, "Heap") || strings.Contains(said, "quiet") {
		t.Error(said)
	}
	// A tool that joins opts out as well.
	writeTools(t, "more", map[string]string{"late/tool.yaml": "format: podium-tool/1\nname: late\ncommand: /bin/sh -c 'echo TRUE' {input}\n"})
	if got := complains(t, 2, "extend", "c", "--tools", "more", "--opt-out", "late=Lops"); !strings.Contains(got, "the nearest is Loops") {
		t.Error(got)
	}
	if got := complains(t, 2, "extend", "c", "--opt-out", "open=Loops"); !strings.Contains(got, "no tool that is planned now has this name: --tools names those that join") {
		t.Error(got)
	}
	run(t, 0, "extend", "c", "--tools", "more", "--opt-out", "late=Loops")
	run(t, 0, "run", "c")
	run(t, 0, "publish", "--out", "later", "c")
	if got := totalsOf(t, "later"); got["Loops late"]["dash"] != "true" || got["Heap late"]["dash"] != "false" {
		t.Errorf("%v, %v", got["Loops late"], got["Heap late"])
	}
}
