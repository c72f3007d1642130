package results

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/edition"
	"podium/examinations"
	"podium/models"
	"podium/scoring"
)

// mccEditions are those of the contest whose rules are known.
var mccEditions = []string{"mcc2016", "mcc2016-13", "mcc2019", "mcc2020", "mcc2021", "mcc2022", "mcc2023", "mcc2024", "mcc2025", "mcc2026"}

// taskEditions are those of competitions on tasks.
var taskEditions = []string{"svcomp2012", "svcomp2019", "svcomp2026"}

// TestEditions: the tests of files know every edition.
func TestEditions(t *testing.T) {
	if all := slices.Sorted(slices.Values(slices.Concat(mccEditions, taskEditions))); !slices.Equal(all, slices.Sorted(slices.Values(edition.Names()))) {
		t.Errorf("the tests have %v, podium has %v", all, edition.Names())
	}
}

// resultFiles are the published files at hand.
var resultFiles = []string{"raw-result-analysis-2019.csv.zip", "answers-2017.csv.gz", "answers-2018.csv.gz", "answers-2021.csv.gz"}

// allResults asks for whole files where a part of them does for every day.
var allResults = os.Getenv("PODIUM_ALL_RESULTS") != ""

// everyFile calls a check with each file as each edition reads it. A model in
// twenty is taken, with all its instances, unless all results are asked for.
// Examinations that the edition does not have are left out.
func everyFile(t *testing.T, editions []string, check func(t *testing.T, e *edition.Edition, c *scoring.Contest, p Participants)) {
	dir := dataDir(t)
	for _, name := range resultFiles {
		p := Participants{}
		if strings.Contains(name, "2017") {
			classes, err := os.ReadFile(filepath.Join(dir, "classes-2017.csv"))
			if err != nil {
				t.Fatal(err)
			}
			p.Classes, _ = ReadClasses("classes", bytes.NewReader(classes))
		}
		contest := contestsOf(t, filepath.Join(dir, name), p)
		for _, id := range editions {
			t.Run(name+" "+id, func(t *testing.T) {
				e := named(t, id)
				check(t, e, contest(t, e), p)
			})
		}
	}
}

// contestsOf returns what each edition makes of a file.
func contestsOf(t *testing.T, path string, p Participants) func(*testing.T, *edition.Edition) *scoring.Contest {
	t.Helper()
	if strings.Contains(path, "raw-result-analysis-2019") {
		table, _ := table2019(t)
		table.Rows = slices.DeleteFunc(table.Rows, func(row Row) bool { return !taken(row[InputColumn]) })
		return func(t *testing.T, e *edition.Edition) *scoring.Contest { return contestOfTable(t, table, e, p) }
	}
	lines := readOnce(path, func() []string { return takenLines(t, path) })
	return func(t *testing.T, e *edition.Edition) *scoring.Contest {
		kept := lines[:1:1]
		for _, line := range lines[1:] {
			if _, known := e.Examination(examinations.ID(strings.SplitN(line, ",", 4)[2])); known {
				kept = append(kept, line)
			}
		}
		c, found := ReadAnswers(filepath.Base(path), strings.NewReader(strings.Join(kept, "")), e, p)
		if found.Err() != nil {
			t.Fatal(found)
		}
		return c
	}
}

// taken reports whether the instances of a model are looked at.
func taken(instance string) bool {
	h := fnv.New32a()
	h.Write([]byte(models.ParseAnyID(instance).Family))
	return allResults || h.Sum32()%20 == 0
}

// takenLines are the header of a file of answers and the lines of instances that
// are looked at.
func takenLines(t *testing.T, path string) []string {
	t.Helper()
	lines := strings.SplitAfter(string(gunzipFile(t, path)), "\n")
	kept := lines[:1:1]
	for _, line := range lines[1:] {
		if line != "" && taken(strings.SplitN(line, ",", 3)[1]) {
			kept = append(kept, strings.Clone(line)) // the rest of the file is let go
		}
	}
	return kept
}

