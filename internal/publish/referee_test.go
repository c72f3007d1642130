package publish

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/judged"
	"podium/scoring"
)

// refereed gives a contest a referee that leaves every third value open and
// refutes one reference in forty, always in the same places.
func refereed(m *maker) *maker {
	before := m.contest()
	m.proofs = &judged.Certificate{Values: map[examinations.Key]examinations.Value{}, Digest: strings.Repeat("1f", 32)}
	i := -1
	var file bytes.Buffer
	if err := oracle.WriteCertificateHead(&file); err != nil {
		panic(err)
	}
	for sheet, s := range before.scored().Sheets {
		proof := oracle.Proof{Instance: before.scored().Instances[s.Instance].Name, Exam: before.scored().Exams[s.Exam].ID, Digest: strings.Repeat("0c", 32), Asked: int(s.Values), Budget: 60_000_000, Memory: 4_000_000_000}
		for value := int(s.First); value < int(s.First+s.Values); value++ {
			r := ref{before, sheet, value}
			i++
			key, v, of := r.key(), r.Value(), oracle.ProvedValue{Item: r.item(), By: oracle.ByAllMarkings, Markings: 123456, Enumerate: true}
			switch {
			case i%3 == 0:
				continue
			case !r.known():
				v = examinations.Value{Kind: key.Exam.Kind(), Text: "1"}
				if key.Exam.Kind() == examinations.Bool {
					v = examinations.True
				}
			case i%40 == 1:
				v = examinations.Infinite
				if key.Exam.Kind() == examinations.Bool {
					v = examinations.Truth(r.Value() == examinations.False)
				}
				of = oracle.ProvedValue{Item: r.item(), By: oracle.ByRun, Length: 3, Run: []string{"take_<fork>", "eat"}, Cycle: []string{"t" + strings.Repeat("0", 300)}}
			case i%3 == 1:
				of.By = oracle.ByProof
			}
			of.Text = v.Text
			m.proofs.Values[key] = v
			proof.Values = append(proof.Values, of)
		}
		if err := proof.Write(&file); err != nil {
			panic(err)
		}
	}
	read, found := oracle.ReadCertificate(&file, "certificate")
	if len(found) > 0 {
		panic(found)
	}
	m.proofs.Certificate = read
	return m
}

// TestRefereePage: the page names every refuted value with who elected it, and
// counts what each tool has of them.
func TestRefereePage(t *testing.T) {
	c := refereed(newMaker(1, 4, 6)).contest()
	dir := publishedSite(t, c)
	checkSite(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, "referee.html"))
	if err != nil {
		t.Fatal(err)
	}
	page, v := string(data), newView(c)
	refuted, votes, answers := 0, map[string]int{}, map[string]int{}
	known, all, voted, proofs := 0, 0, 0, 0
	for i := range v.cells {
		for k := range v.cells[i].refs {
			r := &v.cells[i].refs[k]
			proved, certainty := r.Proved(), r.certainty()
			for _, a := range r.answers() {
				if !proved.IsZero() && a.Value != proved {
					answers[a.Tool]++
				}
				if certainty == scoring.Refuted && a.Weight != nil && a.Value == r.Value() {
					votes[a.Tool]++
				}
			}
			if certainty == scoring.Refuted {
				refuted++
			}
			if v.cells[i].exam != 0 {
				continue
			}
			all++
			if certainty != scoring.Undecided {
				known++
			} else if !r.Voted().IsZero() {
				voted++
			}
			if r.shownBy() == "proof" {
				proofs++
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
	sum := v.rule()
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
	m := smallMaker()
	m.another("alpha")
	m.another("beta")
	with, err := edition.ParseChange("certified=overrides")
	if err != nil {
		t.Fatal(err)
	}
	if m.ed, err = m.ed.With(with); err != nil {
		t.Fatal(err)
	}
	m.proofs = &judged.Certificate{Certificate: &oracle.Certificate{}, Values: map[examinations.Key]examinations.Value{
		{Instance: m.instances[0].ID, Exam: examinations.ReachabilityDeadlock, Item: "ReachabilityDeadlock"}: examinations.False}}
	c := m.contest()
	dir := publishedSite(t, c)
	checkSite(t, dir)
	page, err := os.ReadFile(filepath.Join(dir, "referee.html"))
	if err != nil || !strings.Contains(string(page), "a proved value is the reference") || !strings.Contains(string(page), "1 reference value is refuted") {
		t.Errorf("%v, %s", err, page)
	}
}
