package publish

import (
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"iter"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/realdata"
	"podium/internal/results"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/whatif"
	"podium/vm"
)

var everyRun = flag.Bool("every-run", false, "render the page of every run of every result file under every edition (an hour), not a sample")

// resultFiles are the published results at hand, each with the edition that knows
// its examinations.
var resultFiles = []struct{ name, edition string }{{"answers-2017.csv.gz", "mcc2016-13"}, {"answers-2018.csv.gz", "mcc2016-13"},
	{"answers-2021.csv.gz", "mcc2021"}, {"raw-result-analysis-2019.csv.zip", "mcc2019"}}

// TestPrintedItemsOfPagesAddUp reads the pages of runs as a person does: the points
// that stand there, with their decimals, add up to the total.
func TestPrintedItemsOfPagesAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	dir := filepath.Join(realdata.Contest(t), "results")
	known := map[string]*scoring.Contest{}
	for n, name := range edition.Names() {
		e, err := edition.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		for f, file := range resultFiles {
			if !strings.HasPrefix(name, "mcc") || !*everyRun && f != n%len(resultFiles) {
				continue
			}
			path := filepath.Join(dir, file.name)
			if known[path] == nil {
				known[path] = mustReadResults(t, file.edition, path)
			}
			c := known[path]
			if *everyRun { // its own points of examinations, where it has them all
				if own, found := readResults(t, e, path); found.Err() == nil {
					c = own
				}
			}
			t.Run(name+"/"+file.name, func(t *testing.T) { pagesAddUp(t, e, c) })
		}
	}
}

func pagesAddUp(t *testing.T, e *edition.Edition, c *scoring.Contest) {
	if !*everyRun {
		n, sample := 0, 293
		switch {
		case os.Getenv("PODIUM_SOAK") != "":
			sample = 97
		case testing.Short():
			sample = 2930 // the race detector needs to see few
		}
		c = whatif.Without(c, nil, func(*scoring.Instance) bool { n++; return n%sample != 0 })
	}
	r := e.Score(c)
	s := siteOf(t, e, r)
	runs := s.c.runs
	var pages, added atomic.Int64
	err := inParallel(len(runs), func(i int) error {
		var page markup
		r := &runs[i]
		s.details(&page, s.find(r.instance(), r.exam()), r, r.sortedAnswers(nil))
		pages.Add(1)
		items, problem := addUp(string(page.html()))
		added.Add(int64(items))
		if problem != "" {
			t.Errorf("%s on %s of %s: %s", r.toolName(), r.exam(), r.instance(), problem)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages, %d items", pages.Load(), added.Load())
	if added.Load() == 0 {
		t.Error("no page has an item")
	}
}

var (
	totalPrinted = regexp.MustCompile(`<span class="total"><strong[^>]*>([^<]*)</strong> points?</span>`)
	itemPrinted  = regexp.MustCompile(`<li class="item[^"]*"><b[^>]*>([^<]*)</b>(?: ([0-9]+) \x{d7} ([^ ]+) )?`)
)

// addUp sums the items of a page by what is printed.
func addUp(page string) (items int, problem string) {
	total := totalPrinted.FindStringSubmatch(page)
	if total == nil {
		return 0, "no total"
	}
	sum := new(big.Rat)
	for _, m := range itemPrinted.FindAllStringSubmatch(page, -1) {
		x, ok := readPoints(m[1])
		if !ok {
			return 0, fmt.Sprintf("%q is no number", m[1])
		}
		if m[2] != "" { // of several values
			each, ok := readPoints(m[3])
			n, bad := strconv.ParseInt(m[2], 10, 64)
			if !ok || bad != nil || each.Mul(each, big.NewRat(n, 1)).Cmp(x) != 0 {
				return 0, fmt.Sprintf("%s of %s is not %s", m[2], m[3], m[1])
			}
		}
		sum.Add(sum, x)
		items++
	}
	if total[1] == "no" {
		if items > 0 || !strings.Contains(page, "<strong>No points:</strong> ") {
			return items, "no points and no reason"
		}
		return items, ""
	}
	if want, ok := readPoints(total[1]); !ok || sum.Cmp(want) != 0 {
		return items, fmt.Sprintf("the items add up to %s, the total is %s", sum.FloatString(6), total[1])
	}
	return items, ""
}

func readPoints(text string) (*big.Rat, bool) {
	return new(big.Rat).SetString(strings.NewReplacer(minus, "-", "\u202f", "", "+", "").Replace(html.UnescapeString(text)))
}

// readResults reads a file of results.
func readResults(t *testing.T, e *edition.Edition, path string) (*scoring.Contest, diagnostic.List) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, in, err := results.Open(path, data, ".csv")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(path, "raw-") {
		return results.ReadAnswers(name, in, e, results.Participants{Classes: classes(t, strings.Replace(path, "answers-2017.csv.gz", "classes-2017.csv", 1))})
	}
	table, found := results.ReadTable(name, in)
	if found.Err() != nil {
		return nil, found
	}
	return table.Contest(e, results.Participants{})
}

func mustReadResults(t *testing.T, id, path string) *scoring.Contest {
	t.Helper()
	e, err := edition.Named(id)
	if err != nil {
		t.Fatal(err)
	}
	c, found := readResults(t, e, path)
	if found.Err() != nil {
		t.Fatal(found.Err())
	}
	return c
}

// classes reads the file of classes of a contest that has one.
func classes(t *testing.T, path string) map[string]models.Class {
	t.Helper()
	if !strings.Contains(path, "classes-") {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, found := results.ReadClasses(path, f)
	if found.Err() != nil {
		t.Fatal(found)
	}
	return list
}

// siteOf shows the runs of a result.
func siteOf(t *testing.T, e *edition.Edition, r *scoring.Result) *site {
	t.Helper()
	of := &judged.Contest{Result: r, Edition: e}
	of.Facts = ended{of}
	c := bare(of)
	c.makeRuns()
	s := &site{view: newView(c)}
	if err := s.parse(); err != nil {
		t.Fatal(err)
	}
	return s
}

// ended are facts that know of each run that it ended by itself.
type ended struct{ of *judged.Contest }

func (f ended) Ran(sheet, tool int) (judged.Ran, bool) {
	there := f.of.Result.Contest.Run(sheet, tool).Participation != scoring.Absent
	return judged.Ran{Outcome: &vm.Outcome{Termination: vm.Exited}}, there
}

func (ended) Said(int, int) iter.Seq[judged.Said]          { return slices.Values[[]judged.Said](nil) }
func (ended) Output(int, int) (io.ReadCloser, error)       { return nil, errors.New("nothing was kept") }
func (ended) Remarks(int, int) (lines []string, err error) { return nil, nil }
func (ended) Curve(int, int) (c vm.Curve, need campaign.Confinement, err error) {
	return nil, need, nil
}
