package publish

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/decisions"
	"podium/scoring"
)

const whyAside, whyVoid = "decision 1 of 0001-01-01 (Ada): It guessed.", "no machine as E-5.1 asks for could do it, which is not the tool&#39;s fault: it is void and counts for nobody"

// withAside is small with a second tool, whose run a decision sets aside, and a third, whose
// run is void.
func withAside() *Contest {
	m := smallMaker()
	m.another("alpha")
	m.another("beta")
	two, three := m.another("twofold"), m.another("unlucky")
	two.said[0].Value = examinations.False
	three.Void, three.said, three.Logged = "the disk was full", nil, false
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.Disqualify, Tool: "twofold", Author: "Ada", Reason: "It guessed."}}}
	return m.contest()
}

func readPage(t *testing.T, dir, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A run without points says why on each page where its points are missing, and its
// answers are neither right nor wrong.
func TestRunsWithoutPointsSayWhy(t *testing.T) {
	dir := publishedSite(t, withAside())
	checkSite(t, dir)
	const net, exam = "Philosophers-PT-000005", "ReachabilityDeadlock"
	for page, want := range map[string][]string{
		"examinations/" + exam + ".html": {`title="` + whyAside + `">no points`, `title="` + whyVoid + `">no points`, "set aside", "void"},
		"instances/" + net + ".html":     {`title="` + whyAside + `">no points`, ">disagreement</a>", "<strong>no</strong> points", "<strong>No points:</strong> " + whyAside, `title="set aside">`, `<b class="aside">~</b>`, "<strong>No points:</strong> " + whyVoid, "the disk was full"},
		"tools/twofold.html":             {"Runs without points", whyAside},
		"tools/unlucky.html":             {"Runs without points", "E-5.1"},
		"disagreements.html":             {"(twofold)"},
		"disagreements/" + net + ".html": {"no vote", whyAside, "twofold answered otherwise without a vote."},
	} {
		text := readPage(t, dir, page)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q", page, w)
			}
		}
	}
	for _, row := range readCSV(t, dir, "totals.csv") {
		if row["tool"] == "twofold" && row["right"]+row["wrong"]+row["unjudged"]+row["set_aside"] != "0001" {
			t.Errorf("totals.csv: %v", row)
		}
	}
	for _, row := range readCSV(t, dir, "runs.csv") {
		if want := map[string]string{"twofold": "~ " + whyAside, "unlucky": " " + html.UnescapeString(whyVoid), "explicit": "T ", "alpha": "T ", "beta": "T "}[row["tool"]]; row["mask"]+" "+row["no_score"] != want {
			t.Errorf("runs.csv: %v", row)
		}
	}
}

var (
	toolCounts = regexp.MustCompile(`<td class="num" data-v="(\d+)">`)
	wrongRows  = regexp.MustCompile(`(?s)<caption id="cap-wrong">.*?</table>`)
)

// A count is the same wherever its word stands: wrong answers in tables of tools,
// categories and instances, on the pages of tools and in files; disagreements on
// pages, in their file and in the provenance.
func TestCountsAreConsistent(t *testing.T) {
	m := newMaker(11, 4, 6)
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.Disqualify, Tool: "walk", Examination: "CTL*", Author: "Ada", Reason: "It guessed."}}}
	c := m.contest()
	dir := publishedSite(t, c)
	wrong, all := map[string]int{}, 0
	for i := range c.runs {
		for a := range c.runs[i].said() {
			if a.Mark == scoring.Wrong {
				wrong[c.runs[i].toolName()]++
				all++
			}
		}
	}
	files := map[string]int{}
	for _, row := range readCSV(t, dir, "totals.csv") {
		n, err := strconv.Atoi(row["wrong"])
		if err != nil {
			t.Fatal(err)
		}
		files[row["tool"]] += n
	}
	for i, file := range []string{"explicit", "symbolic", "walk"} {
		tool := fixtureTools[i].Name
		page := readPage(t, dir, "tools/"+file+".html")
		rows := strings.Count(wrongRows.FindString(page), "<tr><th scope=\"row\">")
		list := readPage(t, dir, "tools.html")
		row := list[strings.Index(list, `href="tools/`+file+`.html"`):]
		shown := toolCounts.FindAllStringSubmatch(row, 2)[1][1]
		if files[tool] != wrong[tool] || rows != wrong[tool] || shown != strconv.Itoa(wrong[tool]) {
			t.Errorf("%s has %d wrong answers; totals.csv has %d, its page %d, the list of tools %s", tool, wrong[tool], files[tool], rows, shown)
		}
	}
	sum := 0
	for _, row := range regexp.MustCompile(`(?m)^<tr><th scope="row"><a href="instances/.*$`).FindAllString(readPage(t, dir, "instances.html"), -1) {
		counts := toolCounts.FindAllStringSubmatch(row, -1)
		n, err := strconv.Atoi(counts[2][1])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if sum != all || all == 0 {
		t.Errorf("%d wrong answers, %d in the list of instances", all, sum)
	}
	var p struct{ Counts counts }
	if err := json.Unmarshal([]byte(readPage(t, dir, provenanceFile)), &p); err != nil {
		t.Fatal(err)
	}
	listed := strings.Count(readPage(t, dir, "disagreements.html"), `<a href="disagreements/`)
	if n := len(readCSV(t, dir, "disagreements.csv")); n != p.Counts.Disagreements || n != listed || n == 0 {
		t.Errorf("disagreements: %d in their file, %d in provenance.json, %d on the page", n, p.Counts.Disagreements, listed)
	}
}

// A disagreement stays when the run that differs is set aside.
func TestDisagreementsDoNotFall(t *testing.T) {
	vote := smallMaker()
	vote.another("twofold").said[0].Value = examinations.False
	for name, c := range map[string]*Contest{"with a vote": vote.contest(), "set aside": withAside()} {
		v := newView(c)
		if n := v.counts().Disagreements; n != 1 {
			t.Errorf("%s: %d disagreements", name, n)
		}
	}
}

// docs/glossary.md is the glossary of the site; -update writes it.
func TestGlossaryOfTheDocumentation(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Glossary\n\nWhat the words of a published site mean. Titles of columns and marks on its pages say the same.\n\n| word | means |\n|---|---|\n")
	for _, m := range glossary {
		fmt.Fprintf(&b, "| %s | %s |\n", m.Word, m.Text)
	}
	golden(t, "../../../docs/glossary.md", b.String())
	if len(meanings) != len(glossary) {
		t.Error("a word has two meanings")
	}
}
