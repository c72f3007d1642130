package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"podium/vm"
)

// drawn makes a curve of a run of so many seconds: cores that are busy and memory in MB, each of
// equal parts of the run.
func drawn(seconds int, cores []float64, memory []int64) (c vm.Curve) {
	at := vm.Sample{}
	c = append(c, at)
	part := vm.Micros(seconds) * 1e6 / vm.Micros(len(cores))
	for i := range cores {
		at = vm.Sample{At: at.At + part, CPU: at.CPU + vm.Micros(cores[i]*float64(part)), Memory: memory[i] * 1e6}
		c = append(c, at)
	}
	return c
}

// TestWhatIsSeen: the end of a run over time is put into words where it tells something.
func TestWhatIsSeen(t *testing.T) {
	busy, quiet := []float64{1, 1, 1, 1, 1, 1}, []float64{1, 0, 0.001, 0, 0, 0.2}
	low, high := []int64{5, 40, 5, 5, 5, 5}, []int64{5, 99, 5, 98, 99, 100}
	for _, tc := range []struct {
		name  string
		curve vm.Curve
		need  Confinement
		want  string
	}{
		{"busy", drawn(60, busy, low), Confinement{Memory: 100e6}, ""},
		{"at the limit of memory", drawn(60, busy, high), Confinement{Memory: 100e6}, "memory stood at the limit for the last 50 % of the run"},
		{"no limit of memory", drawn(60, busy, high), Confinement{}, ""},
		{"waiting", drawn(3600, []float64{1, 0, 0, 0, 0.001, 0}, low), Confinement{Memory: 100e6}, "no CPU time for the last 50 minutes: it waits for something"},
		{"both", drawn(5*3600, []float64{1, 0, 0, 0, 0, 0}, high), Confinement{Memory: 100e6},
			"memory stood at the limit for the last 50 % of the run\nno CPU time for the last 4 hours: it waits for something"},
		{"the end itself takes time", drawn(60, quiet, low), Confinement{}, ""},
		{"a little of it", drawn(60, []float64{1, 0, 0, 0, 0, 0.02}, low), Confinement{}, "no CPU time for the last 50.0 seconds: it waits for something"},
		{"never busy", drawn(60, make([]float64, 6), low), Confinement{}, "no CPU time for the last 60.0 seconds: it waits for something"},
		{"a pause before the end", drawn(60, []float64{1, 0, 0, 0, 0, 1}, low), Confinement{}, ""},
		{"killed on a busy host", vm.Curve{{}, {At: 10_000, CPU: 2600}, {At: 4_000_000, CPU: 2600}, {At: 4_050_000, CPU: 4600}, {At: 4_300_000, CPU: 5600}}, Confinement{},
			"no CPU time for the last 4.3 seconds: it waits for something"},
		{"busy now and then after a pause", vm.Curve{{}, {At: 2_000_000}, {At: 2_040_000, CPU: 15_000}, {At: 2_080_000, CPU: 30_000}, {At: 2_120_000, CPU: 45_000}}, Confinement{}, ""},
		{"too short", drawn(60, make([]float64, 6), high)[:1], Confinement{Memory: 100e6}, ""},
		{"not sampled", nil, Confinement{Memory: 100e6}, ""},
	} {
		if got := strings.Join(tc.need.Seen(tc.curve), "\n"); got != tc.want {
			t.Errorf("%s: %q, not %q", tc.name, got, tc.want)
		}
	}
	if got := (Confinement{Memory: 1}).Seen(drawn(6, busy, high)); len(got) != 1 {
		t.Errorf("six seconds: %q", got)
	}
	if got := (Confinement{Memory: 1}).Seen(vm.Curve{{}, {At: 999_999, Memory: 5}}); len(got) != 0 {
		t.Errorf("less than a second: %q", got)
	}
}

func TestDrawnInBlocks(t *testing.T) {
	got := Confinement{Cores: 2, Memory: 80e6}.Drawn(drawn(60, []float64{0, 1, 2, 3}, []int64{0, 20, 40, 10}))
	part := func(s string) string { return strings.Repeat(s, 15) }
	want := []string{"CPU     " + part("▁") + part("▅") + part("█") + part("█") + " of 2 cores",
		"memory  " + part("▁") + part("▅") + part("█") + part("▃") + " up to 40.0 MB of 80 MB"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for _, c := range []vm.Curve{{{}, {At: 1}}, drawn(3, make([]float64, 199), make([]int64, 199)), {{Memory: 1 << 59}, {At: 1 << 59, CPU: 1, Memory: 1}}} {
		for _, line := range (Confinement{}).Drawn(c) {
			if n := strings.Count(line, "▁") + strings.Count(line, "█"); n != blocksWide || !utf8.ValidString(line) {
				t.Errorf("%d blocks in %q", n, line)
			}
		}
	}
	if got := (Confinement{}).Drawn(nil); len(got) != 1 || !strings.Contains(got[0], "not sampled") {
		t.Errorf("%q", got)
	}
}

// TestCurvesAreKept: a run over time is in the pack, not in the journal; a run that was not
// sampled has none, and what is damaged is told.
func TestCurvesAreKept(t *testing.T) {
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: func(run string, job vm.Job) (vm.Outcome, error) {
		o, err := answering(run, job)
		if strings.HasPrefix(run, "bee") {
			o.Curve = nil
		} else {
			o.Curve = drawn(60, make([]float64, 100), make([]int64, 100))
			o.Termination, o.WallTime = vm.OutOfTime, vm.Took(time.Minute)
		}
		return o, err
	}, runs: map[string]int{}}, Cores: cores(0)})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		curve, need, err := c.CurveOf(f)
		must(t, err)
		sampled := run.Tool == "ant"
		if sampled != (len(curve) == 101) || sampled != (f.Curve.Size > 0) || need.Memory != 1<<30 || len(f.Outcome.Curve) > 0 {
			t.Errorf("%s has %d samples in %+v, and %d in its outcome", run, len(curve), f.Curve, len(f.Outcome.Curve))
		}
		remarks, err := c.Remarks(f)
		must(t, err)
		if sampled != slices.Contains(remarks, "no CPU time for the last 60.0 seconds: it waits for something") {
			t.Errorf("%s: %q", run, remarks)
		}
	}
	journal, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*"))
	must(t, err)
	text, err := os.ReadFile(journal[0])
	must(t, err)
	if strings.Contains(string(text), `"curve":"`) || !strings.Contains(string(text), `"curve":{"pack"`) {
		t.Errorf("the journal holds %s", text)
	}
	found, err := log.CheckOutputs(t.Context())
	must(t, err)
	if len(found.Damaged) > 0 || found.Unnamed > 0 {
		t.Errorf("%+v", found)
	}
	for _, f := range log.Finished {
		if f.Curve.Size == 0 {
			continue
		}
		wrong := *f
		wrong.Curve = f.Stdout // an output, which is no curve
		if _, err := c.Curve(&wrong); err == nil || !strings.Contains(err.Error(), "no curve of a run") {
			t.Errorf("an output is read as a curve: %v", err)
		}
		wrong.Curve = f.Curve
		wrong.Curve.SHA256 = f.Stdout.SHA256
		if _, err := c.Curve(&wrong); err == nil || !strings.Contains(err.Error(), "digest") {
			t.Errorf("a curve with another digest: %v", err)
		}
	}
}
