package publish

import (
	"strings"
	"testing"
)

// TestSizesThatSomeHave: the list of instances has the sizes that any of them has, and says
// that an empty cell is not known; what only some have besides is no column.
func TestSizesThatSomeHave(t *testing.T) {
	c := fixture(1, 2, 4)
	row := func(page, name string) string {
		at := strings.Index(page, name+"</a></th>")
		if at < 0 {
			t.Fatalf("no row of %s", name)
		}
		return page[at : at+strings.Index(page[at:], "</tr>")]
	}
	whole := readPage(t, publishedSite(t, c), "instances.html")
	if strings.Contains(whole, "not known") || !strings.Contains(whole, `<th scope="col" class="num">places</th>`) {
		t.Error("where all sizes are known, the page says otherwise")
	}
	c = fixture(1, 2, 4)
	c.Instances[1].Facts, c.Instances[2].Facts = nil, append(c.Instances[2].Facts, Named{Name: "colours of all places", Text: "12"})
	dir := publishedSite(t, c)
	page := readPage(t, dir, "instances.html")
	for _, want := range []string{`<th scope="col" class="num">places</th><th scope="col" class="num">transitions</th>`, "An empty cell: the size is not known"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "colours of all places") {
		t.Error("a fact of one instance has a column")
	}
	name := string(breakable(c.Instances[1].ID.String()))
	if got := row(page, name); strings.Count(got, `<td class="num"></td>`) != 2 {
		t.Errorf("the row of an instance of unknown size: %s", got)
	}
}
