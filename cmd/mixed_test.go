package cmd

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMixedContest: nets and programs are planned, run, scored and published in one contest.
// Tools for tasks answer no net, and tools for nets no task; answers to tasks are no votes.
func TestMixedContest(t *testing.T) {
	rules, err := os.ReadFile("../edition/testdata/mixed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFile(t, "mixed.yaml", string(rules))
	run(t, 0, "check", "edition", "mixed.yaml")
	run(t, 0, "model", "generate", "DiningPhilosophers", "002", "--out", "models")
	writeTools(t, "tasks", map[string]string{"unreach-call.prp": properties[unreach], "Loops.set": "*.yml\n", "Heap.set": "b.yml\n"})
	for name, verdict := range map[string]bool{"a": true, "b": false, "c": true} {
		writeTools(t, "tasks", map[string]string{name + ".c": "int main(void) { return 0; }\n",
			name + ".yml": fmt.Sprintf("format_version: '2.0'\ninput_files: %s.c\nproperties: [{property_file: unreach-call.prp, expected_verdict: %t}]\n", name, verdict)})
	}
	// Three tools of the same opinion are right about two tasks; a vote would make them so of all.
	for _, name := range []string{"optimist", "sanguine", "hopeful"} {
		writeTools(t, "tools", map[string]string{name + "/tool.yaml": "format: podium-tool/1\nname: " + name + "\ncommand: /bin/sh -c 'echo TRUE' {input}\n"})
	}
	writeTools(t, "tools", map[string]string{"reader/tool.yaml": "format: podium-tool/1\nname: reader\ncommand: /bin/sh -c 'case $0 in *b.c) echo FALSE ;; *) echo TRUE ;; esac' {input}\n"})
	run(t, 2, "plan", "--out", "m", "--models", "models", "--tasks", "tasks", "--tools", "tools", "--edition", "svcomp2026")
	run(t, 0, "plan", "--out", "m", "--models", "models", "--tasks", "tasks", "--tools", "tools", "--tools", "explicit", "--tools", "symbolic", "--edition", "mixed.yaml")
	run(t, 0, "run", "m")
	out := run(t, 0, "score", "m")
	has(t, out, "GlobalProperties\n  1. ", "Loops\n  1. reader ", "Heap\n  1. reader ", "Programs\n  1. reader ")
	for _, stray := range []string{"explicit TRUE", "symbolic TRUE", "Confidence 1"} {
		if strings.Contains(out, stray) {
			t.Errorf("%q in\n%s", stray, out)
		}
	}
	run(t, 0, "publish", "--out", "site", "m")
	totals := totalsOf(t, "site")
	for key, want := range map[string]string{"GlobalProperties explicit": "32 2", "Loops reader": "5 1", "Loops optimist": "-28 2", "Heap reader": "1 1", "Heap optimist": "-32 2",
		"GlobalProperties reader": "0 0", "Loops explicit": "0 0", "Programs reader": "16/3 1"} {
		row := totals[key]
		rank := row["rank"]
		if rank != "0" && rank != "1" || key == "GlobalProperties explicit" {
			rank = "2" // equal but for their CPU time, as explicit and symbolic are
		}
		if got := row["points"] + " " + rank; got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	for _, row := range rowsOf(t, "site/csv/votes.csv") {
		if strings.Contains(row["instance"], "#") {
			t.Errorf("the answer of %s to %s is a vote", row["tool"], row["instance"])
		}
	}
	for _, row := range rowsOf(t, "site/csv/confidences.csv") {
		if nets := row["tool"] == "explicit" || row["tool"] == "symbolic"; !nets && row["answered"] != "0" {
			t.Errorf("%s has answered %s consistent values, and runs on tasks only", row["tool"], row["answered"])
		}
	}
	for _, row := range rowsOf(t, "site/csv/references.csv") {
		if task := strings.Contains(row["instance"], "#"); (row["state"] == "oracle") != task {
			t.Errorf("the reference of %s is %s", row["instance"], row["state"])
		}
	}
	for _, row := range rowsOf(t, "site/csv/runs.csv") {
		nets := row["tool"] == "explicit" || row["tool"] == "symbolic"
		if task := strings.Contains(row["instance"], "#"); task == nets {
			t.Errorf("%s ran on %s", row["tool"], row["instance"])
		}
	}
	for _, row := range rowsOf(t, "site/csv/efforts.csv") {
		if row["category"] == "GlobalProperties" {
			t.Errorf("%v", row)
		}
	}
	page, err := os.ReadFile("site/categories/GlobalProperties.html")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(page), "Tasks and properties") {
		t.Error("the page of a category of nets has a table of tasks")
	}
	run(t, 0, "certify", "m")
	has(t, run(t, 0, "score", "--certified", "m"), "DiningPhilosophers-PT-002 OneSafe OneSafe ")
	run(t, 0, "whatif", "m", "--without-tool", "reader")
	run(t, 0, "export", "--format", "raw", "--out", "raw.csv", "m")
	has(t, run(t, 0, "verify", "--edition", "mixed.yaml", "raw.csv"), "Loops\n  1. reader ")
	run(t, 0, "export", "--format", "answers", "--out", "answers.csv", "m")
	run(t, 0, "export", "--format", "benchmark", "--out", "benchmark", "m")
	if _, err := os.Stat("benchmark/reader.xml"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("benchmark/explicit.xml"); err == nil {
		t.Error("a tool for nets is in a benchmark of programs")
	}
	// Nets, an examination, tasks, and tools of both kinds join.
	run(t, 0, "model", "generate", "DiningPhilosophers", "003", "--out", "later")
	writeTools(t, "new", map[string]string{"d.c": "int main(void) { return 0; }\n", "parts/d.h": "\n", "unreach-call.prp": properties[unreach], "Arrays.set": "d.yml\n",
		"d.yml": "format_version: '2.0'\ninput_files: d.c\nrequired_files: parts\nproperties: [{property_file: unreach-call.prp, expected_verdict: true}]\n"})
	writeTools(t, "joins", map[string]string{"late/tool.yaml": "format: podium-tool/1\nname: late\ncommand: /bin/sh -c 'echo TRUE' {input}\n"})
	out = run(t, 0, "extend", "m", "--models", "later", "--tasks", "new", "--tools", "joins", "--tools", "proof")
	has(t, out, "tools: late, proof\n", "instances and tasks: DiningPhilosophers-PT-003, d.yml#unreach-call\n", "examinations and categories: Arrays\n")
	run(t, 0, "run", "m")
	has(t, run(t, 0, "score", "m"), "Arrays\n  1. ", "late −32", "GlobalProperties\n  1. ")
	run(t, 2, "extend", "m", "--tasks", "new")
	run(t, 0, "archive", "m", "--author", "Ada", "--licence", "https://example.org/l", "--out", "m.tar.zst")
	run(t, 0, "verify", "m.tar.zst")
}