func contestOfTable(t *testing.T, table *Table, e *edition.Edition, p Participants) *scoring.Contest {
	t.Helper()
	kept := *table
	kept.Rows = nil
	for _, row := range table.Rows {
		if _, known := e.Examination(examinations.ID(row[ExaminationColumn])); !known && row[ExaminationColumn] == "GlobalProperties" {
			row[ExaminationColumn] = "ReachabilityDeadlock" // as it was called in all other years
		}
		if _, known := e.Examination(examinations.ID(row[ExaminationColumn])); known {
			kept.Rows = append(kept.Rows, row)
		}
	}
	c, found := kept.Contest(e, p)
	if found.Err() != nil {
		t.Fatal(found)
	}
	return c
}

// sameScores holds every run of a result against that of another, and returns the
// number of runs.
func sameScores(t *testing.T, want, got *scoring.Result) (runs int) {
	t.Helper()
	w, g := want.Contest, got.Contest
	sheets, failed := g.SheetIndex(), 0
	for i, s := range w.Sheets {
		name := scoring.SheetName{Instance: w.Instances[s.Instance].Name, Exam: w.Exams[s.Exam].ID}
		for tool := range w.Tools {
			run := w.Run(i, tool)
			if run.Participation == scoring.Absent {
				continue
			}
			runs++
			j, ok := sheets[name]
			other := g.ToolNamed(w.Tools[tool].Name)
			if !ok || other < 0 {
				t.Fatalf("%s on %v is lost", w.Tools[tool].Name, name)
			}
			a, b := scoreText(want, i, tool, int(run.Vector)), scoreText(got, j, other, int(run.Vector))
			if a != b {
				if failed++; failed < 10 {
					t.Errorf("%s on %v: %s before, %s after", w.Tools[tool].Name, name, a, b)
				}
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d runs differ", failed, runs)
	}
	return runs
}

// scoreText is the judgement of a run; the mask ends where the tool's vector did.
func scoreText(r *scoring.Result, sheet, tool, vector int) string {
	mask := r.Mask(sheet, tool)
	if r.Contest.Run(sheet, tool).Participation == scoring.Answered {
		mask = mask[:min(vector, len(mask))]
	}
	score := "-"
	if r.HasScore(sheet, tool) {
		score = fmt.Sprint(r.RunPoints(sheet, tool))
	}
	return strings.Join([]string{r.FlagLetters(sheet, tool), score, mask}, ":")
}

// TestAnswersKeepScores: answers written as CSV and read back have the scores that
// they had, run by run, in every edition.
func TestAnswersKeepScores(t *testing.T) {
	everyFile(t, mccEditions, func(t *testing.T, e *edition.Edition, c *scoring.Contest, p Participants) {
		var out bytes.Buffer
		if err := WriteAnswers(&out, c); err != nil {
			t.Fatal(err)
		}
		again, found := ReadAnswers("again.csv", &out, e, p)
		if len(found) > 0 {
			t.Fatal(found)
		}
		t.Logf("%d runs", sameScores(t, e.Score(c), e.Score(again)))
	})
}

// TestTablesKeepScores: results written as a published file and read back have the
// scores that they had, and no cell deviates, in every edition; answers that are no
// numbers are refused. Every day most editions have one file.
func TestTablesKeepScores(t *testing.T) {
	everyFile(t, mccEditions, func(t *testing.T, e *edition.Edition, c *scoring.Contest, p Participants) {
		if !allResults && e.ID != "mcc2016" && e.ID != "mcc2025" && !strings.Contains(t.Name(), "2021") {
			return
		}
		r := e.Score(c)
		table, found := TableOf("own.csv", e, r, nil)
		if found.Err() != nil && found[0].Code == "raw-value" {
			// rightly: an answer that is no number would be read back as another
			if table != nil {
				t.Error("a table was made of answers that are no numbers")
			}
			return
		}
		if found.Err() != nil {
			t.Fatal(found)
		}
		var out bytes.Buffer
		if err := table.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, found := ReadTable("again.csv", &out)
		if found.Err() != nil {
			t.Fatal(found)
		}
		report, found := Verify(again, e, p)
		if found.Err() != nil || report.Deviations() > 0 {
			t.Fatalf("%+v %v", report, found)
		}
		sameScores(t, r, report.Result)
	})
}
