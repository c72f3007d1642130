package publish

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestSpread: the sample 1, 2, 3, 10 has the mean 4 and the deviation of 50/3.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		list []int64
		want Spread
	}{
		{nil, Spread{}},
		{[]int64{5}, Spread{1, 5, 5, 5, 5, 0}},
		{[]int64{10, 2, 3, 1}, Spread{4, 4, 2, 1, 10, 4}},
		{[]int64{1e15 + 2, 1e15}, Spread{2, 1e15 + 1, 1e15 + 1, 1e15, 1e15 + 2, 1}},
	} {
		if got := SpreadOf(c.list); got != c.want {
			t.Errorf("%v spread by %+v, want %+v", c.list, got, c.want)
		}
	}
}

// TestRepetitionsCSV: there is a row for each repeated run, and no such table where
// nothing is repeated.
func TestRepetitionsCSV(t *testing.T) {
	c := fixture(5, 3, 3)
	if _, err := os.Stat(filepath.Join(publishedSite(t, c), "csv", "repetitions.csv")); !os.IsNotExist(err) {
		t.Errorf("nothing is repeated, and there is a table: %v", err)
	}
	r := &c.Runs[2]
	r.Repeated = &Repeated{Ends: 3, Void: 1, Same: 2, Limited: 1, CPU: Spread{2, 1500000, 1500000, 1000000, 2000000, 707107}, Wall: Spread{2, 3e6, 3e6, 3e6, 3e6, 0}}
	dir := publishedSite(t, c)
	rows := readCSV(t, dir, "repetitions.csv")
	want := map[string]string{"tool": r.Tool, "instance": r.Instance.String(), "examination": string(r.Exam), "ends": "3", "void": "1", "same_values": "2", "at_limit": "1",
		"cpu_s_runs": "2", "cpu_s_mean": "1.500000", "cpu_s_median": "1.500000", "cpu_s_min": "1", "cpu_s_max": "2", "cpu_s_sd": "0.707107",
		"wall_s_runs": "2", "wall_s_mean": "3", "wall_s_median": "3", "wall_s_min": "3", "wall_s_max": "3", "wall_s_sd": "0",
		"memory_peak_bytes_runs": "0", "memory_peak_bytes_mean": "", "memory_peak_bytes_median": "", "memory_peak_bytes_min": "", "memory_peak_bytes_max": "", "memory_peak_bytes_sd": ""}
	if len(rows) != 1 || !maps.Equal(rows[0], want) {
		t.Errorf("repetitions.csv is %v, want %v", rows, want)
	}
	checkSite(t, dir)
}
