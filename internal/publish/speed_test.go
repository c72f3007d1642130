//go:build !js

package publish

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestSpeedOfASite measures, in a real browser, how long a reader of a published site waits:
// for its overview, for answers to questions, and for its table of runs. PODIUM_SITE names
// the directory of the site; without it a small one is made. It judges no time: times
// depend on the machine.
func TestSpeedOfASite(t *testing.T) {
	var ctx context.Context
	dir := os.Getenv("PODIUM_SITE")
	if dir == "" {
		ctx, _, dir = askSite(t)
	} else {
		ctx, _ = browser(t)
	}
	say := func(what string, took time.Duration) {
		t.Logf("%-28s %7.0f ms", what, float64(took.Microseconds())/1e3)
	}
	do(t, ctx, chromedp.EmulateViewport(1400, 900))
	opened := func(page, ready string) {
		start := time.Now()
		do(t, ctx, chromedp.Navigate(address(dir, page)))
		waitFor(t, ctx, ready)
		say(page+" is ready", time.Since(start))
	}
	opened("index.html", `document.readyState === "complete"`)
	opened("instances.html", `document.readyState === "complete"`)
	opened("ask.html", `document.body.dataset.answered === ""`)
	tool := evaluate[string](t, ctx, `document.querySelector("#tools input").value`)
	for _, question := range []string{"without-tool=" + url.QueryEscape(tool), "examination=CTLFireability", "cpu=60s", "class=known"} {
		say("the question "+question, timed(t, ctx, fmt.Sprintf(`new MutationObserver((list, watch) => { if (document.body.dataset.answered !== "") { watch.disconnect(); done(); } })
			.observe(document.body, { attributes: true }); location.hash = %q`, question)))
	}
	opened("table.html", `document.body.dataset.shown !== undefined`)
	t.Logf("the table has %s runs", evaluate[string](t, ctx, `document.body.dataset.shown`))
	// each step ends when the browser has laid the page out again
	for _, step := range []struct{ what, script string }{
		{"scrolled to the middle", `by("scroll").scrollTop = by("scroll").scrollHeight / 2; by("scroll").dispatchEvent(new Event("scroll"))`},
		{"scrolled by a page", `by("scroll").scrollTop += 700; by("scroll").dispatchEvent(new Event("scroll"))`},
		{"filtered by a tool", `const s = document.querySelector("#filters select"); s.selectedIndex = 1; s.dispatchEvent(new Event("change"))`},
		{"filtered by a name, too", `const i = document.querySelector("[aria-label='Filter by Instance']"); i.value = "00"; i.dispatchEvent(new Event("input"))`},
		{"all runs again", `location.hash = ""; dispatchEvent(new Event("hashchange"))`},
		{"filtered by CPU time", `const i = document.querySelector("[aria-label='Filter by CPU, s']"); i.value = ">1"; i.dispatchEvent(new Event("input"))`},
		{"sorted by CPU time", `document.querySelectorAll("#heads button")[8].click()`},
		{"sorted by instance", `document.querySelectorAll("#heads button")[1].click()`},
	} {
		say(step.what, timed(t, ctx, step.script+`; requestAnimationFrame(done)`))
	}
}

// timed runs a script, which calls done, and waits for the layout that follows.
func timed(t *testing.T, ctx context.Context, script string) time.Duration {
	t.Helper()
	evaluate[bool](t, ctx, `(() => { window.took = -1; const by = (id) => document.getElementById(id), start = performance.now(),
		done = () => { document.body.getBoundingClientRect(); window.took = performance.now() - start; }; `+script+`; return true; })()`)
	waitFor(t, ctx, `window.took >= 0`)
	return time.Duration(evaluate[float64](t, ctx, `window.took`) * 1e6)
}
