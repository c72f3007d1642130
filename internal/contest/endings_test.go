package contest

import (
	"path/filepath"
	"testing"

	"podium/internal/publish"
	"podium/internal/realdata"
	"podium/internal/results"
	"podium/models"
)

// TestEndingsAreThoseOfTheFile shows the published file of 2019, and compares how each run
// ended with the row's flags of time and memory.
func TestEndingsAreThoseOfTheFile(t *testing.T) {
	path := filepath.Join(realdata.Contest(t), "results", "raw-result-analysis-2019.csv.zip")
	ed, _, err := LoadEdition("mcc2019")
	if err != nil {
		t.Fatal(err)
	}
	c, techniques, found, err := FromResults([]string{path}, ed, results.Participants{})
	if err != nil || found.Err() != nil {
		t.Fatal(err, found)
	}
	files, err := OfFiles([]string{path}, c, techniques, ed, nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[[3]string]*publish.Run{}
	for i, runs := 0, files.View().Runs; i < len(runs); i++ {
		shown[[3]string{runs[i].Tool, runs[i].Instance.String(), string(runs[i].Exam)}] = &runs[i]
	}
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
		run := shown[[3]string{row[results.ToolColumn], id.String(), row[results.ExaminationColumn]}]
		if run == nil {
			t.Fatalf("row %d is not shown", i)
		}
		key := [4]string{row[results.TimeFlagColumn], row[results.MemoryFlagColumn], row[results.StatusColumn]}
		if row[results.ResultsColumn] == "DNF" {
			key[3] = "DNF"
		}
		want, listed := flags[key]
		if !listed || run.Termination != want {
			t.Fatalf("row %d: %v is shown as %q, want %q", i, key, run.Termination, want)
		}
		counts[want]++
	}
	if counts["exited"] < 70000 || counts["time"] < 11000 || counts["memory"] < 3000 || counts["time+memory"] < 100 || counts[""] == 0 {
		t.Error(counts)
	}
	t.Log(counts)
}
