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
		p := New(&out, plan.Count(), log, rest, false)
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
