package stripped

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/modelfiles"
	"podium/models"
	"podium/vm"
)

// answer is what a tool says on the k-th copy of an instance; the original has the kind
// "" and the number 0.
type answer func(instance int, kind Kind, k int) (values int, cpu time.Duration)

// ends makes runs of a tool on n instances and on copies of each.
func ends(n, copies int, of answer) (*campaign.Plan, map[campaign.Run]*campaign.Finished, map[string]*twin) {
	plan := &campaign.Plan{Examinations: []examinations.ID{examinations.OneSafe}, Tools: []campaign.PlannedTool{{Name: "t"}}}
	all, twins := map[campaign.Run]*campaign.Finished{}, map[string]*twin{}
	for i := range n {
		original := fmt.Sprintf("N%d-PT-1", i)
		run := func(name string, kind Kind, k int) {
			plan.Instances = append(plan.Instances, campaign.PlannedInstance{ID: name})
			values, cpu := of(i, kind, k)
			f := campaign.Finished{Run: campaign.Run{Tool: "t", Instance: name, Exam: examinations.OneSafe},
				Outcome: vm.Outcome{Termination: vm.Exited, CPUTime: vm.Took(cpu), MemoryPeak: 1 << 20, Measured: "cgroup2"}}
			var answers []campaign.Answer
			for v := range values {
				answers = append(answers, campaign.Answer{Item: fmt.Sprint(v), Text: "TRUE", Techniques: "X"})
			}
			f.Answers = campaign.AnswersOf(answers...)
			all[f.Run] = &f
		}
		run(original, "", 0)
		for c, kind := range kinds {
			for k := range copies {
				name := fmt.Sprintf("S_%d-PT-%d%d", i, c, k)
				twins[name] = &twin{kind: kind, original: original, back: &models.Renaming{}}
				run(name, kind, k)
			}
		}
	}
	slices.SortFunc(plan.Instances, func(a, b campaign.PlannedInstance) int { return strings.Compare(a.ID, b.ID) })
	return plan, all, twins
}

func judged(n, copies int, of answer) Tool {
	plan, all, twins := ends(n, copies, of)
	return compareTool("t", plan, all, twins)
}

// TestNoPart: what a tool takes no part in is named once, and missing nowhere.
func TestNoPart(t *testing.T) {
	plan, all, twins := ends(2, 2, func(int, Kind, int) (int, time.Duration) { return 1, time.Second })
	plan.Tools[0].Participation = &campaign.Participation{Examinations: []examinations.ID{examinations.StateSpace}}
	got := compareTool("t", plan, all, twins)
	if len(got.NoPart) != 2 || got.Sides[0].Missing != 0 || got.Result != NoAnswers {
		t.Errorf("%+v", got)
	}
}

// TestHonestToolsAreNotSuspected: tools whose luck and speed vary, the same on originals
// and on copies, are suspected about as rarely as the rules say, however many copies
// share one original.
func TestHonestToolsAreNotSuspected(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, copies := range []int{1, 2, 7} {
		suspected := 0
		const trials = 200
		for range trials {
			got := judged(12, copies, func(int, Kind, int) (int, time.Duration) {
				return 1 + random.IntN(4), time.Duration(float64(time.Second) * (0.5 + random.Float64()))
			})
			if got.Result != Honest {
				suspected++
			}
		}
		if suspected > trials*4/100 { // two kinds of copies, each with 0.01
			t.Errorf("%d copies: %d of %d honest tools are suspected", copies, suspected, trials)
		}
	}
}

// TestResults: what each rule is for.
func TestResults(t *testing.T) {
	one := func(yes bool) int { return map[bool]int{true: 1}[yes] }
	for what, test := range map[string]struct {
		instances, copies int
		of                answer
		want              Result
	}{
		"no answer without names":         {5, 2, func(_ int, kind Kind, _ int) (int, time.Duration) { return 16 * one(kind == ""), time.Second }, NamesMatter},
		"some answers less without names": {6, 2, func(i int, kind Kind, _ int) (int, time.Duration) { return 16 - i*one(kind != ""), time.Second }, NamesMatter},
		"so few instances are chance":     {4, 2, func(_ int, kind Kind, _ int) (int, time.Duration) { return 16 * one(kind == ""), time.Second }, Honest},
		"one lucky run, many copies":      {4, 20, func(i int, kind Kind, _ int) (int, time.Duration) { return 15 + one(i == 0 && kind == ""), time.Second }, Honest},
		"less in another order":           {5, 2, func(_ int, kind Kind, _ int) (int, time.Duration) { return 16 - one(kind == Reordered), time.Second }, OrderMatters},
		"more on the copies":              {9, 2, func(_ int, kind Kind, _ int) (int, time.Duration) { return 16 * one(kind != ""), time.Second }, Honest},
		"nothing":                         {5, 2, func(int, Kind, int) (int, time.Duration) { return 0, time.Second }, NoAnswers},
		"three times as long": {10, 1, func(i int, kind Kind, _ int) (int, time.Duration) {
			return 16, time.Duration(i+10) * time.Millisecond * time.Duration(1+2*one(kind != ""))
		}, NamesMatter},
		"half as long again": {10, 1, func(i int, kind Kind, _ int) (int, time.Duration) {
			return 16, time.Duration(i+10) * time.Millisecond * time.Duration(2+one(kind != ""))
		}, Honest},
	} {
		got := judged(test.instances, test.copies, test.of)
		if got.Result != test.want {
			t.Errorf("%s: %s, not %s: %+v", what, got.Result, test.want, got)
		}
	}
}

