//go:build !js

package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
	"podium/internal/publish"
	"podium/internal/realdata"
	"podium/internal/workbench"
	"podium/models"
)

// publicModel is the model of a public instance.
type publicModel struct {
	id            models.ID
	archive, text string
}

// publicModels reads those of less than most bytes, the smallest first.
func publicModels(t *testing.T, most int64) (list []publicModel) {
	t.Helper()
	for _, path := range realdata.InstanceArchives(t) {
		opened, err := models.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range opened.Instances {
			if text, err := i.ReadFile(models.ModelFile, most-1); err == nil {
				list = append(list, publicModel{i.ID, path, string(text)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b publicModel) int { return cmp.Compare(len(a.text), len(b.text)) })
	return list
}

// TestWorkbenchAnswersAsTheCommands drops public models on the page, whole and broken, from a file: its findings are those
// of `podium check model`, the sizes of the unfolding those of `podium model unfold`; the form and the state
// space are those of `podium model form` and `podium prove`, but for what one of the two leaves open, because
// the program of the page is slower. PODIUM_SOAK=1 takes all models below 2 MB, with 1 s for each
// search of page and commands.
func TestWorkbenchAnswersAsTheCommands(t *testing.T) {
	t.Parallel()
	browsertest.Program(t)
	most, decided, seconds := int64(20<<10), 5<<10, 10
	if os.Getenv("PODIUM_SOAK") != "" {
		most, decided, seconds = 2_000_000, 2_000_000, 1
	}
	program, err := pagesProgram()
	if err != nil {
		t.Skipf("the program of the pages is not built: %v", err)
	}
	dir := t.TempDir()
	if err := publish.WriteWorkbench(t.Context(), filepath.Join(dir, "bench"), "test", program); err != nil {
		t.Fatal(err)
	}
	ctx, found := browsertest.Open(t, "file://")
	browsertest.Do(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, "bench", "index.html"))))
	browsertest.Until(t, ctx, `!document.getElementById("drop").hidden`)
	b := &benchPage{ctx: ctx, dir: dir, seconds: seconds}
	browsertest.Value[bool](t, ctx, fmt.Sprintf(`document.getElementById("seconds").value = "%d", true`, seconds))
	list := publicModels(t, most)
	forms := 0
	for _, m := range list {
		b.findings(t, m.id, strings.Replace(m.text, `source="`, `source="no `, 1))
		model := b.findings(t, m.id, m.text)
		if m.id.Kind == models.COL {
			b.unfolding(t, m, model)
		}
		if len(m.text) >= decided {
			continue
		}
		forms++
		began := time.Now()
		b.form(t, m)
		b.space(t, m)
		t.Logf("%s, %d bytes: %s", m.id, len(m.text), time.Since(began).Round(time.Millisecond))
	}
	t.Logf("%d models: %d findings and %d sizes of unfoldings are the same; of %d forms with %d s for each search %d properties and %d values of state spaces are the same, "+
		"%d are open on both sides, %d only on the page, %d only of the commands", len(list), b.found, b.sizes, forms, seconds, b.same["form"], b.same["space"], b.open["both"], b.open["page"], b.open["command"])
	if len(list) < realdata.Least(4, 1) || b.found < len(list) || b.same["form"] < 15*forms || b.same["space"] == 0 {
		t.Errorf("too few were compared")
	}
	b.drop(t, dir)
	browsertest.Until(t, ctx, `document.getElementById("state").textContent.includes(" cannot be read: drop files, no directories")`)
	found.Check(t, 1)
}

// benchPage is the workbench in a browser, and how much of it was compared.
type benchPage struct {
	ctx          context.Context
	dir          string
	seconds      int
	reports      int
	found, sizes int
	same, open   map[string]int
}

