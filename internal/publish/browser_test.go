//go:build !js

package publish

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
)

// browser returns a tab that may ask only for files.
func browser(t *testing.T) (context.Context, *browsertest.Complaints) {
	t.Helper()
	return browsertest.Open(t, "file://")
}

func address(dir, page string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(page)))}
	return u.String()
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	browsertest.Do(t, ctx, steps...)
}

func evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	return browsertest.Value[T](t, ctx, script)
}

// waitFor waits until an expression is true.
func waitFor(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	browsertest.Until(t, ctx, script)
}

func TestInABrowser(t *testing.T) {
	ctx, found := browser(t)
	dir := publishedSite(t, refereed(newMaker(1, 4, 9)).contest())

	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address(dir, "index.html")))
	if podiums := evaluate[int](t, ctx, `document.querySelectorAll(".card .podium").length`); podiums != 6 {
		t.Errorf("%d podiums are shown", podiums)
	}
	sortsAndFilters(t, ctx, dir)
	totalsFollow(t, ctx, dir)
	followsToARun(t, ctx, dir)
	followsToALogLine(t, ctx, dir)
	followsADot(t, ctx, dir)
	isReadable(t, ctx, dir)
	findsPages(t, ctx, dir)

	found.Check(t, 20)
	refusesForeignScripts(t, dir)
}

// findsPages searches from a page below the root: models, instances and tools, with all words, by
// the keyboard alone.
func findsPages(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "tools/symbolic.html")))
	if evaluate[bool](t, ctx, `"podiumNames" in window`) {
		t.Error("names are loaded before anybody searches")
	}
	typed := func(text string) string {
		return fmt.Sprintf(`{ const input = document.querySelector("#find input"); input.focus(); input.value = %q; input.dispatchEvent(new Event("input", { bubbles: true })); } `, text)
	}
	found := `Array.from(document.querySelectorAll("#find li"), (e) => e.textContent).join(" ")`
	evaluate[bool](t, ctx, typed("kanban 10")+"true")
	waitFor(t, ctx, found+` === "Kanban-PT-000010"`)
	evaluate[bool](t, ctx, typed("kanban")+"true")
	waitFor(t, ctx, found+`.startsWith("Kanban Kanban-PT-000005")`)
	evaluate[bool](t, ctx, typed("nothing at all")+"true")
	waitFor(t, ctx, `document.querySelector("#find .says").textContent === "No page has this name."`)
	evaluate[bool](t, ctx, typed("symb")+"true")
	waitFor(t, ctx, found+` === "symbolic"`)
	evaluate[bool](t, ctx, typed("kanban")+"true")
	waitFor(t, ctx, found+`.startsWith("Kanban")`)
	evaluate[bool](t, ctx, `document.querySelector("#find input").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), true`)
	waitFor(t, ctx, `location.pathname.endsWith("/models/Kanban.html")`)
}

// refusesForeignScripts puts into a page what an escaping that fails would let
// through: the policy of the page stops it, and leaves its own script and styles.
func refusesForeignScripts(t *testing.T, dir string) {
	t.Helper()
	ctx, _ := browser(t)
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(contentPolicy, "unsafe-inline") {
		t.Errorf("the policy allows what stands inside of a page: %s", contentPolicy)
	}
	attack := []byte(`<script>window.owned = "script"</script><img src="icon.svg" onload="window.owned = 'handler'"></main>`)
	for name, policy := range map[string]string{"with": contentPolicy, "without": ""} {
		text := bytes.ReplaceAll(page, []byte("</main>"), attack)
		if policy == "" {
			text = bytes.ReplaceAll(text, []byte("Content-Security-Policy"), []byte("nothing"))
		}
		if err := os.WriteFile(filepath.Join(dir, "attacked.html"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		do(t, ctx, chromedp.Navigate(address(dir, "attacked.html")))
		if owned := evaluate[bool](t, ctx, `"owned" in window`); owned != (policy == "") {
			t.Errorf("%s a policy: a foreign script runs: %v", name, owned)
		}
		if sorted := evaluate[int](t, ctx, `document.querySelectorAll("th button").length`); sorted == 0 {
			t.Errorf("%s a policy: the page's own script does not run", name)
		}
		if wide := evaluate[bool](t, ctx, `document.querySelector(".bar rect").getBoundingClientRect().width > 20`); !wide {
			t.Errorf("%s a policy: bars have no width", name)
		}
	}
}

func sortsAndFilters(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "instances.html")))
	column := `Array.from(document.querySelectorAll("tbody tr"), (r) => Number(r.cells[4].textContent)).join(" ")`
	before := evaluate[string](t, ctx, column)
	button := `thead th:nth-child(5) button`
	do(t, ctx, chromedp.Click(button))
	if got := evaluate[string](t, ctx, column); got == before || !strings.HasPrefix(got, "66 59 ") {
		t.Errorf("sorted by places, greatest first: %s", got)
	}
	do(t, ctx, chromedp.Click(button))
	if got := evaluate[string](t, ctx, column); !strings.HasPrefix(got, "10 17 ") {
		t.Errorf("sorted by places, least first: %s", got)
	}
	do(t, ctx, chromedp.SendKeys(`.filter input`, "peterson"))
	if got := evaluate[int](t, ctx, `Array.from(document.querySelectorAll("tbody tr")).filter((r) => !r.hidden).length`); got != 1 {
		t.Errorf("the filter leaves %d rows", got)
	}
}

