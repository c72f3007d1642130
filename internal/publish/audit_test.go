//go:build !js

package publish

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/browsertest"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/models"
)

// everything is a contest whose site has every kind of page.
func everything(t *testing.T) *Contest {
	t.Helper()
	m := refereed(newMaker(1, 4, 9))
	m.decided = decided()
	c := m.contest()
	scored, ed := asktest.Contest(t)
	var answers bytes.Buffer
	if err := ask.Write(&answers, scored, ed); err != nil {
		t.Fatal(err)
	}
	c.Program, c.Answers = program(t), answers.Bytes()
	c.Earlier = earlierEditions()
	return c
}

// onePageOfEachKind names pages of a site: of the directories, the first and the last one.
func onePageOfEachKind(t *testing.T, dir string) (pages []string) {
	t.Helper()
	inside := map[string][]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".html" {
			name, _ := filepath.Rel(dir, file)
			name = filepath.ToSlash(name)
			inside[path.Dir(name)] = append(inside[path.Dir(name)], name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for in, names := range inside {
		if in != "." && len(names) > 2 {
			names = []string{names[0], names[len(names)-1]}
		}
		pages = append(pages, names...)
	}
	slices.Sort(pages)
	return pages
}

// TestPagesForEverybody checks a page of each kind with the rules for readers who do not
// see it or have no mouse, on a phone, on a wide desk and on paper, light and dark.
func TestPagesForEverybody(t *testing.T) {
	ctx, found := browser(t)
	dir := publishedSite(t, everything(t))
	pages := onePageOfEachKind(t, dir)
	if len(pages) < 25 {
		t.Fatalf("only %d pages: %v", len(pages), pages)
	}
	for _, page := range pages {
		open(t, ctx, dir, page)
		if here := evaluate[string](t, ctx, `Array.from(document.querySelectorAll("nav[aria-label=Site] [aria-current]"), (a) => a.textContent).join()`); here != menuOf(page) {
			t.Errorf("%s: the menu shows %q, not %q", page, here, menuOf(page))
		}
		browsertest.ForEverybody(t, ctx, page)
	}
	found.Check(t, 1)
}

// menuOf is the entry of the menu that a page belongs to.
func menuOf(page string) string {
	entries := map[string]string{"index.html": "Overview", "together.html": "Tools", "table.html": "Runs", "glossary.html": "Rules", "jury.html": "Data", "logs": "Instances", "categories": "Categories", "rankings.html": "Categories"}
	name, _, _ := strings.Cut(page, "/")
	if entry := entries[name]; entry != "" {
		return entry
	}
	name = strings.TrimSuffix(name, ".html")
	return strings.ToUpper(name[:1]) + name[1:]
}

// TestHomesOfTools wants the home of a tool to be a link where it is an address of the web, and
// to be shown alone where it is none.
func TestHomesOfTools(t *testing.T) {
	for home, want := range map[string]string{
		"https://example.org/<tool>": `<a href="https://example.org/%3ctool%3e" rel="noopener">https://example.org/&lt;tool&gt;</a></dd>`,
		"javascript:alert(1)":        `<dd class="address">javascript:alert(1)</dd>`,
		"//example.org":              `<dd class="address">//example.org</dd>`,
	} {
		c := small()
		c.Tools[0].Home = home
		page, err := os.ReadFile(filepath.Join(publishedSite(t, c), "tools", "explicit.html"))
		if err != nil || !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page of a tool at %s lacks %s, %v", home, want, err)
		}
	}
}

// open goes to a page and waits until it has computed what it shows.
func open(t *testing.T, ctx context.Context, dir, page string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(address(dir, page)))
	switch page {
	case "ask.html":
		waitFor(t, ctx, `document.body.dataset.plotted !== undefined`)
	case "table.html":
		waitFor(t, ctx, `document.body.dataset.shown !== undefined`)
	}
}

// hostileText is what a tool or an author writes who wants to run something in a browser or
// a spreadsheet, or to break a page.
const hostileText = "=1+1 \"'><script>window.owned=1</script><img src=x onerror='window.owned=1'>{{.}}\u202e\u0007</td></table>" +
	"javascript:window.owned=1 " + "averylongwordwithoutanyplacetobreakitaverylongwordwithoutanyplacetobreakitaverylongword"

