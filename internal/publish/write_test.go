package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/models"
)

var update = flag.Bool("update", false, "rewrite golden files")

// publishedSite writes a contest to a directory that ends with the test; the
// variable PODIUM_KEEP_SITE names a directory to keep it in instead, to look at.
func publishedSite(t testing.TB, c *Contest) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "published")
	if keep := os.Getenv("PODIUM_KEEP_SITE"); keep != "" {
		dir = filepath.Join(keep, filepath.FromSlash(t.Name()))
	}
	if err := Write(t.Context(), dir, c); err != nil {
		t.Fatal(err)
	}
	return dir
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

// digests maps every file of a directory to the digest of its bytes.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		sum := sha256.Sum256(data)
		found[filepath.ToSlash(name)] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// shuffled is the same contest with everything in another order.
func shuffled(c *Contest) *Contest {
	rng := rand.New(rand.NewPCG(99, 1))
	s := *c
	s.Tools, s.Instances, s.Runs = slices.Clone(c.Tools), slices.Clone(c.Instances), slices.Clone(c.Runs)
	s.References, s.Confidences, s.Categories = slices.Clone(c.References), slices.Clone(c.Confidences), slices.Clone(c.Categories)
	mix := func(n int, swap func(i, j int)) { rng.Shuffle(n, swap) }
	mix(len(s.Tools), func(i, j int) { s.Tools[i], s.Tools[j] = s.Tools[j], s.Tools[i] })
	mix(len(s.Instances), func(i, j int) { s.Instances[i], s.Instances[j] = s.Instances[j], s.Instances[i] })
	mix(len(s.Runs), func(i, j int) { s.Runs[i], s.Runs[j] = s.Runs[j], s.Runs[i] })
	mix(len(s.References), func(i, j int) { s.References[i], s.References[j] = s.References[j], s.References[i] })
	mix(len(s.Confidences), func(i, j int) { s.Confidences[i], s.Confidences[j] = s.Confidences[j], s.Confidences[i] })
	for i := range s.Runs {
		s.Runs[i] = s.Runs[i].copied()
		answers := slices.Clone(s.Runs[i].Answers)
		mix(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		s.Runs[i].Answers = answers
	}
	for i := range s.References {
		votes := slices.Clone(s.References[i].Votes)
		mix(len(votes), func(i, j int) { votes[i], votes[j] = votes[j], votes[i] })
		s.References[i].Votes = votes
	}
	for i := range s.Categories {
		standings := slices.Clone(s.Categories[i].Standings)
		mix(len(standings), func(i, j int) { standings[i], standings[j] = standings[j], standings[i] })
		s.Categories[i].Standings = standings
	}
	return &s
}

func TestSameContestSameBytes(t *testing.T) {
	c := fixture(3, 4, 2)
	first, second := digests(t, publishedSite(t, c)), digests(t, publishedSite(t, shuffled(c)))
	if len(first) < 60 {
		t.Fatalf("only %d files were written", len(first))
	}
	for name, sum := range first {
		if second[name] != sum {
			t.Errorf("%s differs when the input comes in another order", name)
		}
	}
	if len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
}

func TestProvenanceListsEveryFile(t *testing.T) {
	dir := publishedSite(t, fixture(4, 4, 3))
	data, err := os.ReadFile(filepath.Join(dir, provenanceFile))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		provenance
		Files []struct{ Path, SHA256 string }
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	if p.Format != "podium-provenance/1" || p.Edition.ID != "mcc2016" || p.Counts.Runs != 4*3*13 || p.Counts.Values != 3*(4+5+7*16) {
		t.Errorf("provenance says %+v", p.Counts)
	}
	known := 0
	for _, row := range readCSV(t, dir, "references.csv") {
		if row["state"] != string(Unknown) && row["state"] != string(Weak) {
			known++
		}
	}
	if p.Counts.References != known || known == 0 || known == p.Counts.Values {
		t.Errorf("provenance counts %d reference values of %d that were asked, the table has %d", p.Counts.References, p.Counts.Values, known)
	}
	found := digests(t, dir)
	delete(found, provenanceFile)
	for _, f := range p.Files {
		if found[f.Path] != f.SHA256 {
			t.Errorf("%s: provenance has digest %s, the file %s", f.Path, f.SHA256, found[f.Path])
		}
		delete(found, f.Path)
	}
	for name := range found {
		t.Errorf("%s is not in provenance.json", name)
	}
}

// readCSV gives the rows of a published table as maps.
func readCSV(t *testing.T, dir, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "csv", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var maps []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		maps = append(maps, m)
	}
	return maps
}

