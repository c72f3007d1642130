package cmd

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"podium/internal/publish/paths"
	"podium/internal/results"
)

// parts2012 are the categories of SV-COMP 2012 with their numbers of unsafe and safe
// tasks.
var parts2012 = []struct {
	name         string
	unsafe, safe int
}{{"ControlFlowInteger", 42, 51}, {"DeviceDrivers", 15, 44}, {"DeviceDrivers64", 16, 25}, {"HeapManipulation", 4, 10}, {"SystemC", 37, 25}, {"Concurrency", 5, 3}}

// table4 is Table 4 of the report of 2012: points and seconds by category in the order
// of parts2012, and Overall. "-" is the dash.
var table4 = map[string]string{
	"BLAST":     "71 9900, 72 30, 55 1400, -, 33 4000, -, 231 15000",
	"CPA-ABE":   "141 1000, 51 97, 26 1900, 4 16, 45 1100, 0 0, 267 4100",
	"CPA-MEMO":  "140 3200, 51 93, 49 500, 4 16, 36 450, 0 0, 280 4300",
	"ESBMC":     "102 4500, 63 160, 10 870, 1 220, 67 760, 6 270, 249 6800",
	"FSHELL":    "28 580, 20 3.5, 0 0, -, -, 0 0, 48 580",
	"LLBMC":     "100 2400, 80 1.6, 1 110, 17 210, 8 2.4, -, 206 2700",
	"PREDATOR":  "17 1100, 80 1.9, 0 0, 20 1.0, 21 630, 0 0, 138 1700",
	"QARMC":     "140 4800, -, -, -, 8 820, -, 148 5600",
	"SATABS":    "75 5400, 71 140, 32 3200, -, 57 5000, 1 1.4, 236 14000",
	"WOLVERINE": "39 580, 68 65, 16 1300, -, 36 1900, -, 159 3800",
}

// table5 gives of Table 5 the category, tool, seconds, score, solved tasks, false
// alarms, missed bugs, the number of right answers TRUE that the score implies, and the
// rank.
var table5 = strings.Fields(`
ControlFlowInteger/CPA-ABE/1000/141/91/0/0/50/1 ControlFlowInteger/CPA-MEMO/3200/140/91/0/0/49/2 ControlFlowInteger/QARMC/4800/140/91/0/0/49/3
ControlFlowInteger/ESBMC/4500/102/70/0/4/48/4 ControlFlowInteger/LLBMC/2400/100/79/5/3/43/5
DeviceDrivers/LLBMC/1.6/80/46/0/0/34/1 DeviceDrivers/PREDATOR/1.9/80/46/0/0/34/2 DeviceDrivers/BLAST/30/72/51/6/1/37/3
DeviceDrivers/SATABS/140/71/43/0/1/32/4 DeviceDrivers/WOLVERINE/65/68/48/2/3/36/5
DeviceDrivers64/BLAST/1400/55/33/0/0/22/1 DeviceDrivers64/CPA-MEMO/500/49/33/2/0/20/2 DeviceDrivers64/SATABS/3200/32/17/0/0/15/3
DeviceDrivers64/CPA-ABE/1900/26/23/2/0/7/4 DeviceDrivers64/WOLVERINE/1300/16/12/0/0/4/5
HeapManipulation/PREDATOR/1.0/20/12/0/0/8/1 HeapManipulation/LLBMC/210/17/10/0/0/7/2 HeapManipulation/CPA-ABE/16/4/9/5/0/5/3
HeapManipulation/CPA-MEMO/16/4/9/5/0/5/3 HeapManipulation/ESBMC/220/1/6/3/1/5/5
SystemC/ESBMC/760/67/58/0/4/25/1 SystemC/SATABS/5000/57/40/0/0/17/2 SystemC/CPA-ABE/1100/45/34/0/0/11/3
SystemC/CPA-MEMO/450/36/30/0/0/6/4 SystemC/WOLVERINE/1900/36/25/0/0/11/5
Concurrency/ESBMC/270/6/7/0/1/3/1 Concurrency/SATABS/1.4/1/1/0/0/0/2`)