// totalsFollow compares the totals of an examination under a filter with the rows that are
// left: what the masks of all rows say is what the page has without a filter.
func totalsFollow(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "examinations/CTLFireability.html")))
	foot := `Array.from(document.querySelectorAll("tfoot tr > *"), (c) => c.textContent).join("; ")`
	all := evaluate[string](t, ctx, foot)
	sums := map[bool][]int{}
	for _, one := range []bool{true, false} {
		evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const input = document.querySelector(".filter input"); input.value = %q; input.dispatchEvent(new Event("input")); return true; })()`, map[bool]string{true: "Kanban", false: ""}[one]))
		sums[one] = evaluate[[]int](t, ctx, `Array.from(document.querySelectorAll("tfoot td"), (c) => parseInt(c.textContent))`)
		left := evaluate[[]int](t, ctx, `Array.from(document.querySelectorAll(".grid thead th")).slice(2).map((_, i) => Array.from(document.querySelectorAll(".grid tbody tr")).filter((r) => !r.hidden)
  .reduce((n, r) => n + (r.cells[i + 2].querySelector(".mask")?.textContent.match(/T/g) ?? []).length, 0))`)
		if !slices.Equal(sums[one], left) {
			t.Errorf("filtered %v: the totals say %v right, the rows %v", one, sums[one], left)
		}
	}
	if slices.Equal(sums[true], sums[false]) {
		t.Error("the totals do not follow the filter")
	}
	if again := evaluate[string](t, ctx, foot); again != all || !strings.HasPrefix(all, "All instances; ") {
		t.Errorf("without a filter the totals are %s, they were %s", again, all)
	}
}

func followsToARun(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "examinations/CTLFireability.html")), chromedp.Click(`td.run a`), chromedp.WaitVisible(`details.run[open] > p`))
	if at := evaluate[string](t, ctx, `document.querySelector("details.run[open]").id + " of " + document.title`); !strings.HasPrefix(at, "CTLFireability.explicit of Eratosthenes") {
		t.Errorf("a click on the first run leads to %q", at)
	}
}

func followsToALogLine(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "disagreements.html")), chromedp.Click(`tbody th a`), chromedp.WaitVisible(`.camp`),
		chromedp.Click(`//a[text()="log line"]`), chromedp.WaitVisible(`.log mark:target`))
	if line := evaluate[string](t, ctx, `document.querySelector(".log mark:target").textContent`); !strings.HasPrefix(line, "FORMULA ") && !strings.HasPrefix(line, "STATE_SPACE ") {
		t.Errorf("the vote leads to the line %q", line)
	}
}

// followsADot clicks the dot of a run in the plot of a model.
func followsADot(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, "models/Kanban.html")), chromedp.WaitVisible(`.ladder`))
	said := evaluate[string](t, ctx, `document.querySelector(".ladder a title").textContent`)
	if !strings.HasPrefix(said, "explicit, ") || !strings.Contains(said, " right, ") {
		t.Errorf("a dot says %q", said)
	}
	evaluate[bool](t, ctx, `(() => { const dot = document.querySelector(".ladder a path"); dot.scrollIntoView({ block: "center" });
  const box = dot.getBoundingClientRect(); const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest("a");
  there.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); return true; })()`)
	do(t, ctx, chromedp.WaitVisible(`details.run[open] > p`))
	if at := evaluate[string](t, ctx, `document.querySelector("details.run[open]").id + " of " + document.title`); !strings.Contains(at, ".explicit of Kanban") {
		t.Errorf("a dot leads to %q", at)
	}
}

// The widths that pages are looked at in.
const phone, desk = 360, 1280

// cutScript lists the tables that are cut at the right. Those with a column for each
// tool may be.
const cutScript = `Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth && !e.querySelector(".grid"))
  .map((e) => e.querySelector("caption").textContent).join("; ")`

// isReadable checks pages on a phone and on a desk, light and dark: the page
// itself never scrolls sideways, no table is cut on a desk, and text has a contrast of 4.5 at least.
func isReadable(t *testing.T, ctx context.Context, dir string) {
	t.Helper()
	pages := []string{"index.html", "examinations.html", "tools.html", "instances.html", "disagreements.html", "referee.html", "plots.html", "rules.html", "data.html",
		"categories/CTL.html", "examinations/StateSpace.html", "tools/symbolic.html", "models.html", "models/Kanban.html", "together.html", "glossary.html"}
	for _, pattern := range []string{"instances/FMS*.html", "disagreements/*.html", "logs/FMS*.html"} {
		matches, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil || len(matches) == 0 {
			t.Fatalf("no page %s: %v", pattern, err)
		}
		name, err := filepath.Rel(dir, matches[0])
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, filepath.ToSlash(name))
	}
	for _, page := range pages {
		do(t, ctx, chromedp.Navigate(address(dir, page)))
		for _, width := range []int64{phone, desk} {
			if over := browsertest.Overflow(t, ctx, width); over > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", page, over, width)
			}
			if cut := evaluate[string](t, ctx, cutScript); cut != "" && width == desk {
				t.Errorf("%s: cut in a window of %d: %s", page, width, cut)
			}
		}
		for _, scheme := range []string{"light", "dark"} {
			browsertest.SetScheme(t, ctx, scheme)
			if poor := evaluate[string](t, ctx, browsertest.Contrast); poor != "" {
				t.Errorf("%s, %s: poor contrast: %s", page, scheme, poor)
			}
		}
	}
}
