//go:build !js

package publish

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/vm"
)

// limited is a contest in which some runs met limits of time and of memory.
func limited() *Contest {
	m := newMaker(1, 4, 9)
	for i, r := range m.runs {
		switch {
		case r.Void != "":
		case i%7 == 0:
			r.Termination = []vm.Termination{vm.OutOfCPU, vm.OutOfTime, "time", "time+memory"}[i%4]
		case i%11 == 0:
			r.Termination = vm.OutOfMem
		}
	}
	return m.contest()
}

var countLink = regexp.MustCompile(`<a href="((?:\.\./)*table\.html#[^"]*)">([0-9\x{202f}]+)`)

// titlesOfRuns are the columns of the table of runs that counts are sums of.
var titlesOfRuns = map[string]string{"right": "Right", "wrong": "Wrong", "unjudged": "Not judged", "aside": "Set aside", "missing": "No answer", "timeout": "Timeout",
	"memout": "Memory-out", "stopped": "Stopped", "alone": "Right alone", "elsewhere": "Left out, right elsewhere"}

// TestCountsLeadToTheirRuns follows counts of pages into the table of runs: what is shown there
// adds up to them.
func TestCountsLeadToTheirRuns(t *testing.T) {
	ctx, found := browser(t)
	c := limited()
	dir := publishedSite(t, c)
	v := newView(c)
	type counted struct{ page, hash, n string }
	seen := map[string][]counted{}
	for _, page := range []string{"tools.html", v.toolPath(c.Tools[0].Name), v.toolPath(c.Tools[2].Name), "categories/CTL.html", "categories/StateSpace.html", v.examPath(0), v.examPath(4)} {
		for _, m := range countLink.FindAllStringSubmatch(readPage(t, dir, page), -1) {
			_, hash, _ := strings.Cut(strings.ReplaceAll(m[1], "&amp;", "&"), "#")
			asked, err := url.ParseQuery(hash)
			if err != nil {
				t.Fatalf("%s: %s: %v", page, m[1], err)
			}
			of := ""
			for key := range asked {
				if titlesOfRuns[key] != "" {
					of = key
				}
			}
			seen[path.Dir(page)+of] = append(seen[path.Dir(page)+of], counted{page, hash, strings.ReplaceAll(m[2], "\u202f", "")})
		}
	}
	for _, want := range []string{".right", ".timeout", ".memout", "toolsstopped", "toolsalone", "toolselsewhere", "tools", "categoriesmissing", "categoriesmemout", "examinationsright", "examinationstimeouts"} {
		if want = strings.TrimSuffix(want, "s"); len(seen[want]) == 0 && want != "tool" {
			t.Errorf("no page has counts of kind %s: %v", want, len(seen))
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "table.html")))
	waitFor(t, ctx, `"podiumTable" in window && document.body.dataset.shown !== undefined`)
	ask := func(hash, script string) string {
		evaluate[bool](t, ctx, fmt.Sprintf(`history.replaceState(null, "", %q), dispatchEvent(new Event("hashchange"))`, "#"+hash))
		return evaluate[string](t, ctx, script)
	}
	for kind, list := range seen {
		for _, of := range list[:min(3, len(list))] {
			rows, err := csv.NewReader(strings.NewReader(ask(of.hash, "podiumTable.csv()"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			sum, title := len(rows)-1, ""
			for key, name := range titlesOfRuns {
				if strings.HasSuffix(kind, key) {
					title, sum = name, 0
				}
			}
			at := slices.Index(rows[0], title)
			if title != "" && at < 0 {
				t.Fatalf("%s: no column %s among %v", of.page, title, rows[0])
			}
			for _, row := range rows[1:] {
				if at < 0 {
					break
				}
				n, err := strconv.Atoi(row[at])
				if err != nil || n <= 0 {
					t.Errorf("%s: a row has %q", of.hash, row[at])
				}
				sum += n
			}
			if strconv.Itoa(sum) != of.n {
				t.Errorf("%s says %s, the runs of %s say %d", of.page, of.n, of.hash, sum)
			}
		}
	}
	figuresOfRuns(t, c, ask("tool=walk", `document.getElementById("figures").textContent`))
	found.Check(t, 1)
}

// figuresOfRuns compares what the table says of the CPU times of walk with its runs.
func figuresOfRuns(t *testing.T, c *Contest, said string) {
	t.Helper()
	var times []float64
	sum := 0.0
	for i := range c.runs {
		if r := &c.runs[i]; r.toolName() == "walk" && r.Void == "" && r.Times() {
			times = append(times, r.CPUTime.Duration().Seconds())
			sum += times[len(times)-1]
		}
	}
	slices.Sort(times)
	n := len(times)
	text := strings.NewReplacer("\u202f", "", "\u00a0s", "", ";", "", ",", "", ".", ".").Replace(said)
	fields := strings.Fields(text)
	for word, want := range map[string]float64{"sum": sum, "mean": sum / float64(n), "median": (times[(n-1)/2] + times[n/2]) / 2, "least": times[0], "greatest": times[n-1]} {
		at := slices.Index(fields, word)
		if at < 0 {
			t.Fatalf("the figures lack the %s: %s", word, said)
		}
		got, err := strconv.ParseFloat(strings.TrimSuffix(fields[at+1], "."), 64)
		if err != nil || got < want-0.001 || got > want+0.001 {
			t.Errorf("the %s is %s, not %f (%v)", word, fields[at+1], want, err)
		}
	}
}

// TestEmptyColumnsAreLeftOut: rankings have columns of timeouts and memory-outs where there are any.
func TestEmptyColumnsAreLeftOut(t *testing.T) {
	with, without := publishedSite(t, limited()), publishedSite(t, small())
	for _, page := range []string{"tools.html", "categories/GlobalProperties.html", "tools/explicit.html"} {
		for _, title := range []string{"Timeouts", "Memory-outs"} {
			head := ">" + title + "</th>"
			if !strings.Contains(readPage(t, with, page), head) || strings.Contains(readPage(t, without, page), head) {
				t.Errorf("%s: the column %s is missing, or is there and empty", page, title)
			}
		}
	}
	for page, empty := range map[string]string{"tools.html": ">Version</th>", "tools/explicit.html": ">Void</th>", "instances/Philosophers-PT-000005.html": ">Ended</th>"} {
		if strings.Contains(readPage(t, without, page), empty) {
			t.Errorf("%s has an empty column %s", page, empty)
		}
	}
}
