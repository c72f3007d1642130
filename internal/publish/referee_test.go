package publish

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
)

// refereed gives a contest a referee that leaves every third value open and
// refutes one reference in forty, always in the same places.
func refereed(c *Contest) *Contest {
	c.Refereed, c.RefereeFacts = true, []Named{{"budget", "1m0s for each examination of an instance"}, {"certificate", "sha256:" + strings.Repeat("1f", 32)}}
	for i := range c.References {
		r := &c.References[i]
		r.Ruling = &Ruling{Certainty: Undecided, Elected: r.Value}
		known := r.State != Unknown && r.State != Weak
		if !known {
			r.Ruling.Elected = examinations.Value{}
		}
		switch {
		case i%3 == 0:
			continue
		case !known:
			r.Ruling.Certainty, r.Ruling.Proved = Supplied, examinations.Value{Kind: r.Key.Exam.Kind(), Text: "1"}
			if r.Key.Exam.Kind() == examinations.Bool {
				r.Ruling.Proved = examinations.True
			}
			r.Ruling.Evidence = "all 9 reachable markings were enumerated"
		case i%40 == 1:
			r.Ruling.Certainty, r.Ruling.Proved = Refuted, examinations.Infinite
			if r.Key.Exam.Kind() == examinations.Bool {
				r.Ruling.Proved = examinations.Truth(r.Value == examinations.False)
			}
			r.Ruling.Evidence, r.Ruling.Run, r.Ruling.Cycle = "a run of 3 firings that ends in a cycle shows it", []string{"take_<fork>", "eat"}, []string{"t" + strings.Repeat("0", 300)}
		default:
			r.Ruling.Certainty, r.Ruling.Proved = Proved, r.Value
			r.Ruling.Evidence, r.Ruling.Shown = "all 123456 reachable markings were enumerated", shownOrder[i%3]
		}
		for _, vote := range r.Votes {
			if vote.Value != r.Ruling.Proved {
				r.Ruling.Against = append(r.Ruling.Against, vote.Tool)
			}
		}
	}
	return c
}

// TestRefereePage: the page names every refuted value with who elected it, and
// counts what each tool has of them.
func TestRefereePage(t *testing.T) {
	c := refereed(fixture(1, 4, 6))
	dir := publishedSite(t, c)
	checkSite(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, "referee.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	refuted, votes, answers := 0, map[string]int{}, map[string]int{}
	for _, r := range c.References {
		for _, tool := range r.Ruling.Against {
			answers[tool]++
		}
		if r.Ruling.Certainty != Refuted {
			continue
		}
		refuted++
		for _, vote := range r.Votes {
			if vote.Value == r.Value {
				votes[vote.Tool]++
			}
		}
	}
	if got := strings.Count(page, `class="camp refuted"`); refuted < 10 || got != refuted {
		t.Errorf("%d refuted values, %d on the page", refuted, got)
	}
	for _, want := range []string{"take_&lt;fork&gt; eat and then, for ever, t000", "a run of 3 firings", "The elected value decides the scores all the same."} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	v, err := newView(c)
	if err != nil {
		t.Fatal(err)
	}
	sum := v.rule()
	known, all, voted, proofs := 0, 0, 0, 0
	for _, r := range c.References {
		if r.Key.Exam != v.c.Examinations[0].ID {
			continue
		}
		all++
		if r.Ruling.Certainty != Undecided {
			known++
		} else if !r.Ruling.Elected.IsZero() {
			voted++
		}
		if r.Ruling.Shown == "proof" {
			proofs++
		}
	}
	if got := sum.shown[0]["proof"]; got == 0 || got != proofs {
		t.Errorf("%d shown by proof, not %d", got, proofs)
	}
	if want := ">" + percent(known, all) + `</td><td class="num" data-v="` + strconv.Itoa(voted) + `">` + percent(voted, all) + "<"; !strings.Contains(page, want) {
		t.Errorf("%s is missing", want)
	}
	for i, n := range sum.tools {
		if name := v.tools[i].Name; n.votes != votes[name] || n.answers != answers[name] || n.ruled < n.answers {
			t.Errorf("%s: %+v, want %d votes and %d answers", name, n, votes[name], answers[name])
		}
	}
	counts := map[string]int{}
	for _, row := range readCSV(t, dir, "references.csv") {
		counts[row["referee"]]++
		if (row["referee"] == "undecided") != (row["proved"] == "") || (row["proved"] == "") != (row["evidence"] == "") {
			t.Errorf("row %v", row)
		}
	}
	if counts["refuted"] != refuted || counts["proved"] == 0 || counts["undecided"] == 0 || counts[""] != 0 {
		t.Errorf("references.csv has %v", counts)
	}
}

// TestNoReferee: without a referee there is no page and no link to one.
func TestNoReferee(t *testing.T) {
	dir := publishedSite(t, small())
	if _, err := os.Stat(filepath.Join(dir, "referee.html")); err == nil {
		t.Error("there is a page")
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || strings.Contains(string(index), "referee") {
		t.Errorf("the overview speaks of a referee (%v)", err)
	}
}

// TestProofsThatDecide: where proofs decide, the page says so.
func TestProofsThatDecide(t *testing.T) {
	c := small()
	c.Refereed = true
	c.References[0].Ruling = &Ruling{Certainty: Refuted, Elected: examinations.True, Proved: examinations.False, Evidence: "all 5 reachable markings were enumerated", Against: []string{"explicit"}}
	c.References[0].Value, c.References[0].State = examinations.False, Certain
	c.Runs[0].Answers[0].Mark = Wrong
	dir := publishedSite(t, c)
	checkSite(t, dir)
	page, err := os.ReadFile(filepath.Join(dir, "referee.html"))
	if err != nil || !strings.Contains(string(page), "a proved value is the reference") || !strings.Contains(string(page), "1 reference value is refuted") {
		t.Errorf("%v, %s", err, page)
	}
}
