//go:build !js

package serve

import (
	"net"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
	"podium/vm"
)

// ended is the number of runs that the page says have ended.
const ended = `document.querySelector("#part-state dd:nth-of-type(1)") && Number(document.querySelectorAll("#part-state dd")[1].textContent)`

// TestLivePageInABrowser looks at the page while a journal grows: it changes by itself, where it
// changes, fits a phone and a desk, light and dark, and asks nobody else.
func TestLivePageInABrowser(t *testing.T) {
	c := planned(t)
	s := start(t, options(c))
	await(t, s, "/index.html", func(code int, _ string) bool { return code == 200 })
	ctx, found := browsertest.Open(t, s.at("/"))
	browsertest.Do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(s.at("/")), chromedp.Click(`nav[aria-label="Site"] a[href="live"]`))
	browsertest.Until(t, ctx, `document.getElementById("line")?.textContent === "News arrives by itself."`)
	browsertest.Until(t, ctx, `document.querySelectorAll("#part-scores tbody tr").length > 0`)
	if browsertest.Value[int](t, ctx, ended) != 0 || browsertest.Value[int](t, ctx, `document.querySelectorAll("img[src=x]").length`) != 0 {
		t.Error("the page does not begin with nothing done")
	}
	browsertest.Do(t, ctx, chromedp.EmulateViewport(400, 900))
	browsertest.Value[bool](t, ctx, `(() => { self.box = document.querySelector("#part-matrix .scroll"); box.scrollLeft = 40; box.focus(); return true; })()`)
	crash := right(hostileTool, "Ring-PT-2")
	crash.Outcome.Termination, crash.Outcome.ExitCode = vm.Exited, 3
	end(t, c, "w", right("lola", "Ring-PT-1"), crash)
	browsertest.Until(t, ctx, ended+` === 2`)
	browsertest.Until(t, ctx, `document.querySelector("#part-scores").textContent.includes("6 runs were missing")`)
	if !browsertest.Value[bool](t, ctx, `document.querySelector("#part-wrong").textContent.includes("exited with code 3")`) {
		t.Error("the crash is not told")
	}
	if wide := browsertest.Value[float64](t, ctx, `document.querySelector("#part-wrong td.why").clientWidth`); wide < 200 {
		t.Errorf("on a phone the reason of a crash has %v pixels: a word a line", wide)
	}
	if !browsertest.Value[bool](t, ctx, `box.isConnected && box === document.activeElement && box.scrollLeft === 40`) {
		t.Error("a change takes away what is scrolled and has the focus")
	}
	browsertest.Do(t, ctx, chromedp.Navigate(s.at("/live"))) // nothing has the focus
	browsertest.Until(t, ctx, `document.getElementById("line")?.textContent === "News arrives by itself."`)
	browsertest.ForEverybody(t, ctx, "/live")
	browsertest.Do(t, ctx, chromedp.EmulateViewport(1400, 900))
	if cut := browsertest.Value[string](t, ctx, `Array.from(document.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label") + " " + e.scrollWidth + " > " + e.clientWidth).join("; ")`); cut != "" {
		t.Errorf("/live: cut on a desk: %s", cut)
	}

	// What went wrong leads to its run.
	browsertest.Until(t, ctx, `!!document.querySelector("#part-wrong td a")`)
	// By a script: news may put another link in place of the one that a mouse heads for.
	browsertest.Value[bool](t, ctx, `(() => { document.querySelector("#part-wrong td a").click(); return true; })()`)
	browsertest.Do(t, ctx, chromedp.WaitVisible(`details.run[open]`))
	if at := browsertest.Value[string](t, ctx, `document.title + " " + location.hash`); !strings.HasPrefix(at, "Ring-PT-2") || !strings.Contains(at, "OneSafe.") {
		t.Errorf("the crash leads to %q", at)
	}

	// A page of the site leads to it, and a page that nobody sees listens to nothing.
	browsertest.Do(t, ctx, chromedp.Navigate(s.at("/tools/lola.html")), chromedp.Click(`nav[aria-label="Site"] a[href="../live"]`))
	browsertest.Until(t, ctx, `document.getElementById("line")?.textContent === "News arrives by itself."`)
	if n := len(s.streams); n != 1 {
		t.Errorf("%d pages listen", n)
	}
	s.live.end()
	browsertest.Until(t, ctx, `document.getElementById("line").textContent.startsWith("The server has stopped.")`)

	// Without scripts it tells what is known.
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	browsertest.Do(t, ctx, chromedp.Navigate(s.at("/live")))
	if text := browsertest.Value[string](t, ctx, `document.body.innerText`); !strings.Contains(text, "Load the page again for news.") || !strings.Contains(text, "6 runs were missing") {
		t.Errorf("without scripts it says\n%s", text)
	}
	found.Check(t, 8)
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
	ctx, found := browsertest.Open(t, home)
	browsertest.Do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(home+"live?"+query))
	browsertest.Until(t, ctx, `document.getElementById("line")?.textContent === "News arrives by itself."`)
	if at := browsertest.Value[string](t, ctx, `location.href + document.cookie`); at != home+"live" {
		t.Errorf("the browser shows %q", at)
	}
	found.Check(t, 1)
}
