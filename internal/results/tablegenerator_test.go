package results

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"podium/edition"
	"podium/scoring"
)

// tableRow is a run of a result XML as table-generator reads it: columns by title.
type tableRow struct {
	name, properties string
	columns          map[string]string
}

// tableRows reads a result XML without our own reader.
func tableRows(t *testing.T, data []byte) []tableRow {
	t.Helper()
	var rows []tableRow
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.RawToken()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "run" && (start.Name.Local != "column" || len(rows) == 0) {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		if start.Name.Local == "run" {
			rows = append(rows, tableRow{attr["name"], attr["properties"], map[string]string{}})
		} else {
			rows[len(rows)-1].columns[attr["title"]] = attr["value"]
		}
	}
}

// tableSummary is what table-generator writes under a table: how many results are
// correct and wrong (benchexec/tablegenerator/statistics.py), and sums of columns.
type tableSummary struct {
	correct, unconfirmed, wrong, total int
	score, cpu                         *big.Rat
}

// class is get_result_classification of benchexec/result.py.
func class(status string) string {
	switch {
	case status == "true":
		return "true"
	case status == "false", strings.HasPrefix(status, "false(") && strings.HasSuffix(status, ")"):
		return "false"
	}
	return "other"
}

func summaryOf(t *testing.T, rows []tableRow) tableSummary {
	t.Helper()
	s := tableSummary{score: new(big.Rat), cpu: new(big.Rat)}
	seen := map[[2]string]bool{}
	for _, r := range rows {
		task := [2]string{r.name, r.properties}
		if seen[task] {
			t.Fatalf("task %v is present twice: table-generator would skip it", task)
		}
		seen[task] = true
		if r.columns["status"] != "" {
			s.total++
		}
		if class(r.columns["status"]) != "other" {
			switch r.columns["category"] {
			case "correct":
				s.correct++
			case "correct-unconfirmed":
				s.unconfirmed++
			case "wrong":
				s.wrong++
			}
		}
		for title, sum := range map[string]*big.Rat{"score": s.score, "cputime": s.cpu} {
			if text := strings.TrimSuffix(r.columns[title], "s"); text != "" {
				x, ok := new(big.Rat).SetString(text)
				if !ok {
					t.Fatalf("%s of %s is %q", title, r.name, text)
				}
				sum.Add(sum, x)
			}
		}
	}
	return s
}

// ourSummary is the same of a result.
func ourSummary(r *scoring.Result, tool int) tableSummary {
	s := tableSummary{score: new(big.Rat), cpu: new(big.Rat)}
	for _, k := range r.Categories {
		tally := k.Tallies[tool]
		s.correct += tally.Right
		s.wrong += tally.Wrong
		s.score.Add(s.score, big.NewRat(tally.Points, r.Scheme.Unit))
	}
	for sheet := range r.Contest.Sheets {
		run := r.Contest.Run(sheet, tool)
		if run.Participation == scoring.Absent {
			continue
		}
		s.total += int(r.Contest.Sheets[sheet].Values)
		if run.CPU != scoring.Unmeasured {
			s.cpu.Add(s.cpu, big.NewRat(run.CPU, 1_000_000))
		}
	}
	return s
}

// TestTableGeneratorCountsAsWeDo: what table-generator counts and adds up in our
// files is what the scores say, and the files give the scores again.
func TestTableGeneratorCountsAsWeDo(t *testing.T) {
	everyFile(t, []string{"mcc2016", "mcc2020", "mcc2025"}, func(t *testing.T, e *edition.Edition, c *scoring.Contest, p Participants) {
		r := e.Score(c)
		var sets []*BenchSet
		for tool := range c.Tools {
			var out bytes.Buffer
			if err := WriteBenchExec(&out, e, r, tool, BenchInfo{}); err != nil {
				t.Fatal(err)
			}
			got, want := summaryOf(t, tableRows(t, out.Bytes())), ourSummary(r, tool)
			if got.correct != want.correct || got.wrong != want.wrong || got.total != want.total || got.score.Cmp(want.score) != 0 || got.cpu.Cmp(want.cpu) != 0 {
				t.Errorf("%s: %+v, want %+v", c.Tools[tool].Name, got, want)
			}
			set, found := ReadBenchExec("own.xml", &out)
			if len(found) > 0 {
				t.Fatal(found)
			}
			sets = append(sets, set)
		}
		again, found := BenchContest(sets, e, p)
		if len(found) > 0 {
			t.Fatal(found)
		}
		sameScores(t, r, e.Score(again))
	})
}

