package judged

import (
	"path/filepath"
	"testing"

	"podium/examinations"
	"podium/internal/realdata"
	"podium/internal/results"
	"podium/models"
)

// TestEndingsAreThoseOfTheFile shows the published file of 2019, and compares how each run
// ended with the row's flags of time and memory.
func TestEndingsAreThoseOfTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	path := filepath.Join(realdata.Contest(t), "results", "raw-result-analysis-2019.csv.zip")
	ed, _, err := LoadEdition("mcc2019")
	if err != nil {
		t.Fatal(err)
	}
	c, techniques, found, err := FromResults([]string{path}, ed, results.Participants{})
	if err != nil || found.Err() != nil {
		t.Fatal(err, found)
	}
	files := OfFiles(c, techniques, ed, nil)
	_, in, err := OpenResults(path)
	if err != nil {
		t.Fatal(err)
	}
	table, found := results.ReadTable(path, in)
	if found.Err() != nil {
		t.Fatal(found)
	}
	flags := map[[4]string]string{ // time, memory, status, and whether the results say DNF
		{"OK", "OK", "normal", ""}: "exited", {"DNF", "OK", "timeout", ""}: "time", {"DNF", "OK", "timeout", "DNF"}: "time", {"OK", "MOVF", "normal", ""}: "memory",
		{"DNF", "MOVF", "timeout", ""}: "time+memory", {"DNF", "MOVF", "timeout", "DNF"}: "time+memory", {"OK", "MOVF", "timeout", "DNF"}: "time+memory",
		{"OK", "OK", "timeout", "DNF"}: "time", {"OK", "OK", "normal", "DNF"}: "time",
		{"OK", "OK", "timeout", ""}: "", {"OK", "MOVF", "timeout", ""}: "memory", // the status alone says nothing
	}
	counts := map[string]int{}
	for i := range table.Rows {
		row := &table.Rows[i]
		id, err := models.ParseID(row[results.InputColumn])
		if err != nil {
			t.Fatal(err)
		}
		sheet := c.SheetOf(id.String(), examinations.ID(row[results.ExaminationColumn]))
		run, there := files.Ran(sheet, c.ToolNamed(row[results.ToolColumn]))
		if !there {
			t.Fatalf("row %d has no run", i)
		}
		key := [4]string{row[results.TimeFlagColumn], row[results.MemoryFlagColumn], row[results.StatusColumn]}
		if row[results.ResultsColumn] == "DNF" {
			key[3] = "DNF"
		}
		want, listed := flags[key]
		if !listed || string(run.Termination) != want {
			t.Fatalf("row %d: %v is shown as %q, want %q", i, key, run.Termination, want)
		}
		counts[want]++
	}
	if counts["exited"] < 70000 || counts["time"] < 11000 || counts["memory"] < 3000 || counts["time+memory"] < 100 || counts[""] == 0 {
		t.Error(counts)
	}
	t.Log(counts)
}
