//go:build !js

package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/decisions"
	"podium/scoring/explain"
)

// doubtfulContest is one with references that are refuted, contradict each other, are decided
// by the jury, or were elected by one tool.
func doubtfulContest() *Contest {
	m := refereed(newMaker(1, 4, 9))
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.Exclude, Instance: m.instances[0].ID.String(), Examination: "StateSpace", Item: "STATES", Author: "Ada", Reason: "The net is not what was meant."}}}
	return m.contest()
}

// TestReferences: the page has a row for each doubtful value, the gravest first, and counts
// all others.
func TestReferences(t *testing.T) {
	c := doubtfulContest()
	dir := publishedSite(t, c)
	body := newSite(newView(c), nil).references()
	page := readPage(t, dir, "references.html")
	words := map[string]int{}
	for n, row := range body.Rows {
		for _, word := range row.Words() {
			words[word]++
		}
		if n > 0 && row.grave < body.Rows[n-1].grave {
			t.Errorf("row %d is graver than the one before", n)
		}
		if !strings.Contains(page, `<a href="`+row.Value.Path+`">`) {
			t.Errorf("the page does not lead to %s", row.Value.Path)
		}
		file, anchor, _ := strings.Cut(row.Value.Path, "#")
		if !strings.Contains(readPage(t, dir, file), ` id="`+anchor+`"`) {
			t.Errorf("%s has no place %s", file, anchor)
		}
	}
	for _, kind := range body.Kinds {
		if words[kind.Word] != kind.Values {
			t.Errorf("%s: %d rows, %d counted", kind.Word, words[kind.Word], kind.Values)
		}
	}
	for _, word := range []string{"refuted by a proof", "one tool alone", "decided by the jury"} {
		if words[word] == 0 {
			t.Errorf("no value is %s", word)
		}
	}
	states, doubted := 0, 0
	for _, state := range body.States {
		states += state.Values
	}
	rows := readCSV(t, dir, "references.csv")
	for _, row := range rows {
		if row["doubts"] != "" || row["referee"] == "refuted" || row["state"] == "struck" {
			doubted++
		}
	}
	if states != len(rows) || body.Values != len(rows) || body.All != doubted || len(body.Rows) != doubted {
		t.Errorf("%d of %d values are doubtful and %d are counted; the table has %d of %d", body.All, body.Values, states, doubted, len(rows))
	}
	if !strings.Contains(page, `<span class="question">`) {
		t.Error("no formula is shown")
	}
	for _, d := range []explain.Doubt{explain.SingleTool, explain.OneFamily, explain.NearMargin, explain.Break, explain.Copy, explain.SelfContradiction, explain.GivenAway} {
		k := slices.IndexFunc(doubtKinds, func(k doubtKind) bool { return k.doubt == d })
		if k < 0 || !strings.Contains(string(newSite(newView(doubtfulContest()), nil).linked("x "+doubtKinds[k].said+"; the table of references")), doubtPath(doubtKinds[k].word)) {
			t.Errorf("a warning about %s leads to no filter", d)
		}
	}
}

// TestManyDoubtfulValues: the page stays small, and says where the rest is.
func TestManyDoubtfulValues(t *testing.T) {
	c := fixture(1, 4, 60)
	c.doubts = map[int][]explain.Warning{}
	for value := range c.scored().Items {
		c.doubts[value] = []explain.Warning{{Doubt: explain.SingleTool, Value: value, Text: "only explicit answered"}}
	}
	c.findDoubtful()
	body := newSite(newView(c), nil).references()
	if len(body.Rows) != maxDoubtful || body.More() != len(c.scored().Items)-maxDoubtful || body.More() <= 0 {
		t.Errorf("%d rows, %d more", len(body.Rows), body.More())
	}
}

// TestTeamsHaveNoReferences: doubts name the tools that voted.
func TestTeamsHaveNoReferences(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "package")
	if err := Write(t.Context(), dir, doubtfulContest().ForTeam("explicit", []string{"explicit"})); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "references.html")); !os.IsNotExist(err) || strings.Contains(readPage(t, dir, "index.html"), "references.html") {
		t.Errorf("a team sees the page of references: %v", err)
	}
}

// TestDoubtsInABrowser: a warning on the first page leads to the values that it is about.
func TestDoubtsInABrowser(t *testing.T) {
	ctx, found := browser(t)
	c := doubtfulContest()
	dir := publishedSite(t, c)
	for _, kind := range newSite(newView(c), nil).references().Kinds {
		do(t, ctx, chromedp.Navigate(address(dir, "index.html")))
		links := evaluate[int](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll(".warnings a")).filter((a) => a.getAttribute("href") === %q).length`, kind.Path))
		if links != 1 && kind.Word != "decided by the jury" {
			t.Errorf("%s: %d links of the first page lead there", kind.Word, links)
		}
		do(t, ctx, chromedp.Navigate(address(dir, "references.html")+strings.TrimPrefix(kind.Path, "references.html")))
		if got := evaluate[int](t, ctx, rowsShown+`.length`); got != kind.Values {
			t.Errorf("%s: %d rows are shown, not %d", kind.Word, got, kind.Values)
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")), chromedp.Navigate(address(dir, "references.html")))
	evaluate[bool](t, ctx, `document.querySelector("td.num a").click(), true`)
	waitFor(t, ctx, `String(`+rowsShown+`.length) === document.querySelector("td.num a").textContent`)
	evaluate[bool](t, ctx, rowsShown+`[0].querySelector("th a").click(), true`)
	waitFor(t, ctx, `document.querySelector(".answers tr:target") !== null`)
	found.Check(t, 3)
}
