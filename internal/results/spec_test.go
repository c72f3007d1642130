package results

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/edition"
	"podium/examinations"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// The executable specification of the rules of 2016 writes one JSON document for
// each file of answers; the tests of this file compare everything in it.

// specDir finds the specification, or skips.
func specDir(t *testing.T) string {
	t.Helper()
	rules := os.Getenv("PODIUM_RULES")
	if rules == "" {
		rules = "../../../shared/rules"
	}
	dir := filepath.Join(rules, "spec")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the executable specification is not here: set PODIUM_RULES")
	}
	return dir
}

// dataDir finds published results, or skips.
func dataDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(realdata.Contest(t), "results")
}

// specDocument is what the specification writes.
type specDocument struct {
	Consistent int `json:"consistent_values"`
	Warnings   struct {
		Duplicates int `json:"duplicate_rows"`
	}
	Confidence map[string]struct {
		Agree int    `json:"agree"`
		OutOf int    `json:"out_of"`
		Exact string `json:"exact"`
	}
	Scores map[string]struct {
		Tools map[string]struct {
			Score      json.Number
			Correct    int
			Wrong      int
			UnknownRef int `json:"unknown_ref"`
			CPUBonus   int `json:"cpu_bonus"`
			MemBonus   int `json:"mem_bonus"`
		}
		Ranking [][2]any
	}
	Runs []struct {
		Tool, Instance, Examination, Class string
		Correct, Wrong                     int
		UnknownRef                         int `json:"unknown_ref"`
		Bonus                              int
		Score                              string
	}
	References [][5]string
}

// edition2016 is the edition of 2016 with the examinations that later files have,
// one value each in a category of their own, and the wanted majority.
func edition2016(t testing.TB, majority string) *edition.Edition {
	t.Helper()
	text, err := edition.Source("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	more := "examinations:\n"
	for _, id := range []string{"OneSafe", "Liveness", "QuasiLiveness", "StableMarking"} {
		more += "  - {id: " + id + ", category: GlobalProperties, kind: bool, values: 1, points: 16}\n"
	}
	changed := strings.Replace(string(text), "examinations:\n", more, 1)
	if !strings.Contains(changed, "majority: plurality") {
		t.Fatal("the edition no longer names its majority")
	}
	changed = strings.Replace(changed, "majority: plurality", "majority: "+majority, 1)
	e, found := edition.Load("mcc2016-"+majority, []byte(changed))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return e
}

// compareWithSpec reports every difference between a result and the document.
func compareWithSpec(t *testing.T, r *scoring.Result, want *specDocument) {
	t.Helper()
	c := r.Contest
	wrong := 0
	differ := func(format string, args ...any) {
		if wrong++; wrong <= 20 {
			t.Errorf(format, args...)
		}
	}
	if len(want.Confidence) == 0 || len(want.Runs) == 0 || len(want.References) == 0 {
		t.Fatal("the document of the specification is empty")
	}
	for i, tool := range c.Tools {
		w, ok := want.Confidence[tool.Name]
		s := r.Shares[i]
		exact := fmt.Sprintf("%d/%d", r.Confidence[i].Num(), r.Confidence[i].Den())
		if !ok || w.Exact != exact || w.Agree != s.Agree || w.OutOf != s.Answered && w.OutOf != s.Consistent || s.Consistent != want.Consistent {
			differ("E-2.2 %s: confidence %s (%d of %d, |V| %d), specification %+v, |V| %d", tool.Name, exact, s.Agree, s.Answered, s.Consistent, w, want.Consistent)
		}
	}
	compareReferences(c, r, want, differ)
	compareRuns(c, r, want, differ)
	compareScores(c, r, want, differ)
}

func compareReferences(c *scoring.Contest, r *scoring.Result, want *specDocument, differ func(string, ...any)) {
	type key struct{ instance, exam, item string }
	spec := map[key][5]string{}
	for _, ref := range want.References {
		spec[key{ref[0], ref[1], specItem(ref[1], ref[2])}] = ref
	}
	for i, s := range c.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			k := key{c.Instances[s.Instance].Name, string(c.Exams[s.Exam].ID), c.Items[v]}
			w, ok := spec[k]
			if !ok {
				w = [5]string{"", "", "", "?", "no-value"}
			}
			delete(spec, k)
			got := "?"
			if value, known := r.ReferenceValue(v); known {
				got = value.Text
			}
			if got == "+inf" {
				got = "inf"
			}
			if got != w[3] || r.References[v].Clause.Word() != w[4] {
				differ("E-3.1 %v: %s by %s, specification %s by %s (sheet %d)", k, got, r.References[v].Clause.Word(), w[3], w[4], i)
			}
		}
	}
	for k := range spec {
		differ("E-3.1 %v is not in the contest", k)
	}
}

