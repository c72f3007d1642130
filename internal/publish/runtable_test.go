//go:build !js

package publish

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
)

// TestTableInABrowser filters, sorts and adds up the runs of a contest in the page, and
// compares with the contest.
func TestTableInABrowser(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 9)
	c.Tools[0].Kind = Sequential
	dir := publishedSite(t, c)
	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address(dir, "table.html")))
	waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.shown === "%d"`, len(c.runs)))

	tool, runs, cpu := c.Tools[0].Name, 0, 0
	for i := range c.runs {
		if r := &c.runs[i]; r.toolName() == tool {
			runs++
			if r.Void == "" && r.Times() && r.CPUTime.Duration().Seconds() > 1 {
				cpu++
			}
		}
	}
	evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const s = document.querySelector("#filters select"); s.value = %q; s.dispatchEvent(new Event("change")); return true; })()`, tool))
	waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.shown === "%d"`, runs))
	evaluate[bool](t, ctx, `(() => { const i = document.querySelector("[aria-label='Filter by CPU, s']"); i.value = ">1"; i.dispatchEvent(new Event("input")); return true; })()`)
	waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.shown === "%d"`, cpu))
	if at := evaluate[string](t, ctx, `location.hash`); !strings.Contains(at, "cpu=%3E1") || !strings.Contains(at, "tool=") {
		t.Errorf("the address holds %s", at)
	}
	// the link to the content moves the focus, and leaves the question
	evaluate[bool](t, ctx, `(() => { document.querySelector(".skip").click(); return true; })()`)
	waitFor(t, ctx, `document.activeElement.tagName === "MAIN" && location.hash.includes("cpu=%3E1")`)
	if got := evaluate[string](t, ctx, `document.body.dataset.shown`); got != fmt.Sprint(cpu) {
		t.Errorf("the link to the content leaves %s runs, not %d", got, cpu)
	}
	// the address alone gives the same, in order of the time, greatest first
	do(t, ctx, chromedp.Navigate(address(dir, "data.html")), chromedp.Navigate(address(dir, "table.html")+"#cpu=%3E1&sort=cpu+down&hide=asked"))
	waitFor(t, ctx, `"podiumTable" in window && document.body.dataset.shown !== undefined`)
	rows, err := csv.NewReader(strings.NewReader(evaluate[string](t, ctx, `podiumTable.csv()`))).ReadAll()
	if err != nil || len(rows) < 20 || len(rows[0]) != 10 {
		t.Fatalf("%d rows of %v, %v", len(rows), rows[0], err)
	}
	before := 1e99
	for _, row := range rows[1:] {
		var x float64
		if _, err := fmt.Sscan(row[7], &x); err != nil || x <= 1 || x > before {
			t.Fatalf("CPU times are not in order: %v after %v (%v)", row[7], before, err)
		}
		before = x
	}
	evaluate[bool](t, ctx, `document.getElementById("scroll").scrollTop = 1e9, true`)
	waitFor(t, ctx, fmt.Sprintf(`document.querySelector("#body tr:last-child").getAttribute("aria-rowindex") === "%d"`, len(rows)+1))
	evaluate[bool](t, ctx, `document.querySelector("#body tr:last-child a").click(), true`)
	waitFor(t, ctx, `document.querySelector("details.run[open]") !== null`)
	toolsSideBySide(t, ctx, c, dir)
	tableByKeyboard(t, ctx, dir)
	lostPoints(t, ctx, c, dir)
	do(t, ctx, chromedp.Navigate(address(dir, "data.html")), chromedp.Navigate(address(dir, "table.html")))
	waitFor(t, ctx, `"podiumTable" in window`)
	fits(t, ctx)
	found.Check(t, 1)
}

