package publish

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/judged"
	"podium/scoring"
	"podium/vm"
)

// TestUnmeasuredIsSaid shows a run whose figures nobody measured: no page, table or
// sum shows the little that was seen as if it were a measurement.
func TestUnmeasuredIsSaid(t *testing.T) {
	never := []vm.Figure{vm.Times, vm.Memory}
	c := small()
	of := func(o vm.Outcome) *run { return &run{Ran: judged.Ran{Outcome: &o}, of: c} }
	r := of(vm.Outcome{CPUTime: 7000, UserTime: 7000, WallTime: 9_000_000, MemoryPeak: 2_200_000, Unmeasured: never})
	for _, m := range measures(r) {
		unmeasured := strings.HasPrefix(m.Name, "CPU") || strings.HasPrefix(m.Name, "user") || strings.HasPrefix(m.Name, "system") || strings.HasPrefix(m.Name, "memory")
		if (m.Text == notMeasured) != unmeasured || unmeasured && !strings.Contains(m.Exact, "seen") {
			t.Errorf("%s: %q (%s)", m.Name, m.Text, m.Exact)
		}
	}
	c.runs = []run{*r}
	var rows bytes.Buffer
	table := newView(c).tableOfRuns()
	if err := table.JSON(&rows); err != nil || !strings.Contains(rows.String(), `"cpu_us":null,"user_us":null,"system_us":null,"wall_us":9000000,"memory_bytes":null,`) {
		t.Errorf("a table says %s, %v", rows.String(), err)
	}
	var sum, other tally
	add := func(to *tally, r *run) { to.add(&cell{runs: []*run{r}, masks: [][]scoring.Mark{nil}}, r) }
	add(&sum, of(vm.Outcome{CPUTime: 1_000_000}))
	add(&other, r)
	add(&other, of(vm.Outcome{CPUTime: 1_000_000}))
	for _, all := range []tally{sum.plus(other), other.plus(sum), other} {
		if got := duration(microseconds(all.cpu)); got != notMeasured {
			t.Errorf("a sum is %q", got)
		}
	}
	if got := duration(microseconds(sum.plus(sum).cpu)); got == notMeasured {
		t.Errorf("a sum of what was measured is %q", got)
	}
}

// TestUnmeasuredSite writes a contest without any measured figure.
func TestUnmeasuredSite(t *testing.T) {
	m := newMaker(5, 3, 4)
	for _, r := range m.runs {
		r.Unmeasured = []vm.Figure{vm.Times, vm.Memory}
	}
	c := m.contest()
	dir := publishedSite(t, c)
	overview, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(overview), notMeasured) {
		t.Errorf("the overview does not say so, %v", err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "plots", "pairs", "*", "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if text, err := os.ReadFile(p); err != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("%s holds NaN, %v", p, err)
		}
	}
}
