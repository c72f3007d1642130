package publish

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/columns"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

const (
	tableNet    = "Net-COL-010"
	tableStates = examinations.ID("StateSpace")
	tableDead   = examinations.ID("ReachabilityDeadlock")
	tableHuge   = "123456789012345678901234567890123456789012345678901234567890"
	tableBad    = "bad\xff\"<script>" // no UTF-8
)

// smallContest is a contest of five tools that has one of each: right, wrong, open,
// refused, void, no figures, and a name that is no UTF-8.
func smallContest(t *testing.T) *judged.Contest {
	t.Helper()
	ed, _, err := judged.LoadEdition("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	b := ed.Builder()
	b.Instance(tableNet, models.Surprise)
	for _, tool := range []string{"right", "also", "wrong", tableBad, "void"} {
		b.Tool(scoring.Tool{Name: tool, Family: "team of " + tool})
	}
	b.Tool(scoring.Tool{Name: "guest", OutOfCompetition: true})
	log := &campaign.Log{Workers: []campaign.Opened{{Worker: "w1", Host: "node1"}}, Finished: map[campaign.Run]*campaign.Finished{}}
	add := func(tool string, exam examinations.ID, end vm.Termination, answers ...campaign.Answer) {
		f := campaign.Finished{Run: campaign.Run{Tool: tool, Instance: tableNet, Exam: exam}, Worker: "w1", Answers: campaign.AnswersOf(answers...), Participation: output.Answered,
			Outcome: vm.Outcome{Termination: end, Started: time.UnixMicro(1_700_000_000_123_456), CPUTime: vm.Took(1500 * time.Microsecond), WallTime: vm.Took(time.Second), MemoryPeak: 1 << 40}}
		if len(answers) == 0 {
			f.Participation = output.DoesNotCompete
		}
		if tool == "guest" {
			f.Outcome.Distrust(vm.Times, "They are hidden.")
		}
		log.Finished[f.Run] = &f
		if err := b.Add(judged.Entry(&f)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"right", "also", "guest"} {
		add(tool, tableStates, vm.Exited, campaign.Answer{Item: "STATES", Text: tableHuge, Techniques: "EXPLICIT WALK\xfe", At: 77})
		add(tool, tableDead, vm.Exited, campaign.Answer{Item: string(tableDead), Text: "TRUE"})
	}
	add("wrong", tableDead, vm.OutOfMem, campaign.Answer{Item: string(tableDead), Text: "FALSE"})
	add(tableBad, tableDead, vm.Exited)
	if err := b.Add(scoring.Entry{Tool: "void", Instance: tableNet, Exam: tableDead, Run: scoring.Run{Participation: scoring.Void}}); err != nil {
		t.Fatal(err)
	}
	j := &judged.Campaign{Contest: judged.Contest{Result: ed.Score(b.Contest()), Edition: ed}, Campaign: &campaign.Campaign{}, Log: log}
	j.Facts = j
	return &j.Contest
}

// exported writes the tables as lines of JSON, and returns their rows.
func exported(t *testing.T, j *judged.Contest, ofRuns bool) map[string][]map[string]any {
	t.Helper()
	dir := t.TempDir()
	if err := Export(dir, "json", j, ofRuns, "test"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]map[string]any{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		tables[name] = nil
		for line := range bytes.Lines(text) {
			var row map[string]any
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			tables[name] = append(tables[name], row)
		}
	}
	return tables
}

// where returns the only row with these cells.
func where(t *testing.T, rows []map[string]any, cells ...any) map[string]any {
	t.Helper()
	var found []map[string]any
	for _, row := range rows {
		fits := true
		for i := 0; i < len(cells); i += 2 {
			fits = fits && row[cells[i].(string)] == cells[i+1]
		}
		if fits {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d rows have %v", len(found), cells)
	}
	return found[0]
}

// hasCells checks cells of a row.
func hasCells(t *testing.T, row map[string]any, cells ...any) {
	t.Helper()
	for i := 0; i < len(cells); i += 2 {
		if got := row[cells[i].(string)]; got != cells[i+1] {
			t.Errorf("%s is %v, not %v, in %v", cells[i], got, cells[i+1], row)
		}
	}
}

// TestTables: what was judged is what the tables hold.
func TestTables(t *testing.T) {
	j := smallContest(t)
	tables := exported(t, j, false)
	if len(tables["runs"]) != 8 { // four were never there
		t.Fatalf("%d runs", len(tables["runs"]))
	}
	run := func(tool string) map[string]any {
		return where(t, tables["runs"], "tool", tool, "examination", string(tableDead))
	}
	hasCells(t, run("right"), "team", "team of right", "instance", tableNet, "model", "Net", "parameter", "010", "kind", "COL", "class", "surprise", "participation", "answered", "termination", "exited",
		"host", "node1", "started", 1_700_000_000_123_456.0, "cpu_us", 1500.0, "wall_us", 1e6, "memory_bytes", float64(1<<40), "energy_uj", nil, "no_score", nil, "void", nil)
	hasCells(t, run("guest"), "cpu_us", nil, "memory_bytes", float64(1<<40), "fastest", false)
	hasCells(t, run("wrong"), "termination", "memory")
	if run("right")["units"].(float64) <= 0 || run("wrong")["units"].(float64) >= 0 {
		t.Error("points have wrong signs")
	}
	hasCells(t, run("bad\ufffd\"<script>"), "participation", "DNC", "units", 0.0)
	answer := func(tool, item string) map[string]any {
		return where(t, tables["answers"], "tool", tool, "value_id", item)
	}
	hasCells(t, answer("right", "STATES"), "answer", tableHuge, "reference", tableHuge, "mark", "right", "at_us", 77.0)
	if got := answer("right", "STATES")["techniques"].([]any); !slices.Equal(got, []any{"EXPLICIT", "WALK\ufffd"}) {
		t.Errorf("the techniques are %v", got)
	}
	hasCells(t, answer("wrong", string(tableDead)), "answer", "FALSE", "mark", "wrong", "reference", "TRUE")
	hasCells(t, answer("also", "TRANSITIONS"), "answer", nil, "mark", "open", "reference", nil)
	if slices.ContainsFunc(tables["answers"], func(a map[string]any) bool { return strings.HasPrefix(a["tool"].(string), "bad") }) {
		t.Error("a tool that does not compete has answers")
	}
	ref := where(t, tables["references"], "examination", string(tableDead))
	hasCells(t, ref, "value", "TRUE", "proved", nil, "word", j.Result.References[j.Result.Contest.ValueOf(j.Result.Contest.SheetOf(tableNet, tableDead), string(tableDead))].Clause.Word())
	if votes, supporters := ref["votes"].(float64), ref["supporters"].(float64); supporters < 1 || supporters > votes {
		t.Errorf("%v of %v votes", supporters, votes)
	}
	if len(tables["confidences"]) != 6 {
		t.Errorf("%d tools", len(tables["confidences"]))
	}
	hasCells(t, where(t, tables["confidences"], "tool", "guest"), "out_of_competition", true)
	hasCells(t, where(t, tables["totals"], "tool", "wrong", "category", j.Result.Contest.Exams[j.Result.Contest.Sheets[j.Result.Contest.SheetOf(tableNet, tableDead)].Exam].Category), "memory_outs", 1.0, "timeouts", 0.0)
	scored := 0
	for _, run := range tables["runs"] {
		sum := new(big.Rat)
		for _, item := range tables["scores"] {
			if item["tool"] == run["tool"] && item["examination"] == run["examination"] {
				sum.Add(sum, new(big.Rat).SetFloat64(item["points"].(float64)))
			}
		}
		if got, _ := sum.Float64(); got != run["points"] {
			t.Errorf("addends make %v of %v", got, run)
		} else if got != 0 {
			scored++
		}
	}
	if scored < 7 {
		t.Errorf("only %d runs have points", scored)
	}
}

// TestTablesOfChosenRuns: they hold these alone, and points and ranks as all runs made them.
func TestTablesOfChosenRuns(t *testing.T) {
	j := smallContest(t)
	all := exported(t, j, false)
	only := j.Result.Contest.ToolNamed("wrong")
	j.Result = j.Result.Only(func(_, tool int) bool { return tool == only })
	some := exported(t, j, true)
	for _, name := range []string{"runs", "confidences", "references", "answers"} {
		if len(some[name]) != 1 {
			t.Errorf("%s has %d rows", name, len(some[name]))
		}
	}
	for _, total := range some["totals"] {
		before := where(t, all["totals"], "tool", "wrong", "category", total["category"])
		hasCells(t, total, "tool", "wrong", "points", before["points"], "rank", before["rank"], "right", before["right"], "wrong", before["wrong"])
	}
}

// TestColumnsAreDocumented holds docs/columns.md to the tables: every column, in order, with its
// type and what it means.
func TestColumnsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/columns.md")
	if err != nil {
		t.Fatal(err)
	}
	v := newView(fixture(1, 2, 1))
	tables := append(v.tables(true), v.tableOfEfforts(), v.tableOfCategories(), v.tableOfTasks(), v.tableOfRepetitions())
	for _, table := range tables {
		if section := sectionOf(&table); !strings.Contains(string(page), section) {
			t.Errorf("the page lacks\n%s", section)
		}
	}
	if n := strings.Count(string(page), "| column | type | what |"); n != len(tables) {
		t.Errorf("the page has %d tables, not %d", n, len(tables))
	}
}

// sectionOf is what the page says of a table.
func sectionOf(t *columns.Table) string {
	var b strings.Builder
	b.WriteString("## " + t.Name + "\n\nA row is " + t.Row + ".\n\n| column | type | what |\n|---|---|---|\n")
	for _, c := range t.Columns {
		b.WriteString("| `" + c.In() + "` | " + c.Type.String() + " | " + strings.TrimSpace(c.About+" ") + strings.Repeat(" ", min(1, len(c.About))) + "|\n")
	}
	return b.String()
}
