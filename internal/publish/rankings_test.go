package publish

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing"

	"podium/internal/ask"
	"podium/scoring"
)

// TestRankings: the page of other rankings has the first of each category under each question, and
// the front page counts the places of each tool.
func TestRankings(t *testing.T) {
	c := fixture(1, 4, 9)
	dir := publishedSite(t, c)
	page := readPage(t, dir, "rankings.html")
	ways := ask.Ways(c.scored())
	if len(ways) < 4 {
		t.Fatalf("only %d ways", len(ways))
	}
	for _, way := range ways {
		r, err := way.Question.Score(c.Judged.Result, c.Judged.Edition)
		if err != nil {
			t.Fatal(err)
		}
		_, row, found := strings.Cut(page, "data-question=\""+strings.ReplaceAll(way.Question.String(), "&", "&amp;")+"\"")
		row, _, _ = strings.Cut(row, "</tr>")
		if !found || !strings.Contains(row, way.Name) {
			t.Fatalf("no row is %s", way.Name)
		}
		cells := strings.Split(row, "<td>")[1:]
		if len(cells) != len(c.Categories) {
			t.Fatalf("%s: %d cells", way.Name, len(cells))
		}
		boards := r.Boards()
		for i, cat := range c.Categories {
			k := slices.IndexFunc(boards, func(b scoring.Board) bool { return b.Name == cat.Name })
			if k < 0 {
				continue // not asked
			}
			for _, p := range boards[k].Medals() {
				name := r.Contest.Tools[p.Tool].Name
				if boards[k].Values > 0 && !strings.Contains(cells[i], ">"+template.HTMLEscapeString(clean(name))+"</a>") {
					t.Errorf("%s, %s: %s is not in %s", way.Name, cat.Name, name, cells[i])
				}
			}
		}
	}
	for k := range c.Categories {
		best := c.Categories[k].Medals()
		if len(best) == 0 {
			continue
		}
		first := c.scored().Tools[best[0].Tool].Name
		if !strings.Contains(page, fmt.Sprintf(">%s</a>", template.HTMLEscapeString(clean(first)))) {
			t.Errorf("%s: no lead of %s", c.Categories[k].Name, first)
		}
	}
	front := readPage(t, dir, "index.html")
	_, medals, _ := strings.Cut(front, `id="cap-medals"`)
	medals, _, _ = strings.Cut(medals, "</table>")
	sum := 0
	for _, row := range strings.Split(medals, "<tr>")[2:] {
		for _, cell := range strings.Split(row, `<td class="num">`)[1:4] {
			var n int
			fmt.Sscan(cell[:strings.IndexByte(cell, '<')], &n)
			sum += n
		}
	}
	want := 0
	for k := range c.Categories {
		want += len(c.Categories[k].Medals())
	}
	if sum != want {
		t.Errorf("%d places in the table of the front page, %d on podiums", sum, want)
	}
}
