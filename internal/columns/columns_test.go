package columns

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

const (
	net    = "Net-COL-010"
	states = examinations.ID("StateSpace")
	dead   = examinations.ID("ReachabilityDeadlock")
	huge   = "123456789012345678901234567890123456789012345678901234567890"
	bad    = "bad\xff\"<script>" // no UTF-8
)

// small is a contest of five tools that has one of each: right, wrong, open,
// refused, void, no figures, and a name that is no UTF-8.
func small(t *testing.T) Source {
	t.Helper()
	ed, _, err := judged.LoadEdition("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	b := ed.Builder()
	b.Instance(net, models.Surprise)
	for _, tool := range []string{"right", "also", "wrong", bad, "void"} {
		b.Tool(scoring.Tool{Name: tool, Family: "team of " + tool})
	}
	b.Tool(scoring.Tool{Name: "guest", OutOfCompetition: true})
	log := &campaign.Log{Workers: []campaign.Opened{{Worker: "w1", Host: "node1"}}, Finished: map[campaign.Run]*campaign.Finished{}}
	add := func(tool string, exam examinations.ID, end vm.Termination, answers ...campaign.Answer) {
		f := campaign.Finished{Run: campaign.Run{Tool: tool, Instance: net, Exam: exam}, Worker: "w1", Answers: campaign.AnswersOf(answers...), Participation: output.Answered,
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
		add(tool, states, vm.Exited, campaign.Answer{Item: "STATES", Text: huge, Techniques: "EXPLICIT WALK\xfe", At: 77})
		add(tool, dead, vm.Exited, campaign.Answer{Item: string(dead), Text: "TRUE"})
	}
	add("wrong", dead, vm.OutOfMem, campaign.Answer{Item: string(dead), Text: "FALSE"})
	add(bad, dead, vm.Exited)
	if err := b.Add(scoring.Entry{Tool: "void", Instance: net, Exam: dead, Run: scoring.Run{Participation: scoring.Void}}); err != nil {
		t.Fatal(err)
	}
	j := &judged.Campaign{Contest: judged.Contest{Result: ed.Score(b.Contest()), Edition: ed}, Campaign: &campaign.Campaign{}, Log: log}
	j.Facts = j
	return Source{Contest: &j.Contest, Version: "test"}
}

// table reads a table back.
func table[R any](t *testing.T, dir, name string) []R {
	t.Helper()
	rows, err := parquet.ReadFile[R](filepath.Join(dir, name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func written(t *testing.T, s Source) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "tables")
	if err := Parquet.Write(dir, s); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTables: what was judged is what the tables hold.
func TestTables(t *testing.T) {
	s := small(t)
	dir := written(t, s)
	runs := table[run](t, dir, "runs")
	if len(runs) != 8 { // the void one took no place, and four were never there
		t.Fatalf("%d runs", len(runs))
	}
	find := func(tool string, exam examinations.ID) run {
		at := slices.IndexFunc(runs, func(r run) bool { return r.Tool == tool && r.Examination == string(exam) })
		if at < 0 {
			t.Fatalf("no run of %s on %s", tool, exam)
		}
		return runs[at]
	}
	r := find("right", dead)
	if r.Team != "team of right" || r.Instance != net || r.Model != "Net" || *r.Parameter != "010" || *r.Kind != "COL" || r.Class != "surprise" ||
		r.Participation != "answered" || *r.Termination != "exited" || *r.Host != "node1" || *r.Started != 1_700_000_000_123_456 ||
		*r.CPU != 1500 || *r.Wall != 1_000_000 || *r.Memory != 1<<40 || r.Energy != nil || r.NoScore != nil || *r.Units <= 0 {
		t.Errorf("%+v", r)
	}
	if g := find("guest", dead); g.CPU != nil || g.Wall != nil || g.Memory == nil || g.Fastest {
		t.Errorf("what was not measured is %+v", g)
	}
	if w := find("wrong", dead); *w.Termination != "memory" || *w.Units >= 0 {
		t.Errorf("%+v", w)
	}
	if d := find("bad\ufffd\"<script>", dead); d.Participation != "DNC" || *d.Units != 0 {
		t.Errorf("%+v", d)
	}
	answers := table[answer](t, dir, "answers")
	at := slices.IndexFunc(answers, func(a answer) bool { return a.Tool == "right" && a.Item == "STATES" })
	if a := answers[at]; *a.Answer != huge || *a.Reference != huge || a.Mark != "right" || *a.At != 77 || strings.Join(a.Techniques, "|") != "EXPLICIT|WALK\ufffd" {
		t.Errorf("%+v", a)
	}
	if !slices.ContainsFunc(answers, func(a answer) bool {
		return a.Tool == "wrong" && *a.Answer == "FALSE" && a.Mark == "wrong" && *a.Reference == "TRUE"
	}) ||
		!slices.ContainsFunc(answers, func(a answer) bool {
			return a.Item == "TRANSITIONS" && a.Answer == nil && a.Reference == nil && a.Mark == "open"
		}) ||
		slices.ContainsFunc(answers, func(a answer) bool { return strings.HasPrefix(a.Tool, "bad") }) {
		t.Errorf("%+v", answers)
	}
	refs := table[reference](t, dir, "references")
	at = slices.IndexFunc(refs, func(r reference) bool { return r.Examination == string(dead) })
	if r := refs[at]; *r.Reference != "TRUE" || r.Votes < r.Supporters || r.Supporters == 0 || r.Clause != s.Result.References[s.Result.Contest.ValueOf(s.Result.Contest.SheetOf(net, dead), string(dead))].Clause.Word() || r.Proved != nil {
		t.Errorf("%+v", r)
	}
	if tools := table[tool](t, dir, "tools"); len(tools) != 6 || !tools[slices.IndexFunc(tools, func(t tool) bool { return t.Tool == "guest" })].OutOfCompetition {
		t.Errorf("%+v", tools)
	}
}

var tableNames = []string{"tools", "rankings", "runs", "answers", "points", "references"}

// TestTablesAddUp: addends add up to the points of their runs, and runs to the
// points of rankings.
func TestTablesAddUp(t *testing.T) {
	s := small(t)
	dir := written(t, s)
	type key struct{ tool, instance, exam string }
	runs, totals := map[key]*big.Rat{}, map[[2]string]int64{}
	for _, p := range table[point](t, dir, "points") {
		k := key{p.Tool, p.Instance, p.Examination}
		if runs[k] == nil {
			runs[k] = new(big.Rat)
		}
		runs[k].Add(runs[k], new(big.Rat).SetFloat64(p.Points))
	}
	scored := 0
	for _, r := range table[run](t, dir, "runs") {
		if sum := runs[key{r.Tool, r.Instance, r.Examination}]; sum != nil {
			scored++
			if nearest(sum) != *r.Points {
				t.Errorf("%s on %s: addends make %v of %v", r.Tool, r.Examination, sum, *r.Points)
			}
		}
		totals[[2]string{r.Tool, r.Category}] += *r.Units
	}
	if scored < 7 {
		t.Errorf("only %d runs have addends", scored)
	}
	ranks := 0
	for _, k := range table[ranking](t, dir, "rankings") {
		if want := nearest(s.Result.Scheme.Points(totals[[2]string{k.Tool, k.Category}])); k.Points != want {
			t.Errorf("%s in %s: runs make %v of %v", k.Tool, k.Category, want, k.Points)
		}
		if k.Rank != nil {
			ranks++
		}
		if k.Rank != nil && k.Tool == "guest" {
			t.Errorf("who is out of competition has the rank %d", *k.Rank)
		}
	}
	if ranks < 5 {
		t.Errorf("only %d ranks", ranks)
	}
}

// TestLines: lines of JSON hold the rows of the Parquet files, under the same names.
func TestLines(t *testing.T) {
	s := small(t)
	dir := written(t, s)
	if err := JSON.Write(dir, s); err != nil {
		t.Fatal(err)
	}
	sameRows(t, dir, "tools", tool{})
	sameRows(t, dir, "rankings", ranking{})
	sameRows(t, dir, "runs", run{})
	sameRows(t, dir, "answers", answer{})
	sameRows(t, dir, "points", point{})
	sameRows(t, dir, "references", reference{})
}

func sameRows[R any](t *testing.T, dir, name string, zero R) {
	t.Helper()
	var names []string
	for _, f := range parquet.SchemaOf(zero).Fields() {
		names = append(names, f.Name())
	}
	slices.Sort(names)
	text, err := os.ReadFile(filepath.Join(dir, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []R
	for line := range bytes.Lines(text) {
		var keys map[string]any
		var row R
		if err := errors.Join(json.Unmarshal(line, &keys), json.Unmarshal(line, &row)); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(keys)); !slices.Equal(got, names) {
			t.Fatalf("%s has the keys %v, want %v", name, got, names)
		}
		rows = append(rows, row)
	}
	one, _ := json.Marshal(rows)
	two, _ := json.Marshal(table[R](t, dir, name))
	if !bytes.Equal(one, two) {
		t.Errorf("%s:\n%s\n%s", name, one, two)
	}
}

// TestChosenRuns: tables of chosen runs hold these alone.
func TestChosenRuns(t *testing.T) {
	s := small(t)
	c := s.Result.Contest
	only := c.ToolNamed("wrong")
	s.Result, s.Chosen = s.Result.Only(func(_, tool int) bool { return tool == only }), true
	dir := written(t, s)
	if n := []int{len(table[run](t, dir, "runs")), len(table[tool](t, dir, "tools")), len(table[reference](t, dir, "references")), len(table[answer](t, dir, "answers"))}; !slices.Equal(n, []int{1, 1, 1, 1}) {
		t.Errorf("%v rows", n)
	}
	for _, k := range table[ranking](t, dir, "rankings") {
		if k.Tool != "wrong" {
			t.Errorf("%+v", k)
		}
	}
}

// TestSameBytes: the same contest gives the same files, also over earlier ones.
func TestSameBytes(t *testing.T) {
	s := small(t)
	a, b := written(t, s), written(t, s)
	if err := Parquet.Write(b, s); err != nil {
		t.Fatal(err)
	}
	for _, name := range tableNames {
		one, err := os.ReadFile(filepath.Join(a, name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		if two, err := os.ReadFile(filepath.Join(b, name+".parquet")); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
	if left, _ := os.ReadDir(b); len(left) != len(tableNames) {
		t.Errorf("%d files are there", len(left))
	}
}

// TestColumnsAreDocumented holds docs/columns.md to the tables: every column, in
// order, with its type.
func TestColumnsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/columns.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string][]string{}
	row := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ([a-z ]+) \\|")
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		name, file, _ := strings.Cut(strings.SplitN(section, "\n", 2)[0], ".")
		if file != "parquet" {
			continue
		}
		for _, cells := range row.FindAllStringSubmatch(section, -1) {
			described[name] = append(described[name], cells[1]+" "+cells[2])
		}
	}
	for name, row := range map[string]any{"tools": tool{}, "rankings": ranking{}, "runs": run{}, "answers": answer{}, "points": point{}, "references": reference{}} {
		var want []string
		for _, f := range parquet.SchemaOf(row).Fields() {
			want = append(want, f.Name()+" "+typeOf(t, f))
		}
		if got := described[name]; !slices.Equal(got, want) {
			t.Errorf("%s.parquet: the page says\n%s\nand the file has\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("there is no %s.parquet", name)
	}
}

// typeOf is the type of a column in the words of the page.
func typeOf(t *testing.T, f parquet.Field) string {
	null := ""
	if f.Optional() {
		null = " or null"
	}
	if !f.Leaf() {
		return "list of texts"
	}
	kind, _, _ := strings.Cut(f.Type().String(), "(")
	word, ok := map[string]string{"STRING": "text", "TIMESTAMP": "time", "BOOLEAN": "boolean", "INT": "integer", "INT32": "integer", "INT64": "integer", "DOUBLE": "number"}[kind]
	if !ok {
		t.Fatalf("%s is %s", f.Name(), kind)
	}
	return word + null
}
