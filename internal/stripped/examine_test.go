package stripped

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/models"
	"podium/vm"
)

// ends makes runs of a tool on n instances and a copy of each; answers gives what it
// says on one of them, 16 values at most, and how long it takes.
func ends(n int, answers func(instance int, copied bool) (values int, cpu time.Duration)) (*campaign.Plan, map[campaign.Run]campaign.Finished, map[string]*twin) {
	plan := &campaign.Plan{Examinations: []examinations.ID{examinations.OneSafe}}
	all, twins := map[campaign.Run]campaign.Finished{}, map[string]*twin{}
	for i := range n {
		original, copied := fmt.Sprintf("N%d-PT-1", i), fmt.Sprintf("S_%d-PT-none", i)
		twins[copied] = &twin{original: original, back: &models.Renaming{}}
		for _, name := range []string{original, copied} {
			values, cpu := answers(i, name == copied)
			f := campaign.Finished{Run: campaign.Run{Tool: "t", Instance: name, Exam: examinations.OneSafe},
				Outcome: vm.Outcome{Termination: vm.Exited, CPUTime: cpu, MemoryPeak: 1 << 20, Measured: "cgroup2"}}
			for k := range values {
				f.Answers = append(f.Answers, campaign.Answer{Item: fmt.Sprint(k), Text: "TRUE", Techniques: "X"})
			}
			all[f.Run] = f
		}
	}
	return plan, all, twins
}

// TestHonestToolsAreNotSuspected: tools whose luck and speed vary, the same on originals
// and on copies, are suspected about as rarely as the rule says.
func TestHonestToolsAreNotSuspected(t *testing.T) {
	random, suspected := rand.New(rand.NewPCG(1, 2)), 0
	const trials = 400
	for range trials {
		plan, all, twins := ends(30, func(int, bool) (int, time.Duration) {
			return 8 + random.IntN(9), time.Duration(float64(time.Second) * (0.5 + random.Float64()))
		})
		if compareTool("t", plan, all, twins).Suspicious {
			suspected++
		}
	}
	if suspected > trials*2/100 {
		t.Errorf("%d of %d honest tools are suspected", suspected, trials)
	}
}

// TestCheatsAreSuspected: what each rule is for.
func TestCheatsAreSuspected(t *testing.T) {
	for what, answers := range map[string]func(int, bool) (int, time.Duration){
		"no answer without names": func(_ int, copied bool) (int, time.Duration) { return map[bool]int{false: 16}[copied], time.Second },
		"some answers less without names": func(i int, copied bool) (int, time.Duration) {
			return 16 - map[bool]int{true: i % 5}[copied], time.Second
		},
		"three times as long": func(i int, copied bool) (int, time.Duration) {
			return 16, time.Duration(i+10) * time.Millisecond * map[bool]time.Duration{false: 1, true: 3}[copied]
		},
	} {
		plan, all, twins := ends(10, answers)
		if got := compareTool("t", plan, all, twins); !got.Suspicious || len(got.Reasons) != 1 {
			t.Errorf("%s: %+v", what, got)
		}
	}
	plan, all, twins := ends(1, func(int, bool) (int, time.Duration) { return 3, time.Second })
	run := campaign.Run{Tool: "t", Instance: "S_0-PT-none", Exam: examinations.OneSafe}
	all[run].Answers[1].Text = "FALSE"
	got := compareTool("t", plan, all, twins)
	if !got.Suspicious || got.Same != 2 || got.Different != 1 || len(got.Changes) != 1 || got.Changes[0].OnCopy != "FALSE" {
		t.Errorf("another value: %+v", got)
	}
	plan, all, twins = ends(6, func(_ int, copied bool) (int, time.Duration) { return map[bool]int{false: 16}[copied], time.Second })
	if got := compareTool("t", plan, all, twins); got.Suspicious || got.More != 6 {
		t.Errorf("six runs are too few: %+v", got)
	}
}
