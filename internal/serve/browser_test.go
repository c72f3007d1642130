//go:build !js

package serve

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"podium/vm"
)

// tab is a page of a headless browser, with what it said and which requests failed or went
// elsewhere.
type tab struct {
	t    *testing.T
	ctx  context.Context
	home string // beginning of all addresses that it may ask
	mu   sync.Mutex
	said []string
	seen int
}

// newTab opens a tab, or skips the test.
func newTab(t *testing.T, home string) *tab {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no chromium here: the live page is not tried in a browser")
	}
	if testing.Short() {
		t.Skip("the race detector does not see into a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, home: home}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	listening := ctx
	go func() {
		for message, err := range chromedp.Console(listening) {
			if err != nil {
				return
			}
			b.complain(fmt.Sprintf("console: %s", message))
		}
	}()
	b.ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	return b
}

func (b *tab) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, text)
}

func (b *tab) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.mu.Lock()
		b.seen++
		b.mu.Unlock()
		if !strings.HasPrefix(e.Request.URL, b.home) {
			b.complain("request to " + e.Request.URL)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			b.complain("failed request: " + e.ErrorText)
		}
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func valueOf[T any](b *tab, script string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return value
}

// until waits for a script to say true.
func (b *tab) until(script string) {
	b.t.Helper()
	for !valueOf[bool](b, script) {
		select {
		case <-b.ctx.Done():
			b.t.Fatalf("never: %s\n%s", script, valueOf[string](b, `document.body.innerText`))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ended is the number of runs that the page says have ended.
const ended = `document.querySelector("#part-state dd:nth-of-type(1)") && Number(document.querySelectorAll("#part-state dd")[1].textContent)`

// TestLivePageInABrowser looks at the page while a journal grows: it changes by itself, where it
// changes, fits a phone and a desk, light and dark, and asks nobody else.
func TestLivePageInABrowser(t *testing.T) {
	c := planned(t)
	s := start(t, options(c))
	await(t, s, "/index.html", func(code int, _ string) bool { return code == 200 })
	b := newTab(t, s.at("/"))
	b.do(chromedp.EmulateViewport(1400, 900), chromedp.Navigate(s.at("/")), chromedp.Click(`nav[aria-label="Site"] a[href="live"]`))
	b.until(`document.getElementById("line")?.textContent === "News arrives by itself."`)
	b.until(`document.querySelectorAll("#part-scores tbody tr").length > 0`)
	if valueOf[int](b, ended) != 0 || valueOf[int](b, `document.querySelectorAll("img[src=x]").length`) != 0 {
		t.Error("the page does not begin with nothing done")
	}
	b.do(chromedp.EmulateViewport(400, 900))
	valueOf[bool](b, `(() => { self.box = document.querySelector("#part-matrix .scroll"); box.scrollLeft = 40; box.focus(); return true; })()`)
	crash := right(hostileTool, "Ring-PT-2")
	crash.Outcome.Termination, crash.Outcome.ExitCode = vm.Exited, 3
	end(t, c, "w", right("lola", "Ring-PT-1"), crash)
	b.until(ended + ` === 2`)
	b.until(`document.querySelector("#part-scores").textContent.includes("6 runs were missing")`)
	if !valueOf[bool](b, `document.querySelector("#part-wrong").textContent.includes("exit code 3")`) {
		t.Error("the crash is not told")
	}
	if !valueOf[bool](b, `box.isConnected && box === document.activeElement && box.scrollLeft === 40`) {
		t.Error("a change takes away what is scrolled and has the focus")
	}
	b.isReadable("/live")

	// What went wrong leads to its run.
	b.until(`!!document.querySelector("#part-wrong td a")`)
	b.do(chromedp.Click(`#part-wrong td a`), chromedp.WaitVisible(`details.run[open]`))
	if at := valueOf[string](b, `document.title + " " + location.hash`); !strings.HasPrefix(at, "Ring-PT-2") || !strings.Contains(at, "OneSafe.") {
		t.Errorf("the crash leads to %q", at)
	}

	// A page of the site leads to it, and a page that nobody sees listens to nothing.
	b.do(chromedp.Navigate(s.at("/tools/lola.html")), chromedp.Click(`nav[aria-label="Site"] a[href="../live"]`))
	b.until(`document.getElementById("line")?.textContent === "News arrives by itself."`)
	if n := len(s.streams); n != 1 {
		t.Errorf("%d pages listen", n)
	}
	s.board.end()
	b.until(`document.getElementById("line").textContent.startsWith("The server has stopped.")`)

	// Without scripts it tells what is known.
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.at("/live")))
	if text := valueOf[string](b, `document.body.innerText`); !strings.Contains(text, "Load the page again for news.") || !strings.Contains(text, "6 runs were missing") {
		t.Errorf("without scripts it says\n%s", text)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.said {
		t.Error(text)
	}
	if b.seen < 8 {
		t.Errorf("only %d requests were seen", b.seen)
	}
}

// TestTokenInABrowser opens the address that is printed, on an address that others reach: the
// browser keeps the token, shows it no more, and hears news.
func TestTokenInABrowser(t *testing.T) {
	ip := "127.0.0.1"
	if list, err := net.InterfaceAddrs(); err == nil {
		for _, a := range list {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
				ip = n.IP.String()
			}
		}
	}
	o := options(planned(t))
	o.Address = "0.0.0.0:0"
	s := start(t, o)
	home := "http://" + net.JoinHostPort(ip, s.port()) + "/"
	_, query, _ := strings.Cut(s.URL(), "?")
	b := newTab(t, home)
	b.do(chromedp.EmulateViewport(1400, 900), chromedp.Navigate(home+"live?"+query))
	b.until(`document.getElementById("line")?.textContent === "News arrives by itself."`)
	if at := valueOf[string](b, `location.href + document.cookie`); at != home+"live" {
		t.Errorf("the browser shows %q", at)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.said {
		t.Error(text)
	}
}

// isReadable looks at a page on a phone and a desk, light and dark.
func (b *tab) isReadable(page string) {
	b.t.Helper()
	for _, width := range []int64{400, 1400} {
		b.do(chromedp.EmulateViewport(width, 900))
		if over := valueOf[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			b.t.Errorf("%s is %d pixels wider than a window of %d", page, over, width)
		}
	}
	if cut := valueOf[string](b, `Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label") + " " + e.scrollWidth + " > " + e.clientWidth).join("; ")`); cut != "" {
		b.t.Errorf("%s: cut on a desk: %s", page, cut)
	}
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
			b.t.Fatal(err)
		}
		if poor := valueOf[string](b, contrastScript); poor != "" {
			b.t.Errorf("%s, %s: poor contrast: %s", page, scheme, poor)
		}
	}
}

// contrastScript lists texts whose contrast to the background (WCAG 2, 1.4.3) is below 4.5.
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
    if (!n.textContent.trim() || !e.checkVisibility() || e.closest(".skip, .hidden, noscript")) continue;
    const a = light(parse(getComputedStyle(e).color).rgb), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + n.textContent.trim().slice(0, 20));
  }
  return [...poor].join("; ");
})()`
