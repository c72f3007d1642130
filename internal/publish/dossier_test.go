package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDossier wants on the page of a disagreement what one needs to look again: the
// formula as in its file, what each run took, the next parameters, and the commands. Of
// which tool one is a variant, it says where that is known.
func TestDossier(t *testing.T) {
	m := newMaker(1, 4, 24)
	m.tools[0].Family = ""
	c := m.contest()
	dir := publishedSite(t, c)
	v := newView(c)
	s := newSite(v, nil)
	found := 0
	for _, sp := range v.splits {
		r := &sp.cell.refs[sp.item]
		key := r.key()
		if r.question().xml == "" || len(s.steps(sp.cell.inst)) < 2 {
			continue
		}
		found++
		text, err := os.ReadFile(filepath.Join(dir, "disagreements", v.instFile[sp.cell.inst]+".html"))
		if err != nil {
			t.Fatal(err)
		}
		inst := key.Instance.String()
		for _, want := range []string{"&lt;property&gt;&amp;&lt;/property&gt;", "The same examination with the next parameters", "answered all values right",
			"podium explain value DIR " + inst + " " + string(key.Exam) + " " + key.Item,
			"podium run DIR --again --only &#39;instance=" + inst + " examination=" + string(key.Exam) + "&#39;", "after "} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the page of %s lacks %q", key.Item, want)
			}
		}
		break
	}
	if found == 0 {
		t.Fatal("nobody disagrees on a formula")
	}
	variants := map[string]int{}
	pages, _ := filepath.Glob(filepath.Join(dir, "disagreements", "*.html"))
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), `<span class="dim of">variant of `)[1:] {
			of, _, _ := strings.Cut(part, "</span>")
			variants[of]++
		}
	}
	if len(variants) != 1 || variants["symbolic"] == 0 {
		t.Errorf("tools are variants of %v, not of symbolic alone", variants)
	}
}
