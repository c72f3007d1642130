//go:build !js

package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

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
