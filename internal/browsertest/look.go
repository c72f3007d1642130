//go:build !js

package browsertest

import (
	"context"
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// audit lists what a page lacks for readers who do not see it or have no mouse.
//
//go:embed audit.js
var audit string

// paper is the width of what is printed on A4, in pixels of CSS.
const paper = 718

// ForEverybody checks the page that is open with the rules for readers who do not see it or
// have no mouse, on a phone, on a wide desk and on paper, light and dark.
func ForEverybody(t *testing.T, ctx context.Context, page string) {
	t.Helper()
	if said := Value[string](t, ctx, audit); said != "" {
		t.Errorf("%s: %s", page, said)
	}
	for _, width := range []int64{400, 1400} {
		Do(t, ctx, chromedp.EmulateViewport(width, 800))
		if over := Value[string](t, ctx, Over); over != "" {
			t.Errorf("%s is wider than a window of %d, %s", page, width, over)
		}
	}
	byKeyboard(t, ctx, page)
	for _, look := range []struct{ media, scheme string }{{"print", "light"}, {"", "dark"}, {"", "light"}} {
		media := emulation.SetEmulatedMediaParams{Media: look.media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}}
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		if poor := Value[string](t, ctx, Contrast); poor != "" {
			t.Errorf("%s, %s %s: poor contrast: %s", page, look.scheme, look.media, poor)
		}
		if look.media == "print" {
			Do(t, ctx, chromedp.EmulateViewport(paper, 1000))
			if over := Value[string](t, ctx, Over); over != "" {
				t.Errorf("%s is wider than a sheet of paper, %s", page, over)
			}
		}
	}
}

// Overflow is by how many pixels the page is wider than a window of a width.
func Overflow(t *testing.T, ctx context.Context, width int64) int {
	t.Helper()
	Do(t, ctx, chromedp.EmulateViewport(width, 900))
	return Value[int](t, ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}

// Contrast lists texts whose contrast to the background (WCAG 2, 1.4.3)
// is below 4.5.
const Contrast = `(() => {
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
    if (!n.textContent.trim() || !e.checkVisibility() || e.closest(".skip, .hidden, noscript")) continue;
    const a = light(parse(getComputedStyle(e).color).rgb), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + n.textContent.trim().slice(0, 20));
  }
  return Array.from(poor).slice(0, 5).join("; ");
})()`

// Over names what makes a page wider than its window, outermost and innermost, empty when nothing does.
const Over = `(() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return "";
  const clipped = (e) => { for (e = e.parentElement; e; e = e.parentElement) if (getComputedStyle(e).overflowX !== "visible") return true; return false; };
  const over = Array.from(document.querySelectorAll("body *")).filter((e) => e.getBoundingClientRect().right > wide + 0.5 && !clipped(e))
    .map((e) => e.tagName + (e.className ? "." + e.className : ""));
  return document.documentElement.scrollWidth - wide + " pixels: " + over.slice(0, 3).join(" ") + " ... " + over.slice(-2).join(" ");
})()`

// byKeyboard presses the tabulator: the first things that it comes to are the first that
// can be used, in their order, and each shows that it has the focus.
func byKeyboard(t *testing.T, ctx context.Context, page string) {
	t.Helper()
	usable := `Array.from(document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")).filter((e) => (e.checkVisibility({ visibilityProperty: true }) || e.matches(".skip")) && !e.disabled && e.tabIndex >= 0)`
	Value[bool](t, ctx, `(() => { window.usable = `+usable+`; document.activeElement.blur(); window.scrollTo(0, 0); getSelection().removeAllRanges(); return true; })()`)
	for i := range min(12, Value[int](t, ctx, `usable.length`)) {
		Press(t, ctx, "Tab")
		if at := Value[int](t, ctx, `usable.indexOf(document.activeElement)`); at != i {
			t.Errorf("%s: the tabulator came %d times to number %d: %s", page, i+1, at, Value[string](t, ctx, `document.activeElement.outerHTML.slice(0, 80)`))
			return
		}
		if shown := Value[bool](t, ctx, `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== "none" || s.boxShadow !== "none"; })()`); !shown {
			t.Errorf("%s: number %d does not show that it has the focus", page, i)
		}
		if i == 0 && Value[bool](t, ctx, `document.activeElement.matches(".skip")`) {
			skips(t, ctx, page)
		}
	}
}

// skips presses Enter on the link to the content, which is seen while it has the focus: the
// content has the focus then. The link has it again afterwards.
func skips(t *testing.T, ctx context.Context, page string) {
	t.Helper()
	if seen := Value[bool](t, ctx, `(() => { const r = document.activeElement.getBoundingClientRect(); return r.width > 40 && r.height > 12 && r.top >= 0; })()`); !seen {
		t.Errorf("%s: the link to the content is not seen while it has the focus", page)
	}
	before := Value[string](t, ctx, `location.hash`)
	Press(t, ctx, "Enter")
	Until(t, ctx, `document.activeElement.tagName === "MAIN"`)
	Value[bool](t, ctx, `(() => { history.replaceState(null, "", location.pathname + location.search + `+strconv.Quote(before)+`); window.scrollTo(0, 0); usable[0].focus(); return true; })()`)
}

// keyCodes are the numbers of the keys that tests press.
var keyCodes = map[string]int64{"Tab": 9, "Enter": 13, " ": 32, "End": 35, "ArrowRight": 39, "ArrowDown": 40}

// Press presses a key and lets it go.
func Press(t *testing.T, ctx context.Context, key string) {
	t.Helper()
	text := map[string]string{"Enter": "\r", " ": " "}[key]
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeChar, input.DispatchKeyEventTypeKeyUp} {
		if kind == input.DispatchKeyEventTypeChar && text == "" {
			continue
		}
		event := input.DispatchKeyEventParams{Type: kind, Key: key, Code: strings.Replace(key, " ", "Space", 1), WindowsVirtualKeyCode: keyCodes[key], Text: text}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, event); err != nil {
			t.Fatal(err)
		}
	}
}
