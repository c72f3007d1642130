package publish

import (
	"strings"
	"testing"
)

// TestDriftFollowsTheReadings: the plot of a computer has its slowest reading at the top and
// its name as text, and a served site shows the same picture.
func TestDriftFollowsTheReadings(t *testing.T) {
	c := fixture(1, 2, 1)
	c.Drift[0].Host = "node <1>"
	figures := c.driftFigures()
	if len(figures) != 1 || !strings.Contains(figures[0].Alt, "took 130 % of the usual time") {
		t.Fatalf("figures %+v", figures)
	}
	chart := c.Drift[0].chart()
	if at := chart.Lines[0].Points; len(chart.Lines) != 3 || at[1].Y != 130 || at[1].X != 150 || chart.Y.Max < 130 || !strings.Contains(chart.X.Label, "(min)") {
		t.Errorf("computing is drawn at %+v, up to %v", at, chart.Y.Max)
	}
	if live := string(DriftFigures(c, 7)); !strings.Contains(live, `src="`+figures[0].Path+`?7"`) || strings.Contains(live, "<1>") {
		t.Errorf("the live page shows %s", live)
	}
}
