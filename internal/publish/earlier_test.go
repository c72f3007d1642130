package publish

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/scoring"
)

// earlierEditions are two editions to compare the fixture with: names of tools and
// categories are written otherwise, and one tool and one category are gone.
func earlierEditions() []Earlier {
	of := func(tool string, rank int, points int64, right, wrong int) standing {
		return standing{Tool: tool, Standing: scoring.Standing{Rank: rank, Place: rank, Points: big.NewRat(points, 1), Right: right, Wrong: wrong}}
	}
	return []Earlier{
		{ID: "mcc2015", Tools: 3, Instances: 90, Categories: []rankedCategory{
			{"CTL", 32, []standing{of("Symbolic", 1, 70, 30, 1), of("gone <b>", 2, 5, 4, 0)}},
			{"Lost <i>", 16, []standing{of("WALK", 1, 9, 9, 0)}}}},
		{ID: "mcc2014", Tools: 1, Instances: 20, Categories: []rankedCategory{{"ctl", 16, nil}}},
	}
}

// TestEarlierEditions: the front page and the pages of tools and categories show what
// earlier editions said of them.
func TestEarlierEditions(t *testing.T) {
	c := fixture(1, 4, 3)
	c.Earlier = earlierEditions()
	below := standing{Tool: "WALK", Standing: scoring.Standing{Dash: true, Points: new(big.Rat)}}
	c.Earlier[1].Categories = append(c.Earlier[1].Categories, rankedCategory{"Below zero", 16, []standing{below}})
	dir := publishedSite(t, c)
	for page, want := range map[string][]string{
		"index.html":          {"mcc2015", "gone &lt;b&gt;", "Lost &lt;i&gt;", `<a href="tools/symbolic.html">Symbolic</a>`, "not asked", "nobody"},
		"tools/symbolic.html": {"rank 1 of 2", "30 right, 1 wrong, of 32 values", "took no part"},
		"tools/walk.html":     {"Lost &lt;i&gt;", "rank 1 of 1", `no rank <span class="note"><span title="nothing">–</span> points</span>`},
		"categories/CTL.html": {"gone &lt;b&gt;", "30 right, 1 wrong", "90 instances"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s does not say %s", page, part)
			}
		}
	}
}

// TestNamesOverYears: the names of one year stay apart, those of two are joined where it is
// clear which belongs to which.
func TestNamesOverYears(t *testing.T) {
	for _, c := range []struct {
		years [][]string
		want  string
	}{
		{[][]string{{"LoLA", "LoLA+"}, {"LoLA", "LoLA+"}}, "[[LoLA LoLA] [LoLA+ LoLA+]]"},
		{[][]string{{"LoLA", "LoLA+"}, {"LoLA+"}}, "[[LoLA ] [LoLA+ LoLA+]]"},
		{[][]string{{"LoLA", "LoLA+"}, {"lola"}}, "[[LoLA ] [LoLA+ ] [ lola]]"},
		{[][]string{{"lola"}, {"LoLA", "LoLA+"}}, "[[lola ] [ LoLA] [ LoLA+]]"},
		{[][]string{{"ITS-Tools"}, {"itstools"}, {"ITS Tools"}}, "[[ITS-Tools itstools ITS Tools]]"},
		{[][]string{{"a"}, {"+"}, {"-"}}, "[[a  ] [ + ] [  -]]"},
	} {
		if got := fmt.Sprint(joined(c.years)); got != c.want {
			t.Errorf("%q: %s, want %s", c.years, got, c.want)
		}
	}
}