// tableOf goes to the table by its address, and returns what is seen of it as CSV.
func tableOf(t *testing.T, ctx context.Context, dir, hash string) [][]string {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "data.html")), chromedp.Navigate(address(dir, "table.html")+"#"+hash))
	waitFor(t, ctx, `"podiumTable" in window && document.body.dataset.shown !== undefined`)
	rows, err := csv.NewReader(strings.NewReader(evaluate[string](t, ctx, `podiumTable.csv()`))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// toolsSideBySide compares the second form of the table, and what both forms filter by, with the contest.
func toolsSideBySide(t *testing.T, ctx context.Context, c *Contest, dir string) {
	t.Helper()
	const filter = "model=Kanban&category=CTL&"
	want, wall, points := 0, 0.0, new(big.Rat)
	timed := map[string][2]string{} // first and last answer of runs of explicit, by examination and instance
	for i := range c.runs {
		r := &c.runs[i]
		if r.instance().Family != "Kanban" || !strings.HasPrefix(string(r.exam()), "CTL") || r.toolName() != "explicit" && r.toolName() != "walk" {
			continue
		}
		want++
		if r.toolName() == "walk" {
			points.Add(points, r.points)
		}
		if r.Void == "" {
			wall += r.WallTime.Duration().Seconds()
		}
		if said := slices.Collect(r.said()); r.toolName() == "explicit" && len(said) > 0 && r.Void == "" {
			timed[string(r.exam())+r.instance().String()] = [2]string{fmt.Sprint(said[0].At.Seconds()), fmt.Sprint(said[len(said)-1].At.Seconds())}
		}
	}
	list := tableOf(t, ctx, dir, filter+"tool=explicit&tool=walk&show=first&show=last&show=host&sort=outcome")
	sum, seen, before := 0.0, 0, ""
	for _, row := range list[1:] {
		x := 0.0
		if _, err := fmt.Sscan(row[slices.Index(list[0], "Wall, s")], &x); err == nil {
			sum += x
		}
		if outcome := row[slices.Index(list[0], "Outcome")]; outcome < before {
			t.Errorf("the outcome %s stands after %s", outcome, before)
		} else {
			before = outcome
		}
		if times, known := timed[row[2]+row[1]]; known && row[0] == "explicit" {
			seen++
			if got := [2]string{row[slices.Index(list[0], "First answer, s")], row[slices.Index(list[0], "Last answer, s")]}; got != times {
				t.Errorf("%v: the first and the last answer came at %v", row, times)
			}
		}
		if row[slices.Index(list[0], "Host")] != "node-1" {
			t.Errorf("the host of %v", row)
		}
	}
	if len(list)-1 != want || math.Abs(sum-wall) > 1e-4 || seen == 0 || seen != len(timed) {
		t.Errorf("%d runs of %d, %f s of %f, %d times of %d", len(list)-1, want, sum, wall, seen, len(timed))
	}

	side := tableOf(t, ctx, dir, filter+"form=tools&tool=explicit&tool=walk&show=wall&sort=points~walk+down")
	if head := strings.Join(side[0], ";"); head != "Instance;Examination;explicit Outcome;explicit Points;explicit CPU, s;explicit Wall, s;walk Outcome;walk Points;walk CPU, s;walk Wall, s" {
		t.Fatalf("the columns are %s", head)
	}
	total, last := 0.0, math.Inf(1)
	for _, row := range side[1:] {
		x := 0.0
		if _, err := fmt.Sscan(row[7], &x); err != nil || x > last {
			t.Errorf("%v: points are not in order, after %f, %v", row, last, err)
		}
		total, last = total+x, x
	}
	if exactly, _ := points.Float64(); len(side)-1 != want/2 || math.Abs(total-exactly) > 1e-6 {
		t.Errorf("%d rows, %f points of walk; want %d and %f", len(side)-1, total, want/2, exactly)
	}
	if shown := evaluate[string](t, ctx, `document.querySelector("#totals").cells[7].textContent.replace("\u2212", "-")`); shown != strconv.FormatFloat(math.Round(total*100)/100, 'f', -1, 64) {
		t.Errorf("the total of the points of walk is %s, want %f", shown, total)
	}

	// a cell has an address, which leads to it in the same table, and the cell leads to its run
	evaluate[bool](t, ctx, `document.querySelector("#body tr:nth-child(2)").cells[8].click(), true`)
	at, said := evaluate[string](t, ctx, `location.hash`), evaluate[string](t, ctx, `document.getElementById("cell").textContent`)
	if !strings.Contains(at, "at=Kanban-") || !strings.HasPrefix(said, "walk on CTL") || !strings.Contains(said, " of Kanban-") {
		t.Fatalf("the address is %s, the page says %s", at, said)
	}
	tableOf(t, ctx, dir, at[1:])
	if again := evaluate[string](t, ctx, `document.getElementById("cell").textContent`); again != said {
		t.Errorf("the address leads to %s, not to %s", again, said)
	}
	if titles := evaluate[int](t, ctx, `document.querySelectorAll("#heads th[title]").length`); titles < 6 {
		t.Errorf("%d heads say what they mean", titles)
	}
	evaluate[bool](t, ctx, `document.querySelector("#here a").click(), true`)
	waitFor(t, ctx, `document.querySelector("details.run[open]") !== null`)
	if id := evaluate[string](t, ctx, `document.querySelector("details.run[open]").id`); !strings.HasPrefix(id, "CTL") || !strings.HasSuffix(id, ".walk") {
		t.Errorf("the cell leads to %s", id)
	}
	tableOf(t, ctx, dir, "class=surprise&"+strings.ReplaceAll(at[1:], "Kanban-", "Nothing-"))
	if said := evaluate[string](t, ctx, `document.getElementById("cell").textContent`); !strings.HasPrefix(said, "The cell of this address is not") {
		t.Errorf("of an address that leads nowhere, the page says %s", said)
	}
}

// lostPoints follows the page of a tool to the runs that lost points against the best, and compares them with the
// contest. A filter that is no number says so, and filters nothing.
func lostPoints(t *testing.T, ctx context.Context, c *Contest, dir string) {
	t.Helper()
	best := map[string]*big.Rat{}
	for i := range c.runs {
		r := &c.runs[i]
		key := string(r.exam()) + r.instance().String()
		if best[key] == nil || best[key].Cmp(r.points) < 0 {
			best[key] = r.points
		}
	}
	runs, want := 0, 0.0
	for i := range c.runs {
		if r := &c.runs[i]; r.toolName() == "walk" {
			if x, _ := new(big.Rat).Sub(best[string(r.exam())+r.instance().String()], r.points).Float64(); x > 0 {
				runs, want = runs+1, want+x
			}
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "tools/walk.html")))
	evaluate[bool](t, ctx, `document.querySelector("#points + p a").click(), true`)
	waitFor(t, ctx, `"podiumTable" in window && document.body.dataset.shown !== undefined`)
	rows, err := csv.NewReader(strings.NewReader(evaluate[string](t, ctx, `podiumTable.csv()`))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, sum, before := slices.Index(rows[0], "Lost against the best"), 0.0, math.Inf(1)
	for _, row := range rows[1:] {
		x, err := strconv.ParseFloat(row[at], 64)
		if err != nil || x <= 0 || x > before || row[0] != "walk" {
			t.Errorf("%v after %f: %v", row, before, err)
		}
		sum, before = sum+x, x
	}
	if len(rows)-1 != runs || runs == 0 || math.Abs(sum-want) > 1e-6 {
		t.Errorf("%d runs lost %f points; want %d and %f", len(rows)-1, sum, runs, want)
	}
	if all := tableOf(t, ctx, dir, "cpu=abc&tool=walk"); len(all) < runs {
		t.Errorf("a filter that is no number leaves %d rows", len(all))
	}
	if said := evaluate[string](t, ctx, `document.getElementById("state").textContent + document.querySelector("[data-filters=cpu]").getAttribute("aria-invalid")`); !strings.Contains(said, "CPU, s: \u201cabc\u201d is not a number") || !strings.HasSuffix(said, "10..20.true") {
		t.Errorf("a filter that is no number: %s", said)
	}
}

// tableByKeyboard comes to the run of a cell by keys alone.
func tableByKeyboard(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	tableOf(t, ctx, dir, "sort=tool")
	do(t, ctx, chromedp.Focus("#heads th:nth-child(2) button"))
	browsertest.Press(t, ctx, "Enter")
	waitFor(t, ctx, `document.querySelector("#heads th:nth-child(2)").getAttribute("aria-sort") === "ascending"`)
	for range 80 {
		if evaluate[bool](t, ctx, `document.activeElement.id === "scroll"`) {
			break
		}
		browsertest.Press(t, ctx, "Tab")
	}
	for _, key := range []string{"ArrowDown", "ArrowDown", "ArrowRight", "End"} {
		browsertest.Press(t, ctx, key)
	}
	waitFor(t, ctx, `document.activeElement.id === "here" && document.activeElement.cellIndex === 1`)
	want := evaluate[string](t, ctx, `document.activeElement.querySelector("a").getAttribute("href").split("#")[1]`)
	browsertest.Press(t, ctx, "Enter")
	waitFor(t, ctx, `document.querySelector("details.run[open]") !== null`)
	if id := evaluate[string](t, ctx, `document.querySelector("details.run[open]").id`); id != want {
		t.Errorf("the keys lead to %s, not to %s", id, want)
	}
}

// TestTableOfFewWords: where no run names its host, as in files of results, nothing filters by it.
func TestTableOfFewWords(t *testing.T) {
	ctx, found := browser(t)
	m := newMaker(1, 2, 2)
	for _, r := range m.runs {
		r.By = nil
	}
	c := m.contest()
	do(t, ctx, chromedp.Navigate(address(publishedSite(t, c), "table.html")))
	waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.shown === "%d"`, len(c.runs)))
	if evaluate[bool](t, ctx, `document.getElementById("picks").textContent.includes("Host")`) {
		t.Error("the hosts of runs that name none can be chosen")
	}
	found.Check(t, 1)
}