// Every point of every score is explained: the addends of scores.csv sum to
// the points of runs.csv and, by category, to totals.csv.
func TestPointsAreItemised(t *testing.T) {
	c := fixture(5, 4, 5)
	dir := publishedSite(t, c)
	sums, totals := map[string]*big.Rat{}, map[string]*big.Rat{}
	add := func(m map[string]*big.Rat, key, text string) {
		points, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is no ratio", text)
		}
		if m[key] == nil {
			m[key] = new(big.Rat)
		}
		m[key].Add(m[key], points)
	}
	for _, row := range readCSV(t, dir, "scores.csv") {
		add(sums, row["tool"]+" "+row["instance"]+" "+row["examination"], row["points"])
	}
	runs := readCSV(t, dir, "runs.csv")
	if len(runs) != len(c.Runs) {
		t.Errorf("%d runs, %d published", len(c.Runs), len(runs))
	}
	for _, row := range runs {
		key := row["tool"] + " " + row["instance"] + " " + row["examination"]
		if sums[key] == nil {
			sums[key] = new(big.Rat)
		}
		if sums[key].RatString() != row["points"] {
			t.Errorf("%s: items sum to %s, the run has %s", key, sums[key].RatString(), row["points"])
		}
		add(totals, row["category"]+" "+row["tool"], row["points"])
	}
	for _, row := range readCSV(t, dir, "totals.csv") {
		if row["category"] == "UpperBounds" {
			continue // where the fixture makes a tie by hand
		}
		if got := totals[row["category"]+" "+row["tool"]]; got.RatString() != row["points"] {
			t.Errorf("%s in %s: runs sum to %s, the total is %s", row["tool"], row["category"], got.RatString(), row["points"])
		}
	}
}

