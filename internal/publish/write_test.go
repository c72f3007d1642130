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

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
	"podium/internal/witness"
	"podium/models"
	"podium/scoring"
	"podium/vm"
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

// shuffled makes the same contest with everything in another order.
func (m *maker) shuffled() *maker {
	rng := rand.New(rand.NewPCG(99, 1))
	s := *m
	s.tools, s.instances, s.runs = slices.Clone(m.tools), slices.Clone(m.instances), slices.Clone(m.runs)
	rng.Shuffle(len(s.tools), func(i, j int) { s.tools[i], s.tools[j] = s.tools[j], s.tools[i] })
	rng.Shuffle(len(s.instances), func(i, j int) { s.instances[i], s.instances[j] = s.instances[j], s.instances[i] })
	rng.Shuffle(len(s.runs), func(i, j int) { s.runs[i], s.runs[j] = s.runs[j], s.runs[i] })
	for i, r := range s.runs {
		other, how := *r, *r.ran
		how.said = slices.Clone(r.said)
		rng.Shuffle(len(how.said), func(i, j int) { how.said[i], how.said[j] = how.said[j], how.said[i] })
		other.ran, s.runs[i] = &how, &other
	}
	return &s
}

func TestSameContestSameBytes(t *testing.T) {
	m := newMaker(3, 4, 2)
	first, second := digests(t, publishedSite(t, m.contest())), digests(t, publishedSite(t, m.shuffled().contest()))
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
	if p.Format != "podium-provenance/1" || p.Edition.ID != "mcc2016-13" || p.Counts.Runs != 4*3*13 || p.Counts.Values != 3*(4+5+7*16) {
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

// readCSV returns the rows of a published table as maps.
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
	if len(runs) != len(c.runs) {
		t.Errorf("%d runs, %d published", len(c.runs), len(runs))
	}
	for _, row := range runs {
		key := row["tool"] + " " + row["instance"] + " " + row["examination"]
		if sums[key] == nil {
			sums[key] = new(big.Rat)
		}
		if row["points"] == "" && row["no_score"] != "" && sums[key].Sign() == 0 {
			row["points"] = "0"
		}
		if sums[key].RatString() != row["points"] {
			t.Errorf("%s: items sum to %s, the run has %s", key, sums[key].RatString(), row["points"])
		}
		add(totals, row["category"]+" "+row["tool"], row["points"])
	}
	for _, row := range readCSV(t, dir, "totals.csv") {
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
	for i := range c.runs {
		answers += len(slices.Collect(c.runs[i].said()))
	}
	if rows := readCSV(t, dir, "answers.csv"); len(rows) != answers {
		t.Errorf("%d answers, %d published", answers, len(rows))
	}
}

// A value that was not answered is '-', whether there is a reference or not: the
// masks of runs.csv add up to totals.csv.
func TestMasksAddUpToTotals(t *testing.T) {
	// Three tools agree on five values, so that their confidences are known; explicit is right,
	// silent, wrong, alone with a value, and twofold is set aside.
	m := &maker{ed: mustEdition("mcc2016-13"), asked: map[made][]string{}, exams: []examinations.ID{examinations.ReachabilityCardinality}}
	id := models.ID{Family: "Philosophers", Kind: models.PT, Param: "000005"}
	items := []string{"a-right", "b-unknown-silent", "c-silent", "d-wrong", "e-unknown-answered"}
	m.instances, m.asked[made{instance: id, exam: examinations.ReachabilityCardinality}] = []Instance{{ID: id}}, items
	for tool, said := range map[string]string{"explicit": "T..F?", "alpha": "T.TT.", "beta": "T.TT.", "gamma": "T.TT.", "twofold": "TF..."} {
		m.tools = append(m.tools, Tool{Tool: scoring.Tool{Name: tool}})
		r := &made{tool, id, examinations.ReachabilityCardinality, &ran{Ran: judged.Ran{Outcome: &vm.Outcome{Termination: vm.Exited}, Participation: output.Answered, Attempts: 1}}}
		for i, item := range items {
			if said[i] != '.' {
				r.said = append(r.said, judged.Said{Item: item, Value: examinations.Truth(said[i] != 'F'), At: -1, Offset: -1})
			}
		}
		m.runs = append(m.runs, r)
	}
	m.ed = mustEdition("mcc2016-13")
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.Disqualify, Tool: "twofold", Author: "Ada", Reason: "It guessed."}}}
	c := m.contest()
	masks := map[string]string{"explicit": "T--X?", "alpha": "T-TT-", "beta": "T-TT-", "gamma": "T-TT-", "twofold": "~~---"}
	for _, c := range []*Contest{c, fixture(11, 4, 6)} {
		dir := publishedSite(t, c)
		counts := map[string]int{}
		for _, row := range readCSV(t, dir, "runs.csv") {
			if want := masks[row["tool"]]; len(c.Tools) == 5 && row["mask"] != want {
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
	c := smallMaker().contest()
	c.Title, c.ForRecord, c.Version, c.Edition.Rules = "Small contest", true, "v0", []edition.Words{{Rule: "E-4.2", Title: "Points", Text: "Points for right values."}}
	c.Started, c.Finished, c.Digests, c.Facts, c.Machines, c.Drift, c.Warnings = time.Time{}, time.Time{}, nil, nil, nil, nil, nil
	return c
}

func smallMaker() *maker {
	id := models.ID{Family: "Philosophers", Kind: models.PT, Param: "000005"}
	r := &made{"explicit", id, examinations.ReachabilityDeadlock, &ran{Ran: judged.Ran{Participation: output.Answered, Attempts: 1, Outcome: &vm.Outcome{
		Termination: vm.Exited, Start: vm.Restored, CPUTime: 1_234_567, UserTime: 1_000_000, SystemTime: 234_567, WallTime: 1_300_000, MemoryPeak: 12345678,
		Measured: "guest:cgroup2", HostCPUTime: 1_310_000, HostMemoryPeak: 301234567,
		Energy: &vm.Energy{Estimate: true, Package: 12_345_678, Core: 10_000_000, Why: "an estimate: 25 % of the packages' energy, by CPU time"}}},
		said: []judged.Said{{Item: "ReachabilityDeadlock", Value: examinations.True, Techniques: "EXPLICIT", At: 1200 * time.Millisecond, Offset: 8,
			Witness: campaign.Witnessed{Item: "ReachabilityDeadlock", State: witness.Confirmed, Proved: "TRUE", Detail: "after 2 firings no transition is enabled"}}}}}
	r.logged("loading\nFORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n")
	r.sampled()
	return &maker{ed: mustEdition("mcc2016-13"), tools: []Tool{{Tool: scoring.Tool{Name: "explicit", Family: "explicit"}, Kind: Sequential}}, instances: []Instance{{ID: id}},
		exams: []examinations.ID{examinations.ReachabilityDeadlock}, asked: map[made][]string{{instance: id, exam: examinations.ReachabilityDeadlock}: {"ReachabilityDeadlock"}}, runs: []*made{r}}
}

// nothing is a contest without tools, nets and runs.
func nothing() *Contest { return (&maker{ed: mustEdition("mcc2016-13")}).contest() }

// another adds a tool with a run as that of the first one.
func (m *maker) another(tool string) *made {
	m.tools = append(m.tools, Tool{Tool: scoring.Tool{Name: tool}, Kind: Sequential})
	how, outcome := *m.runs[0].ran, *m.runs[0].Outcome
	how.Outcome, how.said = &outcome, slices.Clone(how.said)
	r := &made{tool, m.runs[0].instance, m.runs[0].exam, &how}
	m.runs = append(m.runs, r)
	return r
}

// TestVariantsOfTools: the list of tools says of which tool another one is a variant.
func TestVariantsOfTools(t *testing.T) {
	list := readPage(t, publishedSite(t, fixture(1, 4, 4)), "tools.html")
	for file, of := range map[string]string{"explicit": "", "symbolic": "", "sym": "symbolic"} {
		row := list[strings.Index(list, `<a href="tools/`+file):]
		if _, after, _ := strings.Cut(row, "</th><td>"); !strings.HasPrefix(after, of+"</td>") {
			t.Errorf("%s is a variant of %.40s", file, after)
		}
	}
}

func TestGoldenFiles(t *testing.T) {
	m := smallMaker()
	m.another("alpha")
	m.another("beta").said[0].Witness = campaign.Witnessed{}
	dir := publishedSite(t, m.contest())
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
	idle := newMaker(7, 2, 2)
	idle.runs = nil
	negative := smallMaker()
	for _, tool := range []string{"alpha", "beta", "gamma"} {
		negative.another(tool).said[0].Value = examinations.False
	}
	tie := newMaker(8, 4, 1)
	for _, r := range tie.runs { // all do as the first tool
		*r.ran = *tie.runs[slices.IndexFunc(tie.runs, func(x *made) bool { return x.exam == r.exam })].ran
	}
	void := smallMaker()
	void.runs[0].Void, void.runs[0].Logged = "no machine could be booted.", false
	for name, c := range map[string]*Contest{"no tools": nothing(), "no runs": idle.contest(), "negative points": negative.contest(), "four winners": tie.contest(), "void": void.contest(), "eleven tools": fixture(9, 11, 1)} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) { checkSite(t, publishedSite(t, c)) })
	}
}

// TestFailedWriting: what fails leaves nothing.
func TestFailedWriting(t *testing.T) {
	m, parent := smallMaker(), t.TempDir()
	m.runs[0].log = func() (io.ReadCloser, error) { return nil, errors.New("disk on fire") }
	err := Write(t.Context(), filepath.Join(parent, "published"), m.contest())
	if err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("got error %v", err)
	}
	if left, _ := os.ReadDir(parent); len(left) != 0 {
		t.Errorf("the failed attempt left %v", left)
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
	m := smallMaker()
	ctx, interrupt := context.WithCancel(t.Context())
	m.runs[0].log = func() (io.ReadCloser, error) {
		interrupt() // in the midst of it
		return io.NopCloser(strings.NewReader("")), nil
	}
	if err := Write(ctx, dir, m.contest()); !errors.Is(err, context.Canceled) {
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
		b.ReportMetric(float64(len(c.runs)), "runs")
	}
}

// liveHeap is what the last collection of garbage found alive.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watchHeap samples the live heap until the function it returns is called, which
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
