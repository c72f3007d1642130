package publish

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/models"
	"podium/vm"
)

// TestParametersAreNumbers wants parameters in the order in which people count.
func TestParametersAreNumbers(t *testing.T) {
	want := []string{"none", "D2N10", "D10N2", "D10N010", "01a", "01b", "2", "05", "10"}
	order := []string{"01a", "01b", "2", "05", "10", "D2N10", "D10N2", "D10N010", "none"}
	got := slices.Clone(want)
	slices.SortFunc(got, compareNumbered)
	if !slices.Equal(got, order) {
		t.Errorf("got %q", got)
	}
	for _, a := range want {
		for _, b := range want {
			if x, y := compareNumbered(a, b), compareNumbered(b, a); x != -y || (x == 0) != (a == b) {
				t.Errorf("%q and %q: %d and %d", a, b, x, y)
			}
		}
	}
}

// TestLadderShowsEachRun reads the plots of a model: as many dots as runs with right
// answers and a time, large where all values are right.
func TestLadderShowsEachRun(t *testing.T) {
	m := newMaker(1, 4, 24)
	m.runs[3].Unmeasured = []vm.Figure{vm.Times}
	c := m.contest()
	dir := publishedSite(t, c)
	page, err := os.ReadFile(filepath.Join(dir, "models", "Kanban.html"))
	if err != nil {
		t.Fatal(err)
	}
	v := newView(c)
	all, some := 0, 0
	for i := range v.cells {
		if v.insts[v.cells[i].inst].ID.Family != "Kanban" || v.insts[v.cells[i].inst].ID.Kind != models.PT {
			continue
		}
		for n, r := range v.cells[i].runs {
			if r.Void != "" || !r.Times() {
				continue
			}
			switch solvedness(v.cells[i].masks[n]) {
			case solvedAll:
				all++
			case solvedSome:
				some++
			}
		}
	}
	dots := map[string]int{}
	for _, class := range []string{"all", "some"} {
		for _, part := range strings.Split(string(page), `<path class="`+class+`" d="`)[1:] {
			if path, _, _ := strings.Cut(part, `"`); path != "M15 5h0" { // that of the legend
				dots[class] += strings.Count(path, "M")
			}
		}
	}
	if dots["all"] != all || dots["some"] != some || all == 0 || some == 0 {
		t.Errorf("%v dots, want %d and %d", dots, all, some)
	}
	if strings.Contains(string(page), " style=") {
		t.Error("the page has a style attribute")
	}
}

// TestLadderScale: faster is lower, and the ends of the axis are powers of ten.
func TestLadderScale(t *testing.T) {
	m := smallMaker()
	m.runs[0].CPUTime = vm.Took(20 * time.Second)
	m.another("alpha")
	m.another("beta")
	c := m.contest()
	v := newView(c)
	s := &site{view: v}
	if got := s.ladderScale([]int{0}); got != (ladderScale{1, 2}) || got.y(10) != ladderHeight-ladderBottom || got.y(100) != ladderTop {
		t.Errorf("%+v, 10 s at %g, 100 s at %g", got, got.y(10), got.y(100))
	}
}