// solved writes the runs of a tool in a category of 2012 as rows of a result file: so
// many right answers TRUE and FALSE, false alarms and missed bugs. The first right
// answer takes all seconds.
func solved(tool, category string, rightTrue, rightFalse, alarms, missed int, seconds string) string {
	var b strings.Builder
	ms, _ := new(big.Rat).SetString(seconds)
	ms.Mul(ms, big.NewRat(1000, 1))
	row := func(i int, expected, answer string) {
		time := "0.00"
		if answer == expected {
			time = ms.FloatString(2)
			ms.SetInt64(0)
		}
		fmt.Fprintf(&b, "%s,%s-%03d,%s,-,-,-,%s,-,-,%s,%s,-,-,-,:--:0:?,%s,0\n", tool, category, i, category, answer, time, time, expected)
	}
	for _, p := range parts2012 {
		if p.name != category {
			continue
		}
		for i := range p.safe {
			row(i, "T", pick(i < rightTrue, "T", pick(i < rightTrue+alarms, "F", "?")))
		}
		for i := range p.unsafe {
			row(p.safe+i, "F", pick(i < rightFalse, "F", pick(i < rightFalse+missed, "T", "?")))
		}
	}
	return b.String()
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// has fails unless a text has each part.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in\n%s", p, text)
		}
	}
}

// rowsOf reads a table: its rows by the names of the columns.
func rowsOf(t *testing.T, path string) (list []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		fields := map[string]string{}
		for i, name := range rows[0] {
			fields[name] = row[i]
		}
		list = append(list, fields)
	}
	return list
}

// totalsOf reads totals.csv of a site: the columns of each category and tool.
func totalsOf(t *testing.T, site string) map[string]map[string]string {
	t.Helper()
	list := map[string]map[string]string{}
	for _, row := range rowsOf(t, site+"/csv/totals.csv") {
		list[row["category"]+" "+row["tool"]] = row
	}
	return list
}

// ofNets are words that the pages of a competition on tasks have no use for, of nets and of
// votes.
var ofNets = regexp.MustCompile(`(?i)[^\x00]*\b(?:nets?|models?|formulas?|markings?|instances?|examinations?|transitions?|parameters?|confidences?|votes?|elected|e-[0-9][.][0-9])\b[^\x00]*`)

