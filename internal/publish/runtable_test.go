//go:build !js

package publish

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTableInABrowser filters, sorts and adds up the runs of a contest in the page, and
// compares with the contest.
func TestTableInABrowser(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 9)
	c.Tools[0].Kind = Sequential
	dir := publishedSite(t, c)
	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address(dir, "table.html")))
	waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.shown === "%d"`, len(c.Runs)))

	tool, runs, cpu := c.Tools[0].Name, 0, 0
	for i := range c.Runs {
		if r := &c.Runs[i]; r.Tool == tool {
			runs++
			if r.Void == "" && !r.NoTimes && r.CPU.Seconds() > 1 {
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
	do(t, ctx, chromedp.Navigate(address(dir, "table.html")))
	waitFor(t, ctx, `"podiumTable" in window`)
	fits(t, ctx)
	found.Check(t, 1)
}