// hostile puts the text before everything that a tool, a model or an author can fill, so that
// equal texts stay equal. Identifiers of instances are read by a grammar of their own.
func hostile(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*Program]() && v.Kind() == reflect.Pointer {
			hostile(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			hostile(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[models.ID]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				hostile(v.Field(i))
			}
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && v.Len() > 0 {
			v.SetString(hostileText + v.String())
		}
	}
}

// hostile makes all texts of a contest hostile that tools, models and authors can fill.
func (m *maker) hostile() {
	hostile(reflect.ValueOf(m.tools))
	hostile(reflect.ValueOf(m.instances))
	for key, items := range m.asked {
		if key.exam.HasFormulas() {
			hostile(reflect.ValueOf(items))
		}
	}
	for _, r := range m.runs {
		r.tool = hostileText + r.tool
		hostile(reflect.ValueOf(&r.Warnings).Elem())
		hostile(reflect.ValueOf(&r.Void).Elem())
		hostile(reflect.ValueOf(&r.Measured).Elem())
		for k := range r.said {
			a := &r.said[k]
			if a.Techniques = hostileText + a.Techniques; r.exam.HasFormulas() {
				a.Item = hostileText + a.Item
			}
			a.Witness = campaign.Witnessed{Item: a.Item, State: witness.Refuted, Proved: hostileText, Detail: hostileText, Format: hostileText}
		}
		r.remarks = []string{hostileText}
	}
	m.decided = decided()
	for i := range m.decided.Decisions {
		d := &m.decided.Decisions[i]
		d.Author, d.Reason, d.Link, d.Effect = hostileText+d.Author, hostileText+d.Reason, hostileText+d.Link, []string{hostileText}
	}
}

// TestHostileTexts publishes a contest all of whose texts are hostile: nothing runs,
// every page stays whole, and no table of a download begins a formula.
func TestHostileTexts(t *testing.T) {
	m := newMaker(1, 4, 3)
	m.hostile()
	c := refereed(m).contest()
	c.Earlier, c.Examinations = earlierEditions(), slices.Clone(c.Examinations)
	for _, of := range []any{&c.Title, &c.Edition, &c.Version, &c.Digests, &c.Facts, &c.Machines, &c.Drift, &c.RefereeFacts, &c.Warnings, &c.Earlier} {
		hostile(reflect.ValueOf(of).Elem())
	}
	dir := publishedSite(t, c)
	checkSite(t, dir)
	scored, ed := asktest.Contest(t)
	for i := range scored.Tools {
		scored.Tools[i].Name = hostileText + scored.Tools[i].Name
	}
	var answers bytes.Buffer
	if err := ask.Write(&answers, scored, ed); err != nil {
		t.Fatal(err)
	}
	c.Program, c.Answers = program(t), answers.Bytes()
	dir = publishedSite(t, c)
	tables, err := filepath.Glob(filepath.Join(dir, "csv", "*.csv"))
	if err != nil || len(tables) < 8 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if strings.HasPrefix(cell, "=") {
					t.Fatalf("%s: a spreadsheet computes %q", table, cell)
				}
			}
		}
	}
	ctx, found := browser(t)
	for _, page := range onePageOfEachKind(t, dir) {
		open(t, ctx, dir, page)
		if evaluate[bool](t, ctx, `"owned" in window`) {
			t.Errorf("%s: a text was run", page)
		}
		switch page {
		case "ask.html":
			hostileQuestion(t, ctx)
		case "table.html":
			hostileTable(t, ctx)
		case "workbench.html":
			hostileFiles(t, ctx)
		}
		for _, width := range []int64{400, 1400} {
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			if over := evaluate[string](t, ctx, browsertest.Over); over != "" {
				t.Errorf("%s is wider than a window of %d, %s", page, width, over)
			}
		}
	}
	found.Check(t, 1)
}

// hostileQuestion leaves out a tool with a hostile name, and wants its name to be shown as it is.
func hostileQuestion(t *testing.T, ctx context.Context) {
	t.Helper()
	evaluate[bool](t, ctx, `document.querySelector("#tools input").click(), document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered.startsWith("without-tool=") && JSON.parse(document.body.dataset.plotted).question.startsWith("without-tool=")`)
	for _, shown := range []string{"#tools", "#asked", "#moves", "#plot"} {
		if !evaluate[bool](t, ctx, `document.querySelector("`+shown+`").textContent.includes("<script>window.owned=1")`) {
			t.Errorf("%s does not show the name of the tool", shown)
		}
	}
	if evaluate[bool](t, ctx, `"owned" in window || document.querySelector("main script, main img[src=x]") !== null`) {
		t.Error("a name of a tool became a part of the page Ask")
	}
}

