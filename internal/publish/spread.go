package publish

import (
	"strconv"
	"time"

	"podium/internal/judged"
)

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
			cells := []string{r.toolName(), r.instance().String(), string(r.exam())}
			for _, n := range []int{r.Repeated.Ends, r.Repeated.Void, r.Repeated.Same, r.Repeated.Limited} {
				cells = append(cells, strconv.Itoa(n))
			}
			inSeconds := func(us int64) string { return seconds(time.Duration(us) * time.Microsecond) }
			cells = append(cells, spreadCells(r.Repeated.CPU, inSeconds)...)
			cells = append(cells, spreadCells(r.Repeated.Wall, inSeconds)...)
			t.row(append(cells, spreadCells(r.Repeated.Memory, func(n int64) string { return strconv.FormatInt(n, 10) })...)...)
		}
	}
}

// cells writes the figures, of no measurement nothing.
func spreadCells(s judged.Spread, write func(int64) string) []string {
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
