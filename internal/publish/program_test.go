//go:build !js

package publish

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/browsertest"
	"podium/internal/carried"
)

// program returns the program of the pages, built from this tree.
func program(t *testing.T) *Program {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here: the program of the pages is not built")
	}
	wasm, err := carried.Packed(carried.Pages)
	if err != nil {
		t.Fatal(err)
	}
	glue, err := carried.Glue()
	if err != nil {
		t.Fatal(err)
	}
	return &Program{Wasm: wasm, Glue: glue}
}

// fits wants the page to fit a phone and a desk, and its texts to be readable.
func fits(t *testing.T, ctx context.Context) {
	t.Helper()
	for _, width := range []int64{phone, desk} {
		if over := browsertest.Overflow(t, ctx, width); over > 0 {
			t.Errorf("the page is %d pixels wider than a window of %d", over, width)
		}
	}
	if poor := evaluate[string](t, ctx, browsertest.Contrast); poor != "" {
		t.Errorf("poor contrast: %s", poor)
	}
}

// TestProgramStarts starts the program in a page that was opened as a file, under
// the policy of pages that compute.
func TestProgramStarts(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 9)
	c.Program = program(t)
	v := newView(c)
	dir := t.TempDir()
	s := &site{view: v, tree: newTree(ctx, dir)}
	for _, step := range []func() error{s.parse, s.writeAssets, s.writeProgram, func() error {
		return s.render("glossary", "deep/page.html", page{Title: "Computes", Computes: true, Own: []string{"podium.js"}})
	}} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "deep/page.html")))
	evaluate[bool](t, ctx, `podiumPages.start("../").then((p) => p.ask("nothing", "?")).then(() => { window.said = "answered"; }, (e) => { window.said = e.message; }), true`)
	waitFor(t, ctx, `"said" in window`)
	if said := evaluate[string](t, ctx, `window.said`); said != `podium answers no "nothing"` {
		t.Errorf("the page was told: %s", said)
	}
	found.Check(t, 1)
}

// playsInThePicture fires a transition of the net of two places by a click and by the
// keyboard: the picture and the sentence below follow.
func playsInThePicture(t *testing.T, ctx context.Context, first string) {
	t.Helper()
	says := func(want string, tokens string) {
		t.Helper()
		if text := evaluate[string](t, ctx, first+`.querySelector("[role=status]").textContent`); !strings.Contains(text, want) {
			t.Errorf("the token game says %q, not %q", text, want)
		}
		if got := evaluate[string](t, ctx, `Array.from(`+first+`.querySelectorAll(".game [role=img]"), (e) => e.getAttribute("aria-label")).join(", ")`); got != tokens {
			t.Errorf("the picture shows %q, not %q", got, tokens)
		}
	}
	says("0 firings; 1 transition is enabled", "p: 2 tokens, q: 0 tokens")
	do(t, ctx, chromedp.Click(`.game [role=button] .hit`))
	says("1 firing, the last is t; 1 transition", "p: 1 token, q: 1 token")
	evaluate[bool](t, ctx, first+`.querySelector(".game [role=button]").focus(), true`)
	do(t, ctx, chromedp.KeyEvent(" "))
	says("2 firings, the last is t; a deadlock", "p: 0 tokens, q: 2 tokens")
	do(t, ctx, chromedp.KeyEvent("\r"))
	says("2 firings, the last is t; a deadlock", "p: 0 tokens, q: 2 tokens")
	if text := evaluate[string](t, ctx, first+`.querySelector(".game .tokens").textContent`); text != "2" {
		t.Errorf("the place shows %q tokens", text)
	}
	evaluate[bool](t, ctx, `Array.from(`+first+`.querySelectorAll("button")).find((b) => b.textContent === "Back to the start").click(), true`)
	says("0 firings", "p: 2 tokens, q: 0 tokens")
}

