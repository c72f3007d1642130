package progress

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/vm"
)

// TestProgress reads the lines that a worker prints off a terminal: how many runs are
// done, and what is left with its error.
func TestProgress(t *testing.T) {
	plan := &campaign.Plan{Sequential: campaign.Confinement{WallTime: 8e6}, Tools: []campaign.PlannedTool{{Name: "walk"}}, Examinations: []examinations.ID{"StateSpace"}}
	for _, family := range []string{"A", "B", "C", "D", "E"} {
		plan.Instances = append(plan.Instances, campaign.PlannedInstance{ID: family + "-PT-1", Family: family})
	}
	log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
	for i, want := range []string{
		`^1 of 5 runs, left: about \S+, at most \S+\n$`, `^2 of 5 runs, left: about \S+, at most \S+\n$`,
		`^3 of 5 runs, left: about \S+ \(\S+ to \S+\)\n$`, `^4 of 5 runs, left: about `, `^5 of 5 runs\n$`,
	} {
		rest, err := forecast.NewRest(t.Context(), plan, log, forecast.RestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := New(&out, plan.Count(), func() int { return i + 1 }, rest, false)
		run := campaign.Run{Tool: "walk", Instance: plan.Instances[i].ID, Exam: "StateSpace"}
		p.Observe(campaign.Event{Started: &campaign.Started{Run: run}})
		out.Reset()
		p.spoken = time.Time{}
		ended := campaign.Finished{Run: run, Outcome: vm.Outcome{WallTime: vm.Took(time.Duration(i+1) * time.Second)}}
		p.Observe(campaign.Event{Finished: &ended})
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("it says %q, want %s", out.String(), want)
		}
		log.Finished[run] = &ended
	}
}

// TestProgressOfAll: what other workers have done counts, in the lines and at the end.
func TestProgressOfAll(t *testing.T) {
	plan := &campaign.Plan{Tools: []campaign.PlannedTool{{Name: "walk"}}, Instances: []campaign.PlannedInstance{{ID: "A-PT-1", Family: "A"}}, Examinations: []examinations.ID{"StateSpace"}}
	rest, err := forecast.NewRest(t.Context(), plan, &campaign.Log{}, forecast.RestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := 3
	var out bytes.Buffer
	p := New(&out, 9, func() int { return all }, rest, false)
	all = 6 // one of them by this worker
	p.spoken = time.Time{}
	p.Observe(campaign.Event{Finished: &campaign.Finished{Run: campaign.Run{Tool: "walk", Instance: "A-PT-1", Exam: "StateSpace"}}})
	all = 8
	p.Finish()
	if want := regexp.MustCompile(`^going on: 3 of 9 runs are done already\n6 of 9 runs\n1 run in \S+ by this worker; of the campaign, 8 of 9 runs are done\n$`); !want.MatchString(out.String()) {
		t.Errorf("it says %q, want %s", out.String(), want)
	}
}