// TestValuesThatDiffer: a tool that is right on every original and wrong on every copy
// knows the originals; one that is wrong here and there is only wrong.
func TestValuesThatDiffer(t *testing.T) {
	all16 := func(int, Kind, int) (int, time.Duration) { return 3, time.Second }
	plan, all, twins := ends(5, 2, all16)
	wrong := func(name string) {
		run := campaign.Run{Tool: "t", Instance: name, Exam: examinations.OneSafe}
		f := all[run]
		answers := f.Answers.List()
		answers[1].Text = "FALSE"
		f.Answers = campaign.AnswersOf(answers...)
		all[run] = f
	}
	wrong("S_0-PT-00")
	got := compareTool("t", plan, all, twins)
	if s := got.Sides[0]; got.Result != ValuesDiffer || s.Same != 29 || s.Different != 1 || len(s.Changes) != 1 || s.Changes[0].OnCopy != "FALSE" || len(s.Reasons) != 1 {
		t.Errorf("one wrong value: %+v", got)
	}
	for name := range twins {
		if name != "S_0-PT-00" {
			wrong(name)
		}
	}
	if got := compareTool("t", plan, all, twins); got.Result != NamesMatter || got.Sides[0].Different != 10 {
		t.Errorf("every copy is wrong: %+v", got)
	}
}

// TestMissingRuns: an examination of which a run is missing is left out, on every copy.
func TestMissingRuns(t *testing.T) {
	plan, all, twins := ends(5, 2, func(int, Kind, int) (int, time.Duration) { return 3, time.Second })
	delete(all, campaign.Run{Tool: "t", Instance: "S_0-PT-00", Exam: examinations.OneSafe})
	got := compareTool("t", plan, all, twins)
	if s := got.Sides[0]; got.Result != Honest || s.Missing != 1 || s.Same != 4*2*3 || got.Sides[1].Same != 5*2*3 {
		t.Errorf("%+v", got)
	}
}

// TestChance compares with probabilities that are counted by hand.
func TestChance(t *testing.T) {
	for _, test := range []struct {
		groups [][]int
		want   float64
	}{
		{nil, 1},
		{[][]int{{3, 3, 3}}, 1},
		{[][]int{{3, 1}, {2, 1}}, 1. / 4},
		{[][]int{{3, 1}, {1, 2}}, 3. / 4},
		{[][]int{{3, 1, 1}, {5, 0, 0}}, 1. / 9},
		{[][]int{{2, 1, 3}}, 2. / 3},
		{[][]int{{9, 1, 3}, {1, 1, 1}}, 1. / 3},
	} {
		if got := chance(test.groups); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v: %v, not %v", test.groups, got, test.want)
		}
	}
	for copies, want := range map[int]int{1: 7, 2: 5, 3: 4, 4: 3, 10: 2} {
		if got := needed(copies); got != want {
			t.Errorf("%d copies: %d instances, not %d", copies, got, want)
		}
	}
}

// TestCopies: copies are drawn under the secret, and their formulas are translated back.
// A net that cannot be stripped is left out, with the reason.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	family, _ := models.FindFamily("TokenRingMutex")
	if err := modelfiles.Write(t.Context(), dir, []modelfiles.Choice{{Family: family, Param: "002"}}, 1, false); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(dir, "Odd-PT-1")
	if err := os.Mkdir(odd, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"iscolored": "FALSE\n", models.ModelFile: `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="x"><page id="p"><place id="a"><inhibitor/></place></page></net></pnml>`} {
		if err := os.WriteFile(filepath.Join(odd, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	instances, err := models.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(secret string) map[string]*twin {
		kept, twins, out, err := copies(instances.Instances, filepath.Join(t.TempDir(), "copies"), 2, secret)
		if err != nil || len(kept) != 1 || len(twins) != 4 || len(out) != 1 || out[0].Instance != "Odd-PT-1" || !strings.Contains(out[0].Reason, "[pnml-net-type]") {
			t.Fatalf("%v: kept %v, left out %v, %d copies", err, kept, out, len(twins))
		}
		return twins
	}
	first := draw("secret")
	for name := range draw("secret") {
		if first[name] == nil {
			t.Errorf("the same secret gives another copy, %s", name)
		}
	}
	for name := range draw("other") {
		if first[name] != nil {
			t.Errorf("another secret gives the same copy, %s", name)
		}
	}
	for name, twin := range first {
		copied, err := os.ReadFile(filepath.Join(twin.path, models.ModelFile))
		if err != nil || bytes.Contains(copied, []byte("TokenRing")) {
			t.Errorf("%s still tells its name (%v)", name, err)
		}
		if got := twin.old(examinations.UpperBounds, name+"-UpperBounds-03"); got != "TokenRingMutex-PT-002-UpperBounds-03" {
			t.Errorf("formula 3 of %s is translated to %s", name, got)
		}
	}
}
