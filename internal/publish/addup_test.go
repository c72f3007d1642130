package publish

import (
	"flag"
	"fmt"
	"html"
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
	"podium/internal/realdata"
	"podium/internal/results"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

var everyRun = flag.Bool("every-run", false, "render the page of every run of every result file under every edition (an hour), not a sample")

// resultFiles are the published results at hand, each with the edition that knows
// its examinations.
var resultFiles = []struct{ name, edition string }{{"answers-2017.csv.gz", "mcc2016-13"}, {"answers-2018.csv.gz", "mcc2016-13"},
	{"answers-2021.csv.gz", "mcc2021"}, {"raw-result-analysis-2019.csv.zip", "mcc2019"}}

// TestPrintedItemsOfPagesAddUp reads the pages of runs as a person does: the points
// that stand there, with their decimals, add up to the total.
func TestPrintedItemsOfPagesAddUp(t *testing.T) {
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
		c = c.Without(nil, func(*scoring.Instance) bool { n++; return n%sample != 0 })
	}
	r := e.Score(c)
	s, runs := siteOf(t, r)
	var pages, added atomic.Int64
	err := inParallel(len(runs), func(i int) error {
		var page markup
		cell, err := s.find(runs[i].Instance, runs[i].Exam)
		if err != nil {
			return err
		}
		s.details(&page, cell, runs[i], runs[i].sortedAnswers(nil))
		pages.Add(1)
		items, problem := addUp(string(page.html()))
		added.Add(int64(items))
		if problem != "" {
			t.Errorf("%s on %s of %s: %s", runs[i].Tool, runs[i].Exam, runs[i].Instance, problem)
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
func siteOf(t *testing.T, r *scoring.Result) (*site, []*Run) {
	t.Helper()
	c := &Contest{Title: "Results"}
	for _, tool := range r.Contest.Tools {
		c.Tools = append(c.Tools, Tool{Name: tool.Name})
	}
	seen := map[models.ID]bool{}
	for _, i := range r.Contest.Instances {
		if !seen[i.ID] {
			seen[i.ID] = true
			c.Instances = append(c.Instances, Instance{ID: i.ID, Class: i.Class})
		}
	}
	for _, x := range r.Contest.Exams {
		c.Examinations = append(c.Examinations, Examination{ID: x.ID, Category: x.Category, Task: x.Task})
	}
	accounts := NewAccounts(r)
	for sheet, s := range r.Contest.Sheets {
		for tool := range r.Contest.Tools {
			if r.Contest.Run(sheet, tool).Participation == scoring.Absent {
				continue
			}
			run := Run{Tool: r.Contest.Tools[tool].Name, Instance: r.Contest.Instances[s.Instance].ID, Exam: r.Contest.Exams[s.Exam].ID, Termination: "exited"}
			accounts.Fill(&run, sheet, tool)
			run.Whole = &Whole{}
			run.Items, run.Factors = accounts.Items(sheet, tool)
			c.Runs = append(c.Runs, run)
		}
	}
	v, err := newView(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{view: v}
	if err := s.parse(); err != nil {
		t.Fatal(err)
	}
	var runs []*Run
	for i := range v.cells {
		runs = append(runs, v.cells[i].runs...)
	}
	return s, slices.Clip(runs)
}