// specItem maps numbers to item names for examinations with named items.
func specItem(exam, id string) string {
	switch {
	case exam == "StateSpace" && len(id) == 2:
		return examinations.StateSpaceItems[id[1]-'0']
	case valuesOf(exam) == 1:
		return exam
	}
	return id
}

func compareRuns(c *scoring.Contest, r *scoring.Result, want *specDocument, differ func(string, ...any)) {
	sheets := map[[2]string]int{}
	for i, s := range c.Sheets {
		sheets[[2]string{c.Instances[s.Instance].Name, string(c.Exams[s.Exam].ID)}] = i
	}
	for _, w := range want.Runs {
		sheet, tool := sheets[[2]string{w.Instance, w.Examination}], c.ToolNamed(w.Tool)
		points := r.RunPoints(sheet, tool)
		var sum int64
		bonus := 0
		for _, item := range r.Accountant().Items(sheet, tool) {
			sum += item.Points
			if item.Reason == scoring.LeastOf {
				bonus += 4
			}
		}
		class := c.Instances[c.Sheets[sheet].Instance].Class.String()
		if w.Score != fmt.Sprint(points) || sum != points || w.Class != class || w.Bonus != bonus {
			differ("E-4 %s %s %s: %d points (items %d, bonus %d, %s), specification %+v", w.Tool, w.Instance, w.Examination, points, sum, bonus, class, w)
		}
	}
}

func compareScores(c *scoring.Contest, r *scoring.Result, want *specDocument, differ func(string, ...any)) {
	seen := 0
	for _, k := range r.Categories {
		w, ok := want.Scores[k.Name]
		if !ok {
			for tool := range k.Tallies {
				if k.Tallies[tool].Runs > 0 {
					differ("E-4.5 category %s is not in the specification", k.Name)
				}
			}
			continue
		}
		seen++
		for tool, tally := range k.Tallies {
			x, ok := w.Tools[c.Tools[tool].Name]
			if !ok && tally.Runs == 0 {
				continue
			}
			if x.Score.String() != fmt.Sprint(tally.Points) || x.Correct != tally.Right || x.Wrong != tally.Wrong ||
				x.UnknownRef != tally.Unjudged || x.CPUBonus != tally.Fastest || x.MemBonus != tally.Smallest {
				differ("E-4.5 %s %s: %+v, specification %+v", k.Name, c.Tools[tool].Name, tally, x)
			}
		}
		var got [][2]any
		for _, p := range k.Places {
			got = append(got, [2]any{float64(p.Rank), c.Tools[p.Tool].Name})
		}
		if fmt.Sprint(got) != fmt.Sprint(w.Ranking) {
			differ("E-4.5 %s: ranking %v, specification %v", k.Name, got, w.Ranking)
		}
	}
	if seen != len(want.Scores) {
		differ("E-4.5: %d categories of %d in the specification", seen, len(want.Scores))
	}
}

