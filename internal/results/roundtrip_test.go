package results

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/scoring"
)

// asXML writes every tool of a result as BenchExec XML and reads the files again.
func asXML(t *testing.T, e *edition.Edition, r *scoring.Result) *scoring.Contest {
	t.Helper()
	var sets []*BenchSet
	for tool := range r.Contest.Tools {
		var out bytes.Buffer
		if err := WriteBenchExec(&out, e, r, tool, BenchInfo{}); err != nil {
			t.Fatal(err)
		}
		checkDocumentType(t, bytes.Clone(out.Bytes()))
		set, found := ReadBenchExec("own.xml", &out)
		if len(found) > 0 {
			t.Fatal(found)
		}
		sets = append(sets, set)
	}
	c, found := BenchContest(sets, e, Participants{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return c
}

// TestOrderAndLengthInXML: a file of its own for each tool still says which row of
// equals came first, and which vector was cut.
func TestOrderAndLengthInXML(t *testing.T) {
	e := named(t, "mcc2020")
	table := synthetic(append(calibration("A", "B", "C"), "C|Net-PT-1|OneSafe|T|7.00|7.000", "A|Net-PT-1|OneSafe|T|7.00|7.000",
		"B|Net-PT-1|CTLCardinality|TTTTTTTTTT|7.00|7.000", "A|Net-PT-1|CTLCardinality|TTTTTTTTTTTTTTTT|8.00|8.000")...)
	c, found := table.Contest(e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	again, err := table.Judged(e, e.Score(asXML(t, e, e.Score(c))))
	if err != nil {
		t.Fatal(err)
	}
	rows := judged(t, "mcc2020", table)
	for i := range rows {
		expect(t, again.Rows[i:], JudgementColumn, rows[i][JudgementColumn])
	}
	expect(t, rows[3:], JudgementColumn, "FFFF:PM:10255:T", "FFFF:--:10255:T")
}

// TestRawTableOfTasks: a table of tasks is verified as it was written, in editions
// whose categories are those of the file and whose verdicts are given.
func TestRawTableOfTasks(t *testing.T) {
	for _, id := range taskEditions {
		e := named(t, id)
		b := e.Builder()
		for i, task := range []struct{ expected, got string }{{"TRUE", "TRUE"}, {"FALSE", "FALSE"}, {"FALSE", "TRUE"}, {"TRUE", "FALSE"}, {"TRUE", ""}, {"", "TRUE"}} {
			name := string(rune('a'+i)) + ".c#unreach-call"
			entry := scoring.Entry{Tool: "P", Instance: name, Exam: "Loops", Run: scoring.Run{Participation: scoring.CannotCompute, CPU: int64(i), Wall: 1, Memory: 1}}
			if task.got != "" {
				entry.Participation = scoring.Answered
				entry.Answers = []scoring.AnsweredValue{{Item: "Loops", Value: verdictValue(task.got)}}
			}
			if err := b.Declare(name, "Loops", "Loops"); err != nil {
				t.Fatal(err)
			}
			if task.expected != "" {
				if err := b.Oracle(name, "Loops", "Loops", verdictValue(task.expected)); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.Add(entry); err != nil {
				t.Fatal(err)
			}
		}
		r := e.Score(b.Contest())
		written, found := TableOf("raw.csv", e, r, nil)
		if len(found) > 0 {
			t.Fatal(found)
		}
		var out bytes.Buffer
		if err := written.Write(&out); err != nil {
			t.Fatal(err)
		}
		read, found := ReadTable("raw.csv", &out)
		if len(found) > 0 {
			t.Fatal(found)
		}
		report, found := Verify(read, e, Participants{})
		if len(found) > 0 || report.Deviations() != 0 || report.Rows != 6 {
			t.Fatalf("%s: %v, %+v", id, found, report)
		}
		if points := report.Result.Categories[0].Tallies[0]; points.Right != 2 || points.Wrong != 2 {
			t.Errorf("%s: %+v", id, points)
		}
		read.Rows[0][JudgementColumn] = ":--:1:T" // two points were given
		if report, _ = Verify(read, e, Participants{}); report.Deviations() != 1 {
			t.Errorf("%s: a wrong score is not seen", id)
		}
	}
}

// TestRawOfEveryEdition: of every edition, and of one on nets and tasks together, a table
// of random answers is verified without a deviation, whatever order its runs came in.
func TestRawOfEveryEdition(t *testing.T) {
	text, err := os.ReadFile("../../edition/testdata/mixed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	mixed, found := edition.Load("mixed.yaml", text)
	if found.Err() != nil {
		t.Fatal(found)
	}
	list := []*edition.Edition{mixed}
	for _, id := range edition.Names() {
		list = append(list, named(t, id))
	}
	for _, e := range list {
		for seed := range uint64(8) {
			r := e.Score(randomAnswers(t, e, rand.New(rand.NewPCG(seed, 1))))
			written, found := TableOf("raw.csv", e, r, nil)
			if found.Err() != nil {
				t.Fatal(found)
			}
			var out bytes.Buffer
			if err := written.Write(&out); err != nil {
				t.Fatal(err)
			}
			read, found := ReadTable("raw.csv", &out)
			if found.Err() != nil {
				t.Fatal(found)
			}
			report, found := Verify(read, e, Participants{})
			if found.Err() != nil {
				t.Fatal(found)
			}
			if report.Rows < 50 || report.Deviations() > 0 {
				var text strings.Builder
				report.WriteText(&text)
				t.Errorf("%s, seed %d: %s", e.ID, seed, text.String())
				break
			}
		}
	}
}

// randomAnswers has answers of four tools to every examination of an edition.
func randomAnswers(t *testing.T, e *edition.Edition, rng *rand.Rand) *scoring.Contest {
	t.Helper()
	b := e.Builder()
	for _, exam := range e.Examinations {
		if exam.ID == scoring.AnyExamination {
			exam, _ = e.Asked("Loops")
		}
		for i := range 20 {
			instance := fmt.Sprintf("Net-PT-%d", i)
			if ofTask(e, &exam) {
				instance = fmt.Sprintf("%d.c#valid-memsafety", i)
			}
			var items []string
			for n := range exam.Required {
				items = append(items, rowItem(exam, n))
			}
			if err := b.Declare(instance, exam.ID, items...); err != nil {
				t.Fatal(err)
			}
			value := func() examinations.Value {
				switch n := rng.IntN(4); {
				case e.Kinds[exam.ID] == examinations.Nat:
					return examinations.Value{Kind: examinations.Nat, Text: fmt.Sprint(n)}
				case ofTask(e, &exam) && n > 1:
					return verdict.WithPart(examinations.False, verdict.MemorySafety[n-2])
				default:
					return examinations.Truth(n == 0)
				}
			}
			if ofTask(e, &exam) && i > 0 {
				if err := b.Oracle(instance, exam.ID, string(exam.ID), value()); err != nil {
					t.Fatal(err)
				}
			}
			for _, tool := range rng.Perm(4) {
				entry := scoring.Entry{Tool: fmt.Sprint("tool", tool), Instance: instance, Exam: exam.ID, Run: scoring.Run{Participation: scoring.Answered,
					CPU: rng.Int64N(3) * 1000, Wall: rng.Int64N(3) * 1000, Memory: rng.Int64N(3) * 1_000_000, Order: rng.Int32N(1000)}}
				if p := rng.IntN(12); p < int(scoring.Void) {
					entry.Participation = scoring.Participation(p)
				}
				for _, item := range items {
					a := scoring.AnsweredValue{Item: item}
					if rng.IntN(6) > 0 {
						a.Value = value()
						a.Witness = scoring.Unasked
						if ofTask(e, &exam) {
							a.Witness = []scoring.Witness{scoring.Unasked, scoring.Confirmed, scoring.Unconfirmed}[rng.IntN(3)]
						}
					}
					if entry.Participation == scoring.Answered {
						entry.Answers = append(entry.Answers, a)
					}
				}
				entry.Vector = int32(len(entry.Answers))
				if entry.Participation != scoring.Absent {
					if err := b.Add(entry); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	return b.Contest()
}

// TestVerdictsOfTasksInRaw: parts of properties, unconfirmed witnesses and expected
// verdicts without answers come back from a table.
func TestVerdictsOfTasksInRaw(t *testing.T) {
	for _, id := range taskEditions {
		e := named(t, id)
		c, found := BenchContest([]*BenchSet{benchSet(t, fmt.Sprintf(benchSample, "prover", "1"))}, e, Participants{})
		if found.Err() != nil {
			t.Fatal(found)
		}
		r := e.Score(c)
		table, found := TableOf("raw.csv", e, r, nil)
		if len(found) > 0 {
			t.Fatal(found)
		}
		var seen []string
		for _, row := range table.Rows {
			seen = append(seen, row[ResultsColumn]+" "+row[EstimatedColumn])
		}
		want := "T T, F~ F, T F, CC T, DNF ?, F(valid-free) F(valid-deref), F(valid-deref) F(valid-deref), F T, T F"
		if id == "svcomp2026" { // BenchExec 3 judges parts otherwise
			want = strings.NewReplacer("CC T", "F T", "F(valid-free)", "CC").Replace(want)
		}
		if got := strings.Join(seen, ", "); got != want {
			t.Errorf("%s: %s", id, got)
		}
		report, found := Verify(table, e, Participants{})
		if len(found) > 0 || report.Deviations() != 0 {
			t.Fatalf("%s: %v, %+v", id, found, report)
		}
		sameScores(t, r, report.Result)
		if left := Untold(e, c, true); len(left) != 1 || !strings.Contains(left[0].Message, "energy") {
			t.Errorf("%s: %v", id, left)
		}
	}
	for _, wrong := range []string{"F(", "F()", "F(a", "F(a)b", "F(a,b)", "F((a))", "TT", "~", ""} {
		if a, err := taskAnswer(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, a)
		}
	}
}

func verdictValue(word string) examinations.Value { return examinations.Truth(word == "TRUE") }

// TestKeptCategories: what was right stays so when it is written again, in the words of solvers
// and of BenchExec 1, too; what is no answer keeps its category.
func TestKeptCategories(t *testing.T) {
	e := named(t, "svcomp2026")
	for _, tc := range []struct{ name, property, status, category, want string }{
		{"a_sat.smt2", "sat", "sat", "correct", "correct 2"},
		{"a_unsat.smt2", "sat", "unsat", "correct", "correct 1"},
		{"a_unsat.smt2", "sat", "sat", "wrong", "wrong -32"},
		{"a.smt2", "sat", "unsat", "missing", "missing 0"},
		{"a.smt2", "sat", "sat", "correct", "correct 2"},
		{"a.smt2", "sat", "unknown", "unknown", "unknown 0"},
		{"a.c", "unreach-call", "sat", "missing", "missing 0"}, // of another property
		{"a_false-unreach-call.c", "unreach-call", "false(reach)", "correct", "correct 1"},
		{"a_false-unreach-label.c", "unreach-label", "false(reach)", "correct", "correct 1"},
		{"a_true-unreach-call.c", "unreach-call", "false(reach)", "wrong", "wrong -16"},
		{"a.c", "unreach-call", "false(valid-free)", "correct", "correct 1"},
		{"a.c", "unreach-call", "ERROR (7)", "error", "error 0"},
		{"a.c", "unreach-call", "TIMEOUT", "", "error 0"},
		{"a.c", "unreach-call", "done", "", "unknown 0"},
	} {
		text := fmt.Sprintf(`<result tool="T"><run name="%s" properties="%s"><column title="status" value="%s"/><column title="category" value="%s"/></run></result>`, tc.name, tc.property, tc.status, tc.category)
		set := benchSet(t, text)
		c, found := BenchContest([]*BenchSet{set}, e, Participants{})
		if found.Err() != nil {
			t.Fatal(found)
		}
		kept, _ := KeepBenchExec([]*BenchSet{set}, e.Score(c))
		var out bytes.Buffer
		if err := kept.Write(&out, 0, []byte(text)); err != nil {
			t.Fatal(err)
		}
		columns := tableRows(t, out.Bytes())[0].columns
		if got := columns["category"] + " " + columns["score"]; got != tc.want || columns["status"] != tc.status {
			t.Errorf("%v: %s %s", tc, columns["status"], got)
		}
	}
}

// TestKeepBenchExec: files of BenchExec are written again with every run, status, measure
// and column; only categories and scores are ours.
func TestKeepBenchExec(t *testing.T) {
	list, err := filepath.Glob(filepath.Join(benchData(t), "results", "*.xml*"))
	if err != nil || len(list) < 20 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	e := named(t, "svcomp2026")
	judged := regexp.MustCompile(`<column[^>]*title="(category|score)"[^>]*/>`)
	for _, path := range list {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, in, err := Open(path, data, ".xml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		set, found := ReadBenchExec(name, bytes.NewReader(text))
		if found.Err() != nil {
			t.Fatal(found)
		}
		if n := len(regexp.MustCompile(`<(run|sourcefile) `).FindAll(text, -1)); n == 0 || len(set.Runs) != n {
			t.Errorf("%s: %d of %d runs are read", path, len(set.Runs), n)
		}
		c, found := BenchContest([]*BenchSet{set}, e, Participants{})
		if found.Err() != nil {
			t.Fatalf("%s: %v", path, found)
		}
		r := e.Score(c)
		kept, ok := KeepBenchExec([]*BenchSet{set}, r)
		if !ok {
			t.Fatalf("%s is said to be ours", path)
		}
		var out bytes.Buffer
		if err := kept.Write(&out, 0, text); err != nil {
			t.Fatal(err)
		}
		if got, want := judged.ReplaceAll(out.Bytes(), nil), judged.ReplaceAll(text, nil); !bytes.Equal(got, want) {
			t.Errorf("%s: more has changed than categories and scores", filepath.Base(path))
		}
		if lint(t, text) == "" {
			if said := lint(t, out.Bytes()); said != "" {
				t.Errorf("%s was valid: %s", path, said)
			}
		}
		again, found := ReadBenchExec(name, &out)
		if found.Err() != nil || len(again.Runs) != len(set.Runs) {
			t.Fatal(found)
		}
		second, found := BenchContest([]*BenchSet{again}, e, Participants{})
		if found.Err() != nil {
			t.Fatal(found)
		}
		sameScores(t, r, e.Score(second))
	}
	// A run without a status, which stays as it is, one whose columns are not empty elements, and
	// one without an answer.
	text := `<result tool="T" version="1"><run name="a_true-x.c" properties="x"/><run name="b.c" properties="x" expectedVerdict="true">` +
		`<column title="status" value="true"/><column title="score" value="9"></column></run>` +
		`<run name="c.c" properties="x"><column title="status" value="done"/></run></result>`
	set, _ := ReadBenchExec("a.xml", strings.NewReader(text))
	c, found := BenchContest([]*BenchSet{set}, e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	kept, _ := KeepBenchExec([]*BenchSet{set}, e.Score(c))
	var out bytes.Buffer
	if err := kept.Write(&out, 0, []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := `<result tool="T" version="1"><run name="a_true-x.c" properties="x"/>` +
		`<run name="b.c" properties="x" expectedVerdict="true"><column title="status" value="true"/><column title="score" value="2"></column>` +
		`<column hidden="true" title="category" value="correct"/></run><run name="c.c" properties="x"><column title="status" value="done"/>` +
		`<column hidden="true" title="category" value="unknown"/><column hidden="true" title="score" value="0"/></run></result>`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
