//go:build !js

package publish

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/scoring"
)

// TestExaminationBesideValues: wherever values are listed, their examination stands beside them.
func TestExaminationBesideValues(t *testing.T) {
	c := refereed(newMaker(1, 4, 9)).contest()
	dir := publishedSite(t, c)
	v := newView(c)
	row := func(page, start string) string {
		t.Helper()
		_, rest, found := strings.Cut(readPage(t, dir, page), start)
		if !found {
			t.Fatalf("%s has no row with %s", page, start)
		}
		text, _, _ := strings.Cut(rest, "</tr>")
		return text
	}
	for n, sp := range v.splits {
		beside := fmt.Sprintf(`<td data-label="Examination"><a href="%s">`, v.examPath(sp.cell.exam))
		if list := readPage(t, dir, "disagreements.html"); !strings.Contains(list, beside+string(breakable(string(v.c.Examinations[sp.cell.exam].ID)))+`</a></td><th scope="row" data-label="Value"><a href="`+v.splitPath(n)+`">`) {
			t.Fatalf("disagreement %d has no examination beside it", n)
		}
	}
	wrong := 0
	for i := range v.cells {
		for _, r := range v.cells[i].runs {
			for a := range r.said() {
				if a.Mark != scoring.Wrong || wrong > 20 {
					continue
				}
				wrong++
				w := newSite(v, nil).wrongAnswer(&v.cells[i], r, a)
				start, exam := `<tr><th scope="row"><a href="`+w.Run.Path+`">`, v.examPath(v.cells[i].exam)
				if got := row("jury.html", start); !strings.Contains(got, `<a href="`+exam+`">`) {
					t.Errorf("the jury sees %s", got)
				}
				if got := row(v.toolPath(r.toolName()), `<tr><th scope="row"><a href="../`+w.Run.Path+`">`); !strings.Contains(got, `<a href="../`+exam+`">`) {
					t.Errorf("the page of the tool has %s", got)
				}
			}
		}
	}
	if len(v.splits) == 0 || wrong == 0 {
		t.Errorf("%d disagreements and %d wrong answers are too few to see anything", len(v.splits), wrong)
	}
}

// rowsShown lists the rows that the filters of a page leave.
const rowsShown = `Array.from(document.querySelectorAll("table[data-filter] tbody tr")).filter((r) => !r.hidden)`

// choose chooses a word of a column.
func choose(t *testing.T, ctx context.Context, column, word string) {
	t.Helper()
	evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const s = document.querySelector("[aria-label='Filter by %s']"); s.value = %q; s.dispatchEvent(new Event("change")); return true; })()`, column, word))
}

// TestChoicesInABrowser: a column of examinations can be filtered by, and the address says so.
func TestChoicesInABrowser(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 9)
	dir := publishedSite(t, c)
	want := map[string]int{}
	v := newView(c)
	for _, sp := range v.splits {
		want[string(c.Examinations[sp.cell.exam].ID)]++
	}
	do(t, ctx, chromedp.Navigate(address(dir, "disagreements.html")))
	for exam, n := range want {
		choose(t, ctx, "Examination", exam)
		if got := evaluate[int](t, ctx, rowsShown+`.length`); got != n {
			t.Errorf("%s: %d rows are shown, not %d", exam, got, n)
		}
		if at := evaluate[string](t, ctx, `location.hash`); at != "#examination="+exam {
			t.Errorf("%s: the address holds %s", exam, at)
		}
	}
	choose(t, ctx, "Examination", "")
	if got := evaluate[int](t, ctx, rowsShown+`.length`); got != len(v.splits) {
		t.Errorf("without a choice %d rows are shown, not %d", got, len(v.splits))
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")), chromedp.Navigate(address(dir, "disagreements.html")+"#examination=CTLFireability"))
	if got := evaluate[int](t, ctx, rowsShown+`.length`); got != want["CTLFireability"] || got == 0 {
		t.Errorf("the address shows %d rows, not %d", got, want["CTLFireability"])
	}
	found.Check(t, 3)
}
