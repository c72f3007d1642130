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
		"cpu_runs": "2", "cpu_mean_s": "1.500000", "cpu_median_s": "1.500000", "cpu_min_s": "1", "cpu_max_s": "2", "cpu_sd_s": "0.707107",
		"wall_runs": "2", "wall_mean_s": "3", "wall_median_s": "3", "wall_min_s": "3", "wall_max_s": "3", "wall_sd_s": "0",
		"memory_runs": "0", "memory_mean_bytes": "", "memory_median_bytes": "", "memory_min_bytes": "", "memory_max_bytes": "", "memory_sd_bytes": ""}
	if len(rows) != 1 || !maps.Equal(rows[0], want) {
		t.Errorf("repetitions.csv is %v, want %v", rows, want)
	}
	checkSite(t, dir)
}
