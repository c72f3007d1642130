package publish

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Spread is what repeated measurements of one thing show, in the unit of the
// measurements, rounded to whole ones. It is zero without any.
type Spread struct {
	Runs   int   `json:"runs"` // that were measured
	Mean   int64 `json:"mean"`
	Median int64 `json:"median"` // of an even number the mean of the two in the middle
	Min    int64 `json:"min"`
	Max    int64 `json:"max"`
	SD     int64 `json:"standard_deviation"` // of the sample, with n-1; 0 of one measurement
}

// SpreadOf sums up measurements. The list is sorted.
func SpreadOf(list []int64) Spread {
	n := len(list)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(list)
	var mean, squares float64
	for _, x := range list {
		mean += float64(x) / float64(n)
	}
	for _, x := range list {
		squares += (float64(x) - mean) * (float64(x) - mean)
	}
	low, high := list[(n-1)/2], list[n/2]
	return Spread{Runs: n, Mean: int64(math.Round(mean)), Median: low + (high-low)/2, Min: list[0], Max: list[n-1],
		SD: int64(math.Round(math.Sqrt(squares / float64(max(1, n-1)))))}
}

// Repeated is what a run took that was made several times. CPU, Wall and Memory are
// of the times that gave the same values as the first one and that no limit ended.
type Repeated struct {
	Ends    int `json:"ends"`        // the first one included
	Void    int `json:"void"`        // failed by our fault
	Same    int `json:"same_values"` // of the ends, those with the values of the first one
	Limited int `json:"at_limit"`    // of the ends, those that a limit of time or memory ended

	CPU    Spread `json:"cpu_us"`
	Wall   Spread `json:"wall_us"`
	Memory Spread `json:"memory_bytes"`
}

// csvRepetitions gives each repeated run a row.
func (v *view) csvRepetitions(t *csvTable) {
	columns := []string{"tool", "instance", "examination", "ends", "void", "same_values", "at_limit"}
	for _, figure := range []string{"cpu_s", "wall_s", "memory_peak_bytes"} {
		for _, what := range []string{"runs", "mean", "median", "min", "max", "sd"} {
			columns = append(columns, figure+"_"+what)
		}
	}
	t.row(columns...)
	for i := range v.cells {
		for _, r := range v.cells[i].runs {
			if r.Repeated == nil {
				continue
			}
			cells := []string{r.Tool, r.Instance.String(), string(r.Exam)}
			for _, n := range []int{r.Repeated.Ends, r.Repeated.Void, r.Repeated.Same, r.Repeated.Limited} {
				cells = append(cells, strconv.Itoa(n))
			}
			inSeconds := func(us int64) string { return seconds(time.Duration(us) * time.Microsecond) }
			cells = append(cells, r.Repeated.CPU.cells(inSeconds)...)
			cells = append(cells, r.Repeated.Wall.cells(inSeconds)...)
			t.row(append(cells, r.Repeated.Memory.cells(func(n int64) string { return strconv.FormatInt(n, 10) })...)...)
		}
	}
}

// cells writes the figures, of no measurement nothing.
func (s Spread) cells(write func(int64) string) []string {
	list := []string{strconv.Itoa(s.Runs)}
	for _, n := range []int64{s.Mean, s.Median, s.Min, s.Max, s.SD} {
		text := ""
		if s.Runs > 0 {
			text = write(n)
		}
		list = append(list, text)
	}
	return list
}
