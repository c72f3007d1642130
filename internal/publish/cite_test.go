package publish

import (
	"strings"
	"testing"
	"time"

	"podium/internal/decisions"
)

// TestHowToCite: the page of the data says how to cite, when the results changed last, and under
// which licence they are.
func TestHowToCite(t *testing.T) {
	m := newMaker(1, 2, 2)
	c := m.contest()
	late := c.Finished.Add(time.Hour)
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.OutOfCompetition, Tool: "explicit", Author: "Ada", Reason: "It came late.", At: late}}}
	decided := m.contest()
	licensed := fixture(1, 2, 2)
	licensed.Licence = "CC-BY-4.0 <b>"
	undated := fixture(1, 2, 2)
	undated.FromFiles, undated.Started, undated.Finished = true, time.Time{}, time.Time{}
	for said, c := range map[string]*Contest{stamp(c.Finished): c, stamp(late): decided, "files of results hold no date": undated, "CC-BY-4.0 &lt;b&gt;.": licensed, "None is stated": m.contest()} {
		page := readPage(t, publishedSite(t, c), "data.html")
		for _, want := range []string{said, `id="cite"`, "Results judged by edition mcc2016-13", "Licence of the data"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %s", said, want)
			}
		}
	}
}
