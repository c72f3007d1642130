//go:build !js

package publish

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
	"podium/internal/judged"
)

// TestLinesOfLongLogs follows addresses of lines in the middle of long logs, from a file, and
// shows more and more of a log: in the end the page has each of its lines, as text.
func TestLinesOfLongLogs(t *testing.T) {
	browsertest.Program(t)
	const hostile = "<img src=x onerror='window.owned=1'>\u202e\x1b[31m\xff</pre>"
	log := "the first\n" + strings.Repeat("one line <b>of many</b>\n", 1500) + hostile + "\n" + strings.Repeat("y", 3000) + "\n" + strings.Repeat("more\n", 3000) + "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n" +
		strings.Repeat("\u00e9nd\n", 4000)
	m := smallMaker()
	m.runs[0].said[0].Offset = int64(strings.Index(log, "FORMULA"))
	m.runs[0].logged(log)
	c := m.contest()
	dir := publishedSite(t, c)
	ctx, found := browser(t)
	const run = "ReachabilityDeadlock.explicit"
	page := address(dir, "logs/Philosophers-PT-000005.html")
	goTo := func(at int) {
		t.Helper()
		do(t, ctx, chromedp.Navigate(address(dir, "index.html")), chromedp.Navigate(fmt.Sprintf("%s#%s-%d", page, run, at)))
		waitFor(t, ctx, `document.querySelector(".log .here") !== null`)
	}
	here := func() string { return evaluate[string](t, ctx, `document.querySelector(".log .here").textContent`) }
	at := strings.Index(log, hostile)
	goTo(at)
	if line := here(); line != "<img src=x onerror='window.owned=1'>\ufffd\u241b[31m\ufffd</pre>" {
		t.Errorf("the address of a hostile line leads to %q", line)
	}
	if seen := evaluate[bool](t, ctx, `(() => { const b = document.querySelector(".here").getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; })()`); !seen {
		t.Error("the line is out of sight")
	}
	goTo(at + 3) // inside of the line
	if id := evaluate[string](t, ctx, `document.querySelector(".here").id`); id != fmt.Sprintf("%s-%d", run, at) {
		t.Errorf("the address of a byte leads to %s", id)
	}
	goTo(strings.Index(log, "yyy"))
	if line := here(); line != strings.Repeat("y", 1000)+"\u2026 2001 bytes more on this line" {
		t.Errorf("a long line is %q", line)
	}
	// random addresses lead to their lines
	rng := rand.New(rand.NewPCG(3, 3))
	for range 5 {
		byteAt := rng.IntN(strings.Index(log, "yyy"))
		goTo(strings.LastIndex(log[:byteAt], "\n") + 1)
		want, _, _ := strings.Cut(log[strings.LastIndex(log[:byteAt], "\n")+1:], "\n")
		if line := here(); line != want && want != hostile {
			t.Errorf("byte %d leads to %q, not to %q", byteAt, line, want)
		}
	}
	// all that the page leaves out comes on demand, from both ends
	for i := 0; evaluate[int](t, ctx, `document.querySelectorAll(".log .gap").length`) > 0; i++ {
		before := evaluate[int](t, ctx, `document.querySelectorAll(".log span").length`)
		evaluate[bool](t, ctx, fmt.Sprintf(`document.querySelectorAll(".log .gap button")[%d].click(), true`, i%2))
		waitFor(t, ctx, fmt.Sprintf(`document.querySelectorAll(".log span").length > %d`, before))
	}
	shown := strings.Split(evaluate[string](t, ctx, `document.querySelector(".log").textContent`), "\n")
	if lines := strings.Count(log, "\n"); len(shown)-1 != lines {
		t.Errorf("%d lines are shown, the log has %d", len(shown)-1, lines)
	}
	ids := evaluate[string](t, ctx, `(() => { let before = -1; for (const e of document.querySelectorAll(".log [id]")) { const at = Number(e.id.split("-").pop()); if (at <= before) return e.id; before = at; } return ""; })()`)
	if ids != "" {
		t.Errorf("the line %s is not in its place", ids)
	}
	evaluate[bool](t, ctx, `document.querySelector(".log span").click(), true`)
	if hash := evaluate[string](t, ctx, `location.hash`); hash != "#"+run+"-0" {
		t.Errorf("after a click on the first line the address is %s", hash)
	}
	if evaluate[bool](t, ctx, `"owned" in window`) {
		t.Error("a line was run")
	}
	found.Check(t, 1)
}

// A script holds the beginning of a long log, so much as fits; what follows is not kept.
func TestPackedLogsHaveLimits(t *testing.T) {
	rest := &logRest{}
	piece := make([]byte, mostOfLog/2+1)
	for range 6 {
		rest.begin("run")
		for range 3 {
			if n, err := rest.current.Write(piece); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
		}
		rest.end(true)
	}
	all := 0
	for _, p := range rest.kept {
		if len(p.bytes) > mostOfLog {
			t.Errorf("%d bytes of one log", len(p.bytes))
		}
		all += len(p.bytes)
	}
	if all != mostOfLogs {
		t.Errorf("%d bytes of all logs, want %d", all, mostOfLogs)
	}
	rest.begin("last")
	rest.current.Write(piece)
	rest.end(false)
	if rest.current.bytes != nil || len(rest.kept) != 6 {
		t.Error("a log is kept that is shown as a whole")
	}
}

// TestUnreadableLog: a log that is damaged, or not there, leaves a sentence in its place, and
// takes no other page with it. Any other error ends the site.
func TestUnreadableLog(t *testing.T) {
	damaged := fmt.Errorf("reading: %w", &judged.UnreadableLog{Err: errors.New("pack w.zst: the output at offset 7 is damaged")})
	for name, c := range map[string]struct {
		log  func() (io.ReadCloser, error)
		ends bool
	}{
		"when it is opened": {func() (io.ReadCloser, error) { return nil, damaged }, false},
		"in its middle": {func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("first\nsec"), iotest.ErrReader(damaged))), nil
		}, false},
		"of this computer": {func() (io.ReadCloser, error) { return nil, errors.New("too many open files") }, true},
	} {
		m, dir := smallMaker(), filepath.Join(t.TempDir(), "site")
		m.runs[0].log = c.log
		contest := m.contest()
		err := Write(t.Context(), dir, contest)
		if (err != nil) != c.ends {
			t.Errorf("%s: %v", name, err)
		}
		if c.ends {
			continue
		}
		page, err := os.ReadFile(filepath.Join(dir, "logs", "Philosophers-PT-000005.html"))
		if err != nil || !strings.Contains(string(page), "The log cannot be read: pack w.zst: the output at offset 7 is damaged.</p></section>") {
			t.Errorf("%s: %v\n%s", name, err, page)
		}
		if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
