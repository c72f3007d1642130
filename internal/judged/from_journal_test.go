package judged

import (
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

// TestE41UnmeasuredEarnsNoBonus scores two tools that are right. The quicker and
// smaller one earns both bonuses, unless its figures were not measured: then they
// go to the other.
func TestE41UnmeasuredEarnsNoBonus(t *testing.T) {
	ed, _, err := LoadEdition("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unmeasured []vm.Figure
		time, mem  string // who earns the bonus
	}{{nil, "small", "small"}, {[]vm.Figure{vm.Times}, "large", "small"}, {[]vm.Figure{vm.Memory}, "small", "large"},
		{[]vm.Figure{vm.Times, vm.Memory}, "large", "large"}} {
		b := ed.Builder()
		const instance, exam = "Net-PT-001", examinations.ID("ReachabilityDeadlock")
		b.Instance(instance, models.Known)
		if err := b.Declare(instance, exam, "ReachabilityDeadlock"); err != nil {
			t.Fatal(err)
		}
		for i, tool := range []string{"small", "large"} {
			b.Tool(scoring.Tool{Name: tool, Family: tool})
			o := vm.Outcome{CPUTime: vm.Took(time.Duration(i+1) * time.Second), WallTime: vm.Took(time.Duration(i+1) * time.Second), MemoryPeak: int64(i+1) << 20}
			if tool == "small" {
				for _, f := range c.unmeasured {
					o.Distrust(f, "It is hidden.")
				}
			}
			run := campaign.Run{Tool: tool, Instance: instance, Exam: exam}
			f := &campaign.Finished{Run: run, Outcome: o, Participation: output.Answered,
				Answers: campaign.AnswersOf(campaign.Answer{Item: "ReachabilityDeadlock", Text: "TRUE"})}
			if err := b.Add(Entry(f)); err != nil {
				t.Fatal(err)
			}
		}
		got, result := map[string][]string{}, ed.Score(b.Contest())
		for i, tool := range result.Contest.Tools {
			for _, item := range result.Accountant().Items(0, i) {
				switch {
				case strings.Contains(item.Text(), "CPU"):
					got["time"] = append(got["time"], tool.Name)
				case strings.Contains(item.Text(), "memory"):
					got["memory"] = append(got["memory"], tool.Name)
				}
			}
		}
		if strings.Join(got["time"], " ") != c.time || strings.Join(got["memory"], " ") != c.mem {
			t.Errorf("without %q the bonuses go to %q", c.unmeasured, got)
		}
	}
}

// TestGreenOfAJournal: the ranking by energy takes what was measured. A tool with an
// estimate, or without a figure, is not in it.
func TestGreenOfAJournal(t *testing.T) {
	ed, _, err := LoadEdition("svcomp2019")
	if err != nil {
		t.Fatal(err)
	}
	b := ed.Builder()
	const instance, exam = "loops/a.yml#unreach-call", examinations.ID("Loops")
	for tool, e := range map[string]*vm.Energy{"frugal": {Package: 3_000_000}, "hungry": {Package: 5_000_000, DRAM: 1}, "estimated": {Package: 1, Estimate: true, Why: "a share"},
		"unseen": {Why: "this host shows no counters"}, "old": nil} {
		f := campaign.Finished{Run: campaign.Run{Tool: tool, Instance: instance, Exam: exam}, Outcome: vm.Outcome{Energy: e}, Participation: output.Answered,
			Answers: campaign.AnswersOf(campaign.Answer{Item: "Loops", Text: "TRUE"})}
		if err := b.Add(Entry(&f)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Oracle(instance, exam, "Loops", examinations.True); err != nil {
		t.Fatal(err)
	}
	r := ed.Score(b.Contest())
	green := scoring.Green.Rank(r.Contest, &r.Boards()[0])
	name := func(n int) string { return r.Contest.Tools[green[n].Tool].Name }
	if len(green) != 2 || name(0) != "frugal" || green[0].Measure.RatString() != "3/2" || name(1) != "hungry" {
		t.Errorf("%+v", green)
	}
}
