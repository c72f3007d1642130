//go:build !js

package publish

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// browser gives a tab of a headless browser, or skips the test, and two lists:
// what the console said and which requests failed or left the disk.
func browser(t *testing.T) (context.Context, *complaints) {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no chromium here: the site is not tried in a browser")
	}
	if testing.Short() {
		t.Skip("the race detector does not see into a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("force-prefers-reduced-motion", true)) // a click misses what scrolls smoothly
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	found := &complaints{}
	if err := chromedp.Listen(ctx, found.hear); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	listening := ctx // the loop below outlives the next assignment
	go func() {
		for message, err := range chromedp.Console(listening) {
			if err != nil {
				return
			}
			found.add(fmt.Sprintf("console: %s", message))
		}
	}()
	ctx, cancel = context.WithTimeout(ctx, patience(5*time.Minute))
	t.Cleanup(cancel)
	return ctx, found
}

// patience is how long something may take; the long forms of tests are given more.
func patience(d time.Duration) time.Duration {
	if os.Getenv("PODIUM_SOAK") != "" {
		return 20 * d
	}
	return d
}

// complaints are what a browser found wrong.
type complaints struct {
	mu   sync.Mutex
	list []string
	seen int // requests
}

func (c *complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, text)
}

func (c *complaints) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		c.mu.Lock()
		c.seen++
		c.mu.Unlock()
		if !strings.HasPrefix(e.Request.URL, "file://") {
			c.add("request to " + e.Request.URL)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			c.add("failed request: " + e.ErrorText)
		}
	}
}

func address(dir, page string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(page)))}
	return u.String()
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return value
}

func TestInABrowser(t *testing.T) {
	ctx, found := browser(t)
	dir := publishedSite(t, refereed(fixture(1, 4, 9)))

	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address(dir, "index.html")))
	if podiums := evaluate[int](t, ctx, `document.querySelectorAll(".card .podium").length`); podiums != 6 {
		t.Errorf("%d podiums are shown", podiums)
	}
	sortsAndFilters(t, ctx, dir)
	followsToARun(t, ctx, dir)
	followsToALogLine(t, ctx, dir)
	isReadable(t, ctx, dir)

	found.mu.Lock()
	defer found.mu.Unlock()
	for _, text := range found.list {
		t.Error(text)
	}
	if found.seen < 20 {
		t.Errorf("only %d requests were seen", found.seen)
	}
	refusesForeignScripts(t, dir)
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
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			if over := evaluate[int](t, ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s is %d pixels wider than a window of %d", page, over, width)
			}
			if cut := evaluate[string](t, ctx, cutScript); cut != "" && width == desk {
				t.Errorf("%s: cut in a window of %d: %s", page, width, cut)
			}
		}
		for _, scheme := range []string{"light", "dark"} {
			media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
				t.Fatal(err)
			}
			if dark := evaluate[bool](t, ctx, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (scheme == "dark") {
				t.Fatalf("the browser is not %s", scheme)
			}
			if poor := evaluate[string](t, ctx, contrastScript); poor != "" {
				t.Errorf("%s, %s: poor contrast: %s", page, scheme, poor)
			}
		}
	}
}

// contrastScript lists texts whose contrast to the background (WCAG 2, 1.4.3)
// is below 4.5.
const contrastScript = `(() => {
  const parse = (c) => { const m = c.match(/[\d.]+/g).map(Number); return { rgb: m.slice(0, 3), a: m.length > 3 ? m[3] : 1 }; };
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { let layers = [];
    for (; e; e = e.parentElement) { const b = parse(getComputedStyle(e).backgroundColor); layers.push(b); if (b.a === 1) break; }
    let rgb = [255, 255, 255];
    for (const l of layers.reverse()) rgb = rgb.map((v, i) => v * (1 - l.a) + l.rgb[i] * l.a);
    return rgb; };
  const poor = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.textContent.trim() || !e.checkVisibility() || e.closest(".skip, .hidden")) continue;
    const a = light(parse(getComputedStyle(e).color).rgb), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + n.textContent.trim().slice(0, 20));
  }
  return Array.from(poor).slice(0, 5).join("; ");
})()`
