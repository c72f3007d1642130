package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestUnmeasuredIsSaid shows a run whose figures nobody measured: no page, table or
// sum shows the little that was seen as if it were a measurement.
func TestUnmeasuredIsSaid(t *testing.T) {
	r := &Run{CPU: 7 * time.Millisecond, Wall: 9 * time.Second, MemoryPeak: 2_200_000, NoTimes: true, NoMemory: true}
	for _, m := range measures(r, &Setting{User: 7 * time.Millisecond}) {
		unmeasured := strings.HasPrefix(m.Name, "CPU") || strings.HasPrefix(m.Name, "user") || strings.HasPrefix(m.Name, "system") || strings.HasPrefix(m.Name, "memory")
		if (m.Text == notMeasured) != unmeasured || unmeasured && !strings.Contains(m.Exact, "seen") {
			t.Errorf("%s: %q (%s)", m.Name, m.Text, m.Exact)
		}
	}
	if cpu, memory := r.cpuTime(seconds, r.CPU), r.memory(megabytes); cpu != "" || memory != "" {
		t.Errorf("a table says %q and %q", cpu, memory)
	}
	var sum, other tally
	add := func(to *tally, r *Run) { to.add(&cell{runs: []*Run{r}, masks: [][]Mark{nil}}, r) }
	add(&sum, &Run{CPU: time.Second})
	add(&other, r)
	add(&other, &Run{CPU: time.Second})
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
	c := fixture(5, 3, 4)
	for i := range c.Runs {
		c.Runs[i].NoTimes, c.Runs[i].NoMemory = true, true
	}
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