func TestAnswersHaveTheLayoutOfExchange(t *testing.T) {
	c := fixture(6, 3, 2)
	dir := publishedSite(t, c)
	data, err := os.ReadFile(filepath.Join(dir, "csv", "answers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if head, _, _ := strings.Cut(string(data), "\n"); head != "tool,instance,examination,value_id,answer,cpu_s,mem_mb" {
		t.Errorf("the head is %s", head)
	}
	answers := 0
	for i := range c.Runs {
		answers += len(c.Runs[i].Answers)
	}
	if rows := readCSV(t, dir, "answers.csv"); len(rows) != answers {
		t.Errorf("%d answers, %d published", answers, len(rows))
	}
}

// A value that was not answered is '-', whether there is a reference or not: the
// masks of runs.csv add up to totals.csv.
func TestMasksAddUpToTotals(t *testing.T) {
	c := small()
	add := func(item string, state State, mark Mark) {
		key := c.References[0].Key
		key.Item = item
		c.References = append(c.References, Reference{Key: key, State: state})
		if mark != Missing {
			c.Runs[0].Answers = append(c.Runs[0].Answers, Answer{Item: item, Value: examinations.False, Mark: mark, At: -1, Offset: -1})
		}
	}
	add("a-unknown-answered", Unknown, Unjudged)
	add("b-unknown-silent", Unknown, Missing)
	add("c-weak-silent", Weak, Missing)
	add("d-known-silent", Majority, Missing)
	add("e-wrong", Majority, Wrong)
	two := c.Runs[0].copied()
	two.Tool, two.SetAside = "twofold", true
	c.Tools = append(c.Tools, Tool{Name: two.Tool, Kind: Sequential})
	c.Runs = append(c.Runs, two)
	c.Categories[0].Standings = append(c.Categories[0].Standings, Standing{Tool: two.Tool})
	masks := map[string]string{"explicit": "T?---X", "twofold": "~~---~"}
	for _, c := range []*Contest{c, fixture(11, 4, 6)} {
		dir := publishedSite(t, c)
		counts := map[string]int{}
		for _, row := range readCSV(t, dir, "runs.csv") {
			if want := masks[row["tool"]]; len(c.Tools) == 2 && row["mask"] != want {
				t.Errorf("runs.csv has %s for %s, want %s", row["mask"], row["tool"], want)
			}
			for _, mark := range row["mask"] {
				counts[row["category"]+" "+row["tool"]+" "+string(mark)]++
			}
		}
		for _, row := range readCSV(t, dir, "totals.csv") {
			for mark, column := range map[string]string{"T": "right", "X": "wrong", "?": "unjudged", "-": "unanswered", "~": "set_aside"} {
				if n := counts[row["category"]+" "+row["tool"]+" "+mark]; strconv.Itoa(n) != row[column] {
					t.Errorf("%s of %s in %s is %s; the masks have %d times %s", column, row["tool"], row["category"], row[column], n, mark)
				}
			}
		}
	}
}

// small is one run with one answer, to be read in full in golden files.
func small() *Contest {
	id := models.ID{Family: "Philosophers", Kind: models.PT, Param: "000005"}
	log := "loading\nFORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n"
	return &Contest{
		Title: "Small contest", Edition: Edition{ID: "mcc2016", Rules: []Rule{{"E-4.2", "Points", "Points for right values."}}}, ForRecord: true, Version: "v0",
		Tools:        []Tool{{Name: "explicit", Family: "explicit", Kind: Sequential}},
		Instances:    []Instance{{ID: id}},
		Examinations: []Examination{{ID: examinations.ReachabilityDeadlock, Category: "Reachability"}},
		Categories:   []Category{{Name: "Reachability", Standings: []Standing{{Tool: "explicit", Points: big.NewRat(16, 1), Rank: 1, Place: 1}}}},
		Runs: []Run{{Tool: "explicit", Instance: id, Exam: examinations.ReachabilityDeadlock, Participation: Answered, Termination: "exited",
			CPU: 1234567000, Wall: 1300000000, MemoryPeak: 12345678, Points: big.NewRat(16, 1), Logged: true, Whole: &Whole{Setting: Setting{
				Attempts: 1, Origin: "restored from a template", User: 1000000000, System: 234567000, OutputBytes: int64(len(log)), Measured: "guest:cgroup2",
				Energy:  Energy{State: "estimate", Package: 12_345_678, Core: 10_000_000, Why: "an estimate: 25 % of the packages' energy, by CPU time"},
				HostCPU: 1310000000, HostMemory: 301234567,
				Log: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }},
				Answers: []Answer{{"ReachabilityDeadlock", examinations.True, Right, "EXPLICIT", 1200000000, 8,
					Witness{State: "confirmed", Proved: "TRUE", Detail: "after 2 firings no transition is enabled"}}},
				Items: []Item{{Item: "ReachabilityDeadlock", Rule: "E-4.2", Reason: "right value", Points: big.NewRat(16, 1)}}}}},
		Confidences: []Confidence{{"explicit", 0, 0}},
		References: []Reference{{Key: examinations.Key{Instance: id, Exam: examinations.ReachabilityDeadlock, Item: "ReachabilityDeadlock"}, Value: examinations.True,
			State: Single, Rule: "E-3.1", Clause: "Only one tool provides a value.", Votes: []Vote{{"explicit", examinations.True, big.NewRat(1, 1)}}}},
	}
}

func TestGoldenFiles(t *testing.T) {
	dir := publishedSite(t, small())
	for file, name := range map[string]string{
		"csv/runs.csv": "runs.csv", "csv/answers.csv": "answers.csv", "csv/witnesses.csv": "witnesses.csv", "csv/references.csv": "references.csv", "csv/scores.csv": "scores.csv",
		"instances/Philosophers-PT-000005.html": "instance.html",
	} {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, string(got))
	}
}

func TestUnusualContests(t *testing.T) {
	none := &Contest{Title: "Nothing yet", Edition: Edition{ID: "mcc2016"}}
	idle := fixture(7, 2, 2)
	idle.Runs, idle.References, idle.Confidences = nil, nil, nil
	negative := small()
	negative.Runs[0].Answers[0].Mark, negative.Runs[0].Points = Wrong, big.NewRat(-32, 3)
	negative.Runs[0].Items[0].Points, negative.Categories[0].Standings[0].Points = big.NewRat(-32, 3), big.NewRat(-32, 3)
	tie := fixture(8, 4, 1)
	for i := range tie.Categories[0].Standings {
		tie.Categories[0].Standings[i].Rank, tie.Categories[0].Standings[i].Place = 1, 1
	}
	void := small()
	void.Runs[0].Void, void.Runs[0].Logged = "no machine could be booted.", false
	for name, c := range map[string]*Contest{"no tools": none, "no runs": idle, "negative points": negative, "four winners": tie, "void": void, "eleven tools": fixture(9, 11, 1)} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) { checkSite(t, publishedSite(t, c)) })
	}
}