// speaksOfTasks reads all pages of a site as a person does: they speak of tasks and
// categories, never of nets, models, formulas and markings. Commands of podium have the words
// of its flags, and tables the names of their columns.
func speaksOfTasks(t *testing.T, site string) {
	t.Helper()
	hidden, element := regexp.MustCompile(`(?s)<(?:script|style|code|pre)\b.*?</(?:script|style|code|pre)>`), regexp.MustCompile(`<[^>]*>`)
	shown := regexp.MustCompile(`(?:title|aria-label|alt|content)="([^"]*)"`)
	pages := 0
	err := filepath.WalkDir(site, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" || filepath.Base(path) == "data.html" {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		page := hidden.ReplaceAllString(string(text), "")
		words := element.ReplaceAllString(page, "\x00")
		for _, m := range shown.FindAllStringSubmatch(page, -1) {
			words += "\x00" + m[1]
		}
		for _, found := range ofNets.FindAllString(words, -1) {
			if !strings.Contains(found, "Data model") && !strings.Contains(found, "podium explain ") {
				t.Errorf("%s: %q", path, strings.TrimSpace(found))
			}
		}
		return nil
	})
	if err != nil || pages < 10 {
		t.Errorf("%d pages, %v", pages, err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// twoDigits rounds seconds to two significant digits, an exact half up.
func twoDigits(t *testing.T, seconds string) string {
	x, ok := new(big.Rat).SetString(seconds)
	if !ok {
		t.Fatalf("%q is no number of seconds", seconds)
	}
	tenth := new(big.Int).Quo(new(big.Int).Mul(x.Num(), big.NewInt(10)), x.Denom()).Int64()
	scale := int64(1)
	for tenth/scale >= 100 {
		scale *= 10
	}
	return strings.TrimSuffix(big.NewRat((tenth+scale/2)/scale*scale, 10).FloatString(1), ".0")
}

// TestTable4ThroughScoreAndPublish: Table 4 of SV-COMP 2012 from a file of results to
// the podium, the pages and back.
func TestTable4ThroughScoreAndPublish(t *testing.T) {
	t.Chdir(t.TempDir())
	text := results.TableHeader + "\n"
	for tool, cells := range table4 {
		for i, cell := range strings.Split(cells, ", ")[:len(parts2012)] {
			var points int
			var seconds string
			if n, _ := fmt.Sscanf(cell, "%d %s", &points, &seconds); n == 2 {
				rightTrue := min(points/2, parts2012[i].safe)
				text += solved(tool, parts2012[i].name, rightTrue, points-2*rightTrue, 0, 0, seconds)
			}
		}
	}
	writeFile(t, "table4.csv", text)
	out := run(t, 0, "score", "--edition", "svcomp2012", "table4.csv")
	has(t, out, "svcomp2012, from files of results: 10 tools on 277 tasks", "\nOverall\n  1. CPA-MEMO ......", " 280\n  2. CPA-ABE ......", " 267\n  3. ESBMC ......", " 249\n",
		"then SATABS 236, BLAST 231, LLBMC 206, WOLVERINE 159, QARMC 148, PREDATOR 138, FSHELL 48\n",
		"\nControlFlowInteger: 93 tasks (51 true, 42 false), at most 144 points\n", "\nOverall: 277 tasks (158 true, 119 false), at most 435 points\n",
		"\n  3. QARMC                      140     89      0      0 1 h 20 min not measured\n",
		"\nConcurrency\n  1. ESBMC ", "  2. SATABS ", "  1. LLBMC ", "  2. PREDATOR ")
	run(t, 0, "publish", "--edition", "svcomp2012", "--out", "site", "table4.csv")
	speaksOfTasks(t, "site")
	seen := totalsOf(t, "site")
	for tool, cells := range table4 {
		for i, cell := range strings.Split(cells, ", ") {
			category := "Overall"
			if i < len(parts2012) {
				category = parts2012[i].name
			}
			row := seen[category+" "+tool]
			if got := row["points"] + " " + twoDigits(t, row["success_cpu_s"]); cell != "-" && got != strings.TrimSuffix(cell, ".0") {
				t.Errorf("%s in %s: %s, published %s", tool, category, got, cell)
			} else if cell == "-" && row["rank"] != "0" {
				t.Errorf("%s in %s: rank %s, published -", tool, category, row["rank"])
			}
		}
	}
	has(t, readText(t, "site/categories/Overall.html"), `Made of: <a href="../categories/ControlFlowInteger.html">`, "Computed from files of results")
	run(t, 0, "export", "--edition", "svcomp2012", "--out", "again.csv", "table4.csv")
	run(t, 0, "verify", "--edition", "svcomp2012", "again.csv")
}

// TestTable5ThroughScoreAndPublish: the rows of Table 5 with CPU time, solved tasks, false alarms
// and missed bugs, the shared rank 3, 3, 5 among them; and the dash of a total below zero. Of the
// rows of Overall the report does not say how the counts divide among the categories; its scores
// are those of Table 4.
func TestTable5ThroughScoreAndPublish(t *testing.T) {
	t.Chdir(t.TempDir())
	text, want := results.TableHeader+"\n", map[string][]string{}
	columns := map[string]string{} // by category and tool: seconds, solved tasks, false alarms, missed bugs
	for _, line := range table5 {
		f := strings.Split(line, "/")
		var n [5]int
		for i := range n {
			fmt.Sscan(f[3+i], &n[i])
		}
		text += solved(f[1], f[0], n[4], n[1]-n[4], n[2], n[3], f[2])
		want[f[0]] = append(want[f[0]], f[8]+" "+f[1]+" "+f[3])
		columns[f[0]+" "+f[1]] = strings.Join([]string{strings.TrimSuffix(f[2], ".0"), f[4], f[5], f[6]}, " ")
	}
	writeFile(t, "table5.csv", text)
	shown := rankings(run(t, 0, "score", "--edition", "svcomp2012", "table5.csv"))
	run(t, 0, "publish", "--edition", "svcomp2012", "--out", "site", "table5.csv")
	seen := totalsOf(t, "site")
	for category, rows := range want {
		for i, row := range rows {
			// The ranks behind the podium are not printed.
			if _, unranked, _ := strings.Cut(row, " "); i >= len(shown[category]) || shown[category][i] != row && shown[category][i] != unranked {
				t.Errorf("%s: %v, published %v", category, shown[category], rows)
				break
			}
		}
		for _, row := range rows {
			f := strings.Fields(row)
			got := seen[category+" "+f[1]]
			if got["rank"] != f[0] || got["points"] != f[2] {
				t.Errorf("%s: rank %s with %s points, published %s", category, got["rank"], got["points"], row)
			}
			if text := strings.Join([]string{twoDigits(t, got["success_cpu_s"]), got["right"], got["false_alarms"], got["wrong_proofs"]}, " "); text != columns[category+" "+f[1]] {
				t.Errorf("%s, %s: %s, published %s", category, f[1], text, columns[category+" "+f[1]])
			}
		}
	}
	has(t, readText(t, "site/categories/HeapManipulation.html"), "the maximal score is 24<")
	writeFile(t, "below.csv", results.TableHeader+"\n"+solved("Wrong", "Concurrency", 1, 0, 2, 0, "7"))
	has(t, run(t, 0, "score", "--edition", "svcomp2012", "below.csv"), "below zero, which counts as nothing: Wrong -\n")
	has(t, run(t, 0, "score", "--edition", "svcomp2026", "below.csv"), "then Wrong −30\n")
	for edition, dash := range map[string]string{"svcomp2012": "true 0", "svcomp2019": "false -30", "svcomp2026": "false -30"} {
		run(t, 0, "publish", "--edition", edition, "--out", edition, "below.csv")
		if row := totalsOf(t, edition)["Concurrency Wrong"]; row["dash"]+" "+row["points"] != dash {
			t.Errorf("%s: %v", edition, row)
		}
	}
}

// rankings reads what score prints: by category "RANK TOOL POINTS" of the podium, and
// "TOOL POINTS" of the others.
func rankings(summary string) map[string][]string {
	seen, category := map[string][]string{}, ""
	for line := range strings.Lines(summary) {
		line = strings.TrimRight(line, "\n")
		others, then := strings.CutPrefix(line, "     then ")
		switch {
		case then:
			seen[category] = append(seen[category], strings.Split(others, ", ")...)
		case strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   "):
			if f := strings.Fields(line); len(f) == 4 {
				seen[category] = append(seen[category], strings.TrimSuffix(f[0], ".")+" "+f[1]+" "+f[3])
			}
		case !strings.HasPrefix(line, " "):
			category = line
		}
	}
	return seen
}

// TestNormalisationThroughScore is the worked example of today's rules: two categories
// of ten tasks, and a meta category of both.
func TestNormalisationThroughScore(t *testing.T) {
	t.Chdir(t.TempDir())
	edition := run(t, 0, "check", "edition", "--show", "svcomp2026")
	if !strings.HasSuffix(edition, "SoftwareSystems]}\n") {
		t.Fatal("the edition does not end with its meta categories")
	}
	writeFile(t, "own.yaml", edition+"  - {id: Both, fn: normalised, of: [X, Y]}\n")
	text := results.TableHeader + "\n"
	for tool, points := range map[string][2]int{"A": {10, 5}, "B": {20, 0}, "C": {0, 10}, "D": {16, 8}} {
		for task := range 10 {
			row := func(category, expected, answer string) {
				text += fmt.Sprintf("%s,%s-%d,%s,-,-,-,%s,-,-,1.00,1.00,-,-,-,:--:0:?,%s,0\n", tool, category, task, category, answer, expected)
			}
			row("X", "T", pick(task < points[0]/2, "T", "?"))
			if task < 5 { // half of the tasks are safe, and worth two points each
				row("Y", "T", pick(task < points[1]/2, "T", "?"))
			} else {
				row("Y", "F", pick(task-5 < points[1]%2, "F", "?"))
			}
		}
	}
	writeFile(t, "example.csv", text)
	shown := rankings(run(t, 0, "score", "--edition", "own.yaml", "example.csv"))
	if got := strings.Join(shown["Both"], ", "); got != "1 D 24, 2 B 20, 3 A 15, C 10" {
		t.Errorf("%s", got)
	}
	run(t, 0, "publish", "--edition", "own.yaml", "--out", "site", "example.csv")
	seen := totalsOf(t, "site")
	for tool, points := range map[string]string{"A": "15", "B": "20", "C": "10", "D": "24"} {
		if row := seen["Both "+tool]; row["points"] != points {
			t.Errorf("%s: %v", tool, row)
		}
	}
}

// TestOtherRankings: Correct, Green and New, where an edition names them, from
// BenchExec's XML to the podium, the pages and the CSV.
func TestOtherRankings(t *testing.T) {
	t.Chdir(t.TempDir())
	text := run(t, 0, "check", "edition", "--show", "svcomp2026")
	writeFile(t, "own.yaml", text+"rankings: [Correct, Green, New]\nfirst_time: [new 1]\nopt_out: {old 1: [Heap]}\n")
	for _, tool := range []struct{ name, energy string }{{"old", "10"}, {"new", "3"}} {
		result := func(set, task, expected, status, category string) string {
			return `<result benchmarkname="b" block="` + set + `" tool="` + tool.name + `" version="1" generator="BenchExec 3.20"><run name="` + task +
				`" properties="unreach-call" expectedVerdict="` + expected + `"><column title="status" value="` + status + `"/><column title="cputime" value="2s"/>` +
				`<column title="cpuenergy" value="` + tool.energy + `J"/><column title="category" value="` + category + `"/></run></result>`
		}
		writeFile(t, tool.name+".loops.xml", result("Loops", "a.yml", "true", "true", "correct"))
		writeFile(t, tool.name+".heap.xml", result("Heap", "b.yml", "false", "false(unreach-call)", "correct"))
	}
	files := []string{"old.loops.xml", "old.heap.xml", "new.loops.xml", "new.heap.xml"}
	out := run(t, 0, append([]string{"score", "--edition", "own.yaml"}, files...)...)
	has(t, out, "\n     Correct (errors per point): 1. new 1 0, 1. old 1 0\n", "\n     Green (J per point): 1. new 1 1.50, 2. old 1 5\n", "\n     New (points): 1. new 1 2\n",
		"opted out: old 1 -\n")
	run(t, 0, append([]string{"publish", "--edition", "own.yaml", "--out", "site"}, files...)...)
	has(t, readText(t, "site/csv/rankings.csv"), "Loops,Green,1,new 1,3/2,1.5,J per point,2,2,3,1,0\n", "Heap,New,1,new 1,1,1,points,1,2,3,1,0\n")
	has(t, readText(t, "site/categories/Loops.html"), "Other rankings", "Green: tools with points above 0", "J per point", ">3.00\u00a0J<", ">new</span>", "the maximal score is 2<")
	has(t, out, "\nFirst three                  points solved alarms proofs  CPU time       energy\n", "\nLoops: 1 task (1 true, 0 false), at most 2 points\n  1. new 1 (new)                  2      1      0      0    2.00 s       3.00 J\n",
		"  1. old 1                        2      1      0      0    2.00 s       10.0 J\n", "\nHeap: 1 task (0 true, 1 false), at most 1 point\n")
	if row := rowsOf(t, "site/csv/categories.csv")[1]; row["best"] != "new 1, old 1" || row["best_new"] != "new 1" || row["maximal_points"] != "2" || row["tasks"] != "1" {
		t.Errorf("%v", row)
	}
	has(t, readText(t, "site/"+paths.Tool(paths.Name("new 1"))), "takes part for the first time")
	if row := totalsOf(t, "site")["Loops old 1"]; row["success_energy_j"] != "10" || row["success_cpu_s"] != "2" || row["dash"] != "false" {
		t.Errorf("%v", row)
	}
	writeFile(t, "demo.yaml", strings.Replace(text, "metas:", "demo: [Heap]\nout_of_competition: [old 1]\nmetas:\n  - {id: Both, fn: normalised, of: [Loops, Heap]}", 1))
	out = run(t, 0, append([]string{"score", "--edition", "demo.yaml"}, files...)...)
	has(t, out, "\nHeap\n     a demonstration: shown, not scored: new 1 -\n", "\nBoth\n  1. new 1 ", " 2\n     out of competition, as the edition or the plan says: old 1 2\n")
	run(t, 0, append([]string{"publish", "--edition", "demo.yaml", "--out", "demo"}, files...)...)
	has(t, readText(t, "demo/categories/Heap.html"), "This category is a demonstration: it is shown and not scored.", "Answers, witnesses and effort")
	if row := totalsOf(t, "demo")["Heap new 1"]; row["points"] != "0" || row["dash"] != "true" || row["right"] != "1" || row["rank"] != "0" {
		t.Errorf("%v", row)
	}
	has(t, readText(t, "demo/rules.html"), "Heap: a demonstration, which is shown and not scored")
	for _, wrong := range []string{"rankings: [Best]\n", "rankings: [New, New]\n"} {
		writeFile(t, "wrong.yaml", text+wrong)
		found := run(t, 3, "check", "edition", "wrong.yaml")
		has(t, found, "rankings lists each of Correct, Green and New once at most")
	}
}

// readText returns the text of a file.
func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