// TestAskInABrowser asks random questions in the page, from a file and from a server:
// its answers are those of the room that `podium whatif` calls.
func TestAskInABrowser(t *testing.T) {
	browsertest.Program(t)
	scored, ed := asktest.Contest(t)
	var data bytes.Buffer
	if err := ask.Write(&data, scored, ed); err != nil {
		t.Fatal(err)
	}
	c := fixture(1, 4, 2)
	c.Program, c.Answers = program(t), data.Bytes()
	dir := publishedSite(t, c)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	ctx, found := browsertest.Open(t, "file://", server.URL)
	session := ask.NewSession(scored, ed)
	rng := rand.New(rand.NewPCG(5, 5))
	questions := 10
	if os.Getenv("PODIUM_SOAK") != "" {
		questions = 100
	}
	for _, at := range []string{address(dir, "ask.html"), server.URL + "/ask.html"} {
		do(t, ctx, chromedp.Navigate(at))
		waitFor(t, ctx, `document.body.dataset.answered === ""`)
		for range questions {
			q := asktest.Question(rng, session.Names())
			want, err := session.Ask(q)
			if err != nil {
				continue // leaves nothing to score
			}
			text := q.String()
			evaluate[bool](t, ctx, fmt.Sprintf(`location.hash = %q, true`, text))
			waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.answered === %q`, text))
			var got ask.Answer
			if err := json.Unmarshal([]byte(evaluate[string](t, ctx, `JSON.stringify(podiumAnswer)`)), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(&got, want) {
				t.Errorf("%s: the page answers %+v, whatif %+v", text, got.Boards, want.Boards)
			}
			if shown := evaluate[bool](t, ctx, `document.getElementById("unofficial").hidden`); shown != (text == "") {
				t.Errorf("%s: the banner is hidden: %v", text, shown)
			}
		}
	}
	// the plots follow, and a point is a run that it leads to
	plotsFollow(t, ctx)
	// by hand: a tool is left out by its box, and the address says so
	do(t, ctx, chromedp.Navigate(address(dir, "ask.html")))
	waitFor(t, ctx, `document.body.dataset.answered === ""`)
	evaluate[bool](t, ctx, `document.querySelector("#tools input[value=gamma]").click(), document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered === "without-tool=gamma"`)
	if rows := evaluate[int](t, ctx, `Array.from(document.querySelectorAll("#moves tbody tr")).filter((r) => r.cells[1].textContent === "gamma").length`); rows == 0 {
		t.Error("the page does not say what changes for the tool that is left out")
	}
	fits(t, ctx)
	found.Check(t, 1)
}

// plotsFollow looks at each plot of the page, and goes to runs by the keyboard and the mouse.
func plotsFollow(t *testing.T, ctx context.Context) {
	t.Helper()
	evaluate[bool](t, ctx, `location.hash = "without-tool=gamma", true`)
	for _, kind := range []string{"points", "points-over", "values-over", "tools", "values"} {
		evaluate[bool](t, ctx, fmt.Sprintf(`document.getElementById("plot-kind").value = %q, document.getElementById("plot-kind").dispatchEvent(new Event("change")), true`, kind))
		waitFor(t, ctx, fmt.Sprintf(`(({ question, plot }) => question === "without-tool=gamma" && plot === %q)(JSON.parse(document.body.dataset.plotted))`, kind))
		if lines := evaluate[int](t, ctx, `document.querySelectorAll("#plot .line, #plot .dot").length`); lines == 0 {
			t.Errorf("the plot %s is empty", kind)
		}
	}
	if text := evaluate[string](t, ctx, `document.getElementById("plot").textContent`); strings.Contains(text, "gamma") || !strings.Contains(text, "alpha") {
		t.Errorf("the plot says: %s", text)
	}
	if colour := evaluate[string](t, ctx, `getComputedStyle(document.querySelector("#plot .line")).stroke`); colour == "none" {
		t.Error("lines have no colour")
	}
	said := `(document.querySelector("#plot-says a") ?? { textContent: "" }).textContent`
	evaluate[bool](t, ctx, `document.getElementById("plot").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" })), true`)
	waitFor(t, ctx, said+`.includes(" of CPU time")`)
	first := evaluate[string](t, ctx, said)
	evaluate[bool](t, ctx, `(() => { const plot = document.getElementById("plot"); plot.scrollIntoView({ block: "center" });
  const end = plot.querySelector(".end:last-of-type, .ring:last-of-type") ?? plot.querySelector(".end"); const box = end.getBoundingClientRect();
  plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true })); return true; })()`)
	waitFor(t, ctx, fmt.Sprintf(`%s.includes(" of CPU time") && %s !== %q`, said, said, first))
	if path := evaluate[string](t, ctx, `document.querySelector("#plot-says a").getAttribute("href")`); !strings.HasPrefix(path, "instances/Family") || !strings.Contains(path, ".html#") {
		t.Errorf("a point leads to %s", path)
	}
}

// TestWorkbenchTakesIntervals where the edition of the site does.
func TestWorkbenchTakesIntervals(t *testing.T) {
	c := fixture(1, 1, 1)
	c.Program = &Program{}
	for _, taken := range []bool{false, true} {
		rules := *c.Judged.Edition
		rules.Examinations = slices.Clone(rules.Examinations)
		rules.Examinations[0].Intervals = taken
		c.Judged.Edition = &rules
		dir := t.TempDir()
		s := &site{view: newView(c), tree: newTree(t.Context(), dir)}
		if err := errors.Join(s.parse(), s.writeWorkbench()); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, "workbench.html"))
		if err != nil || bytes.Contains(page, []byte(`class="drop" data-intervals="true"`)) != taken {
			t.Errorf("taken %t: %v", taken, err)
		}
	}
}

