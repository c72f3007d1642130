package publish

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"podium/internal/judged"
)

// TestRepetitionsCSV: there is a row for each repeated run, and no such table where
// nothing is repeated.
func TestRepetitionsCSV(t *testing.T) {
	m := newMaker(5, 3, 3)
	if _, err := os.Stat(filepath.Join(publishedSite(t, m.contest()), "csv", "repetitions.csv")); !os.IsNotExist(err) {
		t.Errorf("nothing is repeated, and there is a table: %v", err)
	}
	r := m.runs[2]
	r.Repeated = &judged.Repeated{Ends: 3, Void: 1, Same: 2, Limited: 1, CPU: judged.Spread{Runs: 2, Mean: 1500000, Median: 1500000, Min: 1000000, Max: 2000000, SD: 707107}, Wall: judged.Spread{Runs: 2, Mean: 3e6, Median: 3e6, Min: 3e6, Max: 3e6}}
	dir := publishedSite(t, m.contest())
	rows := readCSV(t, dir, "repetitions.csv")
	want := map[string]string{"tool": r.tool, "instance": r.instance.String(), "examination": string(r.exam), "ends": "3", "void": "1", "same_values": "2", "at_limit": "1",
		"cpu_s_runs": "2", "cpu_s_mean": "1.500000", "cpu_s_median": "1.500000", "cpu_s_min": "1", "cpu_s_max": "2", "cpu_s_sd": "0.707107",
		"wall_s_runs": "2", "wall_s_mean": "3", "wall_s_median": "3", "wall_s_min": "3", "wall_s_max": "3", "wall_s_sd": "0",
		"memory_peak_bytes_runs": "0", "memory_peak_bytes_mean": "", "memory_peak_bytes_median": "", "memory_peak_bytes_min": "", "memory_peak_bytes_max": "", "memory_peak_bytes_sd": ""}
	if len(rows) != 1 || !maps.Equal(rows[0], want) {
		t.Errorf("repetitions.csv is %v, want %v", rows, want)
	}
	checkSite(t, dir)
}