// shuffleRows permutes the lines of an answers CSV after the header.
func shuffleRows(t *testing.T, data []byte, seed uint64) []byte {
	t.Helper()
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	rng := rand.New(rand.NewPCG(seed, 2016))
	rng.Shuffle(len(lines)-1, func(i, j int) { lines[i+1], lines[j+1] = lines[j+1], lines[i+1] })
	return []byte(strings.Join(lines, "\n") + "\n")
}

func readSpec(t *testing.T, data []byte) *specDocument {
	t.Helper()
	var doc specDocument
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

// scoreAnswers reads and scores a file of answers.
func scoreAnswers(t testing.TB, data []byte, e *edition.Edition, p Participants) *scoring.Result {
	t.Helper()
	c, found := ReadAnswers("answers.csv", bytes.NewReader(data), e, p)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return e.Score(c)
}

func TestSpecificationCases(t *testing.T) {
	dir := specDir(t)
	data, err := os.ReadFile(filepath.Join(dir, "cases.csv"))
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]models.Class{"Surp-PT-1": models.Surprise}
	for majority, file := range map[string]string{"absolute": "cases.json", "plurality": "cases-plurality.json"} {
		golden, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		want := readSpec(t, golden)
		for seed := range uint64(5) {
			r := scoreAnswers(t, shuffleRows(t, data, seed), edition2016(t, majority), Participants{Classes: classes})
			compareWithSpec(t, r, want)
		}
	}
}

// driver runs the specification over many files in one process; each line of
// standard input holds the arguments of one run. Its documents are not indented,
// which is a quarter of the time.
const driver = `
import sys, io
sys.path.insert(0, sys.argv[1])
import mcc2016_rules as m
dumps = m.json.dumps
m.json.dumps = lambda document, indent: dumps(document)
sys.stdout, out = io.StringIO(), sys.stdout
for line in sys.stdin:
    sys.argv = ["mcc2016_rules.py"] + line.rstrip("\n").split("\t")
    m.main()
`

// runSpec runs the specification on many argument lists.
func runSpec(t *testing.T, dir string, runs [][]string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on this machine")
	}
	var in strings.Builder
	for _, args := range runs {
		in.WriteString(strings.Join(args, "\t") + "\n")
	}
	cmd := exec.Command(python, "-B", "-c", driver, dir)
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("specification: %v\n%s", err, out)
	}
}