// takesAnArchive clears the page, and drops an archive of a net that only its first element tells and of formulas:
// the model stands above, named after the directory, and what a button gives below the button. Then the page is cleared again.
func takesAnArchive(t *testing.T, ctx context.Context, reports int, model string) {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	for _, f := range [][2]string{{"Pair-PT-07/UpperBounds.xml", `<property-set xmlns="http://mcc.lip6.fr/"><property><id>Pair-PT-07-UpperBounds-00</id><description>d</description><formula><place-bound><place>p</place></place-bound></formula></property></property-set>`},
		{"Pair-PT-07/instance", "07"}, {"Pair-PT-07/net.xml", model}} {
		if err := w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	empty := `document.querySelectorAll("#reports section").length === 0 && document.getElementById("clear").hidden`
	evaluate[bool](t, ctx, `document.getElementById("clear").click(), true`)
	waitFor(t, ctx, empty)
	evaluate[bool](t, ctx, fmt.Sprintf(`workbenchTake([new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], "pair.tgz")]), true`, base64.StdEncoding.EncodeToString(packed.Bytes())))
	waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports+2))
	heads := `Array.from(document.querySelectorAll("#reports section.report > h2"), (h) => h.textContent).join("; ")`
	if got := evaluate[string](t, ctx, heads+` + ": " + document.querySelector("#reports dd").textContent`); got != "net.xml; UpperBounds.xml: Pair-PT-07" {
		t.Errorf("an archive: %s", got)
	}
	evaluate[bool](t, ctx, `Array.from(document.querySelectorAll("#reports button")).find((b) => b.textContent === "StateSpace").click(), true`)
	waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports+3))
	if got := evaluate[string](t, ctx, heads); got != "net.xml; StateSpace of Pair-PT-07; UpperBounds.xml" {
		t.Errorf("the state space: %s", got)
	}
	evaluate[bool](t, ctx, `workbenchTake([new File(["no archive"], "x.tar.gz")]), true`)
	waitFor(t, ctx, `document.getElementById("state").textContent.startsWith("x.tar.gz: the archive is no gzip archive")`)
	evaluate[bool](t, ctx, `document.getElementById("clear").click(), true`)
	waitFor(t, ctx, empty)
}

// inAnyOrder gives an output before its examination is chosen, and an output and formulas before their
// model; it returns how many reports there were, and clears the page.
func inAnyOrder(t *testing.T, ctx context.Context, model string) int {
	t.Helper()
	reports := 0
	after := func(more int, script string) {
		t.Helper()
		reports += more
		evaluate[bool](t, ctx, script+`, true`)
		waitFor(t, ctx, fmt.Sprintf(`(document.getElementById("reports").dataset.count ?? "0") === "%d" && document.getElementById("stop").hidden`, reports))
	}
	look := func(more int, name, text string) {
		t.Helper()
		after(more, fmt.Sprintf(`workbenchLook(%q, %q)`, name, text))
	}
	look(0, "words.txt", "words")
	waitFor(t, ctx, `document.getElementById("state").textContent.startsWith("words.txt is read as the output of a tool, and does not say what was asked")`)
	const choose = `document.getElementById("exam").value = %q, document.getElementById("exam").dispatchEvent(new Event("change"))`
	after(1, fmt.Sprintf(choose, "OneSafe"))
	after(0, fmt.Sprintf(choose, ""))
	after(0, `document.getElementById("clear").click()`)
	look(1, "log.txt", "FORMULA Two-PT-02-UpperBounds-00 2 TECHNIQUES EXPLICIT\n")
	look(2, "UpperBounds.xml", `<property-set xmlns="http://mcc.lip6.fr/"><property><id>Two-PT-02-UpperBounds-00</id><description>d</description><formula><place-bound><place>p</place></place-bound></formula></property></property-set>`)
	look(3, "model.pnml", model)
	got := evaluate[string](t, ctx, `Array.from(document.querySelectorAll("#reports section.report > h2, #reports .choices button"), (e) => e.textContent).filter((text) => !/^[A-Z]\w+$/.test(text)).join("; ")`)
	if got != "model.pnml; log.txt; Decide UpperBounds, and compare; UpperBounds.xml; Decide these formulas" && got != "model.pnml; UpperBounds.xml; Decide these formulas; log.txt; Decide UpperBounds, and compare" {
		t.Errorf("a model behind what it is for: %s", got)
	}
	after(0, `document.getElementById("clear").click()`)
	return reports
}

