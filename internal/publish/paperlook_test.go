//go:build !js

package publish

import (
	"fmt"
	"strings"
	"testing"

	pdf "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestRunsOnPaper: printing shows the first rows of the table of runs, and says so.
func TestRunsOnPaper(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 12)
	if len(c.runs) <= 500 {
		t.Fatalf("only %d runs", len(c.runs))
	}
	dir := publishedSite(t, c)
	open(t, ctx, dir, "table.html")
	evaluate[bool](t, ctx, `window.seen = "", new MutationObserver(() => { const n = document.querySelectorAll("#body tr:not([aria-hidden])").length; if (n >= 500) window.seen = n + " rows, box " + document.getElementById("scroll").clientHeight; }).observe(document.getElementById("body"), { childList: true }), true`)
	if _, err := chromedp.Call(ctx, pdf.PrintToPDF, pdf.PrintToPDFParams{}); err != nil {
		t.Fatal(err)
	}
	if seen := evaluate[string](t, ctx, `window.seen`); !strings.HasPrefix(seen, "500 rows") {
		t.Errorf("on paper there were %s", seen)
	}
	if said := evaluate[string](t, ctx, `document.getElementById("printed").textContent`); !strings.HasPrefix(said, fmt.Sprintf("The first 500 of %d rows are printed.", len(c.runs))) {
		t.Errorf("the page says %q", said)
	}
	waitFor(t, ctx, `document.querySelectorAll("#body tr").length < 100`)
	// a table of few instances is printed, one of many is not
	open(t, ctx, dir, "categories/CTL.html")
	if evaluate[bool](t, ctx, `document.querySelector(".unprinted, .printed") !== null`) {
		t.Error("a short table is not printed")
	}
	if n := (&site{view: &view{insts: make([]*Instance, 501)}}).ManyInstances(); n != 501 {
		t.Errorf("501 instances count as %d", n)
	}
	found.Check(t, 1)
}

// TestPlotsOfTwo: the page of plots shows the plot of two tools that are chosen.
func TestPlotsOfTwo(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 4)
	dir := publishedSite(t, c)
	const shown = `Array.from(document.querySelectorAll("[data-choose] figure")).filter((f) => !f.hidden).map((f) => f.dataset.x + " and " + f.dataset.y).join()`
	s := newSite(newView(c), nil)
	do(t, ctx, chromedp.Navigate(address(dir, "plots.html")))
	if got := evaluate[string](t, ctx, shown); got == "" || strings.Contains(got, ",") {
		t.Errorf("at first the page shows %s", got)
	}
	for _, f := range s.pairFigures(-1) {
		for _, two := range [][2]string{{f.X, f.Y}, {f.Y, f.X}} {
			evaluate[bool](t, ctx, fmt.Sprintf(`[%q, %q].forEach((name, i) => { const s = document.querySelectorAll(".plot-choice select")[i]; s.value = name; s.dispatchEvent(new Event("change")); }), true`, two[0], two[1]))
			if got := evaluate[string](t, ctx, shown); got != f.X+" and "+f.Y {
				t.Errorf("%s against %s shows %s", two[0], two[1], got)
			}
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")), chromedp.Navigate(address(dir, "plots.html")+"#x=walk&y=explicit"))
	if got := evaluate[string](t, ctx, shown); got != "explicit and walk" {
		t.Errorf("the address shows %s", got)
	}
	found.Check(t, 1)
}

// TestWideTables: a table that is wider than its box scrolls there, under a shadow.
func TestWideTables(t *testing.T) {
	ctx, _ := browser(t)
	dir := publishedSite(t, fixture(1, 4, 4))
	do(t, ctx, chromedp.EmulateViewport(phone, 800), chromedp.Navigate(address(dir, "tools.html")))
	box := evaluate[string](t, ctx, `(() => { const s = document.querySelector(".scroll"), style = getComputedStyle(s);
  return [s.scrollWidth > s.clientWidth, style.overflowX, style.backgroundAttachment, document.documentElement.scrollWidth <= innerWidth].join("; "); })()`)
	if box != "true; auto; local, local, scroll, scroll, scroll; true" {
		t.Errorf("a wide table on a phone: %s", box)
	}
	// rows of disagreements are cards, and the filters of the runs are folded
	do(t, ctx, chromedp.Navigate(address(dir, "disagreements.html")))
	if card := evaluate[string](t, ctx, `(() => { const row = document.querySelector("tbody tr"), s = document.querySelector(".scroll");
  return [s.scrollWidth > s.clientWidth, getComputedStyle(row).display, getComputedStyle(row.cells[3], "::before").content].join("; "); })()`); card != `false; block; "Reference value: "` {
		t.Errorf("a disagreement on a phone: %s", card)
	}
	for width, open := range map[int64]bool{phone: false, 1400: true} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(address(dir, "table.html")))
		waitFor(t, ctx, `document.body?.dataset.shown !== undefined`)
		if got := evaluate[bool](t, ctx, `document.getElementById("more-filters").open`); got != open {
			t.Errorf("in a window of %d the filters are open: %t", width, got)
		}
		if cut := evaluate[bool](t, ctx, `document.getElementById("scroll").scrollWidth > document.getElementById("scroll").clientWidth`); cut == open {
			t.Errorf("in a window of %d the runs are cut: %t", width, cut)
		}
	}
}
