//go:build !js

package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/witness"
	"podium/scoring"
)

// TestJury: the page for the jury counts what the tables of runs and answers have.
func TestJury(t *testing.T) {
	c := everything(t)
	v := newView(c)
	s := newSite(v, nil)
	want := map[string]int{}
	for i := range v.cells {
		for _, r := range v.cells[i].runs {
			if r.Void != "" || r.noScore != "" || r.setAside {
				want["unscored"]++
			}
			for a := range r.said() {
				if a.Mark == scoring.Wrong {
					want["wrong"]++
				}
				if a.Witness.State == witness.Refuted || a.Witness.Malformed {
					want["refuted"]++
				}
			}
		}
	}
	for _, list := range s.jury().Lists {
		if n, counted := want[list.Anchor]; counted && list.All != n || list.All != len(list.Rows)+list.More() || len(list.Rows) > maxJury {
			t.Errorf("%s: %d, of which %d are shown, not %d", list.Anchor, list.All, len(list.Rows), n)
		}
	}
	if want["wrong"] == 0 || want["unscored"] == 0 {
		t.Errorf("the contest has too little to see: %v", want)
	}
	text, err := os.ReadFile(filepath.Join(publishedSite(t, c), "jury.html"))
	if err != nil || !strings.Contains(string(text), "podium decide") {
		t.Errorf("%v, %s", err, text)
	}
}