// TestTaskResultsAgain: results of BenchExec, written as ours, give the same scores.
func TestTaskResultsAgain(t *testing.T) {
	e := named(t, "svcomp2026")
	set := benchSet(t, strings.ReplaceAll(strings.ReplaceAll(benchSample, "%s", "x"), "Prover", "Prover x"))
	set.Tool, set.Version = "Prover", ""
	c, found := BenchContest([]*BenchSet{set}, e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	r := e.Score(c)
	var out bytes.Buffer
	if err := WriteBenchExec(&out, e, r, 0, BenchInfo{}); err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(out.Bytes())
	got := summaryOf(t, tableRows(t, out.Bytes()))
	if want := ourSummary(r, 0); got.correct+got.unconfirmed != want.correct || got.unconfirmed != 1 || got.wrong != want.wrong {
		t.Errorf("%+v, want %+v", got, want)
	}
	own, found := ReadBenchExec("own.xml", &out)
	if len(found) > 0 {
		t.Fatal(found)
	}
	again, found := BenchContest([]*BenchSet{own}, e, Participants{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	sameScores(t, r, e.Score(again))
	checkDocumentType(t, data)
}

// benchData finds files of BenchExec, or skips.
func benchData(t *testing.T) string {
	dir := filepath.Join(filepath.Dir(dataDir(t)), "benchexec")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the files of BenchExec are not here: set PODIUM_DATA")
	}
	return dir
}

var (
	elementDecl   = regexp.MustCompile(`<!ELEMENT (\w+) ([^>]+)>`)
	attributeDecl = regexp.MustCompile(`<!ATTLIST (\w+) ([^>]+)>`)
	attributeName = regexp.MustCompile(`(\w+) CDATA #(\w+)`)
)

// lint says what a real validator finds in result XML; nothing where none is installed.
func lint(t *testing.T, data []byte) string {
	t.Helper()
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		return ""
	}
	lint := exec.Command(xmllint, "--noout", "--nonet", "--dtdvalid", filepath.Join(benchData(t), "result.dtd"), "-")
	lint.Stdin = bytes.NewReader(data)
	said, err := lint.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, said)
	}
	return ""
}

// checkDocumentType checks elements and attributes against BenchExec's result.dtd.
func checkDocumentType(t *testing.T, data []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(benchData(t), "result.dtd"))
	if err != nil {
		t.Fatal(err)
	}
	if said := lint(t, data); said != "" {
		t.Error(said)
	}
	content, allowed, required := map[string]string{}, map[string][]string{}, map[string][]string{}
	for _, m := range elementDecl.FindAllStringSubmatch(string(text), -1) {
		content[m[1]] = m[2]
	}
	for _, m := range attributeDecl.FindAllStringSubmatch(string(text), -1) {
		for _, a := range attributeName.FindAllStringSubmatch(m[2], -1) {
			allowed[m[1]] = append(allowed[m[1]], a[1])
			if a[2] == "REQUIRED" {
				required[m[1]] = append(required[m[1]], a[1])
			}
		}
	}
	var open []string
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			if n := len(open); n > 0 && !slices.Contains(regexp.MustCompile(`\w+`).FindAllString(content[open[n-1]], -1), name) {
				t.Errorf("<%s> stands in <%s>: %s", name, open[n-1], content[open[n-1]])
			}
			var has []string
			for _, a := range x.Attr {
				has = append(has, a.Name.Local)
				if !slices.Contains(allowed[name], a.Name.Local) {
					t.Errorf("<%s> has no attribute %s", name, a.Name.Local)
				}
			}
			for _, a := range required[name] {
				if !slices.Contains(has, a) {
					t.Errorf("<%s> needs the attribute %s", name, a)
				}
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}