// hostileTable sets hostile tools side by side, keeps those of a hostile host, and downloads them.
func hostileTable(t *testing.T, ctx context.Context) {
	t.Helper()
	for _, form := range []string{"", "tools"} {
		evaluate[bool](t, ctx, `(() => { delete document.body.dataset.shown; const f = document.getElementById("form"); f.value = "`+form+`"; f.dispatchEvent(new Event("change")); return true; })()`)
		waitFor(t, ctx, `Number(document.body.dataset.shown) > 0`)
		for _, name := range []string{"host", "model"} {
			evaluate[bool](t, ctx, `(() => { const s = document.querySelector("#picks [data-filters=`+name+`]"); if (!s) return true; s.selectedIndex = 1; s.dispatchEvent(new Event("change")); return true; })()`)
		}
		evaluate[bool](t, ctx, `document.querySelector("#tool-choices input").click(), document.querySelector("#body td:last-child").click(), true`)
		waitFor(t, ctx, `document.getElementById("cell").textContent !== ""`)
		if evaluate[bool](t, ctx, `"owned" in window || document.querySelector("main script, main img[src=x]") !== null`) {
			t.Error("a name became a part of the table")
		}
		rows, err := csv.NewReader(strings.NewReader(evaluate[string](t, ctx, `podiumTable.csv()`))).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		seen := false
		for _, row := range rows {
			for _, cell := range row {
				seen = seen || strings.Contains(cell, "<script>")
				if strings.HasPrefix(cell, "=") {
					t.Fatalf("a spreadsheet computes %q", cell)
				}
			}
		}
		if !seen {
			t.Error("the table shows no hostile name")
		}
	}
}

// hostileFiles gives the workbench a file whose name and text are hostile.
func hostileFiles(t *testing.T, ctx context.Context) {
	t.Helper()
	waitFor(t, ctx, `"workbenchLook" in window`)
	text, err := json.Marshal(hostileText)
	if err != nil {
		t.Fatal(err)
	}
	evaluate[bool](t, ctx, `document.getElementById("exam").value = "ReachabilityDeadlock", true`)
	for i, name := range []string{" + \".pnml\"", " + \".xml\"", " + \".txt\""} {
		evaluate[bool](t, ctx, fmt.Sprintf(`workbenchLook(%s%s, %s + "\nFORMULA x " + %s), true`, text, name, text, text))
		waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, i+1))
	}
	if evaluate[bool](t, ctx, `"owned" in window || document.querySelector("main script, main img[src=x]") !== null`) {
		t.Error("a file became a part of the workbench")
	}
}

// TestAskByKeyboard leaves a tool out and asks by keys alone.
func TestAskByKeyboard(t *testing.T) {
	ctx, found := browser(t)
	dir := publishedSite(t, everything(t))
	open(t, ctx, dir, "ask.html")
	to := func(selector string) {
		t.Helper()
		for range 120 {
			if evaluate[bool](t, ctx, `document.activeElement.matches("`+selector+`")`) {
				return
			}
			browsertest.Press(t, ctx, "Tab")
		}
		t.Fatalf("the tabulator does not come to %s", selector)
	}
	to("#tools input")
	browsertest.Press(t, ctx, " ")
	to("#question button[type=submit]")
	browsertest.Press(t, ctx, "Enter")
	waitFor(t, ctx, `document.body.dataset.answered === "without-tool=alpha"`)
	if evaluate[bool](t, ctx, `document.getElementById("unofficial").hidden`) {
		t.Error("nothing says that this is not the official result")
	}
	to("#plot")
	browsertest.Press(t, ctx, "ArrowRight")
	waitFor(t, ctx, `document.querySelector("#plot-says a") !== null`)
	path := evaluate[string](t, ctx, `document.querySelector("#plot-says a").getAttribute("href")`)
	if !strings.HasPrefix(path, "instances/") {
		t.Errorf("the arrow key comes to %s", path)
	}
	found.Check(t, 1)
}