func TestBadContests(t *testing.T) {
	for want, spoil := range map[string]func(c *Contest){
		`run of "nobody"`:               func(c *Contest) { c.Runs[0].Tool = "nobody" },
		`is no instance of the contest`: func(c *Contest) { c.Runs[0].Instance.Param = "7" },
		`is no examination`:             func(c *Contest) { c.Runs[0].Exam = "Guessing" },
		`is in the contest twice`:       func(c *Contest) { c.Runs = append(c.Runs, c.Runs[0]) },
		`tool "explicit" is in`:         func(c *Contest) { c.Tools = append(c.Tools, c.Tools[0]) },
		`ranks "nobody"`:                func(c *Contest) { c.Categories[0].Standings[0].Tool = "nobody" },
		`2 of 1 values agree`:           func(c *Contest) { c.Confidences[0] = Confidence{"explicit", 2, 1} },
		`"nobody" votes`:                func(c *Contest) { c.References[0].Votes[0].Tool = "nobody" },
		`category Reachability is`:      func(c *Contest) { c.Categories = append(c.Categories, c.Categories[0]) },
		`there is a referee`:            func(c *Contest) { c.Refereed = true },
		`"nobody" is refuted`:           func(c *Contest) { c.References[0].Ruling = &Ruling{Against: []string{"nobody"}} },
		`has no mark`:                   func(c *Contest) { c.Runs[0].Answers[0].Mark = 0 },
		`disk on fire`: func(c *Contest) {
			c.Runs[0].Log = func() (io.ReadCloser, error) { return nil, errors.New("disk on fire") }
		},
	} {
		t.Run(want, func(t *testing.T) {
			c, parent := small(), t.TempDir()
			spoil(c)
			err := Write(t.Context(), filepath.Join(parent, "published"), c)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v", err)
			}
			if left, _ := os.ReadDir(parent); len(left) != 0 {
				t.Errorf("the failed attempt left %v", left)
			}
		})
	}
}

// TestInterrupted: an interruption ends the writing and leaves what was there.
func TestInterrupted(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "published")
	if err := Write(t.Context(), dir, small()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, provenanceFile))
	if err != nil {
		t.Fatal(err)
	}
	c := small()
	c.Title = "another"
	ctx, interrupt := context.WithCancel(t.Context())
	c.Runs[0].Log = func() (io.ReadCloser, error) {
		interrupt() // in the midst of it
		return io.NopCloser(strings.NewReader("")), nil
	}
	if err := Write(ctx, dir, c); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	after, err := os.ReadFile(filepath.Join(dir, provenanceFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("what was published changed, %v", err)
	}
	if left, _ := os.ReadDir(parent); len(left) != 1 {
		t.Errorf("the attempt left %v", left)
	}
}

func TestReplacesOnlyWhatWasPublished(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "published")
	for range 2 {
		if err := Write(t.Context(), dir, small()); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(parent); len(left) != 1 {
		t.Errorf("the directory beside the site holds %v", left)
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "thesis.tex"), []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), home, small()); err == nil || !strings.Contains(err.Error(), "not replaced") {
		t.Errorf("a foreign directory gave %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, "thesis.tex")); err != nil {
		t.Error(err)
	}
}

// BenchmarkWrite publishes 20,000 runs. overhead-MB is the greatest live heap
// beyond the contest itself, as sampled.
func BenchmarkWrite(b *testing.B) {
	c := fixture(1, 8, 193)
	b.ResetTimer()
	for b.Loop() {
		runtime.GC()
		before := liveHeap()
		peak := watchHeap()
		publishedSite(b, c)
		b.ReportMetric((float64(peak())-float64(before))/1e6, "overhead-MB")
		b.ReportMetric(float64(len(c.Runs)), "runs")
	}
}

// liveHeap is what the last collection of garbage found alive.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watchHeap samples the live heap until the function it gives is called, which
// returns the greatest size seen.
func watchHeap() func() uint64 {
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		for peak := uint64(0); ; {
			peak = max(peak, liveHeap())
			select {
			case <-stop:
				done <- peak
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-done }
}