// TestWorkbenchInABrowser pastes a model with a mistake, a model, formulas and an output into the
// workbench, plays a transition and fills in the form, all from a file.
func TestWorkbenchInABrowser(t *testing.T) {
	ctx, found := browser(t)
	dir := filepath.Join(t.TempDir(), "bench")
	if err := WriteWorkbench(t.Context(), dir, "test", program(t)); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")))
	waitFor(t, ctx, `"workbenchLook" in window`)
	reports := 0
	look := func(name, text string) {
		reports++
		evaluate[bool](t, ctx, fmt.Sprintf(`workbenchLook(%q, %q), true`, name, text))
		waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports))
	}
	first := `document.querySelector("#reports section")`
	const hostile = `<img src=x onerror="window.owned = 1">`
	model := func(source string) string {
		return `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/><transition id="t"/>
<arc id="a" source="` + source + `" target="t"/><arc id="b" source="t" target="q"/></page><name><text>Two-PT-02</text></name></net></pnml>`
	}
	reports = inAnyOrder(t, ctx, model("p"))
	look("model.pnml", model("&lt;img src=x onerror=&quot;window.owned = 1&quot;>"))
	if text := evaluate[string](t, ctx, first+`.textContent`); !strings.Contains(text, "error line 3, column ") || !strings.Contains(text, "<img src=x") {
		t.Errorf("a broken model: %s", text)
	}
	look("model.pnml", model("p"))
	playsInThePicture(t, ctx, first)
	chain := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><place id="p"><initialMarking><text>2</text></initialMarking></place>`
	for i := range 50 {
		chain += fmt.Sprintf(`<transition id="t%d"/><arc id="a%d" source="p" target="t%d"/>`, i, i, i)
	}
	look("model.pnml", chain+`</page></net></pnml>`)
	evaluate[bool](t, ctx, first+`.querySelector(".board button").click(), true`)
	if text := evaluate[string](t, ctx, first+`.querySelector("[role=status]").textContent + document.querySelector("#reports .board tbody").textContent`); !strings.Contains(text, "1 firing, the last is t0; 50 transitions") || !strings.Contains(text, "p1") {
		t.Errorf("the token game of a larger net says: %s", text)
	}
	look("model.pnml", model("p"))
	reports++
	evaluate[bool](t, ctx, `Array.from(document.querySelectorAll("button")).find((b) => b.textContent === "Fill in the model form").click(), true`)
	waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports))
	if rows := evaluate[int](t, ctx, `document.querySelector("#reports section:nth-child(2)").querySelectorAll("tbody tr").length`); rows != 21 {
		t.Errorf("the form has %d lines", rows)
	}
	evaluate[bool](t, ctx, `document.getElementById("exam").value = "ReachabilityDeadlock", true`)
	look("log.txt", "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n"+hostile+"\nFORMULA ReachabilityDeadlock "+hostile+"\n")
	if text := evaluate[string](t, ctx, first+`.textContent`); !strings.Contains(text, "TRUE") {
		t.Errorf("an output: %s", text)
	}
	reports += 2 // what is decided, and the output again
	evaluate[bool](t, ctx, `Array.from(document.querySelectorAll("button")).find((b) => b.textContent === "Decide ReachabilityDeadlock, and compare").click(), true`)
	waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports))
	if text := evaluate[string](t, ctx, `document.querySelector("#reports section:nth-child(3) tbody tr").textContent + " " + document.querySelector("#reports section:nth-child(2) tbody tr").textContent`); !strings.Contains(text, "EXPLICITthe same") || !strings.Contains(text, "TRUErun") {
		t.Errorf("an output, compared: %s", text)
	}
	if evaluate[bool](t, ctx, `"owned" in window`) {
		t.Error("a text was run")
	}
	takesAnArchive(t, ctx, reports, model("p"))
	fits(t, ctx)
	if shot := os.Getenv("PODIUM_KEEP_SITE"); shot != "" {
		picture, err := chromedp.Run(ctx, chromedp.Screenshot("body"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shot, "workbench.png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found.Check(t, 1)
}