// report returns what the page reports next.
func (b *benchPage) report(t *testing.T) (r workbench.Report) {
	t.Helper()
	b.reports++
	browsertest.Until(t, b.ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d" || "failed" in document.getElementById("reports").dataset`, b.reports))
	if failed := browsertest.Value[string](t, b.ctx, `document.getElementById("reports").dataset.failed ?? ""`); failed != "" {
		t.Fatalf("the page says: %s", failed)
	}
	if err := json.Unmarshal([]byte(browsertest.Value[string](t, b.ctx, `JSON.stringify(workbenchReport)`)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// click clicks a button of the newest report that has it.
func (b *benchPage) click(t *testing.T, button string) workbench.Report {
	t.Helper()
	browsertest.Value[bool](t, b.ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("#reports button")).find((b) => b.textContent === %q).click(), true`, button))
	return b.report(t)
}

// drop drops a file or a directory on the page as a reader does.
func (b *benchPage) drop(t *testing.T, path string) {
	t.Helper()
	browsertest.Do(t, b.ctx, chromedp.ScrollIntoView("#drop"))
	at := browsertest.Value[[]float64](t, b.ctx, `(() => { const box = document.getElementById("drop").getBoundingClientRect(); return [box.x + box.width / 2, box.y + 10]; })()`)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, event := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		if _, err := chromedp.Call(b.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: event, X: at[0], Y: at[1], Data: data}); err != nil {
			t.Fatal(err)
		}
	}
}

// podium runs a command, and returns what it prints and says.
func (b *benchPage) podium(t *testing.T, args ...string) (out, said string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := Main(t.Context(), args, strings.NewReader(""), &o, &e); code != ExitDone && code != ExitIncomplete {
		t.Errorf("podium %s: exit code %d, %s", strings.Join(args, " "), code, e.String())
	}
	return o.String(), e.String()
}

// findings compares the findings of a model with those of `podium check model`.
func (b *benchPage) findings(t *testing.T, id models.ID, text string) workbench.Report {
	t.Helper()
	path := filepath.Join(b.dir, id.String()+".pnml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.drop(t, path)
	page := b.report(t)
	out, _ := b.podium(t, "check", "model", "--format", "json", path)
	lines, want := strings.SplitAfter(out, "\n"), []workbench.Finding{}
	for _, line := range lines[:len(lines)-1] {
		var f struct {
			workbench.Finding
			Col int `json:"col"`
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Code == "models-missing" { // the page has no directory in which files are missing
			continue
		}
		f.Column = f.Col
		want = append(want, f.Finding)
	}
	same(t, "the findings in "+path, want[:min(len(want), len(page.Findings))], page.Findings)
	if n := len(page.Findings) + page.More; n != len(want) {
		t.Errorf("%s: the command has %d findings, the page %d", id, len(want), n)
	}
	b.found += len(want)
	return page
}

// unfolding compares the sizes of the unfolding with those of `podium model unfold`.
func (b *benchPage) unfolding(t *testing.T, m publicModel, page workbench.Report) {
	t.Helper()
	_, said := b.podium(t, "model", "unfold", m.archive, "--out", filepath.Join(b.dir, m.id.String()+"-twin.pnml"))
	sizes := regexp.MustCompile(`(\d+) places?, (\d+) transitions?,`).FindStringSubmatch(said)
	facts := map[string]string{}
	for _, f := range page.Facts {
		facts[f[0]] = f[1]
	}
	if sizes == nil || facts["places of the pruned unfolding"] != sizes[1] || facts["transitions of the pruned unfolding"] != sizes[2] {
		t.Errorf("%s: the command says %q, the page %v", m.id, said, page.Facts)
	}
	b.sizes += 2
}

// form compares the form of a model with that of `podium model form`.
func (b *benchPage) form(t *testing.T, m publicModel) {
	t.Helper()
	var want struct {
		Verdicts []struct{ Property, Value, Why string }
	}
	out, _ := b.podium(t, "model", "form", "--format", "json", "--budget", fmt.Sprintf("%ds", b.seconds), "--memory", "500MB", m.archive)
	if err := json.Unmarshal([]byte(out), &want); err != nil {
		t.Fatal(err)
	}
	page := b.click(t, "Fill in the model form")
	if len(page.Rows) != len(want.Verdicts) {
		t.Fatalf("%s: the command has %d properties, the page %d", m.id, len(want.Verdicts), len(page.Rows))
	}
	for k, v := range want.Verdicts {
		b.compare(t, "form", m.id, []string{v.Property, v.Value, v.Why}, page.Rows[k])
	}
}

// space compares the state space with that of `podium prove`.
func (b *benchPage) space(t *testing.T, m publicModel) {
	t.Helper()
	page, to := b.click(t, "StateSpace"), filepath.Join(b.dir, m.id.String())
	b.podium(t, "certify", m.archive, "-x", "StateSpace", "--budget", fmt.Sprintf("%ds", b.seconds), "--memory", "500MB", "--out", to)
	want := map[string]string{}
	text, err := os.ReadFile(filepath.Join(to, m.id.String()+"-SS.out"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 2 && words[0] == "STATE_SPACE" {
			want[words[1]] = words[2]
		}
	}
	for _, row := range page.Rows {
		b.compare(t, "space", m.id, []string{row[0], cmp.Or(want[row[0]], "unknown")}, row[:2])
		delete(want, row[0])
	}
	if len(want) > 0 {
		t.Errorf("%s: the page lacks %v", m.id, slices.Collect(maps.Keys(want)))
	}
}

// compare compares a value, and why it is so, where both sides have decided it.
func (b *benchPage) compare(t *testing.T, what string, id models.ID, command, page []string) {
	t.Helper()
	if b.same == nil {
		b.same, b.open = map[string]int{}, map[string]int{}
	}
	undecided := func(row []string) bool { return row[1] == "unknown" || row[1] == "not decided" || row[1] == "?" }
	switch {
	case undecided(command) && undecided(page):
		b.open["both"]++
	case undecided(page):
		b.open["page"]++
	case undecided(command):
		b.open["command"]++
	case slices.Equal(command, page):
		b.same[what]++
	default:
		t.Errorf("%s: the command says %q, the page %q", id, command, page)
	}
}