// TestSpecificationPublishedAnswers holds us against the executable specification on
// published answers: of 2017, with PODIUM_SOAK=1 of three years. They differ in data,
// not in code.
func TestSpecificationPublishedAnswers(t *testing.T) {
	rules, data := specDir(t), dataDir(t)
	years := []string{"2017"}
	if os.Getenv("PODIUM_SOAK") != "" {
		years = append(years, "2018", "2021")
	}
	for _, year := range years {
		for _, majority := range []string{"plurality", "absolute"} {
			if majority == "absolute" && year != "2017" {
				continue // the cases and random contests take both
			}
			t.Run(year+" "+majority, func(t *testing.T) {
				t.Parallel() // most of the time is the specification's, in a process of its own
				file := filepath.Join(data, "answers-"+year+".csv.gz")
				golden := filepath.Join(t.TempDir(), "spec.json")
				args := []string{file, "-o", golden, "--majority", majority, "--details"}
				p := Participants{}
				if classes := filepath.Join(data, "classes-"+year+".csv"); exists(classes) {
					args = append(args, "--classes", classes)
					p.Classes = readTestClasses(t, classes)
				}
				runSpec(t, rules, [][]string{args})
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				r := scoreAnswers(t, gunzipFile(t, file), edition2016(t, majority), p)
				compareWithSpec(t, r, readSpec(t, want))
			})
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func readTestClasses(t *testing.T, file string) map[string]models.Class {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	classes, found := ReadClasses(file, f)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return classes
}

func gunzipFile(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// randomContest writes a small contest with every kind of answer, measurement and
// class. Some lines are repeated, in other words but with the same answer: where two
// lines contradict each other the specification takes the last (D15), and our reader
// refuses the file, because nobody can say which line is the damaged one.
func randomContest(rng *rand.Rand) (answers, classes, variants string) {
	var a, k, v bytes.Buffer
	out, cls, vars := csv.NewWriter(&a), csv.NewWriter(&k), csv.NewWriter(&v)
	out.Write(strings.Split(AnswersHeader, ","))
	tools := 1 + rng.IntN(7)
	skill := make([]int, tools)
	for tool := range tools {
		skill[tool] = 50 + rng.IntN(51)
		if rng.IntN(4) == 0 {
			vars.Write([]string{toolName(tool), toolName(rng.IntN(tools))})
		}
	}
	exams := []string{"StateSpace", "UpperBounds", "ReachabilityDeadlock", "CTLFireability", "LTLCardinality", "OneSafe"}
	for i := range 2 + rng.IntN(12) {
		name := fmt.Sprintf("Net%d-PT-%02d", i%4, i)
		if rng.IntN(6) == 0 {
			name = "S_" + name
		}
		if rng.IntN(3) == 0 {
			cls.Write([]string{name, []string{"known", "stripped", "surprise"}[rng.IntN(3)]})
		}
		exam := exams[rng.IntN(len(exams))]
		for tool := range tools {
			if rng.IntN(5) == 0 {
				continue
			}
			cpu, memory := randomFigure(rng), randomFigure(rng)
			for value := range valuesOf(exam) {
				truth := (i*7 + value*3) % 5
				if rng.IntN(100) >= skill[tool] {
					truth = rng.IntN(5)
				}
				id := fmt.Sprintf("%02d", value)
				if exam == "StateSpace" {
					id = examinations.StateSpaceItems[value]
				}
				texts := randomTexts(rng, exam, truth)
				for range 1 + rng.IntN(20)/19 {
					out.Write([]string{toolName(tool), name, exam, id, texts[rng.IntN(len(texts))], cpu, memory})
				}
			}
		}
	}
	out.Write([]string{"T0", "Last-PT-1", "ReachabilityDeadlock", "00", "TRUE", "", ""})
	for _, w := range []*csv.Writer{out, cls, vars} {
		w.Flush()
	}
	return a.String(), k.String(), v.String()
}

func toolName(i int) string { return fmt.Sprintf("T%d", i) }

func valuesOf(exam string) int {
	switch exam {
	case "StateSpace":
		return 4
	case "ReachabilityDeadlock", "OneSafe", "Liveness", "QuasiLiveness", "StableMarking":
		return 1
	}
	return 16
}

func randomFigure(rng *rand.Rand) string {
	return []string{"", "1", "2.5", "2.50", "3", "0.000001", "10.25"}[rng.IntN(7)]
}

// randomTexts are texts of one answer: a value, or none.
func randomTexts(rng *rand.Rand, exam string, truth int) []string {
	switch {
	case rng.IntN(6) == 0:
		return []string{"", "?", "CC", "DNC", "cannot_compute", "DNF"}
	case exam == "StateSpace" || exam == "UpperBounds":
		return [][]string{{"0", "-0", "00"}, {"1", "+1", "1.0"}, {"320570000", "3.2057E+0008", "0320570000"}, {"inf", "+inf", "Infinity"}, {"-1", "-01"}}[truth]
	}
	return [][]string{{"TRUE", "T", "true"}, {"FALSE", "F", "False"}}[truth%2]
}

// specOptions are switches of the specification and the editions that are the same.
func specOptions(t *testing.T) (options [][]string, editions []*edition.Edition) {
	t.Helper()
	plurality, absolute := edition2016(t, "plurality"), edition2016(t, "absolute")
	with := func(c edition.Change) *edition.Edition {
		e, err := absolute.With(c)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	needRight := *absolute
	scheme := *absolute.Scheme
	scheme.Rules = slices.Insert(slices.Clone(scheme.Rules), 2, scoring.Rule{ID: "E-4.3", Apply: scoring.NeedRight})
	needRight.Scheme = &scheme
	return [][]string{
			{"--majority", "plurality"}, {"--majority", "absolute"}, {"--v-majority", "all"}, {"--confidence", "literal"}, {"--penalty", "needs-correct"},
		}, []*edition.Edition{
			plurality, absolute, with(edition.Change{Section: "consistent", Param: "of", Value: "all"}),
			with(edition.Change{Section: "confidence", Param: "over", Value: "consistent"}), &needRight,
		}
}

func TestSpecificationRandomContests(t *testing.T) {
	contests := 300
	if os.Getenv("PODIUM_SOAK") != "" {
		contests = 1000
	}
	rules, tmp := specDir(t), t.TempDir()
	rng := rand.New(rand.NewPCG(2016, 4))
	write := func(name, text string) string {
		file := filepath.Join(tmp, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	type contest struct {
		answers, classes, variants, golden string
		edition                            *edition.Edition
	}
	options, editions := specOptions(t)
	var all []contest
	var runs [][]string
	for i := range contests {
		answers, classes, variants := randomContest(rng)
		c := contest{answers, classes, variants, filepath.Join(tmp, fmt.Sprintf("%d.json", i)), editions[i%len(editions)]}
		all = append(all, c)
		runs = append(runs, append([]string{write(fmt.Sprintf("%d.csv", i), answers), "-o", c.golden, "--details",
			"--classes", write(fmt.Sprintf("%d-c.csv", i), classes), "--variants", write(fmt.Sprintf("%d-v.csv", i), variants)}, options[i%len(options)]...))
	}
	runSpec(t, rules, runs)
	for i, c := range all {
		golden, err := os.ReadFile(c.golden)
		if err != nil {
			t.Fatal(err)
		}
		classes, _ := ReadClasses("classes", strings.NewReader(c.classes))
		families, _ := ReadFamilies("families", strings.NewReader(c.variants))
		want := readSpec(t, golden)
		contest, found := ReadAnswers("answers.csv", strings.NewReader(c.answers), c.edition, Participants{Classes: classes, Families: families})
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		compareRepeats(t, found, want)
		compareWithSpec(t, c.edition.Score(contest), want)
		if t.Failed() {
			t.Fatalf("contest %d:\n%s\nclasses:\n%s\nvariants:\n%s", i, c.answers, c.classes, c.variants)
		}
	}
}

// compareRepeats holds the warning about repeated lines against their number (D15).
func compareRepeats(t *testing.T, found diagnostic.List, want *specDocument) {
	t.Helper()
	n := want.Warnings.Duplicates
	said := slices.ContainsFunc(found, func(d diagnostic.Diagnostic) bool {
		return d.Code == "answers-repeated" && strings.HasSuffix(d.Message, fmt.Sprintf("; %d lines do", n))
	})
	if said != (n > 0) {
		t.Errorf("D15: %d lines are repeated: %v", n, found)
	}
}

// TestWeightIsSumOfConfidences checks displayed weights against rationals.
func TestWeightIsSumOfConfidences(t *testing.T) {
	answers, _, _ := randomContest(rand.New(rand.NewPCG(3, 3)))
	r := scoreAnswers(t, []byte(answers), edition2016(t, "plurality"), Participants{})
	checked := 0
	for i, s := range r.Contest.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			sum := new(big.Rat)
			for _, tool := range r.Supporters(i, v) {
				sum.Add(sum, r.Confidence[tool].Rat())
				checked++
			}
			if sum.Cmp(r.Weight(i, v)) != 0 {
				t.Errorf("value %d: weight %v, sum %v", v, r.Weight(i, v), sum)
			}
		}
	}
	if checked == 0 {
		t.Error("no supporter was seen")
	}
}
